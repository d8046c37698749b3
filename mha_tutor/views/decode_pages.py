"""The pages of decoding with a cache: one a token, and one that compares with the full pass."""

from __future__ import annotations

from ..decoding import Decoded, Decoding
from ..examples import Example
from ..numbers import counted, form_for
from ..texts import texts
from .page import Band, Block, Formula, HeadBars, Listing, Page, Table, Text
from .pages.maker import View
from .working import tick

ROUNDING = 1e-9  # below this a difference is the computer's rounding, not a finding


def decode_keys(decoding: Decoding) -> tuple[str, ...]:
    """A page a token, and the one at the end."""
    return (*(f"token-{step.place + 1}" for step in decoding.steps), "same")


def decode_page(key: str, decoding: Decoding, example: Example, view: View) -> Page:
    """The page of that key."""
    keys = decode_keys(decoding)
    here = keys.index(key)
    say = texts("decode")
    last = key == "same"
    heads = decoding.full.sizes["heads"]
    step = None if last else decoding.steps[here]
    corner = texts("pages")["head_corner"].format(head=view.head + 1, heads=heads)
    title = say["same"]["title"] if step is None else _fill("title", step, decoding, view)
    return Page(
        key=key,
        stage=key,
        title=title,
        crumbs=(*example.tokens, say["crumb_end"]),
        here=here,
        number=here + 1,
        total=len(keys),
        corner="" if last or heads == 1 else corner,
        head=None if last or heads == 1 else view.head,
        source=say["source"].format(example=example.name, provenance=example.provenance),
        blocks=_same(decoding) if step is None else _token(step, decoding, view),
    )


def _fill(name: str, step: Decoded, decoding: Decoding, view: View) -> str:
    sizes = decoding.full.sizes
    tokens = decoding.full.tokens
    return str(texts("decode")["step"][name]).format_map(
        {
            **sizes,
            "number": step.place + 1,
            "count": len(tokens),
            "token": tick(tokens[step.place]),
            "head": view.head + 1,
            "kv": decoding.full.kv_of_head[view.head] + 1,
            "kept": step.place + 1,
        }
    )


def _token(step: Decoded, decoding: Decoding, view: View) -> tuple[Block, ...]:
    say = texts("decode")["step"]
    look = texts("pages")["look"]
    token = tick(decoding.full.tokens[step.place])
    form = form_for(step.weights, view.decimals)
    facts = [say["made"].format(made=step.made, token=token)]
    if step.place:
        again = decoding.steps[0].kept * (step.place + 1)
        facts.append(say["read"].format(read=step.read, tokens=step.place))
        facts.append(say["without"].format(tokens=step.place + 1, again=again))
    facts.append(say["kept"].format(kept=step.kept))
    return (
        Text(_fill("lead" if step.place else "lead_first", step, decoding, view), "lead"),
        Formula(_fill("formula", step, decoding, view), _fill("shapes", step, decoding, view)),
        _cache(step, decoding, view),
        HeadBars(step.weights, decoding.full.tokens[: step.place + 1], form, view.head, token.strip("`")),
        *(Text(fact, "look", look) for fact in facts),
        _output(step, decoding, view),
    )


def _cache(step: Decoded, decoding: Decoding, view: View) -> Table:
    """The cached keys and values of the chosen head; the new token's row is the marked one."""
    import numpy as np

    kv = decoding.full.kv_of_head[view.head]
    keys, values = step.keys[kv], step.values[kv]
    width = keys.shape[1]
    full = decoding.full
    forms = [form_for(full[name].values, view.decimals) for name in ("Q", "K", "V")]
    blank = np.full((step.place, width), np.nan)
    query = np.concatenate([blank, step.query[view.head][None]])
    columns = tuple(str(j + 1) for j in range(width))
    titles = [_fill(name, step, decoding, view) for name in ("query", "cache_keys", "cache_values")]
    return Table(
        title=titles[1],
        values=np.concatenate([query, keys, values], axis=1),
        rows=full.tokens[: step.place + 1],
        columns=columns * 3,
        bands=tuple(
            Band(title, i * width, (i + 1) * width, form, view.head)
            for i, (title, form) in enumerate(zip(titles, forms, strict=True))
        ),
        chosen=step.place,
        counted=True,
    )


def _output(step: Decoded, decoding: Decoding, view: View) -> Table:
    output = decoding.full["output"]
    form = form_for(output.values, view.decimals)
    return Table(
        title="output",
        values=step.output[None, :],
        rows=(decoding.full.tokens[step.place],),
        columns=output.axis("d").labels,
        bands=(Band("output", 0, step.output.size, form),),
    )


def _same(decoding: Decoding) -> tuple[Block, ...]:
    say = texts("decode")["same"]
    sizes, tokens = decoding.full.sizes, decoding.full.tokens
    again = [(step.place + 1) * decoding.steps[0].made for step in decoding.steps]
    rows = [
        (tokens[step.place], *map(counted, (step.made, step.read, step.kept, total)))
        for step, total in zip(decoding.steps, again, strict=True)
    ]
    made = sum(step.made for step in decoding.steps)
    read = sum(step.read for step in decoding.steps)
    rows.append((say["sum"], counted(made), counted(read), "", counted(sum(again))))
    difference = decoding.difference
    look = texts("pages")["look"]
    equal = say["equal" if difference < ROUNDING else "differ"]
    facts = [
        equal.format(count=len(tokens), difference=f"{difference:.0e}"),
        say["saved"].format(made=counted(made), again=counted(sum(again))),
    ]
    if sizes["kv_heads"] != sizes["heads"]:
        full = decoding.steps[-1].kept * sizes["heads"] // sizes["kv_heads"]
        facts.append(say["shared"].format(full=counted(full), **sizes))
    columns = tuple(say[name] for name in ("token", "made", "read", "kept", "again"))
    return (
        Text(say["lead"], "lead"),
        Listing(say["listing"], columns, tuple(rows), right=(1, 2, 3, 4), total=1),
        *(Text(fact, "look", look) for fact in facts),
    )
