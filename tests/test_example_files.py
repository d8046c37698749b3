"""Example files: reading checks everything, writing loses nothing, and no file can crash the program."""

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mha_tutor.errors import InputError
from mha_tutor.examples import NAMES, Example, Position, find, read_example, write_example
from mha_tutor.examples.reading import example_from
from mha_tutor.examples.tokens import check_name, word_key
from mha_tutor.stages import walk

ARRAYS = ("X", "W_Q", "W_K", "W_V", "W_O")
TEXTS = (
    "name",
    "provenance",
    "built_by_hand",
    "tokens",
    "start",
    "heads",
    "features",
    "words",
    "position",
    "unknown",
)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:
        yield Path(name)


def small(**changes: Any) -> dict[str, Any]:
    """The fields of a good file, with some changed; None takes a field out."""
    good: dict[str, Any] = {
        "tokens": ["it", "was"],
        "heads": 2,
        "features": ["noun", "verb"],
        "X": [[1, 0], [0, 1.5]],
        "W_Q": [[1, 2], [3, 4]],
        "W_K": [[1, 0], [0, 1]],
        "W_V": [[0, 1], [1, 0]],
        "W_O": [[1, -1], [2, 0.5]],
    }
    return {key: value for key, value in {**good, **changes}.items() if value is not None}


def read_json(folder: Path, data: object) -> Example:
    path = folder / "mine.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return read_example(path)


def read_bytes(folder: Path, raw: bytes, name: str = "mine.toml") -> Example:
    path = folder / name
    path.write_bytes(raw)
    return read_example(path)


def assert_same(left: Example, right: Example) -> None:
    for key in TEXTS:
        assert getattr(left, key) == getattr(right, key), key
    for key in ARRAYS:
        assert getattr(left, key).dtype == getattr(right, key).dtype == np.float64, key
        assert getattr(left, key).tobytes() == getattr(right, key).tobytes(), key


def refused(reading: Callable[[], object]) -> str:
    """The message of the InputError that ``reading`` raises."""
    with pytest.raises(InputError) as caught:
        reading()
    message = str(caught.value)
    assert message.isprintable(), f"not one printable line: {message!r}"
    assert len(message) < 500, "too long to be read"
    return message


# Good files


def test_a_good_file_gives_its_numbers_as_float64(folder: Path) -> None:
    example = read_json(folder, small())
    assert example.tokens == ("it", "was")
    assert (example.heads, example.allowed_heads, example.start) == (2, (1, 2), None)
    assert {getattr(example, key).dtype for key in ARRAYS} == {np.dtype(np.float64)}
    assert example.W_O.tolist() == [[1, -1], [2, 0.5]]


def test_a_file_without_a_name_is_called_after_itself(folder: Path) -> None:
    example = read_json(folder, small())
    assert example.name == "mine"
    assert example.provenance == "from a file; no provenance given"
    assert not example.built_by_hand


def test_a_file_without_feature_names_numbers_its_columns(folder: Path) -> None:
    assert read_json(folder, small(features=None)).features == ("1", "2")


def test_an_example_cannot_be_changed(folder: Path) -> None:
    example = read_json(folder, small())
    with pytest.raises(FrozenInstanceError):
        example.heads = 1  # type: ignore[misc]


def test_a_file_may_make_x_from_words_alone(folder: Path) -> None:
    example = read_json(folder, small(X=None, words={"It": {"noun": 2}}))
    assert example.X.tolist() == [[2, 0], [0, 0]]
    assert example.unknown == ("was",)


def test_x_wins_over_words_for_the_files_own_sentence(folder: Path) -> None:
    example = read_json(folder, small(words={"it": {"noun": 7}}))
    assert example.X.tolist() == [[1, 0], [0, 1.5]]
    assert example.unknown == ()
    other = example.with_sentence("it it")
    assert other.X.tolist() == [[7, 0], [7, 0]]


