"""The commands and their options. Everything slow is imported inside a command."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import __version__
from .choices import COMPARE_PAGES, EXAMPLES, PRESETS, STAGES
from .classroom.app import classroom
from .course.app import course
from .lab.app import lab
from .options import Decimals, Format, ModelDir, Theme, Width, completed
from .real.app import real

app = typer.Typer(
    name="mha-tutor",
    help="Walk one sentence through multi-head attention: every number of it, a page a step.",
    epilog="Start here:  mha-tutor step --heads 3",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(classroom, name="class")
app.add_typer(course, name="course")
app.add_typer(lab, name="lab")
app.add_typer(real, name="real")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mha-tutor {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def _picked(options: Any, given: dict[str, Any]) -> Any:
    """A group of options out of a command's arguments; a list that was not given is empty."""
    picked = {name: given[name] for name in options._fields if name in given}
    lists = {name for name, usual in options._field_defaults.items() if isinstance(usual, tuple)}
    return options(**{name: tuple(x or ()) if name in lists else x for name, x in picked.items()})


Heads = Annotated[
    int | None, typer.Option(help="Cut the matrices into N heads.  [default: the example's own]", metavar="N")
]
ExampleName = Annotated[
    str,
    typer.Option(
        help=f"One of {', '.join(EXAMPLES)}, or a .toml or .json file.",
        metavar="NAME|FILE",
        autocompletion=completed(EXAMPLES),
    ),
]
Sentence = Annotated[str | None, typer.Option(help="Another sentence, of 2 to 16 tokens.", metavar="TEXT")]
Causal = Annotated[
    bool, typer.Option("--causal", help="A token may ask only itself and the tokens before it.")
]
Pad = Annotated[
    list[str] | None,
    typer.Option(
        help="A padding token: nobody may ask it. A word of the sentence, or a new one such as [PAD]. "
        "Can be given several times.",
        metavar="WORD",
    ),
]
KvHeads = Annotated[
    int | None,
    typer.Option(help="Let the heads share G key/value heads; 1 is MQA.", metavar="G"),
]
WithoutHead = Annotated[
    list[int] | None,
    typer.Option(
        help="Remove this head, from 1, before W^O: what is missing then? Can be given several times.",
        metavar="I",
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(help="Cross-attention: keys and values come from this text.", metavar="TEXT"),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="What if: set a given number, as in 'W_Q[head 2, pronoun, 1]=0' or 'allowed[it, robot]=0'. "
        "Can be given several times.",
        metavar="PLACE=NUMBER",
    ),
]
Layer = Annotated[
    int | None, typer.Option(help="The layer of the example 'real', from 1.  [default: 1]", metavar="N")
]
WithoutToken = Annotated[str | None, typer.Option(help="What if: leave a token out.", metavar="WORD|N")]
Variant = Annotated[
    str | None, typer.Option(help="The problem of a printed sheet, by the sheet's code.", metavar="CODE")
]
Seed = Annotated[int, typer.Option(help="The seed of the examples 'random' and 'trained'.", metavar="N")]


Head = Annotated[int, typer.Option(help="The head to look at, from 1.", metavar="I")]
Token = Annotated[
    str | None, typer.Option(help="The token to follow: a word, or its number from 1.", metavar="WORD|N")
]
Auto = Annotated[
    float | None, typer.Option(help="Turn the pages by itself; any key pauses.", metavar="SECONDS")
]
Scroll = Annotated[bool, typer.Option("--scroll", help="Print pages one under another.")]


Quiz = Annotated[
    bool, typer.Option("--quiz", help="Ask before each page is shown; what was sure and wrong comes back.")
]
QuizSeed = Annotated[
    int | None, typer.Option(help="The questions of quiz N.  [default: each time others]", metavar="N")
]


