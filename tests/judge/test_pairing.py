"""Which result answers which call."""

from conformance.judge.pairing import exchanges_of, pair
from conformance.model.transcript import ToolCall, ToolResult, Turn


def call(id: str | None, name: str = "f") -> ToolCall:  # noqa: A002
    return ToolCall(id, name, {}, pointer=f"/{id}/{name}")


def result(id: str | None, name: str | None = None, content: str = "x") -> ToolResult:  # noqa: A002
    return ToolResult(id, name, content)


def test_ids_pair_whatever_the_order() -> None:
    a, b = call("a"), call("b")
    one, two = result("b"), result("a")
    found = pair([a, b], [one, two])
    assert found.pairs == ((b, one), (a, two))
    assert found.unanswered == ()
    assert found.orphans == ()


def test_a_call_without_result_is_unanswered() -> None:
    assert pair([call("a"), call("b")], [result("a")]).unanswered == (call("b"),)


def test_a_result_without_call_is_an_orphan() -> None:
    assert pair([call("a")], [result("a"), result("c")]).orphans == (result("c"),)


def test_without_ids_names_pair_in_order() -> None:
    first, second, other = call(None, "f"), call(None, "f"), call(None, "g")
    results = [result(None, "g", "1"), result(None, "f", "2"), result(None, "f", "3")]
    found = pair([first, second, other], results)
    assert [(one is other, each.content) for one, each in found.pairs] == [(True, "1"), (False, "2"), (False, "3")]
    assert found.unanswered == ()


def test_without_ids_and_names_only_the_order_counts() -> None:
    found = pair([call(None, "f"), call(None, "g")], [result(None), result(None), result(None)])
    assert len(found.pairs) == 2
    assert len(found.orphans) == 1


def test_a_second_result_for_one_id_is_no_orphan_but_repeated() -> None:
    found = pair([call("a")], [result("a", content="1"), result("a", content="2")])
    assert found.orphans == ()
    assert [each.content for _, each in found.repeated] == ["2"]


def test_calls_that_share_an_id_take_their_results_in_order() -> None:
    one, two = call("a", "f"), call("a", "g")
    found = pair([one, two], [result("a", content="1"), result("a", content="2")])
    assert [each.name for each, _ in found.pairs] == ["f", "g"]
    assert found.unanswered == ()
    assert found.repeated == ()


def test_the_turn_after_the_calls_is_the_one_that_answers() -> None:
    asked = Turn("assistant", (call("a"),))
    answered, said = Turn("tool", (result("a"),)), Turn("user", ())
    turns = list(exchanges_of([said, asked, answered, asked, said, asked]))
    assert [len(pairing.unanswered) for _, _, pairing in turns] == [0, 1, 1]
    assert [following for _, following, _ in turns] == [answered, said, None]
