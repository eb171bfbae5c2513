"""The lists of a server, page by page: tools, prompts, resources, templates, tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any, Final

from conformance.dialects.mcp.messages import Message
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """Where the entries of a list are in a result, what names an entry, and which notification ends the list."""

    entries: str
    name: str
    changed: str = ""


LISTS: Final[Mapping[str, Kind]] = {
    "tools/list": Kind("tools", "name", "notifications/tools/list_changed"),
    "prompts/list": Kind("prompts", "name", "notifications/prompts/list_changed"),
    "resources/list": Kind("resources", "uri", "notifications/resources/list_changed"),
    "resources/templates/list": Kind("resourceTemplates", "uriTemplate", "notifications/resources/list_changed"),
    "tasks/list": Kind("tasks", "taskId"),
}


@dataclass(frozen=True, slots=True)
class Listing:
    """The pages of the latest list. `whole` is whether the last page was the end, `stale` whether the list has changed.

    `pending` is the cursor of the next page, `followed` are those that the client used; `used` is whether it has gone
    on before the end. `scope` is the first page's `cacheScope`.
    """

    begun: bool = False
    whole: bool = False
    stale: bool = False
    used: bool = False
    entries: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    pending: str | None = None
    followed: frozenset[str] = frozenset()
    scope: Any = None

    def entry(self, name: Any) -> dict[str, Any] | None:
        """The entry of that name; None if it is not there, or the list has changed."""
        return None if self.stale or not isinstance(name, str) else self.entries.get(name)

    def all(self) -> list[dict[str, Any]] | None:
        """All entries; None if some may be unknown."""
        return list(self.entries.values()) if self.whole and not self.stale else None


def listed(before: Listing, kind: Kind, request: Message, result: dict[str, Any]) -> Listing:
    """The list after another page, or the first page of a new one."""
    cursor, following = request.params.get("cursor"), result.get("nextCursor")
    if not isinstance(cursor, str):
        before = Listing(begun=True, scope=result.get("cacheScope"))
    elif cursor != before.pending and cursor not in before.followed:
        before = replace(before, begun=False)  # a cursor that the server did not give leads nobody knows where
    found = result.get(kind.entries)
    entries = {
        each[kind.name]: each
        for each in (found if isinstance(found, list) else ())
        if isinstance(each, dict) and isinstance(each.get(kind.name), str)
    }
    following = following if isinstance(following, str) else None
    return replace(
        before,
        entries={**before.entries, **entries},
        pending=following,
        whole=before.begun and following is None,
        stale=False,
        used=False,
        followed=before.followed | ({cursor} if isinstance(cursor, str) else set()),
    )


def changed(lists: Mapping[str, Listing], messages: Iterable[Message]) -> Mapping[str, Listing]:
    """The lists after messages of the server, some of which may report a change."""
    methods = {each.method for each in messages}
    if not any(kind.changed in methods for kind in LISTS.values()):
        return lists
    return {name: replace(each, stale=each.stale or LISTS[name].changed in methods) for name, each in lists.items()}
