"""Which earlier reply a request carries back."""

from typing import Any

from conformance.judge.continuation import continuation
from conformance.model.transcript import Text, ToolCall, ToolResult, Turn

QUESTION = Turn("user", (Text("How warm is it?"),))
OTHER = Turn("user", (Text("How cold is it?"),))


def asks(id: str = "call_1", name: str = "get_weather", arguments: Any = None) -> ToolCall:  # noqa: A002
    return ToolCall(id, name, {"place": "Seoul"} if arguments is None else arguments)


def reply(*calls: ToolCall) -> Turn:
    return Turn("assistant", calls or (asks(),))


def results(id: str = "call_1") -> Turn:  # noqa: A002
    return Turn("tool", (ToolResult(id, None, "14"),))


def test_a_request_that_repeats_question_and_reply_continues_it() -> None:
    found = continuation([QUESTION, reply(), results()], [([QUESTION], [reply()])])
    assert found is not None
    assert found.earlier == 0
    assert len(found.pairs) == 1


def test_another_question_is_another_conversation() -> None:
    assert continuation([OTHER, reply(), results()], [([QUESTION], [reply()])]) is None


def test_the_same_question_again_is_a_sample_and_no_continuation() -> None:
    assert continuation([QUESTION], [([QUESTION], [reply()])]) is None


def test_of_two_samples_the_one_that_is_carried_back_counts() -> None:
    other = reply(asks("call_2", arguments={"place": "Busan"}))
    found = continuation([QUESTION, reply(), results()], [([QUESTION], [reply()]), ([QUESTION], [other])])
    assert found is not None
    assert found.earlier == 0


def test_of_several_choices_the_most_alike_is_the_reply() -> None:
    other = reply(asks("call_2", arguments={"place": "Busan"}))
    found = continuation([QUESTION, other, results("call_2")], [([QUESTION], [reply(), other])])
    assert found is not None
    assert found.reply is other


def test_one_changed_thing_of_a_call_still_pairs() -> None:
    for changed in (asks("call_9"), asks(name="get_time"), asks(arguments={"place": "Jeju"})):
        found = continuation([QUESTION, reply(changed), results()], [([QUESTION], [reply()])])
        assert found is not None
        assert found.pairs == ((asks(), changed),)


def test_a_call_that_is_left_out_has_no_pair() -> None:
    both = reply(asks(), asks("call_2", arguments={"place": "Busan"}))
    found = continuation([QUESTION, reply(), results()], [([QUESTION], [both])])
    assert found is not None
    assert found.pairs == ((asks(), asks()),)


def test_a_text_reply_is_recognised_by_its_text() -> None:
    said = Turn("assistant", (Text("14 degrees."),))
    echo = Turn("assistant", (Text("14 degrees.\n"),))
    found = continuation([QUESTION, echo, OTHER], [([QUESTION], [said])])
    assert found is not None
    assert continuation([QUESTION, Turn("assistant", (Text("15."),)), OTHER], [([QUESTION], [said])]) is None


def test_the_latest_exchange_wins() -> None:
    history = [QUESTION, reply(), results(), Turn("assistant", (Text("14."),)), OTHER]
    earlier = [([QUESTION], [reply()]), ([QUESTION, reply(), results()], [Turn("assistant", (Text("14."),))])]
    found = continuation(history, earlier)
    assert found is not None
    assert found.earlier == 1


def test_runs_with_the_same_prompt_side_by_side_are_told_apart_by_their_ids() -> None:
    replies = [reply(asks(f"call_{number}")) for number in range(3)]
    earlier = [([QUESTION], [each]) for each in replies]
    for number, each in enumerate(replies):
        found = continuation([QUESTION, each, results(f"call_{number}")], earlier)
        assert found is not None
        assert found.earlier == number


def test_the_ids_of_earlier_turns_tell_runs_apart_as_well() -> None:
    second = Turn("assistant", (Text("14."),))
    histories = [[QUESTION, reply(asks(each)), results(each)] for each in ("call_1", "call_2")]
    earlier = [(each, [second]) for each in histories]
    found = continuation([*histories[0], second, OTHER], earlier)
    assert found is not None
    assert found.earlier == 0


def test_a_changed_last_reply_is_not_taken_for_an_earlier_one() -> None:
    """The request before has an exact match as well, but fewer turns of this history."""
    first, second = reply(asks("call_1")), reply(asks("call_2", arguments={"place": "Busan"}))
    changed = reply(asks("call_9", arguments={"place": "Busan"}))
    history = [QUESTION, first, results(), changed, results("call_9")]
    found = continuation(history, [([QUESTION], [first]), ([QUESTION, first, results()], [second])])
    assert found is not None
    assert (found.earlier, found.echo) == (1, changed)


def test_a_reply_that_was_asked_for_again_takes_the_place_of_the_one_before() -> None:
    first, second = reply(asks(arguments={"place": "seoul"})), reply(asks(arguments={"place": "Seoul"}))
    wrong = Turn("user", (Text("That was wrong."),))
    earlier = [([QUESTION], [first]), ([QUESTION, wrong], [second])]
    assert continuation([QUESTION, second, results()], earlier) is None
    found = continuation([QUESTION, reply(asks(arguments={"place": "SEOUL"})), results()], earlier)
    assert found is not None
    assert found.reply is first
