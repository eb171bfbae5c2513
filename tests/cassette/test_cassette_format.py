"""The layout of a cassette: readable, and the same bytes when it is loaded again."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from conformance.cassette.format import dump

AWKWARD = st.text(st.sampled_from("ab \t\r\n:{}\"'#-|>\\\x00\x07\x85\u2028\u2029\ufeff한😀é"), max_size=40)


def cassette(body: str) -> dict[str, Any]:
    return {
        "interactions": [
            {
                "request": {"body": body, "headers": {"a": ["b"]}, "method": "POST", "uri": "http://x/"},
                "response": {"body": {"string": body}, "headers": {}, "status": {"code": 200, "message": "OK"}},
            }
        ],
        "metadata": {"scenario": body},
        "version": 1,
    }


@given(AWKWARD)
def test_every_text_survives_both_yaml_loaders(body: str) -> None:
    document = cassette(body)
    text = dump(document)
    assert yaml.load(text, Loader=yaml.SafeLoader) == document
    assert yaml.load(text, Loader=yaml.CSafeLoader) == document


def test_a_body_is_a_literal_block() -> None:
    assert '    body: |-\n      {"a":  1e2, "a": "\\u0041"}\n' in dump(cassette('{"a":  1e2, "a": "\\u0041"}'))


def test_a_body_with_crlf_has_one_line_of_the_file_for_each_of_its_own() -> None:
    lines = dump(cassette("data: 1\r\n\r\ndata: 2\r\n\r\n")).splitlines()
    start = next(number for number, line in enumerate(lines) if "data: 1" in line)
    assert [line.strip() for line in lines[start + 1 : start + 4]] == ["\\r\\n\\", "data: 2\\r\\n\\", '\\r\\n"']


@pytest.mark.parametrize(("first", "second"), [("version:", "metadata:"), ("metadata:", "interactions:")])
def test_what_people_look_for_first_comes_first(first: str, second: str) -> None:
    text = dump(cassette("x"))
    assert text.index(f"\n{first}") < text.index(f"\n{second}")
