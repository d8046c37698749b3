"""`mha-tutor step --quiz`: a question before each page, and what comes of the answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...errors import InputError
from ...explain import Cell, why
from ...quiz import PAGE_OF, Desk, ask_about, ask_topic
from ...quiz.hidden import hidden_product
from ...quiz.question import Question
from ...quiz.wording import say, use_text
from ...texts import texts
from ...trace import Trace
from ...views.pages import STAGE_OF_PAGE, View
from ..book import ShowOptions, Workbook, resume_line
from ..world import World
from .dialog import Dialog, LeftError
from .kept_file import QuizFile, data_home
from .one_question import OneQuestion
from .summary import Score, say_summary

MOST_AGAIN = 3


class Round(NamedTuple):
    """One page of a quiz, and the question before it; the ``topic`` of one that comes back."""

    page: str
    topic: str | None = None


def check_quiz(options: ShowOptions, seed: int | None, world: World) -> None:
    """Raise InputError, with what to do, where no quiz can be held."""
    if options.format == "json":
        raise InputError(use_text("json"))
    if options.auto is not None:
        raise InputError(use_text("auto"))
    if seed is not None and seed < 0:
        raise InputError(use_text("seed", seed=seed))
    plain = options.format == "plain" or world.accessible
    if not plain and not world.interactive:
        raise InputError(use_text("terminal"))


def run_quiz(
    book: Workbook, view: View, first: int, options: ShowOptions, world: World, seed: int | None
) -> None:
    """Ask before each page from ``first`` on, show it, and keep what came of it."""
    if "b_O" in book.trace:
        raise InputError(use_text("biases", example=book.trace.example))
    file = QuizFile(data_home(world.environ))
    seed = file.kept.quizzes + 1 if seed is None else seed
    heads = None if options.head == 1 else [view.head]
    tokens = None if options.token is None else [view.token]
    quiz = Quiz(Dialog(world, options), book, Desk(book.trace, view, seed, heads=heads, tokens=tokens), file)
    left_at = quiz.run(list(_rounds(file, book.keys, first)), seed)
    say_summary(quiz.dialog, quiz.score, file)
    if left_at is not None:
        again = [*book.command(left_at, view), "--quiz", "--quiz-seed", str(seed)]
        quiz.dialog.say(resume_line(again))


def ask_one(
    book: Workbook,
    page: str,
    view: View,
    options: ShowOptions,
    world: World,
    count: int,
    cell: Cell | None = None,
) -> View:
    """Ask one question about the page at hand, and give the view in which the page answers it.

    ``count`` is how many were asked before in this walk, so that each is another. With ``cell`` the
    question is about that number: a part of what it is made from is hidden.
    """
    file = QuizFile(data_home(world.environ), begun=True)
    dialog = Dialog(world, options)
    desk = Desk(book.trace, view, f"{file.kept.quizzes} {count}", heads=[view.head])
    quiz = Quiz(dialog, book, desk, file)
    try:
        question = None
        if "b_O" not in book.trace:  # the sums that are asked for have no bias
            question = ask_about(desk, page) if cell is None else hidden_product(desk, why(book.trace, cell))
        if question is None:
            dialog.say(say("none_here"))
        else:
            view = question.view if cell is None else view
            quiz.ask(question, "title_one", page)
            dialog.say("")
            quiz.reason(question)
        if file.trouble:
            dialog.say(file.trouble)
        dialog.pause(say("back"))
    except LeftError:
        pass
    return view


def ask_before_why(trace: Trace, cell: Cell, options: ShowOptions, world: World, seed: int | None) -> None:
    """Hide a part of what a number is made from, and ask for it, before it is taken apart."""
    check_quiz(options, seed, world)
    file = QuizFile(data_home(world.environ), begun=True)
    dialog = Dialog(world, options)
    desk = Desk(trace, View(decimals=options.decimals), seed or 0)
    question = None if "b_O" in trace else hidden_product(desk, why(trace, cell))
    if question is None:
        dialog.say(say("none_here"))
        return
    one = OneQuestion(dialog, question, desk)
    one.show()
    file.keep(one.hold().answered)
    dialog.say("")


def _rounds(file: QuizFile, keys: tuple[str, ...], first: int) -> Iterator[Round]:
    """What comes back, if this walk has its page, and then the pages in order."""
    back = [topic for topic in file.kept.due() if PAGE_OF.get(topic) in keys]
    yield from (Round(PAGE_OF[topic], topic) for topic in back[:MOST_AGAIN])
    yield from (Round(key) for key in keys[first:])


class Quiz:
    """A quiz on its way through the pages of a book."""

    def __init__(self, dialog: Dialog, book: Workbook, desk: Desk, file: QuizFile) -> None:
        self.dialog = dialog
        self.book = book
        self.desk = desk
        self.file = file
        self.score = Score()

    def run(self, rounds: list[Round], seed: int) -> str | None:
        """Hold all rounds; the page at which the reader left, or None at the end."""
        say_line = self.dialog.say
        say_line(say("start", seed=seed))
        say_line(say("how"))
        if self.file.trouble:
            say_line(self.file.trouble)
        if back := sum(each.topic is not None for each in rounds):
            say_line(say("again", count=back))
        for i, each in enumerate(rounds):
            try:
                self._hold(each, last=i == len(rounds) - 1)
            except LeftError:
                return next((later.page for later in rounds[i:] if later.topic is None), each.page)
        return None

    def _hold(self, each: Round, last: bool) -> None:
        """One round: the question, the page, the reason."""
        if each.topic is not None:
            question = ask_topic(self.desk, each.topic)
            if question is None:
                return
        else:
            question = ask_about(self.desk, each.page)
        view = question.view if question else self.desk.view
        if question is None:
            self.head(each.page, "title")
            self.dialog.say(say("page_only"))
            skipped = True
        else:
            skipped = self.ask(question, "title" if each.topic is None else "title_again")
        self.dialog.pause(say("on"))
        self.dialog.page(self.book.page(each.page, view), view.token)
        if question is not None and not skipped:
            self.reason(question)
        elif not last:
            self.dialog.pause(say("next"))

    def head(self, page: str, key: str) -> None:
        """Which page it is about, without saying what the page says."""
        name = texts("pages")["crumbs"][STAGE_OF_PAGE[page]]
        keys = self.book.keys
        self.dialog.rule()
        self.dialog.say(say(key, number=keys.index(page) + 1, count=len(keys), name=name), "title")

    def ask(self, question: Question, key: str, page: str = "") -> bool:
        """Ask, keep what came of it, and say whether it was skipped."""
        self.head(page or question.page, key)
        one = OneQuestion(self.dialog, question, self.desk)
        one.show()
        outcome = one.hold()
        self.score.add(question, outcome)
        self.file.keep(outcome.answered)
        return outcome.answered.skipped

    def reason(self, question: Question) -> None:
        """Ask why."""
        right = OneQuestion(self.dialog, question, self.desk).reason()
        if right is not None:
            self.score.reasons.append(right)
