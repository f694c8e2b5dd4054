"""Reading one file: what is read, what is refused, and where a key stands."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import yamlsource
from bot.yamlsource import MAX_BYTES, SourceError, key_text

FILE = Path("some.yaml")


def parsed(text: str) -> object:
    return yamlsource.parse(FILE, text).data


def refusal(text: str) -> tuple[str, int, str]:
    with pytest.raises(SourceError) as caught:
        yamlsource.parse(FILE, text)
    problem = caught.value.problem
    return problem.code, problem.line, problem.key


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4.10", "4.10"),
        ("no", "no"),
        ("2026-06-10", "2026-06-10"),
        ("0x10", "0x10"),
        ("007", "007"),
        ("1_000", "1_000"),
        ("12", 12),
        ("-3", -3),
        ("true", True),
        ("null", None),
        ("", None),
        ('"12"', "12"),
        ("'true'", "true"),
    ],
)
def test_only_whole_numbers_true_false_and_null_are_more_than_text(
    text: str, value: object
) -> None:
    assert parsed(f"key: {text}") == {"key": value}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_byte_order_mark_and_windows_line_ends_make_no_difference(
    tmp_path: Path, newline: str, mark: str
) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes((mark + newline.join(["a: 遅刻", "b:", "  - c", ""])).encode())
    document = yamlsource.read(file)
    assert document.data == {"a": "遅刻", "b": ["c"]}
    assert document.line(("b", 0)) == 3


def test_the_line_of_a_key_that_is_not_there_is_that_of_what_holds_it() -> None:
    document = yamlsource.parse(FILE, "a:\n  - b: 1\n    c: 2\n")
    assert document.line(("a", 0, "c")) == 3
    assert document.line(("a", 0, "missing")) == 2
    assert document.line(("nowhere",)) == 1


def test_a_key_path_is_written_with_items_counted_from_one() -> None:
    assert key_text(("examples", 1, "ja")) == "examples[2].ja"


def test_a_repeated_key_is_refused_where_it_repeats() -> None:
    assert refusal("a: 1\nb: 2\na: 3\n") == ("duplicate_key", 3, "")
    assert refusal("a:\n  b: 1\n  b: 2\n") == ("duplicate_key", 3, "a")


def test_a_bomb_of_aliases_is_refused() -> None:
    bomb = 'a: &a ["x", "x"]\n' + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
    )
    assert refusal(bomb)[0] == "alias"


@pytest.mark.parametrize("depth", [30, 500, 200_000])
def test_deep_nesting_is_refused_without_ending_the_program(depth: int) -> None:
    assert refusal("a: " + "[" * depth)[0] in ("too_deep", "not_yaml")


def test_a_file_of_fifty_megabytes_is_refused_without_being_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.yaml"
    with file.open("wb") as stream:
        stream.truncate(50_000_000)
    with pytest.raises(SourceError) as caught:
        yamlsource.read(file)
    assert caught.value.problem.code == "too_large"
    assert caught.value.problem.values == {"limit": f"{MAX_BYTES:,}"}


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b"a: 1\nb: \x83\x74\n", "not_utf8", 2),
        ("a: 1\nb: 遅刻\n".encode("utf-16"), "not_utf8", 1),
        (b"a: 1\nb: \x00\n", "not_yaml", 2),
    ],
)
def test_a_file_in_another_encoding_is_refused(
    tmp_path: Path, content: bytes, code: str, line: int
) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        yamlsource.read(file)
    assert (caught.value.problem.code, caught.value.problem.line) == (code, line)


@pytest.mark.parametrize("text", ["", "- a\n", "just text"])
def test_a_file_that_is_not_one_set_of_keys_is_refused(text: str) -> None:
    assert refusal(text)[0] == "not_a_mapping"


def test_a_key_that_is_a_list_is_refused() -> None:
    assert refusal("? [a, b]\n: 1\n")[0] == "key_not_text"


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        yamlsource.read(tmp_path / "absent.yaml")
    assert caught.value.problem.code == "unreadable"


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused_and_nothing_else(text: str) -> None:
    with contextlib.suppress(SourceError):
        assert isinstance(parsed(text), dict)


def test_too_many_keys_are_refused() -> None:
    assert refusal("a: [" + "1, " * yamlsource.MAX_KEYS + "1]")[0] == "too_many"
    assert refusal("k" * 200 + ": 1\n")[0] == "long_key"