def test_an_example_with_fixed_heads_may_come_from_a_file(folder: Path) -> None:
    wide = {key: [[1, 2, 3], [4, 5, 6]] for key in ("W_Q", "W_K", "W_V")}
    example = read_json(folder, small(heads=3, W_O=[[1, 0], [0, 1], [1, 1]], **wide))
    assert example.allowed_heads == (3,)


@pytest.mark.parametrize("name", ["mine.json", "mine.JSON"])
def test_json_is_known_by_its_ending(folder: Path, name: str) -> None:
    assert read_bytes(folder, json.dumps(small()).encode(), name).heads == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_written_by_any_shell_is_read(folder: Path, encoding: str, newline: str) -> None:
    text = write_example(find("robot")).replace("\n", newline)
    assert_same(read_bytes(folder, text.encode(encoding)), find("robot"))


def test_a_files_numbers_of_any_usual_size_walk_without_a_warning(folder: Path) -> None:
    big = [[1e9, -1e9], [1e9, 1e9]]
    trace = walk(read_json(folder, small(**dict.fromkeys(ARRAYS, big))))
    assert np.isfinite(trace["output"].values).all()


def test_find_takes_the_path_of_a_file(folder: Path) -> None:
    read_json(folder, small())
    assert find(str(folder / "mine.json")).heads == 2


# Round trips


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_example_is_written_and_read_back_the_same(folder: Path, name: str) -> None:
    example = find(name, seed=3)
    assert_same(read_bytes(folder, write_example(example).encode()), example)


def test_another_sentence_is_written_with_its_unknown_words(folder: Path) -> None:
    example = find("robot").with_sentence("The zorp was tired")
    assert_same(read_bytes(folder, write_example(example).encode()), example)


def test_a_token_with_a_row_of_its_own_does_not_become_unknown_by_writing(folder: Path) -> None:
    example = read_json(folder, small(X=[[1, 0], [0, 0]], words={"it": {"noun": 1}}))
    assert example.unknown == ()
    assert_same(read_bytes(folder, write_example(example).encode()), example)


def test_a_written_file_is_taken_by_the_json_reader_too(folder: Path) -> None:
    data = tomllib.loads(write_example(find("chef")))
    assert_same(read_json(folder, data), find("chef"))


def test_writing_twice_gives_the_same_text(folder: Path) -> None:
    text = write_example(find("robot"))
    assert write_example(read_bytes(folder, text.encode())) == text


def is_name(text: str) -> bool:
    try:
        check_name(text, "it")
    except InputError:
        return False
    return True


NUMBERS = st.floats(-1e9, 1e9)
AWKWARD = st.sampled_from(
    [
        '"',
        "\\",
        "[CLS]",
        "'''",
        "#",
        "=",
        "{}",
        "🤖",
        "👩🏽‍🚀",
        "é",
        "e\u0301",
        "機",
        "-0.0",
        "true",
        "\\u0041",
    ]
)
NAME = st.one_of(
    AWKWARD,
    st.text(st.characters(categories=["L", "M", "N", "P", "S"]), min_size=1, max_size=8).filter(is_name),
)