@app.command(epilog="Example:  mha-tutor step --heads 3 --stage softmax --head 2 --token it")
def step(
    heads: Heads = None,
    example: ExampleName = "robot",
    sentence: Sentence = None,
    causal: Causal = False,
    pad: Pad = None,
    kv_heads: KvHeads = None,
    memory: Memory = None,
    set: Set = None,
    without_token: WithoutToken = None,
    without_head: WithoutHead = None,
    layer: Layer = None,
    model_dir: ModelDir = None,
    stage: Annotated[
        str | None,
        typer.Option(
            help="Start at this stage (see 'mha-tutor stages'); without a terminal, show only this one.",
            metavar="KEY",
            autocompletion=completed(STAGES),
        ),
    ] = None,
    head: Head = 1,
    token: Token = None,
    format: Format = "text",
    auto: Auto = None,
    scroll: Scroll = False,
    decimals: Decimals = 2,
    theme: Theme = "auto",
    width: Width = None,
    seed: Seed = 0,
    quiz: Quiz = False,
    quiz_seed: QuizSeed = None,
    variant: Variant = None,
) -> None:
    """Walk a sentence through every stage, a page a step.

    In a terminal: right or space for the next page, left for the one before, tab for the next head,
    up and down for the token, ? for help, q to leave. Without a terminal every page is printed.
    """
    given = locals()
    from ..choose import WalkOptions
    from .book import ShowOptions
    from .step import StepOptions, run_step

    options = _picked(WalkOptions, given), _picked(ShowOptions, given)
    run_step(StepOptions(*options, stage=stage, quiz=quiz, quiz_seed=quiz_seed))


@app.command(epilog="Example:  mha-tutor present --heads 3 --stage softmax --head 2 --poll")
def present(
    heads: Heads = None,
    example: ExampleName = "robot",
    sentence: Sentence = None,
    causal: Causal = False,
    pad: Pad = None,
    kv_heads: KvHeads = None,
    memory: Memory = None,
    set: Set = None,
    without_token: WithoutToken = None,
    without_head: WithoutHead = None,
    stage: Annotated[
        str | None,
        typer.Option(
            help="Start at this stage (see 'mha-tutor stages'); without a terminal, show only this one.",
            metavar="KEY",
            autocompletion=completed(STAGES),
        ),
    ] = None,
    head: Head = 1,
    token: Token = None,
    poll: Annotated[
        bool, typer.Option("--poll", help="Ask the room before the numbers: A to D, two votes, the answer.")
    ] = False,
    timer: Annotated[float, typer.Option(help="What the timer counts down.", metavar="MINUTES")] = 3,
    save: Annotated[
        Path | None, typer.Option(help="Write the votes to this new file (CSV) at the end.", metavar="FILE")
    ] = None,
    format: Format = "text",
    decimals: Decimals = 2,
    theme: Theme = "auto",
    width: Width = None,
    seed: Seed = 0,
) -> None:
    """Present the walk to a room: a slide at a time, and no number before a press.

    In a terminal: space uncovers the next thing, then shows the next slide; w points, b blanks the
    screen, t starts the timer, p asks the room, ? for help. Without a terminal all slides are printed.
    """
    given = locals()
    from ..choose import WalkOptions
    from .book import ShowOptions
    from .present.opening import PresentOptions, run_present

    options = _picked(WalkOptions, given), _picked(ShowOptions, given)
    run_present(PresentOptions(*options, stage=stage, poll=poll, timer=timer, save=save))


@app.command(epilog="Example:  mha-tutor why 'weights[head 2, it, robot]' --depth 2")
def why(
    where: Annotated[
        str, typer.Argument(help="A number, such as 'weights[head 2, it, robot]' or 'weights[2, 7, 2]'.")
    ],
    depth: Annotated[int, typer.Option(help="How many rules deep.", metavar="N")] = 1,
    heads: Heads = None,
    example: ExampleName = "robot",
    sentence: Sentence = None,
    causal: Causal = False,
    pad: Pad = None,
    kv_heads: KvHeads = None,
    memory: Memory = None,
    set: Set = None,
    without_token: WithoutToken = None,
    without_head: WithoutHead = None,
    layer: Layer = None,
    model_dir: ModelDir = None,
    format: Format = "text",
    decimals: Decimals = 2,
    theme: Theme = "auto",
    width: Width = None,
    quiz: Annotated[
        bool, typer.Option("--quiz", help="First ask for one part of it, which is hidden.")
    ] = False,
    seed: Seed = 0,
    variant: Variant = None,
) -> None:
    """Take one number apart: where does it come from?"""
    given = locals()
    from ..choose import WalkOptions
    from .book import ShowOptions
    from .why import run_why

    run_why(where, depth, _picked(WalkOptions, given), _picked(ShowOptions, given), quiz)


