"""The program `conformance`: its verbs, how errors are shown, and the exit code of each."""

from __future__ import annotations

import sys
from typing import Any

import click

from conformance.commands.common.verbs import CONTEXT, Verbs
from conformance.errors import ConformanceError
from conformance.model.garbage import collect_seldom
from conformance.model.printable import visible
from conformance.model.version import VERSION

_HELP_PAGE: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""The error of a group without a verb, whose message is its help; click has it since 8.2."""


def _shown(error: Exception) -> str:
    """The message of an error, with secrets redacted and what a terminal or a CI log would obey made visible."""
    from conformance.cassette.redact import shown

    return visible(shown(error.message if isinstance(error, click.ClickException) else str(error)))


def _place(error: OSError) -> str:
    """The file that an error is about, if it names one."""
    return f"{_shown(OSError(str(error.filename)))}: " if error.filename else ""


def _trace(ctx: click.Context) -> None:
    """With `--traceback`, prints the traceback of the error that is being handled, with its secrets redacted."""
    from conformance.cassette.redact import shown

    if ctx.params.get("traceback"):
        import traceback

        click.echo(shown(traceback.format_exc()), err=True, nl=False)


class Program(Verbs):
    """Shows our own errors as one line, below their traceback if `--traceback` is given, and exits with their code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ConformanceError as error:
            _trace(ctx)
            click.echo(f"conformance: {_shown(error)}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("conformance: interrupted", err=True)
            ctx.exit(130)
        except BrokenPipeError:
            # The reader of our output stopped (`| head`): not an error, and there is nowhere to write to.
            sys.stderr.close()
            ctx.exit(0)
        except OSError as error:
            _trace(ctx)
            click.echo(
                f"conformance: {_place(error)}{error.strerror or error}; check the path, permissions and free space",
                err=True,
            )
            ctx.exit(2)
        except click.ClickException as error:
            if not isinstance(error, _HELP_PAGE):
                error.message = _shown(error)  # type: ignore[misc]
            raise
        except (click.exceptions.Exit, click.Abort):
            raise
        except ModuleNotFoundError as error:
            _trace(ctx)
            click.echo(f"conformance: {_missing(ctx, error)}", err=True)
            ctx.exit(2)
        except RecursionError:
            # Readers and the judge expect it; what is left is a deep value in a report or a comparison.
            hint = "remove the exchange that has it"
            click.echo(f"conformance: a value in the input is nested too deeply to be shown; {hint}", err=True)
            ctx.exit(2)
        except Exception as error:  # noqa: BLE001 - our own fault: reported as such, in one line
            _trace(ctx)
            if isinstance(error, ValueError) and "embedded null" in str(error):
                click.echo("conformance: a path contains a NUL character; remove it", err=True)
                ctx.exit(2)
            hint = "please report it, with the output of `conformance --traceback`"
            click.echo(f"conformance: internal error: {type(error).__name__}: {_shown(error)}; {hint}", err=True)
            ctx.exit(3)


def _missing(ctx: click.Context, error: ModuleNotFoundError) -> str:
    """A module that an extra installs.

    Raises:
        ModuleNotFoundError: it is another one.
    """
    from conformance.drivers.extras import EXTRAS, needs

    name = (error.name or "").partition(".")[0]
    if name not in EXTRAS:
        raise error
    return "; ".join(needs(ctx.invoked_subcommand or "this command", name))


@click.group(cls=Program, package="conformance.commands", context_settings=CONTEXT)
@click.version_option(VERSION, message="conformance %(version)s")
@click.option("--traceback", is_flag=True, help="On an error, also show the Python traceback.")
def app(**_options: Any) -> None:
    """Conformance suite for the wire formats of LLM tool use.

    Checks what clients and providers send each other when a model calls tools: recorded, replayed or live.
    """


def main() -> None:
    """The console script."""
    collect_seldom()
    app(prog_name="conformance")