@st.composite
def examples(draw: st.DrawFn, min_words: int = 0) -> Example:
    """Any legal example: any sizes, any numbers, any names; often with words and positions."""
    pool = draw(st.lists(NUMBERS, min_size=4, max_size=4))
    chance = np.random.default_rng(draw(st.integers(0, 1000)))
    tokens = tuple(draw(st.lists(NAME, min_size=2, max_size=5)))
    d, heads, e = draw(st.integers(1, 4)), draw(st.integers(1, 3)), draw(st.integers(1, 2))
    features = tuple(draw(st.lists(NAME, min_size=d, max_size=d, unique=True)))
    word = st.dictionaries(st.sampled_from(features), NUMBERS, max_size=2)
    words = draw(st.dictionaries(NAME.map(word_key), word, min_size=min_words, max_size=3))
    place = Position(features[:2], (draw(st.floats(1, 100)),), draw(st.integers(0, 12))) if d > 1 else None
    return Example(
        name=draw(NAME),
        provenance=draw(NAME),
        built_by_hand=draw(st.booleans()),
        tokens=tokens,
        features=features,
        heads=heads,
        start=draw(st.none() | st.sampled_from(tokens)),
        X=chance.choice(pool, (len(tokens), d)),
        W_Q=chance.choice(pool, (d, heads * e)),
        W_K=chance.choice(pool, (d, heads * e)),
        W_V=chance.choice(pool, (d, heads * e)),
        W_O=chance.choice(pool, (heads * e, d)),
        words=words,
        position=draw(st.sampled_from([None, place])),
    )


@given(examples())
@settings(max_examples=150, deadline=None)
def test_any_example_is_written_and_read_back_to_the_very_same_numbers(
    folder: Path, example: Example
) -> None:
    assert_same(read_bytes(folder, write_example(example).encode()), example)


@given(examples(min_words=1))
@settings(max_examples=50, deadline=None)
def test_any_example_in_a_sentence_of_its_own_words_is_read_back_the_same(
    folder: Path, example: Example
) -> None:
    other = example.with_sentence(f"it was {next(iter(example.words))}")
    assert_same(read_bytes(folder, write_example(other).encode()), other)


def test_the_signs_of_zeros_and_the_smallest_numbers_survive(folder: Path) -> None:
    x = np.array([[-0.0, 5e-324], [1 / 3, 0.1 + 0.2]])
    example = replace(read_json(folder, small()), X=x)
    assert_same(read_bytes(folder, write_example(example).encode()), example)


# Faulty fields: what stands in the file, and what the message must say


