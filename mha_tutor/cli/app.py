"""The commands and their options. Everything slow is imported inside a command."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from .. import __version__
from .course_app import course

app = typer.Typer(
    name="mha-tutor",
    help="Walk one sentence through multi-head attention: every number of it, a page a step.",
    epilog="Start here:  mha-tutor step --heads 3",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(course, name="course")

EXAMPLES = ("robot", "trophy", "chef", "by-hand", "random", "narrow")
STAGES = ("embed", "project", "dots", "scale", "mask", "softmax", "mix", "concat", "output")
PRESETS = ("gpt3", "gpt2", "bert-base", "transformer-base", "transformer-big", "llama2-70b")
FORMATS = ("text", "plain", "json")
THEMES = ("auto", "dark", "light", "projector", "mono")


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


def _completed(names: tuple[str, ...]) -> Any:
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


Heads = Annotated[
    int | None, typer.Option(help="Cut the matrices into N heads.  [default: the example's own]", metavar="N")
]
ExampleName = Annotated[
    str,
    typer.Option(
        help=f"One of {', '.join(EXAMPLES)}, or a .toml or .json file.",
        metavar="NAME|FILE",
        autocompletion=_completed(EXAMPLES),
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
Memory = Annotated[
    str | None,
    typer.Option(help="Cross-attention: keys and values come from this text.", metavar="TEXT"),
]
Decimals = Annotated[int, typer.Option(help="Decimals of rounded numbers, 0 to 12.", metavar="N")]
Seed = Annotated[int, typer.Option(help="The seed of the example 'random'.", metavar="N")]
Width = Annotated[
    int | None, typer.Option(help="Draw N columns wide.  [default: the terminal's width]", metavar="N")
]
Theme = Annotated[
    str,
    typer.Option(help=f"Colours: {', '.join(THEMES)}.", metavar="NAME", autocompletion=_completed(THEMES)),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        help="text, plain (linear, for screen readers and logs) or json (all numbers).",
        metavar="NAME",
        autocompletion=_completed(FORMATS),
    ),
]


Head = Annotated[int, typer.Option(help="The head to look at, from 1.", metavar="I")]
Token = Annotated[
    str | None, typer.Option(help="The token to follow: a word, or its number from 1.", metavar="WORD|N")
]
Auto = Annotated[
    float | None, typer.Option(help="Turn the pages by itself; any key pauses.", metavar="SECONDS")
]
Scroll = Annotated[bool, typer.Option("--scroll", help="Print pages one under another.")]


@app.command(epilog="Example:  mha-tutor step --heads 3 --stage softmax --head 2 --token it")
def step(
    heads: Heads = None,
    example: ExampleName = "robot",
    sentence: Sentence = None,
    causal: Causal = False,
    pad: Pad = None,
    kv_heads: KvHeads = None,
    memory: Memory = None,
    stage: Annotated[
        str | None,
        typer.Option(
            help="Start at this stage (see 'mha-tutor stages'); without a terminal, show only this one.",
            metavar="KEY",
            autocompletion=_completed(STAGES),
        ),
    ] = None,
    head: Head = 1,
    token: Token = None,
    output_format: Format = "text",
    auto: Auto = None,
    scroll: Scroll = False,
    decimals: Decimals = 2,
    theme: Theme = "auto",
    width: Width = None,
    seed: Seed = 0,
) -> None:
    """Walk a sentence through every stage, a page a step.

    In a terminal: right or space for the next page, left for the one before, tab for the next head,
    up and down for the token, ? for help, q to leave. Without a terminal every page is printed.
    """
    from .book import ShowOptions
    from .choose import WalkOptions
    from .step import StepOptions, run_step

    run_step(
        StepOptions(
            walk=WalkOptions(
                heads=heads,
                kv_heads=kv_heads,
                example=example,
                sentence=sentence,
                memory=memory,
                causal=causal,
                pad=tuple(pad or ()),
                seed=seed,
            ),
            stage=stage,
            show=ShowOptions(
                head=head,
                token=token,
                format=output_format,
                auto=auto,
                scroll=scroll,
                decimals=decimals,
                theme=theme,
                width=width,
            ),
        )
    )


@app.command(epilog="Example:  mha-tutor decode --kv-heads 1")
def decode(
    heads: Heads = None,
    kv_heads: KvHeads = None,
    example: ExampleName = "robot",
    sentence: Sentence = None,
    head: Head = 1,
    token: Token = None,
    output_format: Annotated[
        str,
        typer.Option(
            "--format", help="text, or plain (linear, for screen readers and logs).", metavar="NAME"
        ),
    ] = "text",
    auto: Auto = None,
    scroll: Scroll = False,
    decimals: Decimals = 2,
    theme: Theme = "auto",
    width: Width = None,
    seed: Seed = 0,
) -> None:
    """Decode one token at a time with a KV cache: what is made new, what is read, what is kept."""
    from .book import ShowOptions
    from .choose import WalkOptions
    from .decode import run_decode

    run_decode(
        WalkOptions(heads=heads, kv_heads=kv_heads, example=example, sentence=sentence, seed=seed),
        ShowOptions(
            head=head,
            token=token,
            format=output_format,
            auto=auto,
            scroll=scroll,
            decimals=decimals,
            theme=theme,
            width=width,
        ),
    )


@app.command(epilog="Example:  mha-tutor example robot > mine.toml")
def example(
    name: Annotated[
        str, typer.Argument(help=f"One of {', '.join(EXAMPLES)}.", autocompletion=_completed(EXAMPLES))
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
            autocompletion=_completed(PRESETS),
        ),
    ] = None,
    head_width: Annotated[
        int | None, typer.Option(help="A fixed width for each head, instead of d_model / heads.", metavar="N")
    ] = None,
    output_format: Format = "text",
    theme: Theme = "auto",
    width: Width = None,
) -> None:
    """Count what attention costs: learned numbers, multiply-adds, softmax entries, cache."""
    from .cost import run_cost

    run_cost(
        d_model=d_model,
        heads=heads,
        kv_heads=kv_heads,
        layers=layers,
        tokens=tokens,
        batch=batch,
        dtype=dtype,
        preset=preset,
        head_width=head_width,
        theme=theme,
        width=width,
        format=output_format,
    )
