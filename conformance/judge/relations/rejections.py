"""What must become of a request that breaks a relation: the other side answers it by an error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.judge.relations.places import Place
from conformance.judge.relations.rows import Relation, Sided
from conformance.judge.relations.scan import scan_of
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief


@dataclass(frozen=True, slots=True)
class Rejected:
    """The response to a message of the client that breaks the relation `fault` is an error with one of the codes."""

    fault: Relation
    codes: tuple[int, ...]

    @property
    def places(self) -> Sequence[Place]:
        return self.fault.places

    @property
    def begins(self) -> Sequence[str]:
        return self.fault.begins

    def hits(self, view: View) -> Iterator[Sided]:
        faults = {hit.pointer or "": hit for root, hit in self.fault.hits(view) if root == "client"}
        answers = scan_of(view).at("server[asked]") if faults else ()
        at = {id(message): pointer for _, message, pointer in scan_of(view).at("client")} if answers else {}
        for root, answer, pointer in answers:
            request = at.get(id(answer["asked"]))
            found = [
                each for place, each in faults.items() if request is not None and f"{place}/".startswith(f"{request}/")
            ]
            error = answer.get("error")
            code = error.get("code") if isinstance(error, dict) else None
            if not found or code in self.codes or not (isinstance(error, dict) or "result" in answer):
                continue
            place = f"{pointer}/error/code" if error is not None else f"{pointer}/result"
            actual = f"error {brief(code)}" if error is not None else "a result"
            wanted = f"error {self.codes[0]}"
            yield root, Hit(place, f"the request had to be refused: {found[0].message}", wanted, actual)


def rejected(fault: Relation, *codes: int) -> Rejected:
    """Who breaks a relation gets an error with one of these codes; the first is the expected one."""
    return Rejected(fault, codes)