NOT_A_NUMBER = "expected a number from -1e9 to 1e9, without quotes"
FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "tokens missing": ({"tokens": None}, "the field tokens is missing; expected tokens, heads"),
    "tokens a text": ({"tokens": "it was"}, "tokens is 'it was'; expected a list of texts"),
    "tokens with a number": ({"tokens": ["it", 3]}, "tokens, number 2, is 3; expected text in quotes"),
    "no token": ({"tokens": []}, "has 0 tokens; a walk takes 2 to 16"),
    "one token": ({"tokens": ["it"]}, "has 1 token; a walk takes 2 to 16"),
    "17 tokens": ({"tokens": ["it"] * 17}, "has 17 tokens; a walk takes 2 to 16"),
    "40 tokens": ({"tokens": ["it"] * 40}, "has 40 tokens; a walk takes 2 to 16"),
    "an empty token": (
        {"tokens": ["it", " "]},
        "tokens, number 2, is empty; expected at least one character",
    ),
    "a token with a newline": ({"tokens": ["it", "a\nb"]}, "tokens, number 2, holds .* (U+000A); expected"),
    "a token with an escape": ({"tokens": ["\x1b[31m", "a"]}, "tokens, number 1, holds .* (U+001B)"),
    "half a character": ({"tokens": ["\ud83e", "a"]}, "tokens, number 1, holds .* (U+D83E)"),
    "a very long token": (
        {"tokens": ["x" * 61, "a"]},
        "tokens, number 1, has 61 characters; expected at most 60",
    ),
    "a start that is no token": ({"start": "robot"}, "start is 'robot'; expected one of the tokens"),
    "a start that is a number": ({"start": 1}, "start is 1; expected one of the tokens"),
    "heads missing": ({"heads": None}, "the field heads is missing"),
    "heads a text": ({"heads": "2"}, "heads is '2'; expected a whole number such as 3"),
    "heads a fraction": ({"heads": 2.0}, "heads is 2.0; expected a whole number such as 3"),
    "heads true": ({"heads": True}, "heads is true; expected a whole number such as 3"),
    "no heads": ({"heads": 0}, "heads is 0; expected a number that divides the 2 columns of W_Q: 1, 2."),
    "heads below zero": ({"heads": -2}, "heads is -2; expected a number that divides the 2 columns"),
    "heads that do not divide": ({"heads": 3}, "heads is 3; expected a number that divides the 2 columns"),
    "very many heads": ({"heads": 10**400}, "heads is a whole number of more than 20 digits; expected"),
    "X and words missing": ({"X": None}, "has neither X nor words; expected one of them"),
    "X a number": ({"X": 1}, "X must be a list of rows, each a list of numbers"),
    "X a flat list": ({"X": [1, 2]}, "X must be a list of rows, each a list of numbers"),
    "X empty": ({"X": []}, "X must be a list of rows"),
    "X of empty rows": ({"X": [[], []]}, "X is ragged: row 1 has length 0, row 1 has length 0"),
    "X ragged": ({"X": [[1, 0], [1]]}, "X is ragged: row 1 has length 2, row 2 has length 1. Expected rows"),
    "X with a row too many": ({"X": [[1, 0]] * 3}, "X is 3 x 2; expected 2 x 2 (one row a token)"),
    "X too wide": ({"X": [[1, 0, 0]] * 2}, "features has 2 names; expected 3, one a column of X"),
    "W_Q missing": ({"W_Q": None}, "the field W_Q is missing"),
    "W_Q of a wrong shape": (
        {"W_Q": [[1, 0]] * 3},
        "W_Q is 3 x 2; expected 2 x 2 (a row for each column of X)",
    ),
    "W_K of a wrong shape": ({"W_K": [[1], [0]]}, "W_K is 2 x 1; expected 2 x 2 (like W_Q)"),
    "W_V of a wrong shape": ({"W_V": [[1, 0, 0]] * 2}, "W_V is 2 x 3; expected 2 x 2 (like W_Q)"),
    "W_O of a wrong shape": ({"W_O": [[1, 0]]}, "W_O is 1 x 2; expected 2 x 2 (a row for each column of W_V"),
    "nan": ({"W_K": [[1, 0], [float("nan"), 1]]}, f"W_K, row 2, column 1, is nan; {NOT_A_NUMBER}"),
    "infinity": ({"W_V": [[1, float("-inf")], [0, 1]]}, f"W_V, row 1, column 2, is -inf; {NOT_A_NUMBER}"),
    "a huge whole number": (
        {"X": [[10**400, 0]] * 2},
        f"is a whole number of more than 20 digits; {NOT_A_NUMBER}",
    ),
    "a huge number": ({"X": [[1e10, 0]] * 2}, f"X, row 1, column 1, is 10000000000.0; {NOT_A_NUMBER}"),
    "true in a matrix": ({"W_O": [[True, 0], [0, 1]]}, f"W_O, row 1, column 1, is true; {NOT_A_NUMBER}"),
    "a text in a matrix": ({"W_O": [["1", 0], [0, 1]]}, f"W_O, row 1, column 1, is '1'; {NOT_A_NUMBER}"),
    "null in a matrix": ({"W_O": [[1, 0], [0, [None]]]}, f"W_O, row 2, column 2, is a list; {NOT_A_NUMBER}"),
    "features a table": ({"features": {}}, "features is a table; expected a list of texts"),
    "two features alike": (
        {"features": ["noun", "noun"]},
        "features has 'noun' twice; expected each name once",
    ),
    "too few features": ({"features": ["noun"]}, "features has 1 names; expected 2, one a column of X"),
    "an unknown field": ({"W_q": [[1]]}, "has an unknown field 'W_q'; the fields are name, provenance"),
    "a name of two lines": ({"name": "a\nb"}, "name holds .* (U+000A)"),
    "a name that is a number": ({"name": 7}, "name is 7; expected one line of text in quotes"),
    "a long provenance": ({"provenance": "x" * 201}, "provenance has 201 characters; expected at most 200"),
    "built_by_hand a text": ({"built_by_hand": "yes"}, "built_by_hand is 'yes'; expected true or false"),
    "words a list": ({"words": ["it"]}, "words is a list; expected a table such as"),
    "a word with a number": (
        {"words": {"it": 1}},
        "words: 'it' is 1; expected a table of features and numbers",
    ),
    "an unknown feature": (
        {"words": {"it": {"adverb": 1}}},
        "words: 'it' has 'adverb', which is not one of the features. Add it there",
    ),
    "a word with a text": ({"words": {"it": {"noun": "1"}}}, f"words: 'it', noun, is '1'; {NOT_A_NUMBER}"),
    "words alike but for case": (
        {"words": {"It": {}, "it": {}}},
        "words has 'it' twice, since case does not count; keep one of them",
    ),
    "a word with a bell": ({"words": {"a\a": {}}}, "words: 'a\\x07' holds .* (U+0007)"),
    "words without features": (
        {"words": {"it": {}}, "features": None},
        "words and position name features, so the field features is expected",
    ),
    "a position without periods": (
        {"position": {"features": ["noun", "verb"], "decimals": 1}},
        "position must be a table with exactly the fields",
    ),
    "position a list": ({"position": [20, 4]}, "position must be a table with exactly the fields"),
}
POSITION = {"features": ["noun", "verb"], "periods": [20], "decimals": 1}
POSITION_FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown column": (
        {"features": ["noun", "x"]},
        "position.features has 'x', which is not one of the features",
    ),
    "a column twice": ({"features": ["noun", "noun"]}, "position.features has 'noun' twice"),
    "one column a period": ({"features": ["noun"]}, "one period for every two of position.features"),
    "no period": ({"features": [], "periods": []}, "one period for every two of position.features"),
    "a period of 0": ({"periods": [0]}, "position.periods, number 1, is 0; expected 1 or more"),
    "a tiny period": ({"periods": [5e-324]}, "position.periods, number 1, is 5e-324; expected 1 or more"),
    "a period of nan": ({"periods": [float("nan")]}, f"position.periods, number 1, is nan; {NOT_A_NUMBER}"),
    "13 decimals": ({"decimals": 13}, "position.decimals is 13; expected 0 to 12"),
    "true decimals": ({"decimals": True}, "decimals is true; expected a whole number"),
}


