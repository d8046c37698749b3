"""Exit tickets: answers held against sums done another way, and nothing of them in the lessons."""

from __future__ import annotations

import itertools
import json
import math
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from test_readme import run

from mha_tutor.answers import agree, half_unit
from mha_tutor.classroom.exits import KINDS, make_ticket, make_tickets, pool
from mha_tutor.classroom.exits.drawing import MAKERS
from mha_tutor.classroom.exits.paper import answer_lines, cut_line, ticket_lines
from mha_tutor.classroom.exits.sheet import answers_html, tickets_html
from mha_tutor.classroom.exits.ticket import LETTERS, choice_of, number_of
from mha_tutor.course import material
from mha_tutor.course.lesson import lessons
from mha_tutor.errors import InputError
from mha_tutor.mistakes import REGISTRY, SLIPS
from mha_tutor.texts import texts

LESSONS = [lesson.number for lesson in lessons()]
WORDS = {id: words for n in LESSONS for kind in pool(n).values() for id, words in kind.items()}
NUMBERS = [id for n in LESSONS for id in pool(n)["number"]]
CHOICES = [id for n in LESSONS for id in pool(n)["choice"]]
DRAWS = range(25)


def dot(a: Any, b: Any) -> Any:
    return sum(x * y for x, y in zip(a, b, strict=True))


def column(rows: Any, j: int) -> list[Any]:
    return [row[j] for row in rows]


def shares(scores: Any) -> list[float]:
    exps = [math.exp(score) for score in scores]
    return [one / math.fsum(exps) for one in exps]


