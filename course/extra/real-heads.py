# ---
# title: Heads of a real model
# summary: What the heads of a small language model do, measured on your own sentences, with a control for each guess.
# minutes: 30
# ---

# %% [markdown]
# ## What this notebook is for
#
# This notebook is optional. It belongs to lesson 8 and checks nothing. Everything in it is measured on a model
# that others trained for use: all-MiniLM-L6-v2, which turns sentences into rows of numbers. It has 6 layers of
# 12 heads. Heads and layers are counted from 1 in the texts, and from 0 in the code.
#
# The model's learned numbers are a file of 83 MB. They are not part of mha-tutor. The next cell reads them, or
# says how to get them. Without them the other cells run too and do nothing.

# %%
import numpy as np

from mha_tutor.errors import InputError, WorkError
from mha_tutor.lab.real.bert import forward
from mha_tutor.lab.real.folder import real_model

folder = None  # or the path of a folder with a model of the same kind, in quotes
try:
    real = real_model(folder)
    layers, heads = len(real.model.layers), real.model.heads
    print(f"{real.name} ({real.source}): {layers} layers of {heads} heads")
except (InputError, WorkError) as missing:
    real = None
    print(missing)

# %% [markdown]
# ## Weights in a sentence of yours
#
# `weights_lhts` holds all attention weights of one sentence: layers, heads, tokens that ask, tokens that are
# asked. The model puts [CLS] before a sentence and [SEP] behind it, and cuts rare words into pieces.


# %%
def look(text):
    """The tokens of a sentence, and all weights in it."""
    run = forward(real.model, [real.rows(text)])
    return real.pieces.framed(text), np.array([seen.weights[0] for seen in run.seen])


if real:
    tokens, weights_lhts = look("The robot carried the patient because it was tired.")
    row_s = weights_lhts[0, 1, tokens.index("it")]  # layer 1, head 2
    for token, weight in zip(tokens, row_s, strict=True):
        print(f"{token:>10} {weight:.2f} {'#' * round(40 * float(weight))}")

# %% [markdown]
# Change the layer, the head and the sentence. Before you say what a head does, write down what you would have
# to see in another sentence to give the idea up.
#
# ## Which heads look at a neighbour
#
# The next cell measures, for each head, how much weight goes to the token before, to the token after, to the
# token itself, and to [CLS]. Predict first: is there a head that gives nearly everything to the token before?
# And how much weight goes to [CLS], which says nothing about the sentence?

# %%
sentences = [
    "The robot carried the patient because it was tired.",
    "The chef who trained in Paris cooked the meal quickly.",
    "Nobody knew why the old bridge had been closed for so long.",
    "She put the letter on the table and left without a word.",
]


def on_places(text):
    """The mean weight on the token before, after, itself, and on [CLS]: (layers, heads, 4)."""
    _, weights_lhts = look(text)
    t = np.arange(2, weights_lhts.shape[-1] - 2)  # tokens that have all four places, and all different
    places = (t - 1, t + 1, t, np.zeros_like(t))
    return np.stack([weights_lhts[:, :, t, s].mean(axis=-1) for s in places], axis=-1)


if real:
    measured_lhp = np.mean([on_places(text) for text in sentences], axis=0)
    for at, place in enumerate(("the token before", "the token after", "itself", "[CLS]")):
        layer, head = np.unravel_index(measured_lhp[..., at].argmax(), (layers, heads))
        print(
            f"most weight on {place}: layer {layer + 1}, head {head + 1}, "
            f"{measured_lhp[layer, head, at]:.2f}; mean of all heads {measured_lhp[..., at].mean():.2f}"
        )

# %% [markdown]
# A control for a head that looks at places: give it the words of a sentence in another order. What is due to
# places stays. What was due to words goes. [CLS] and [SEP] never move, so of them such a control says nothing.
# Write such sentences into the list above and run it again.
#
# ## Find the head that fools you
#
# Exercise 8.18 tested all heads on 16 recorded sentences. Here you can make up sentences of your own. Write two
# nouns and an ending, so that `it` stands for the first noun. The control has the nouns swapped; then `it`
# stands for the other word. Use nouns that are one token each.

# %%
frame, nouns = "The {} could not lift the {} because it was too weak.", ("robot", "crane")


def from_it(text, nouns):
    """The weights from `it` to two nouns: (layers, heads, 2)."""
    tokens, weights_lhts = look(text)
    return weights_lhts[:, :, tokens.index("it"), [tokens.index(noun) for noun in nouns]]


if real:
    original_lh2, control_lh2 = (from_it(frame.format(*order), nouns) for order in (nouns, nouns[::-1]))
    layer, head = np.unravel_index(original_lh2[..., 0].argmax(), (layers, heads))
    print(f"the head that looks best: layer {layer + 1}, head {head + 1}")
    for name, found_lh2 in (("original", original_lh2), ("control", control_lh2)):
        first, second = found_lh2[layer, head]
        print(f"   {name}: {nouns[0]} {first:.2f}, {nouns[1]} {second:.2f}")
    moved_lh = (original_lh2[..., 0] > original_lh2[..., 1]) & (control_lh2[..., 1] > control_lh2[..., 0])
    print(f"right in both: {moved_lh.sum()} of {layers * heads} heads")

# %% [markdown]
# Some heads are right in both sentences. Are these the same heads for your next pair? A head that always takes
# the first noun is right in both of these, too. Which pair of sentences would catch it?
#
# ## Weight is not influence
#
# What a token hands over is weight × value, and W^O comes after it. If the value of [CLS] is short, a large
# weight on it does little. The next cell compares the length of v W^O for [CLS] with the mean of the other
# tokens, summed over heads, in each layer.

# %%
if real:
    run = forward(real.model, [real.rows(text) for text in sentences])
    for number, (layer, seen) in enumerate(zip(real.model.layers, run.seen, strict=True), 1):
        lengths_n = np.linalg.norm(seen.v_tc @ layer.attention["w_o"], axis=1)
        first = [cut.start for cut in run.cuts]
        share = lengths_n[first].mean() / np.delete(lengths_n, first).mean()
        print(f"layer {number}: [CLS] is {share:.2f} times as long as the others")

# %% [markdown]
# ## Remove heads
#
# A head is removed by setting it to 0 before W^O, as in exercise 8.3. The model gives each sentence a row of
# numbers. How far does that row turn when heads go? The cosine is 1 when it keeps its direction. The last line
# is the one to compare with: no attention at all.

# %%
if real:
    rows = [real.rows(text) for text in sentences]
    full_sd = forward(real.model, rows).sentences

    def kept(removed):
        """The mean cosine between the sentences' rows with all heads and without the removed ones."""
        less_sd = forward(real.model, rows, removed, keep=False).sentences
        return (full_sd * less_sd).sum(axis=1).mean()

    everything = [(layer, head) for layer in range(layers) for head in range(heads)]
    print(f"without layer 1, head 3: {kept([(0, 2)]):.2f}")
    for layer in range(layers):
        print(f"without all heads of layer {layer + 1}: {kept([(layer, head) for head in range(heads)]):.2f}")
    print(f"without any attention: {kept(everything):.2f}")

# %% [markdown]
# Which single head matters most for your sentences? Measure it before you name it. Then take other sentences
# and measure again. The program has the same with many more sentences: `mha-tutor real --help`.