@app.command(epilog="Example:  mha-tutor export --to walk.html --heads 3")
def export(
    to: Annotated[
        str, typer.Option("--to", help="The file to write: .html, .svg, .md, .json or .tex.", metavar="FILE")
    ],
    heads: Heads = None,
    example: ExampleName = "robot",
    sentence: Sentence = None,
    causal: Causal = False,
    pad: Pad = None,
    kv_heads: KvHeads = None,
    memory: Memory = None,
    set: Set = None,
    without_token: WithoutToken = None,
    without_head: WithoutHead = None,
    layer: Layer = None,
    model_dir: ModelDir = None,
    stage: Annotated[
        str | None,
        typer.Option(
            help="Only this stage (see 'mha-tutor stages'). JSON always has all.",
            metavar="KEY",
            autocompletion=completed(STAGES),
        ),
    ] = None,
    head: Head = 1,
    token: Token = None,
    decimals: Decimals = 2,
    theme: Theme = "auto",
    seed: Seed = 0,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it is there.")] = False,
) -> None:
    """Write the walk, or one stage, as a page for the browser, slides, Markdown, JSON or LaTeX.

    The page for the browser is one file that needs nothing else. It has every head, and every token
    while it stays small. A slide of SVG shows one page.
    """
    given = locals()
    from ..choose import WalkOptions
    from .book import ShowOptions
    from .export import ExportOptions, run_export

    options = _picked(WalkOptions, given), _picked(ShowOptions, given)
    run_export(ExportOptions(to, *options, stage=stage, force=force))


@app.command(epilog="Example:  mha-tutor decode --kv-heads 1")
def decode(
    heads: Heads = None,
    kv_heads: KvHeads = None,
    example: ExampleName = "robot",
    sentence: Sentence = None,
    head: Head = 1,
    token: Token = None,
    format: Format = "text",
    auto: Auto = None,
    scroll: Scroll = False,
    decimals: Decimals = 2,
    theme: Theme = "auto",
    width: Width = None,
    seed: Seed = 0,
) -> None:
    """Decode one token at a time with a KV cache: what is made new, what is read, what is kept."""
    given = locals()
    from ..choose import WalkOptions
    from .book import ShowOptions
    from .decode import run_decode

    run_decode(_picked(WalkOptions, given), _picked(ShowOptions, given))


@app.command(epilog="Example:  mha-tutor compare --heads 1 --heads 3 --token it")
def compare(
    heads: Annotated[
        list[int] | None,
        typer.Option(
            help="A number of heads; give it for each cut.  [default: 1, and the example's own]", metavar="N"
        ),
    ] = None,
    routes: Annotated[
        bool, typer.Option("--routes", help="Three routes to Q, K and V instead: which is cut, W or X?")
    ] = False,
    example: ExampleName = "robot",
    sentence: Sentence = None,
    causal: Causal = False,
    page: Annotated[
        str | None,
        typer.Option(
            help=f"Start at this page: {', '.join(COMPARE_PAGES[:4])}; "
            f"with --routes {', '.join(COMPARE_PAGES[4:])}. Without a terminal, show only this one.",
            metavar="KEY",
            autocompletion=completed(COMPARE_PAGES),
        ),
    ] = None,
    head: Annotated[int, typer.Option(help="With --routes: the head to look at, from 1.", metavar="I")] = 1,
    token: Token = None,
    format: Format = "text",
    auto: Auto = None,
    scroll: Scroll = False,
    decimals: Decimals = 2,
    theme: Theme = "auto",
    width: Width = None,
    seed: Seed = 0,
) -> None:
    """Cut the same matrices into one head and into several: what changes, and what does not."""
    given = locals()
    from ..choose import WalkOptions
    from .book import ShowOptions
    from .compare import CompareOptions, run_compare

    cuts = tuple(given.pop("heads") or ())
    run_compare(CompareOptions(cuts, routes, page, _picked(WalkOptions, given), _picked(ShowOptions, given)))


