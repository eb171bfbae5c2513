"""Measures the way from nothing installed to a first verdict on a cassette: `make firstverdict`.

    python -m devtools.first_verdict [CASSETTE]

Builds the wheel, then runs `uvx` and `pipx run` with it, each with an empty cache and with a filled one. uv and pipx
are installed into a temporary folder first; that time does not count. Needs a package registry.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from devtools.places import ROOT

CASSETTE = ROOT / "cassettes" / "openai-chat" / "weather"


def timed(command: Sequence[str], more: Mapping[str, str]) -> tuple[float, str]:
    """The seconds of a command, and the last line that it prints.

    Raises:
        SystemExit: it failed otherwise than by findings.
    """
    begun = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **more})
    seconds = time.monotonic() - begun
    if done.returncode not in (0, 1) or " exchange" not in done.stdout:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return seconds, done.stdout.strip().splitlines()[-1]


def main() -> None:
    """The command line."""
    cassette = sys.argv[1] if len(sys.argv) > 1 else str(CASSETTE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", name]
        subprocess.run([sys.executable, "-m", *build, str(ROOT)], check=True)
        [wheel] = map(str, folder.glob("*.whl"))
        subprocess.run([sys.executable, "-m", "venv", str(folder / "tools")], check=True)
        programs = folder / "tools" / "bin"
        subprocess.run([str(programs / "pip"), "install", "--quiet", "uv", "pipx"], check=True)
        more = {
            "UV_CACHE_DIR": str(folder / "uv"),
            "UV_TOOL_DIR": str(folder / "uv-tools"),
            "PIPX_HOME": str(folder / "pipx"),
            "PIP_CACHE_DIR": str(folder / "pip"),
            "PIPX_DEFAULT_BACKEND": "pip",
        }
        judge = ["conformance", "check", cassette]
        commands = {
            "uvx": [str(programs / "uvx"), "--from", wheel, *judge],
            "pipx run": [str(programs / "pipx"), "run", "--spec", wheel, *judge],
        }
        for tool, command in commands.items():
            for cache in ("empty", "filled"):
                seconds, verdict = timed(command, more)
                sys.stdout.write(f"{tool:9} {cache:7} cache {seconds:6.1f} s   {verdict}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