def assert_says(message: str, expected: str) -> None:
    pattern = re.escape(expected).replace(r"\.\*", ".*")
    assert re.search(pattern, message), f"expected {expected!r} in {message!r}"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_field_is_refused_by_name_with_what_was_expected(folder: Path, fault: str) -> None:
    changes, expected = FAULTS[fault]
    message = refused(lambda: read_json(folder, small(**changes)))
    assert message.startswith(str(folder / "mine.json"))
    assert_says(message, expected)


@pytest.mark.parametrize("fault", POSITION_FAULTS)
def test_a_faulty_position_is_refused_by_name(folder: Path, fault: str) -> None:
    changes, expected = POSITION_FAULTS[fault]
    assert_says(refused(lambda: read_json(folder, small(position={**POSITION, **changes}))), expected)


def test_a_huge_hexadecimal_number_is_refused(folder: Path) -> None:
    text = write_example(find("by-hand")).replace("heads = 2", f"heads = 0x{'f' * 9000}")
    assert_says(
        refused(lambda: read_bytes(folder, text.encode())), "heads is a whole number of more than 20 digits"
    )


# Faulty files


FAULTY_FILES: dict[str, tuple[str, bytes, str]] = {
    "empty": ("a.toml", b"", "is empty; expected a TOML or JSON file. Start from one that works"),
    "blank JSON": ("a.json", b" \n", "is empty; expected a TOML or JSON file"),
    "only a comment": ("a.toml", b"# later", "the field tokens is missing"),
    "binary": ("a.toml", bytes(range(256)), "is not UTF-8 text; expected a TOML or JSON file"),
    "zeros": ("a.toml", bytes(100), "is not valid TOML"),
    "half of UTF-16": ("a.toml", b"\xff\xfea", "is not UTF-8 text"),
    "latin-1": ("a.toml", 'name = "é"'.encode("latin-1"), "is not UTF-8 text"),
    "not TOML": (
        "a.toml",
        b"tokens = [",
        "is not valid TOML: .*. Start from one that works: mha-tutor example robot",
    ),
    "not JSON": ("a.json", b'{"tokens": [', "is not valid JSON: .*. Start from one that works"),
    "JSON called TOML": ("a.toml", b'{"tokens": []}', "is not valid TOML"),
    "a JSON list": ("a.json", b"[1]", "holds a list; expected an object with the fields of an example"),
    "JSON null": ("a.json", b"null", "holds null; expected an object"),
    "a JSON field twice": (
        "a.json",
        b'{"heads": 1, "heads": 2}',
        "'heads' stands twice in one object; keep one",
    ),
    "a JSON word twice": ("a.json", b'{"words": {"it": {}, "it": {}}}', "'it' stands twice in one object"),
    "a TOML field twice": ("a.toml", b"heads = 1\nheads = 2", "is not valid TOML: Cannot overwrite a value"),
    "deep JSON": ("a.json", b"[" * 100_000 + b"]" * 100_000, "is nested too deeply"),
    "deep TOML": ("a.toml", b"a = " + b"[" * 100_000 + b"]" * 100_000, "nest"),
    "a number of 5000 digits": ("a.json", b'{"heads": ' + b"1" * 5000 + b"}", "is not valid JSON"),
    "a strange date": ("a.toml", b"heads = 1979-99-27", "is not valid TOML"),
    "a date": ("a.toml", b'tokens = ["a", "b"]\nwords = 1979-05-27', "words and position name features"),
}


