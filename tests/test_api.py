"""`from mha_tutor import walk, why, show`: what a notebook uses."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from markup import numbers, read

import mha_tutor
from mha_tutor import show, stages, walk, why
from mha_tutor.attention import causal_mask
from mha_tutor.errors import InputError
from mha_tutor.examples import find
from mha_tutor.trace import Trace
from mha_tutor.views.pages import page_keys

TRACE = walk("robot", heads=3)


def python(code: str) -> str:
    """What a fresh Python writes; it must not complain."""
    environ = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True, text=True, encoding="utf-8", check=False, env=environ,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout


def test_the_package_alone_costs_no_numpy_and_the_functions_no_rich() -> None:
    code = (
        "import sys, mha_tutor\n"
        "print(sorted({'numpy', 'rich', 'typer'} & set(sys.modules)), 'walk' in dir(mha_tutor))\n"
        "trace = mha_tutor.walk()\n"
        "mha_tutor.show(trace, 'softmax')._repr_html_(), repr(mha_tutor.why(trace, 'X[1, 1]'))\n"
        "print(sorted({'rich', 'typer', 'click', 'IPython'} & set(sys.modules)))\n"
    )
    assert python(code) == "[] True\n[]\n"


def test_they_are_functions_and_no_module_takes_their_names() -> None:
    folder = Path(mha_tutor.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")} | {path.name for path in folder.iterdir()}
    for name in ("walk", "why", "show"):
        assert inspect.isfunction(getattr(mha_tutor, name)) and name not in modules
    with pytest.raises(AttributeError, match="no attribute 'walks'"):
        _ = mha_tutor.walks  # type: ignore[attr-defined]


def test_a_walk_is_the_trace_of_the_engine() -> None:
    assert isinstance(TRACE, Trace)
    assert json.dumps(TRACE.as_json()) == json.dumps(stages.walk(find("robot"), heads=3).as_json())
    causal = walk(find("robot"), causal=True)
    same = stages.walk(find("robot"), allowed=causal_mask(9, 9))
    assert json.dumps(causal.as_json()) == json.dumps(same.as_json())
    assert walk("random", seed=2)["X"].values.tolist() == walk("random", seed=2)["X"].values.tolist()
    assert walk(memory="The chef cooked").sizes["m"] == 3
    assert walk(kv_heads=1).sizes["kv_heads"] == 1
    assert walk(sentence="The tired robot").tokens == ("The", "tired", "robot")
    assert walk(pad=["[PAD]"]).tokens[-1] == "[PAD]"
    assert walk(without_token="it").tokens == tuple(t for t in TRACE.tokens if t != "it")
    assert not walk(without_head=[2])["concat"].values[:, 4:8].any()
    assert "walk of robot" in repr(TRACE) and "heads 3" in repr(TRACE)


def test_a_file_is_walked_too(tmp_path: Path) -> None:
    from mha_tutor.examples import write_example

    path = tmp_path / "mine.toml"
    path.write_text(write_example(find("by-hand")), encoding="utf-8")
    for given in (path, str(path)):
        assert walk(given)["output"].values.tolist() == walk("by-hand")["output"].values.tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: walk("robto"), "Did you mean 'robot'"),
        (lambda: walk(heads=5), "Choose one of 1, 2, 3, 4, 6, 12"),
        (lambda: walk(causal=True, memory="a chef"), "causal=True and memory do not go together"),
        (lambda: show(TRACE, "sofmax"), "Did you mean 'softmax'"),
        (lambda: show(TRACE, "masked"), "what 'masked' is not known"),
        (lambda: show(TRACE, "softmax", head=4), "choose from 1 to 3"),
        (lambda: show(TRACE, "softmax", head=0), "choose from 1 to 3"),
        (lambda: show(TRACE, "softmax", token="robots"), "token 'robots' is not in the sentence"),
        (lambda: show(TRACE, "softmax", token=10), "token '10' is not in the sentence"),
        (lambda: show(TRACE, "softmax", decimals=13), "choose 0 to 12"),
        (lambda: show(TRACE, "softmax", theme="pink"), "theme 'pink' is not known"),
        (lambda: why(TRACE, "weights[head 2, it]"), "needs 3"),
        (lambda: why(TRACE, "weight[1, 1, 1]"), "Did you mean weights"),
        (lambda: why(TRACE, "X[1, 1]", depth=0), "choose 1 or more"),
    ],
)
def test_what_does_not_fit_is_told_as_a_value_error(call: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        call()  # type: ignore[operator]
    assert message in str(caught.value) and isinstance(caught.value, ValueError)
    assert "--" not in str(caught.value)


@pytest.mark.parametrize("what", [*page_keys(TRACE), *(tensor.name for tensor in TRACE.tensors)])
def test_everything_can_be_shown_as_html_and_as_text(what: str) -> None:
    shown = show(TRACE, what, head=2, token="it")
    root = read(shown._repr_html_())
    assert root.all("table")
    assert {n.tag for n in root.everything()} <= {
        *(
            "",
            "div",
            "p",
            "b",
            "span",
            "table",
            "caption",
            "colgroup",
            "col",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
        ),
        *("sub", "sup", "code", "br"),
    }
    assert not [n for n in root.everything() if "class" in n.attributes or "id" in n.attributes]
    text = repr(shown)
    assert text.isascii() or "·" in text
    assert "\x1b" not in text and not any(line != line.rstrip() for line in text.splitlines())
    assert [shown._repr_html_(), text] == [
        (again := show(walk("robot", heads=3), what, head=2, token="it"))._repr_html_(),
        repr(again),
    ]


def test_a_tensor_has_the_traces_numbers_head_by_head() -> None:
    tables = read(show(TRACE, "weights", decimals=12)._repr_html_()).all("table")
    assert len(tables) == 3
    for table, expected in zip(tables, TRACE["weights"].values, strict=True):
        shown = np.array([[float(x) for x in row] for row in numbers(table)])
        np.testing.assert_allclose(shown, expected, rtol=0, atol=1e-12)
    (one,) = read(show(TRACE, "weights", head=2)._repr_html_()).all("table")
    assert numbers(one)[6][1] == "0.92"
    (x,) = read(show(TRACE, "X")._repr_html_()).all("table")
    assert [[float(n) for n in row] for row in numbers(x)] == TRACE["X"].values.tolist()


def test_shared_heads_show_the_key_head_that_a_head_reads() -> None:
    trace = walk(kv_heads=1)
    assert "K_1" in repr(show(trace, "K", head=3))
    assert len(read(show(trace, "K")._repr_html_()).all("table")) == 1
    allowed = show(walk(causal=True), "allowed")
    assert numbers(read(allowed._repr_html_()).all("table")[0])[0] == ["1", *"00000000"]


def test_the_text_is_the_same_table_with_the_chosen_row_marked() -> None:
    lines = repr(show(TRACE, "softmax", head=2, token="it")).splitlines()
    (row,) = [line for line in lines if line.startswith(">7 it")]
    assert row.split()[2:] == ["0.01", "0.92", *["0.01"] * 7]
    assert "weights_2   to (is asked)" in lines
    assert [line.split()[:2] for line in lines if "from (asks)" in line] == [["from", "(asks)"]]


def test_why_has_the_number_and_its_reason() -> None:
    answer = why(TRACE, "weights[head 2, it, robot]")
    assert answer.value == TRACE["weights"].values[1, 6, 1]
    assert answer.cell.index == (1, 6, 1) and answer.reason.rule == "softmax"
    assert why(TRACE, answer.cell).value == answer.value
    assert "90.02 / 98.02 = 0.92" in repr(answer) and "0.92" in answer._repr_html_()
    assert "depth=2" in repr(answer) and "--depth" not in repr(answer) + answer._repr_html_()
    deeper = why(TRACE, "weights[head 2, it, robot]", depth=3)
    assert len(repr(deeper)) > len(repr(answer))
    read(deeper._repr_html_())


def test_changes_are_shown_with_a_star_and_the_old_number() -> None:
    trace = walk("robot", heads=3, changes=["W_Q[head 2, pronoun, 1]=0"])
    shown = show(trace, "softmax", head=2, token="it")
    assert "*0.11" in repr(shown) and "<del>0.92</del>" in shown._repr_html_()
    assert (
        "*" not in repr(show(trace, "softmax", head=1, token="it")).split("weights_1", 1)[1].split("One")[0]
    )


def test_any_trace_will_do() -> None:
    bare = stages.walk(find("robot"), heads=3, kv_heads=1)
    for key in page_keys(bare):
        read(show(bare, key, head=3)._repr_html_())
    assert why(bare, "output[1, 1]").value == bare["output"].values[0, 0]


def test_dark_and_light_have_the_same_words() -> None:
    light, dark = (show(TRACE, "heads", theme=theme)._repr_html_() for theme in ("light", "dark"))
    assert light != dark and read(light).text() == read(dark).text()
    assert "color:#" in light and "var(" not in light