@app.command(epilog="Example:  mha-tutor example robot > mine.toml")
def example(
    name: Annotated[
        str, typer.Argument(help=f"One of {', '.join(EXAMPLES)}.", autocompletion=completed(EXAMPLES))
    ] = "robot",
    seed: Seed = 0,
) -> None:
    """Print an example as a TOML file: a start for your own."""
    from .lists import print_example

    print_example(name, seed)


@app.command(epilog="Example:  mha-tutor stages")
def stages() -> None:
    """List the stages of the walk, with their formulas."""
    from .lists import print_stages

    print_stages()


@app.command(epilog="Example:  mha-tutor cost --preset gpt3 --kv-heads 8")
def cost(
    d_model: Annotated[int | None, typer.Option(help="Width of the model.", metavar="N")] = None,
    heads: Annotated[int | None, typer.Option(help="Query heads.", metavar="N")] = None,
    kv_heads: Annotated[int | None, typer.Option(help="Key/value heads.", metavar="N")] = None,
    layers: Annotated[int | None, typer.Option(help="Layers.", metavar="N")] = None,
    tokens: Annotated[int | None, typer.Option(help="Tokens in the context.", metavar="N")] = None,
    batch: Annotated[int | None, typer.Option(help="Sequences at once.", metavar="N")] = None,
    dtype: Annotated[str | None, typer.Option(help="Number format, such as float16.", metavar="NAME")] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help=f"A known shape: {', '.join(PRESETS)}. Other options change it.",
            metavar="NAME",
            autocompletion=completed(PRESETS),
        ),
    ] = None,
    head_width: Annotated[
        int | None, typer.Option(help="A fixed width for each head, instead of d_model / heads.", metavar="N")
    ] = None,
    format: Format = "text",
    theme: Theme = "auto",
    width: Width = None,
) -> None:
    """Count what attention costs: learned numbers, multiply-adds, softmax entries, cache."""
    given = locals()
    from .cost import run_cost

    run_cost(**given)


def app_for(arguments: list[str], environ: Mapping[str, str]) -> typer.Typer:
    """The program with those of its commands that ``arguments`` need.

    To prepare all commands takes a quarter of the time to a first page. Of the others the help text
    needs a name and a line each; whoever types a name that does not exist gets all, for a suggestion.
    """
    name = next((argument for argument in arguments if not argument.startswith("-")), None)
    narrowed = copy(app)
    if any(variable.endswith("_COMPLETE") for variable in environ):
        return app
    if name is not None:
        narrowed.registered_commands = [c for c in app.registered_commands if _name(c) == name]
        narrowed.registered_groups = [group for group in app.registered_groups if group.name == name]
        return narrowed if narrowed.registered_commands or narrowed.registered_groups else app
    narrowed.registered_commands = [_outline(command) for command in app.registered_commands]
    narrowed.registered_groups = []
    for group in app.registered_groups:
        outline = typer.Typer(help=group.typer_instance.info.help if group.typer_instance else None)
        narrowed.add_typer(outline, name=group.name)
    return narrowed


def _name(command: Any) -> str:
    return str(command.name or command.callback.__name__)


def _outline(command: Any) -> Any:
    """A command without its options: a name and what it says of itself."""

    def nothing() -> None:
        pass

    nothing.__name__, nothing.__doc__ = _name(command), command.callback.__doc__
    outline = copy(command)
    outline.callback = nothing
    return outline