@pytest.mark.parametrize("fault", FAULTY_FILES)
def test_a_faulty_file_is_refused_with_what_to_do(folder: Path, fault: str) -> None:
    name, raw, expected = FAULTY_FILES[fault]
    assert_says(refused(lambda: read_bytes(folder, raw, name)), expected)


def test_a_missing_file_is_refused_with_how_to_get_one(folder: Path) -> None:
    message = refused(lambda: find(str(folder / "missing.toml")))
    assert_says(message, "missing.toml: cannot be read (No such file")
    assert_says(message, "mha-tutor example robot > mine.toml")


def test_a_directory_is_refused(folder: Path) -> None:
    assert_says(
        refused(lambda: find(str(folder))), "is a directory; expected an example file, .toml or .json"
    )


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="this user may read everything")
def test_a_file_without_permission_is_refused(folder: Path) -> None:
    path = folder / "closed.toml"
    path.write_text("", encoding="utf-8")
    path.chmod(0)
    assert_says(refused(lambda: find(str(path))), "cannot be read (Permission denied)")


def test_a_file_that_the_system_will_not_open_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", closed)
    assert_says(refused(lambda: find(str(folder / "mine.toml"))), "cannot be read (Permission denied). Check")


def test_a_file_of_many_megabytes_is_refused(folder: Path) -> None:
    assert_says(refused(lambda: read_bytes(folder, b"#" * 20_000_001)), "is larger than 20 MB")


@pytest.mark.parametrize("name", ["a\0b.toml", "x" * 5000 + ".toml", "\ud800.toml", "a\nb.toml", ".toml"])
def test_a_name_that_no_file_can_have_is_refused(name: str) -> None:
    with pytest.raises(InputError) as caught:
        find(name)
    assert str(caught.value).isprintable()


def test_a_file_whose_name_cannot_be_shown_still_works(folder: Path) -> None:
    path = folder / f"{'x' * 80}.json"
    path.write_text(json.dumps(small()), encoding="utf-8")
    assert read_example(path).name == "example"