# The right answer of each question from what it shows, in plain Python and without the engine.
ORACLES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "0.left": lambda g: 1 - g["first"] - g["second"],
    "0.mixture": lambda g: g["share"] * g["first"] + g["rest"] * g["second"],
    "0.rows": lambda g: g["heads"] * g["n"],
    "0.tokens": lambda g: len(re.findall(r"\w+|[^\w\s]", g["sentence"])),
    "1.clock": lambda g: math.cos(math.radians(360 * (g["token"] - 1) / g["period"])),
    "1.same": lambda g: len(set(g["sentence"].lower().split())),
    "1.grow": lambda g: (g["n"] + g["more"]) * g["d"] - g["n"] * g["d"],
    "2.cell": lambda g: dot(g["x"], column(g["w"], g["column"] - 1)),
    "2.width": lambda g: Fraction(g["d"], g["heads"]),
    "2.matrix": lambda g: sum(1 for _ in range(g["d"]) for _ in range(g["d"] // g["heads"])),
    "3.score": lambda g: dot(g["query"], g["key"]) / (g["d"] / g["heads"]) ** 0.5,
    "3.pairs": lambda g: len(list(itertools.product(range(g["heads"]), range(g["n"]), range(g["n"])))),
    "3.spread": lambda g: math.sqrt(math.fsum(1 for _ in range(g["width"]))),
    "3.back": lambda g: g["score"] * g["width"] ** 0.5,
    "3.asks": lambda g: dot(g["q1"], g["k2"]),
    "4.weight": lambda g: shares(g["scores"])[g["place"] - 1],
    "4.masked": lambda g: shares(g["scores"][:-1])[0],
    "4.even": lambda g: Fraction(1, g["n"] - g["hidden"]),
    "4.ratio": lambda g: math.exp(g["high"]) / math.exp(g["low"]),
    "4.total": lambda g: sum(1 for _ in range(g["heads"]) for _ in range(g["n"])),
    "5.mix": lambda g: dot(g["weights"], g["values"]),
    "5.need": lambda g: Fraction(g["wanted"], g["top"]),
    "5.change": lambda g: g["share"] * g["more"],
    "5.mixed": lambda g: dot(g["rows"][0], g["values"]),
    "6.output": lambda g: dot([*g["first"], *g["second"]], g["column"]),
    "6.place": lambda g: [(h, j) for h in range(g["heads"]) for j in range(g["e"])].index(
        (g["head"] - 1, g["number"] - 1)
    )
    + 1,
    "6.rows": lambda g: g["heads"] * g["e"],
    "6.concat": lambda g: [*g["m11"], *g["m21"]],
    "7.score": lambda g: math.fsum(g["dots"]) / math.sqrt(g["d"]),
    "7.cuts": lambda g: sum(1 for heads in range(1, g["d"] + 1) if g["d"] % heads == 0),
    "7.left": lambda g: 1 - (g["first"] + g["second"]),
    "8.without": lambda g: g["output"] - dot(g["mixed"], g["block"]),
    "8.chance": lambda g: Fraction(
        sum(0 in gone for gone in itertools.combinations(range(g["heads"]), g["removed"])),
        sum(1 for _ in itertools.combinations(range(g["heads"]), g["removed"])),
    ),
    "8.orders": lambda g: sum(1 for _ in itertools.permutations(range(g["heads"]))),
    "8.longer": lambda g: (g["w2"] * g["l2"]) / (g["w1"] * g["l1"]),
    "9.shared": lambda g: 2 * g["d"] ** 2 + 2 * g["d"] * g["kv"] * (g["d"] // g["heads"]),
    "9.cache": lambda g: 2 * g["kv"] * g["e"] * g["layers"] * g["tokens"],
    "9.longer": lambda g: Fraction((g["tokens"] * g["times"]) ** 2, g["tokens"] ** 2),
    "10.first": lambda g: dot(
        [dot(g["x"], column(g["w_v"], j)) for j in range(2)], column(g["w_o"], 0)
    ),
    "10.asks": lambda g: g["kept"] + g["which"],
    "10.hidden": lambda g: sum(1 for t in range(g["n"]) for s in range(g["n"]) if s > t),
}  # fmt: skip


@pytest.mark.parametrize("lesson", LESSONS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_lesson_has_at_least_three_of_each_kind(lesson: int, kind: str) -> None:
    assert len(pool(lesson)[kind]) >= 3


def test_ids_are_unique_over_all_kinds() -> None:
    ids = [id for n in LESSONS for kind in pool(n).values() for id in kind]
    assert len(set(ids)) == len(ids)


def test_every_number_is_made_and_nothing_is_made_for_nothing() -> None:
    assert set(NUMBERS) <= set(MAKERS) <= set(NUMBERS) | set(CHOICES)
    computed = {id for id in MAKERS if MAKERS[id](Random(0), WORDS[id]).answer is not None}
    assert computed == set(ORACLES), "write the sum of a new question in ORACLES, another way than the engine"
    assert set(texts("exit")) == {"say", *(f"lesson{n}" for n in LESSONS)}


@pytest.mark.parametrize("id", ORACLES)
def test_every_answer_is_what_another_sum_gives(id: str) -> None:
    seen = set()
    for seed in DRAWS:
        drawn = MAKERS[id](Random(seed), WORDS[id])
        right = ORACLES[id](dict(drawn.given))
        seen.add(str(drawn.given))
        if isinstance(right, list):
            assert drawn.answer == right
            assert right not in [wrong.answer for wrong in drawn.wrongs]
            continue
        assert math.isclose(drawn.answer, right, rel_tol=1e-9, abs_tol=1e-9)
        for wrong in drawn.wrongs:
            assert not agree(wrong.answer, float(right), half_unit(drawn.decimals)), wrong
    assert len(seen) > 2, "the question is nearly always the same"


@pytest.mark.parametrize("id", NUMBERS)
def test_what_is_read_off_a_ticket_gives_the_answer(id: str) -> None:
    """Every number that the sum needs stands in the text."""
    for seed in DRAWS:
        number = number_of(id, WORDS[id], Random(seed))
        drawn = MAKERS[id](Random(seed), WORDS[id])
        assert "{" not in number.text + number.worked
        assert float(number.low) - 1e-9 <= drawn.answer <= float(number.high) + 1e-9
        assert abs(float(number.high) - float(number.low)) <= 3 * half_unit(drawn.decimals) + 1e-9
        used = set(re.findall(r"\{(\w+)\}", WORDS[id]["text"]))
        assert used == set(drawn.given), "the text leaves out something that was drawn"
        assert all(usual.say.endswith(".") and number.written not in usual.written for usual in number.usual)


@pytest.mark.parametrize("id", NUMBERS)
def test_a_number_counts_rounded_and_cut_off_but_not_a_step_further(id: str) -> None:
    for seed in DRAWS:
        number = number_of(id, WORDS[id], Random(seed))
        decimals = MAKERS[id](Random(seed), WORDS[id]).decimals
        low, high = float(number.low) - 1e-9, float(number.high) + 1e-9
        exact = Decimal(repr(number.answer))
        step = Decimal(1).scaleb(-decimals)
        for how in (ROUND_HALF_UP, ROUND_DOWN):
            assert low <= float(exact.quantize(step, how)) <= high
        cut_off = float(exact.quantize(step, ROUND_DOWN))
        away = math.copysign(float(step), number.answer or 1)
        assert not low <= cut_off - away <= high and not low <= cut_off + 2 * away <= high
        wrong = [float(one.replace(" ", "")) for usual in number.usual for one in usual.written]
        assert not any(low <= one <= high for one in wrong)


def test_the_sum_of_exps_is_worked_with_its_numbers() -> None:
    worked = number_of("4.weight", WORDS["4.weight"], Random(0)).worked
    part, terms, answer = re.fullmatch(r".*: (\S+) / \((.+)\) = (\S+)", worked).groups()  # type: ignore[union-attr]
    exps = [float(term) for term in terms.split(" + ")]
    assert len(exps) == 4 and float(part) in exps
    assert abs(float(part) / sum(exps) - float(answer)) < 0.006


def test_every_number_names_a_usual_wrong_one_and_known_mistakes_are_used() -> None:
    ids = set()
    for id in NUMBERS:
        usual = [u for seed in DRAWS for u in number_of(id, WORDS[id], Random(seed)).usual]
        assert usual, id
        ids |= {u.id for u in usual if u.id}
    options = [o for id in CHOICES for o in choice_of(id, WORDS[id], Random(0)).options]
    ids |= {o.id for o in options if o.id}
    assert ids <= {*REGISTRY, *SLIPS} and len(ids) > 20


@pytest.mark.parametrize("id", CHOICES)
def test_a_choice_has_four_different_options_and_one_is_right(id: str) -> None:
    places = set()
    for seed in DRAWS:
        choice = choice_of(id, WORDS[id], Random(seed))
        assert [option.letter for option in choice.options] == list(LETTERS)
        assert len({option.text for option in choice.options}) == len(LETTERS)
        assert [option.right for option in choice.options].count(True) == 1
        assert all(option.shows.endswith((".", ")")) for option in choice.options)
        assert "{" not in choice.text + "".join(option.text + option.shows for option in choice.options)
        places.add(choice.right.letter)
    assert len(places) == len(LETTERS)


def test_the_scores_that_were_divided_wrongly_can_be_told_apart() -> None:
    for seed in DRAWS:
        given = MAKERS["3.divisor"](Random(seed), {}).given
        d, heads, score = given["d"], given["heads"], given["dot"]
        others = [score, score / heads**0.5, score / (d // heads)]
        assert math.isclose(given["seen"], score / d**0.5)
        assert math.isclose(given["right"], score / (d / heads) ** 0.5)
        assert not any(math.isclose(given["seen"], other) for other in [*others, given["right"]])


def shown_in(number: int) -> str:
    (source,) = (path for path in material.sources() if int(path.stem[:2]) == number)
    return _words(source.read_text(encoding="utf-8"))


def _words(text: str) -> str:
    """Words alone, every number as #."""
    return " ".join(re.sub(r"\d+", "#", re.sub(r"[^\w]+", " ", text.lower())).split())


def runs(text: str, length: int = 8) -> Iterator[str]:
    """Every run of so many words that is more than numbers."""
    words = _words(text).split()
    for i in range(max(len(words) - length + 1, 1)):
        if len([word for word in words[i : i + length] if word != "#"]) >= min(6, len(words)):
            yield " ".join(words[i : i + length])


def texts_of(number: int) -> Iterator[tuple[str, str]]:
    """The questions of a lesson as some seeds make them, with their ids."""
    for kind, items in pool(number).items():
        for id, words in items.items():
            for seed in range(5):
                if kind == "number":
                    yield id, number_of(id, words, Random(seed)).text
                elif kind == "choice":
                    yield id, choice_of(id, words, Random(seed)).text
                else:
                    yield id, words["text"]


@pytest.mark.parametrize("number", LESSONS)
def test_no_question_is_in_the_lesson(number: int) -> None:
    lesson = shown_in(number)
    shown = {(id, run) for id, text in texts_of(number) for run in runs(text) if run in lesson}
    assert not shown, "these words stand in the lesson: ask in another way"


def test_the_same_seed_gives_the_same_ticket_for_ever() -> None:
    ticket = make_ticket(4, 17)
    assert ticket == make_ticket(4, 17) and ticket.name == "4-17"
    assert len({str(make_ticket(4, seed)) for seed in range(30)}) > 25
    drawn = Random("exit 4 17").random()  # Python promises that this number stays
    assert drawn == 0.6864986345440995


@pytest.mark.parametrize("lesson", LESSONS)
def test_thirty_tickets_ask_for_thirty_different_numbers(lesson: int) -> None:
    tickets = make_tickets(lesson, 0, 30)
    assert len({ticket.number.text for ticket in tickets}) == len({ticket.seed for ticket in tickets}) == 30
    assert tickets[:7] == make_tickets(lesson, 0, 7)
    assert all(ticket == make_ticket(lesson, ticket.seed) for ticket in tickets)


def test_more_tickets_than_there_are_questions_ask_them_again() -> None:
    tickets = make_tickets(0, 5, 400)
    seeds = [ticket.seed for ticket in tickets]
    assert len(tickets) == 400 and seeds == sorted(set(seeds)) and seeds[0] == 5
    assert len({ticket.number.text for ticket in tickets}) < 400


@pytest.mark.parametrize(("lesson", "seed"), [(11, 0), (-1, 0), (4, -1), (4, 10**10)])
def test_a_lesson_or_a_seed_that_is_none_is_refused(lesson: int, seed: int) -> None:
    with pytest.raises(InputError):
        make_ticket(lesson, seed)


def test_tickets_are_printed_with_lines_to_cut_and_the_sheet_names_the_same(tmp_path: Path) -> None:
    printed = run("mha-tutor class exit 4 --seed 3 --count 4", tmp_path)
    assert printed.returncode == 0 and printed.stderr == ""
    assert printed.stdout.count("cut here") == 3 and max(map(len, printed.stdout.splitlines())) <= 80
    sheet = run("mha-tutor class exit 4 --seed 3 --count 4 --answers", tmp_path).stdout
    seeds = [ticket.seed for ticket in make_tickets(4, 3, 4)]
    for seed in seeds:
        assert f"Ticket 4-{seed}" in printed.stdout and f"Ticket 4-{seed}" in sheet
        ticket = make_ticket(4, seed)
        said = " ".join(printed.stdout.split())
        assert ticket.number.text in said and ticket.because.text in said
        assert ticket.choice.right.shows not in said and ticket.because.points[0] not in said
        assert re.search(
            rf"4-{seed} +{re.escape(ticket.number.written)} .*{ticket.choice.right.letter}\n", sheet
        )


@pytest.mark.parametrize("width", [24, 40, 90])
@pytest.mark.parametrize("lesson", LESSONS)
def test_a_ticket_and_its_answers_fit_the_width(lesson: int, width: int) -> None:
    tickets = [make_ticket(lesson, seed) for seed in range(4)]
    for line in (*ticket_lines(tickets[0], width), *answer_lines(tickets, width), cut_line(width)):
        at_a_glance = line.startswith("  ") and "  " in line.strip()
        assert len(line) <= width or " " not in line.strip() or at_a_glance, line


def test_linear_text_has_no_lines_to_write_on(tmp_path: Path) -> None:
    printed = run("mha-tutor class exit 4 --count 2 --format plain", tmp_path).stdout
    assert "__" not in printed and "- -" not in printed and printed.isascii()


def test_data_holds_the_answers_only_when_they_are_asked_for(tmp_path: Path) -> None:
    without = json.loads(run("mha-tutor class exit 4 --format json", tmp_path).stdout)["tickets"][0]
    whole = json.loads(run("mha-tutor class exit 4 --format json --answers", tmp_path).stdout)["tickets"][0]
    assert "answer" not in without["number"] and "points" not in without["because"]
    assert set(without["choice"]["options"][0]) == {"letter", "text"}
    assert whole["number"]["from"] <= whole["number"]["answer"] <= whole["number"]["to"]
    assert whole["choice"]["right"] in LETTERS


def test_a_page_to_print_is_one_file_that_is_never_overwritten(tmp_path: Path) -> None:
    made = run("mha-tutor class exit 4 --count 3 --out tickets.html", tmp_path)
    assert made.returncode == 0 and "tickets.html" in made.stdout
    page = (tmp_path / "tickets.html").read_text(encoding="utf-8")
    assert page.count('class="ticket"') == 3 and "http" not in page and "@media print" in page
    again = run("mha-tutor class exit 5 --out tickets.html", tmp_path)
    assert again.returncode == 2 and "is there already" in again.stderr
    assert (tmp_path / "tickets.html").read_text(encoding="utf-8") == page


def test_the_html_of_all_lessons_shows_powers_and_leaks_no_answer() -> None:
    for number in LESSONS:
        tickets = [make_ticket(number, seed) for seed in range(12)]
        page, sheet = tickets_html(tickets), answers_html(tickets)
        for made in (page, sheet):
            body = made.split("</style>")[1]
            assert "W^" not in body and "{" not in body
        for ticket in tickets:
            assert ticket.name in page and ticket.name in sheet
            assert ticket.choice.right.shows[:30] not in page


def test_the_classroom_needs_neither_rich_nor_typer() -> None:
    code = (
        "import pkgutil, sys, mha_tutor.classroom as room\n"
        "for one in pkgutil.walk_packages(room.__path__, room.__name__ + '.'): __import__(one.name)\n"
        "print(sorted({'rich', 'typer'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("class exit 11", "There is no lesson 11"),
        ("class exit 4 --count 0", "choose 1 to 500"),
        ("class exit 4 --out tickets.pdf", "must end in .html"),
        ("class exit 4 --format jsn", "Did you mean 'json'"),
    ],
)
def test_wrong_usage_is_told(command: str, said: str, tmp_path: Path) -> None:
    result = run(f"mha-tutor {command}", tmp_path)
    assert (result.returncode, result.stdout) == (2, "") and said in result.stderr


def test_a_file_of_tickets_is_for_the_browser_and_is_overwritten_only_when_asked(tmp_path: Path) -> None:
    refused = run("mha-tutor class exit 4 --format json --out z.html", tmp_path)
    assert refused.returncode == 2 and "--format json and --out do not go together" in refused.stderr
    assert not list(tmp_path.iterdir())
    (tmp_path / "z.html").write_text("mine", encoding="utf-8")
    kept = run("mha-tutor class exit 4 --out z.html", tmp_path)
    assert kept.returncode == 2 and "add --force" in kept.stderr
    assert (tmp_path / "z.html").read_text(encoding="utf-8") == "mine"
    assert run("mha-tutor class exit 4 --out z.html --force", tmp_path).returncode == 0
    assert "Ticket 4-0" in (tmp_path / "z.html").read_text(encoding="utf-8")
