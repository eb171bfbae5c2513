"""What became of the files that a command was given: how many were read, and why the others were not."""

from __future__ import annotations

from dataclasses import field

from conformance.model.frozen import dataclass
from conformance.model.source import split_source

_NAMED = 1_000
"""How many files that were not read are kept by name; the others are counted."""


@dataclass(slots=True)
class Files:
    """`unread` has the first files of folders that were not read, each with the reason; `more` counts the others.

    `broken` is what ended the run: a file that is a recording, and cannot be read.
    """

    read: int = 0
    unread: dict[str, str] = field(default_factory=dict)
    more: int = 0
    broken: str = ""

    @property
    def not_read(self) -> int:
        return len(self.unread) + self.more

    def refuse(self, path: str, reason: str) -> None:
        """Notes a file that is not read."""
        if path in self.unread:
            return
        if len(self.unread) < _NAMED:
            self.unread[path] = reason
        else:
            self.more += 1

    def end(self, message: str) -> None:
        """Notes the broken file that a message is about: `PATH: what is wrong`."""
        source, _, reason = message.partition(": ")
        self.broken = self.broken or message
        self.refuse(split_source(source)[0], reason or "broken")

    def add(self, other: Files) -> None:
        """Adds what became of other files."""
        self.read += other.read
        self.more += other.more
        self.broken = self.broken or other.broken
        for path, reason in other.unread.items():
            self.refuse(path, reason)

    def __str__(self) -> str:
        """The files that were not read, in a line: `2 of 3 files were not read: a.zip (compressed), b (…)`."""
        if not self.not_read:
            return ""
        total = self.read + self.not_read
        shown = [f"{path} ({reason})" for path, reason in list(self.unread.items())[:_SHOWN]]
        left = self.not_read - len(shown)
        named = ", ".join([*shown, f"and {left} more"] if left else shown)
        were = "file was" if total == 1 else "files were"
        return f"{self.not_read} of {total} {were} not read: {named}"


_SHOWN = 5
"""How many files a line names."""