# Whatever happens to a file


def assert_example_or_input_error(folder: Path, raw: bytes, name: str) -> None:
    try:
        example = read_bytes(folder, raw, name)
    except InputError as error:
        assert str(error).isprintable(), str(error)
        assert len(str(error)) < 600
        return
    assert np.isfinite(walk(example)["output"].values).all()


GOOD = {name: write_example(find(name)) for name in ("robot", "by-hand", "narrow")}
GARBAGE = st.one_of(
    st.binary(max_size=8),
    st.sampled_from(
        [
            b"nan",
            b"inf",
            b"-",
            b"9" * 500,
            b"0x" + b"f" * 5000,
            b"true",
            b"[",
            b"]",
            b'"',
            b"'''",
            b"\n",
            b"{}",
            b"1979-05-27",
            b"\x00",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b",",
            b"=",
            b"1e999",
        ]
    ),
)


@given(st.sampled_from(sorted(GOOD)), st.data())
@settings(max_examples=250, deadline=None)
def test_a_garbled_toml_file_gives_an_example_or_an_input_error(
    folder: Path, name: str, data: st.DataObject
) -> None:
    raw = GOOD[name].encode()
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(raw)))
        length = data.draw(st.sampled_from([0, 1, 2, 20, len(raw)]))
        raw = raw[:start] + data.draw(GARBAGE) + raw[start + length :]
    assert_example_or_input_error(folder, raw, "garbled.toml")


@given(st.sampled_from(sorted(GOOD)), st.data())
@settings(max_examples=100, deadline=None)
def test_a_toml_file_without_some_of_its_lines_gives_an_example_or_an_input_error(
    folder: Path, name: str, data: st.DataObject
) -> None:
    lines = GOOD[name].splitlines()
    lost = data.draw(st.sets(st.integers(0, len(lines) - 1), min_size=1, max_size=4))
    text = "\n".join(line for i, line in enumerate(lines) if i not in lost)
    assert_example_or_input_error(folder, text.encode(), "garbled.toml")


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def put(data: st.DataObject, value: Any) -> Any:
    """``value`` with one part of it, at any depth, taken out or replaced by anything."""
    parts: list[Any] = []
    if isinstance(value, dict):
        parts = sorted(value)
    elif isinstance(value, list):
        parts = list(range(len(value)))
    if not parts or data.draw(st.integers(0, 3)) == 0:
        return data.draw(ANYTHING)
    part = data.draw(st.sampled_from(parts))
    changed = value.copy()
    if data.draw(st.integers(0, 3)) == 0:
        del changed[part]
    else:
        changed[part] = put(data, value[part])
    return changed


@given(st.booleans(), st.data())
@settings(max_examples=400, deadline=None)
def test_a_file_with_a_field_garbled_gives_an_example_or_an_input_error(
    folder: Path, with_words: bool, data: st.DataObject
) -> None:
    words = {"words": {"it": {"noun": 1}, "was": {"verb": 2}}, "position": POSITION} if with_words else {}
    garbled = put(data, small(start="it", **words))
    assert_example_or_input_error(folder, json.dumps(garbled).encode(), "garbled.json")


@given(st.binary(max_size=200), st.sampled_from(["garbled.toml", "garbled.json"]))
@settings(max_examples=100, deadline=None)
def test_random_bytes_give_an_input_error(folder: Path, raw: bytes, name: str) -> None:
    with pytest.raises(InputError):
        read_bytes(folder, raw, name)


def test_an_example_can_be_written_in_ascii_and_read_back_the_same() -> None:
    example = replace(find("robot"), provenance="fait à la main 机器人 🤖", words={})
    text = write_example(example, ascii_only=True)
    assert text.isascii()
    assert example_from(tomllib.loads(text), "again").provenance == example.provenance
