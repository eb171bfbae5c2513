"""A file is replaced whole or not at all."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conformance.cassette.persist import remove_leftovers, write_atomically
from conformance.errors import ConformanceError


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.yaml"
    write_atomically(path, "one\r\n한글")
    write_atomically(path, "two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


def test_a_failure_leaves_the_old_file_and_no_part_of_the_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.yaml"
    write_atomically(path, "old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(
        ConformanceError,
        match=r"a\.yaml: cannot write: No space left on device; check free space and permissions; the old file",
    ):
        write_atomically(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


WRITE = """
import resource, sys
from pathlib import Path
from typing import Any
from conformance.cassette.persist import remove_leftovers, write_atomically
from conformance.errors import ConformanceError
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomically(Path(sys.argv[1]), "new" * 1000)
except ConformanceError as error:
    print(error)
"""


@pytest.mark.process
def test_a_full_disk_leaves_the_old_file_and_no_part_of_the_new(tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="this system has no limits for files")
    path = tmp_path / "a.yaml"
    write_atomically(path, "old")
    run = subprocess.run([sys.executable, "-c", WRITE, str(path)], capture_output=True, text=True, check=True)
    assert (
        run.stdout
        == f"{path}: cannot write: File too large; check free space and permissions; the old file was left unchanged\n"
    )
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("moment", ["fsync", "fdopen"])
def test_ctrl_c_leaves_the_old_file_and_no_part_of_the_new(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.yaml"
    write_atomically(path, "old")

    def interrupted(*_arguments: Any, **_named: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, moment, interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


KILLED = """
import os, signal, sys
from pathlib import Path
from typing import Any
from conformance.cassette.persist import remove_leftovers, write_atomically
moment = sys.argv[2]
genuine = getattr(os, moment)
def kill(*arguments, **named):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(os, moment, kill)
write_atomically(Path(sys.argv[1]), "new" * 100000)
"""


@pytest.mark.process
@pytest.mark.parametrize("moment", ["fdopen", "fsync", "replace"])
def test_a_kill_leaves_a_whole_file_and_a_part_that_the_next_run_removes(moment: str, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    write_atomically(path, "old")
    run = subprocess.run([sys.executable, "-c", KILLED, str(path), moment], check=False)
    assert run.returncode == -signal.SIGKILL
    assert path.read_text(encoding="utf-8") == "old"
    assert len(list(tmp_path.iterdir())) == 2
    assert list(tmp_path.rglob("*.yaml")) == [path]
    remove_leftovers(tmp_path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_synced_is_no_reason_to_say_that_nothing_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    genuine = os.open

    def refused(path: Any, *rest: Any, **named: Any) -> int:
        if Path(path) == tmp_path:
            raise PermissionError(13, "Permission denied")
        return genuine(path, *rest, **named)

    monkeypatch.setattr(os, "open", refused)
    write_atomically(tmp_path / "a.yaml", "new")
    assert (tmp_path / "a.yaml").read_text(encoding="utf-8") == "new"
