"""A cache by content keeps many short results and few long ones."""

from __future__ import annotations

from conformance.model.sized_cache import sized_cache


def test_long_contents_are_kept_only_a_few_at_a_time() -> None:
    read: list[str] = []

    @sized_cache(100, long=10, few=2)
    def size(text: str, more: int = 0) -> int:
        read.append(text)
        return len(text) + more

    short, long = [f"s{number}" for number in range(50)], [f"{number}" * 10 for number in range(4)]
    for _ in range(2):
        assert [size(text) for text in short] == [len(text) for text in short]
    assert read == short
    read.clear()
    for text in (*long, long[-1], long[-2], long[0]):
        assert size(text) == 10
    assert read == [*long, long[0]]


def test_the_longer_contents_are_the_fewer_are_kept() -> None:
    read: list[str] = []

    @sized_cache(100, long=10, few=8)
    def size(text: str) -> int:
        read.append(text)
        return len(text)

    for length, kept in ((10, 8), (19, 8), (20, 4), (39, 4), (40, 2), (10_000, 2)):
        contents = [f"{number}" * length for number in range(9)]
        for text in contents:
            size(text)
        read.clear()
        for text in reversed(contents):
            size(text)
        assert read == contents[: 9 - kept][::-1]


def test_further_arguments_tell_results_apart() -> None:
    @sized_cache(4)
    def both(text: bytes, more: int) -> bytes:
        return text * more

    assert (both(b"a", 1), both(b"a", 2), both(b"a", more=3)) == (b"a", b"aa", b"aaa")
