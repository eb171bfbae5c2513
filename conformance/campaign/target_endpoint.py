"""Turns a target into an endpoint: chooses the model, substitutes variables and looks up the key.

The only place where keys are read from the environment.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from urllib.parse import SplitResult, urlsplit

from conformance.campaign.targets import Target
from conformance.cassette.secretkinds import remember
from conformance.drivers import TIMEOUT_SECONDS
from conformance.errors import ConformanceError
from conformance.judge.chosen_profile import chosen_profile
from conformance.matrix.endpoint import Endpoint
from conformance.model.registry import all_dialects, layers_of, path_of
from conformance.profiles.profiles import all_profiles
from conformance.profiles.recognition import provider_of

NO_KEY = "no-key-needed"
"""The key for clients that require one when the endpoint does not."""

_VERSION = re.compile(r"/v\d[a-z0-9]*$")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|([A-Za-z_]\w*))")
_FRAMING = ("connection", "content-encoding", "content-length", "transfer-encoding")
_LOOPBACK = ("127.", "localhost", "::1", "[::1]", "0.0.0.0")  # noqa: S104 - compared with, never bound to


def dialects_of(target: Target, wanted: Sequence[str], model: str | None) -> tuple[str, ...]:
    """The dialects to use with a target: the requested ones, or all that it supports at their own endpoints.

    A dialect that is written in the text of another one, its host, is used if it is requested with a model, at every
    target that supports the host. The reference supports all by itself.

    Raises:
        ConformanceError: the target does not support a requested dialect.
    """
    if not wanted:
        every = target.provenance == "reference"
        return tuple(each for each in target.models if every or all_dialects()[each].host is None)
    for dialect in wanted:
        known = all_dialects().get(dialect)
        hosted = known is not None and known.host is not None and model is not None
        if dialect not in target.models and not hosted:
            raise ConformanceError(
                f"target {target.name!r} does not support {dialect}, only {', '.join(target.models)}",
                "choose one of these, or define the target with --base-url or --targets FILE",
            )
    return tuple(wanted)


def endpoint_of(
    target: Target,
    dialect: str,
    *,
    model: str | None = None,
    api_key_env: str | None = None,
    timeout: float = TIMEOUT_SECONDS,
    behaviours: tuple[str, ...] = (),
    profile: str | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Endpoint:
    """The endpoint of a target for a dialect. `model`, `api_key_env` and `profile` override the target's own.

    Raises:
        ConformanceError: a variable is not set, the base URL is invalid, or no model is set.
    """
    chosen = model or target.models.get(dialect)
    if not chosen:
        raise ConformanceError(
            f"target {target.name!r} has no default model for {dialect}", "set the model with --model"
        )
    url = _checked(_filled(target.base_url, f"the base URL of {target.name}", environ), dialect)
    path, root = url.path.rstrip("/"), None
    host = layers_of(dialect)[0].name
    own = target.paths.get(dialect, target.paths.get(host))
    if own is not None:
        path, root = "", path + _filled(own, f"the path of {target.name}", environ)
    elif _VERSION.search(path):
        path, root = "", path
    local = (url.hostname or "").startswith(_LOOPBACK) or (url.hostname or "").endswith(".localhost")
    provenance = target.provenance or ("local" if local else "live")
    made = Endpoint(
        target=target.name,
        origin=f"{url.scheme}://{url.netloc}{path}",
        root=root,
        model=chosen,
        api_key=_key(target, api_key_env, provenance, environ),
        provenance=provenance,
        auth=target.auth,
        headers={
            name: _carried(name, _filled(value, f"the header {name} of {target.name}", environ), target.name)
            for name, value in target.headers.items()
        },
        price=target.prices.get(chosen),
        timeout=timeout,
        behaviours=behaviours,
        from_environment=tuple(name for name, value in target.headers.items() if _VARIABLE.search(value)),
        profile=_profile(target, profile or target.profile, url.hostname or ""),
    )
    for secret in made.secrets:
        if secret != NO_KEY:
            remember(secret)
    return made


def _profile(target: Target, chosen: str | None, host: str) -> str | None:
    """The chosen profile, or the one with the target's name where nobody is known to answer at the host.

    Raises:
        ConformanceError: the chosen profile does not exist.
    """
    if chosen is not None:
        chosen_profile(chosen)
        return chosen
    unknown = target.provenance != "reference" and provider_of(host) is None
    return target.name if unknown and target.name in all_profiles() else None


def header_of(text: str) -> tuple[str, str]:
    """A header field from the command line: `Name: value`.

    Raises:
        ConformanceError: it does not have this form.
    """
    name, colon, value = text.partition(":")
    if not colon or not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name.strip()) or "\n" in value or "\r" in value:
        # The text is not shown: whatever is wrong with it, it may hold a key.
        raise ConformanceError("--header is not of the form 'Name: value'", "write it as --header 'X-Team: $TEAM'")
    _carried(name.strip(), value.strip(), "the command line")
    return name.strip(), value.strip()


def _carried(name: str, value: str, whose: str) -> str:
    """The value of a header field, if a request can contain it. Errors do not show the value."""
    if name.lower() in _FRAMING:
        raise ConformanceError(f"header {name} of {whose} is set by the HTTP client", "remove it")
    if not value.isascii() or not value.isprintable():
        raise ConformanceError(
            f"header {name} of {whose} has characters that are not allowed in a header", "use printable ASCII"
        )
    return value


def _key(target: Target, api_key_env: str | None, provenance: str, environ: Mapping[str, str]) -> str:
    name = api_key_env or target.api_key_env
    key = environ.get(name, "").strip() if name else NO_KEY
    if key and (not key.isascii() or not key.isprintable()):
        raise ConformanceError(
            f"{name} is not a valid key: it has characters that are not allowed in a header", "set it to the key"
        )
    if not key and provenance == "local" and api_key_env is None:
        return NO_KEY
    if not key:
        raise ConformanceError(
            f"{name} is not set, but target {target.name!r} needs a key",
            f"set {name}; `conformance replay` and `conformance record --cassettes DIR` need no key",
        )
    return key


def _filled(text: str, where: str, environ: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        if not environ.get(name):
            raise ConformanceError(f"{name} is not set, but {where} uses it", f"set {name}")
        return environ[name].strip()

    return _VARIABLE.sub(value, text)


def _checked(url: str, dialect: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        raise _wrong(
            url.rpartition("@")[2], "is not a URL", "use the form https://HOST or http://127.0.0.1:PORT"
        ) from None
    shown = url.rpartition("@")[2]
    if not good:
        raise _wrong(shown, "is not an http or https URL", "use the form https://HOST or http://127.0.0.1:PORT")
    if parts.username or parts.password:
        raise _wrong(
            shown, "contains credentials", "put them in an environment variable and pass its name with --api-key-env"
        )
    if parts.query or parts.fragment:
        raise _wrong(shown, "has a query or a fragment", "remove everything after the path")
    tail = path_of(dialect)
    if tail and parts.path.rstrip("/").endswith(tail.rstrip("/")):
        raise _wrong(shown, "is the URL of one operation", f"remove {tail.rstrip('/')}: the client adds it")
    return parts


def _wrong(url: str, what: str, hint: str) -> ConformanceError:
    return ConformanceError(f"base URL {url} {what}", hint)
