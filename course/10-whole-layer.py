# ---
# title: The whole layer and the bug clinic
# summary: One function holds all stages. A right shape proves little, so hold it against numbers that others made, and learn to find what is wrong.
# minutes: 90
# ---

# %% part="setup"
import numpy as np

from mha_tutor.attention import concat_heads, project, softmax, split_columns, textbook_attention
from mha_tutor.course import check
from mha_tutor.decoding import decode
from mha_tutor.examples import find
from mha_tutor.mistakes import REGISTRY, Problem, wrong_output
from mha_tutor.stages import walk
from mha_tutor.vectors import made_elsewhere

# %% [markdown] part="recall"
# ## Three questions from earlier lessons
#
# Answer first, then look.
#
# - Which part of a row of X does head 2 read, and how wide is its query? => It reads all {{d_model}} numbers
#   of the row. Its query is {{d_k}} wide.
# - What sums to 1 in the attention weights? => Each row of each head: what one token spends in one head.
# - The heads stand side by side in concat. What has not happened yet? => The heads have not met. Each column
#   still comes from one head alone. W^O mixes them.

# %% [markdown]
# ## What this lesson is for
#
# You know every stage. Now you put them together, and you learn to find out what is wrong when the
# result is wrong. Part 1 builds the layer. Part 2 is the bug clinic, in three wards, from easy to hard. After
# each ward is a good place for a break.
#
# It is the longest lesson. Exercises 10.3 to 10.7, ward 1, and the last patient of each of the other wards carry
# it and take about 90 minutes: 40 for part 1 and 50 for part 2. The others can wait for another day.

# %% [markdown]
# ## Part 1: the whole layer
#
# The layer takes n rows of d_model numbers and gives n rows of d_model numbers. Between them stand
# seven steps:
#
# 1. project: X W^Q, X W^K, X W^V;
# 2. split: each head gets d_k columns of each;
# 3. dots: every query against every key, in each head;
# 4. scale: divide by sqrt(d_k);
# 5. softmax: along each row, so that a token spends one budget in each head;
# 6. mix: the weights times the values, in each head;
# 7. concat, then W^O: the heads side by side, then mixed.
#
# One head first. This is head 1 of the robot example, written out. Its matrices are the first
# {{d_k}} columns of the packed ones.

# %%
robot = find("robot")


def one_head(x_td, w_q_de, w_k_de, w_v_de):
    q_te, k_se, v_se = x_td @ w_q_de, x_td @ w_k_de, x_td @ w_v_de
    weights_ts = softmax(q_te @ k_se.T / np.sqrt(q_te.shape[1]))
    return weights_ts @ v_se


head_1 = one_head(robot.X, robot.W_Q[:, :4], robot.W_K[:, :4], robot.W_V[:, :4])
print("shape of head 1:", head_1.shape)
print("row `it`:", [round(float(number), 2) for number in head_1[6]])

# %% [markdown]
# The row `it` is the one that the walk shows for head 1:
#
# {{table: mixed[head 1, it]}}
#
# The other heads do the same with their own columns. In numpy this needs no loop: the heads
# become an axis of the array, and one product serves all of them.
#
# The names say which axes an array has. `x_td` has a row for each token (t) and a column for each of
# d_model numbers (d). `q_hte` has heads (h), tokens that ask (t) and the width of one head (e). The
# tokens that are asked are s. `w_q_dc` is a packed matrix: the columns (c) of head 1 first, then those
# of head 2, and so on.

# %% [markdown] exercise="10.1" kind="shape" title="The shapes on the way"
# The robot example has {{n}} tokens, d_model = {{d_model}} and {{heads}} heads. Complete the sentence: "Q
# for all heads has the shape ..., the weights have the shape ..., the heads' results before concat have
# the shape ..., concat has the shape ..., and with one head only, Q has the shape ..."

# %% part="work"
# TODO: type five shapes, as in (2, 5).
### BEGIN SOLUTION
shape_of_q = (3, 9, 4)
shape_of_weights = (3, 9, 9)
shape_of_mixed = (3, 9, 4)
shape_of_concat = (9, 12)
shape_of_q_with_one_head = (1, 9, 12)
### END SOLUTION

# %% part="check"
check.shapes(
    "10.1",
    {
        "Q": shape_of_q,
        "weights": shape_of_weights,
        "mixed": shape_of_mixed,
        "concat": shape_of_concat,
        "one.Q": shape_of_q_with_one_head,
    },
)

# %% [markdown] part="hints"
# - Three axes come before concat: which head, which token, which column of the head. Concat has two.
# - Q: (heads, {{n}}, d_model / heads). The weights have one number for each head and each pair of tokens:
#   ({{heads}}, {{n}}, ...). What stands in the place of the dots?
# - With 5 tokens, d_model = 6 and 2 heads: Q is (2, 5, 3), the weights (2, 5, 5), mixed (2, 5, 3),
#   concat (5, 6). With one head Q is (1, 5, 6).

# %% [markdown] part="why"
# **Why it works.** The packed Q has {{n}} rows of {{d_model}} numbers, whatever the number of heads. The
# heads share its columns. So more heads are narrower heads, and concat is always as wide as X was.

# %% part="right" name="as lists"
shape_of_q = shape_of_mixed = [3, 9, 4]
shape_of_weights = [3, 9, 9]
shape_of_concat = [9, 12]
shape_of_q_with_one_head = [1, 9, 12]

# %% part="wrong" name="heads as wide as X" cause="every head is as wide as X"
shape_of_q = shape_of_mixed = (3, 9, 12)
shape_of_weights = (3, 9, 9)
shape_of_concat = (9, 36)
shape_of_q_with_one_head = (1, 9, 12)

# %% part="wrong" name="heads in the middle" cause="the tokens come before the heads"
shape_of_q = shape_of_mixed = (9, 3, 4)
shape_of_weights = (3, 9, 9)
shape_of_concat = (9, 12)
shape_of_q_with_one_head = (1, 9, 12)

# %% [markdown] exercise="10.2" kind="predict" title="The last step by hand"
# One number of the output draws on all heads. Take the row `it`. In the column `noun` of W^O, head 1
# has one number that is not 0: {{W_O[4, noun]}}, for its column 4. Head 1 has {{mixed[head 1, it, 4]}}
# there, so it adds {{mixed[head 1, it, 4]}} × {{W_O[4, noun]}} =
# {{mixed[head 1, it, 4] * W_O[4, noun]}}. That was head 1.
#
# Head 2: its row is below. W^O has {{W_O[6, noun]}} for its column 2 and the feature `noun`, and 0 for
# its other columns. Head 3 adds nothing to `noun`.
#
# {{table: mixed[head 2, it]}}
#
# Head 3 alone: only head 3 adds to the feature `state`. These are its row, and its rows of W^O.
#
# {{table: mixed[head 3, it]}}
#
# {{table: W_O rows=9|10|11|12}}
#
# Work out what head 2 adds to `noun`, the output of `it` in `noun`, and the output of `it` in `state`.

# %% part="work"
# TODO: type three numbers.
### BEGIN SOLUTION
head_2_adds = 0.93
output_noun = 1.04
output_state = 0.64
### END SOLUTION

# %% part="check"
check.numbers(
    "10.2",
    {
        "mixed[head 2, it, 2] * W_O[6, noun]": head_2_adds,
        "output[it, noun]": output_noun,
        "output[it, state]": output_state,
    },
    labels={"mixed[head 2, it, 2] * W_O[6, noun]": "what head 2 adds"},
)

# %% [markdown] part="hints"
# - For head 2 take column 2 of its row. For head 3 look down the column `state` of W^O: which of its four
#   rows is not 0?
# - noun: {{mixed[head 1, it, 4] * W_O[4, noun]}} + ... × {{W_O[6, noun]}}. state: the first number of head 3
#   times ... .
# - A head with the row 2, 5 and the W^O rows (1, 0) and (0, 3) adds 2 × 1 = 2 to the first feature and
#   5 × 3 = 15 to the second. If another head adds 4 to the first, the output is 6 and 15.

# %% [markdown] part="why"
# **Why it works.** concat W^O is a sum over heads: each head's row times its own rows of W^O. Nothing is
# divided by the number of heads, and each head may write into every feature.

# %% part="right" name="as products"
head_2_adds = 0.9286
output_noun = 0.2126 * 0.5 + head_2_adds
output_state = 0.4255 * 1.5

# %% part="wrong" name="the concat columns themselves" cause="a column of concat is read, without W^O"
head_2_adds = 0.93
output_noun = 0.01
output_state = 0.93

# %% [markdown] exercise="10.3" kind="implement" title="The core, held against onnx"
# Write `attention_core`: the middle of the layer, for all heads at once. It gets `q_hte` of shape
# (heads, n, d_k), `k_hse` of shape (heads, m, d_k) and `v_hse` of shape (heads, m, d_v). It returns the
# mixed values, shape (heads, n, d_v). n and m may differ. `softmax` is there already: it works along the
# last axis.
#
# How do you know that your function is right? It helps to have numbers that nobody here made. The cell
# below loads some from onnx, a format that many programs use to exchange models. Its makers publish test
# cases for attention. The check runs your function on that case too, and on our own problems. A test of
# this course holds the solution against onnx's own result.

# %% part="given"
onnx_case = made_elsewhere("onnx_core")
onnx_q, onnx_k, onnx_v = (onnx_case.arrays[name] for name in ("q_hte", "k_hse", "v_hse"))
print(onnx_case.origin)
print("queries:", onnx_q.shape, "  keys:", onnx_k.shape, "  values:", onnx_v.shape)
print(
    "onnx gives, head 1, token 1:",
    [round(float(x), 3) for x in onnx_case.arrays["mixed_hte"][0, 0, :4]],
    "...",
)


# %% part="work"
def attention_core(q_hte, k_hse, v_hse):
    # TODO: dots, scale, softmax, mix. Three lines are enough.
    ### BEGIN SOLUTION
    scores_hts = q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1])
    weights_hts = softmax(scores_hts)
    return weights_hts @ v_hse
    ### BLANK
    # scores_hts = ...
    # weights_hts = ...
    # return ...
    ### END SOLUTION


# %% part="check"
check.function("10.3", attention_core, [(onnx_q, onnx_k, onnx_v), ("q_hte", "k_hse", "v_hse")])

# %% [markdown] part="hints"
# - The first product must have a row for each token that asks and a column for each that is asked. Which
#   two axes of `k_hse` must change places for that?
# - scores = q k^T / sqrt(...). For the robot each query has {{d_k}} numbers, so the divisor is {{sqrt(d_k)}}.
#   Where in `q_hte.shape` does that width stand?
# - For `a` of shape (2, 3, 5) and `b` of shape (2, 4, 5), `a @ b.swapaxes(-1, -2)` has the shape
#   (2, 3, 4): head by head, every row of a against every row of b.

# %% [markdown] part="why"
# **Why it works.** `@` multiplies the last two axes and runs over all axes before them, so the heads never
# mix. `k_hse.T` would turn all three axes round.
#
# **What else works.** einsum ("hte,hse->hts"), a loop over heads, or dividing the queries instead of the
# dots. Compare with onnx yourself: `np.abs(attention_core(onnx_q, onnx_k, onnx_v) -
# onnx_case.arrays["mixed_hte"]).max()` is as small as the rounding of float32.


# %% part="right" name="einsum, and the queries scaled"
def attention_core(q_hte, k_hse, v_hse):
    scaled_hte = q_hte / q_hte.shape[-1] ** 0.5
    scores_hts = np.einsum("hte,hse->hts", scaled_hte, k_hse)
    return np.einsum("hts,hse->hte", softmax(scores_hts), v_hse)


# %% part="right" name="a loop over heads"
def attention_core(q_hte, k_hse, v_hse):
    return np.stack(
        [softmax(q @ k.T / np.sqrt(len(q[0]))) @ v for q, k, v in zip(q_hte, k_hse, v_hse, strict=True)]
    )


# %% part="wrong" name="B16" cause="the dots are not divided by sqrt(d_k)"
def attention_core(q_hte, k_hse, v_hse):
    return softmax(q_hte @ k_hse.swapaxes(-1, -2)) @ v_hse


# %% part="wrong" name="B18" cause="the dots are divided by the square root of the number of heads"
def attention_core(q_hte, k_hse, v_hse):
    return softmax(q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(len(q_hte))) @ v_hse


# %% part="wrong" name="B20" cause="the dots are divided by d_k and not by its square root"
def attention_core(q_hte, k_hse, v_hse):
    return softmax(q_hte @ k_hse.swapaxes(-1, -2) / q_hte.shape[-1]) @ v_hse


# %% part="wrong" name="B26" cause="softmax runs over the tokens that ask"
def attention_core(q_hte, k_hse, v_hse):
    scores_hts = q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1])
    return softmax(scores_hts.swapaxes(-1, -2)).swapaxes(-1, -2) @ v_hse


# %% part="wrong" name="F11" cause="the scores are used as weights, without softmax"
def attention_core(q_hte, k_hse, v_hse):
    return q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1]) @ v_hse


# %% part="wrong" name="B21"
def attention_core(q_hte, k_hse, v_hse):
    return softmax(q_hte @ k_hse.T / np.sqrt(q_hte.shape[-1])) @ v_hse


# %% [markdown] exercise="10.4" kind="implement" title="The whole layer"
# Write `multi_head_attention` from nothing. It gets `x_td` of shape (n, d), the packed matrices `w_q_dc`,
# `w_k_dc`, `w_v_dc` and `w_o_cd`, each (d, d), and the number of `heads`. It returns the output, shape
# (n, d). There is no batch and no mask. Use `softmax`, and write the rest yourself: project, split, dots,
# scale, mix, concat, W^O.


# %% part="work"
def multi_head_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    # TODO: the whole layer.
    ### BEGIN SOLUTION
    n, d = x_td.shape

    def split(packed_tc):
        return packed_tc.reshape(n, heads, d // heads).swapaxes(0, 1)

    q_hte, k_hse, v_hse = split(x_td @ w_q_dc), split(x_td @ w_k_dc), split(x_td @ w_v_dc)
    scores_hts = q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(d // heads)
    mixed_hte = softmax(scores_hts) @ v_hse
    concat_tc = mixed_hte.swapaxes(0, 1).reshape(n, d)
    return concat_tc @ w_o_cd
    ### END SOLUTION


# %% part="check"
check.stage("10.4", multi_head_attention, "x_td w_q_dc w_k_dc w_v_dc w_o_cd heads -> output_td")

# %% [markdown] part="hints"
# - Columns first: head 1 owns columns 1 to {{d_k}} of the packed Q, head 2 the next {{d_k}}. Rows stay rows.
#   The number of columns of one head is d divided by heads.
# - Split: `packed.reshape(n, heads, ...)` and then the first two axes change places. Concat is the same
#   way back: change places first, then `reshape(n, ...)`.
# - With 2 tokens, 2 heads and width 2: the packed row `[1, 2, 3, 4]` becomes `[[1, 2], [3, 4]]`, head 1's
#   part and head 2's part. Swapped with the other token's row `[5, 6, 7, 8]`, head 1 holds
#   `[[1, 2], [5, 6]]`.

# %% [markdown] part="why"
# **Why it works.** One product for all heads and a split of its columns is the same as h separate
# projections. The split has to be undone in the same way: axes back, then side by side.
#
# **What else works.** A loop over heads that cuts the columns of the matrices; or, without any concat, a
# sum over heads of each head's result times its rows of W^O.


# %% part="right" name="a loop over column blocks"
def multi_head_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    e = x_td.shape[1] // heads
    output_td = 0
    for i in range(heads):
        mine = slice(i * e, (i + 1) * e)
        output_td = (
            output_td + one_head(x_td, w_q_dc[:, mine], w_k_dc[:, mine], w_v_dc[:, mine]) @ w_o_cd[mine]
        )
    return output_td


# %% part="right" name="einsum"
def multi_head_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    d = x_td.shape[1]
    q, k, v = (np.einsum("td,dhe->hte", x_td, w.reshape(d, heads, -1)) for w in (w_q_dc, w_k_dc, w_v_dc))
    weights = softmax(np.einsum("hte,hse->hts", q, k) / (d // heads) ** 0.5)
    return np.einsum("hts,hse,hed->td", weights, v, w_o_cd.reshape(heads, -1, d))


# %% part="wrong" name="one head" cause="one head works over the whole width, whatever the number of heads is"
def multi_head_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    return one_head(x_td, w_q_dc, w_k_dc, w_v_dc) @ w_o_cd


# %% part="wrong" name="B14"
def multi_head_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    n, d = x_td.shape
    q, k, v = ((x_td @ w).reshape(heads, n, d // heads) for w in (w_q_dc, w_k_dc, w_v_dc))
    mixed = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(d // heads)) @ v
    return mixed.swapaxes(0, 1).reshape(n, d) @ w_o_cd


# %% part="wrong" name="B47"
def multi_head_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    n, d = x_td.shape
    q, k, v = ((x_td @ w).reshape(n, heads, d // heads).swapaxes(0, 1) for w in (w_q_dc, w_k_dc, w_v_dc))
    mixed = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(d // heads)) @ v
    return mixed.reshape(n, d) @ w_o_cd


# %% part="wrong" name="B17"
def multi_head_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    n, d = x_td.shape
    q, k, v = ((x_td @ w).reshape(n, heads, d // heads).swapaxes(0, 1) for w in (w_q_dc, w_k_dc, w_v_dc))
    mixed = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(d)) @ v
    return mixed.swapaxes(0, 1).reshape(n, d) @ w_o_cd


# %% part="wrong" name="B50"
def multi_head_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    e = x_td.shape[1] // heads
    parts = [slice(i * e, (i + 1) * e) for i in range(heads)]
    return np.hstack([one_head(x_td, w_q_dc[:, p], w_k_dc[:, p], w_v_dc[:, p]) for p in parts])


# %% [markdown]
# ## The same layer, another sentence
#
# A layer knows nothing of the robot. With other rows and matrices it does something else. In the trophy
# example the sentence is "The trophy did not fit in the suitcase because it was too big". There `it`
# spends {{trophy.weights[head 2, it, trophy]}} on `trophy` in head 2 and
# {{trophy.weights[head 3, it, big]}} on `big` in head 3. These patterns were invented and built by hand, as
# those of the robot and the chef were. Nobody tells a trained layer what its heads should look for.

# %% [markdown] exercise="10.5" kind="bug" title="A test with numbers from elsewhere"
# The best test of a function is a result that somebody else computed. The cell below has one from torch:
# a layer that is 6 wide, with 2 heads, on 5 tokens.
#
# It also makes broken layers, one for each of many known mistakes. You do not see their code. Write
# `agrees_with_torch(layer)`: it calls `layer(x, w_q, w_k, w_v, w_o, heads)` with torch's input and raises
# AssertionError when the result is not torch's output. Compare the shapes first: numpy broadcasts.

# %% part="given"
torch_case = made_elsewhere("torch_layer")
torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, torch_output = (
    torch_case.arrays[name] for name in ("x_td", "w_q_dc", "w_k_dc", "w_v_dc", "w_o_cd", "output_td")
)
torch_heads = 2


def with_mistake(name):
    """A layer that makes one known mistake and is right in everything else."""

    def layer(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
        return wrong_output(Problem.packed(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads), REGISTRY[name])

    return layer


known = "B06 B07 B09 B14 B16 B17 B18 B20 B24 B26 B27 B28 B34 B47 B49b B50 B52 F02 F03 F07 F09 F10 F13"
broken_layers = [with_mistake(name) for name in known.split()]
print(torch_case.origin.split(";")[0])
print("broken layers:", len(broken_layers))


# %% part="work"
def agrees_with_torch(layer):
    # TODO: call the layer on torch's input and assert that it gives torch's output.
    ### BEGIN SOLUTION
    output_td = layer(torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, torch_heads)
    assert output_td.shape == torch_output.shape
    assert np.allclose(output_td, torch_output)
    ### END SOLUTION


# %% part="check"
check.catches("10.5", agrees_with_torch, textbook_attention, *broken_layers)

# %% [markdown] part="hints"
# - The input has seven parts: five arrays, torch's output, and the number of heads. Six go in, one is compared.
# - `assert np.allclose(result, ...)`: which array belongs in the place of the dots? And which line makes sure
#   that both have the same shape?
# - A test for a function that doubles: `assert double(3) == 6`. A test without `assert` finds nothing, since
#   `np.allclose` alone only returns False.

# %% [markdown] part="why"
# **Why it works.** Here all sizes differ: 5 tokens, 6 columns, 2 heads, width 3. So no mistake can hide
# behind two equal sizes. One such example finds all of these mistakes.
#
# **Try it.** Add a cell with `agrees_with_torch(multi_head_attention)`. If it prints nothing, your layer
# and torch's agree.


# %% part="right" name="largest difference"
def agrees_with_torch(layer):
    difference = layer(torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, torch_heads) - torch_output
    if difference.shape != torch_output.shape or not np.abs(difference).max() < 1e-6:
        raise AssertionError("not what torch gives")


# %% part="wrong" name="allclose without assert"
def agrees_with_torch(layer):
    np.allclose(layer(torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, torch_heads), torch_output)


# %% part="wrong" name="only the shape"
def agrees_with_torch(layer):
    output_td = layer(torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, torch_heads)
    assert output_td.shape == torch_output.shape


# %% part="wrong" name="too strict"
def agrees_with_torch(layer):
    output_td = layer(torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, torch_heads)
    assert (output_td == np.round(torch_output, 3)).all()


# %% [markdown] exercise="10.6" kind="implement" title="The layer with a mask"
# A model that writes may not look ahead. Write `masked_attention`: the whole layer again, with one more
# input. `allowed_ts` has the shape (n, n) and holds booleans: True where the token of the row may ask the
# token of the column. It is the same in every head. The weights of the other places must be exactly 0, and
# each row must still sum to 1.
#
# You may copy your layer and change what is needed. `project`, `split_columns` and `concat_heads` are there
# too: `project(x_td, split_columns(w_dc, heads))` gives (heads, n, d_k), and `concat_heads(mixed_hte)`
# gives (n, d).


# %% part="work"
def masked_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads, allowed_ts):
    # TODO: the whole layer, with the mask at its place.
    ### BEGIN SOLUTION
    q_hte, k_hse, v_hse = (project(x_td, split_columns(w_dc, heads)) for w_dc in (w_q_dc, w_k_dc, w_v_dc))
    scores_hts = q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1])
    masked_hts = np.where(allowed_ts, scores_hts, -np.inf)
    return concat_heads(softmax(masked_hts) @ v_hse) @ w_o_cd
    ### END SOLUTION


# %% part="check"
check.stage("10.6", masked_attention, "x_td w_q_dc w_k_dc w_v_dc w_o_cd heads allowed_ts -> output_td")

# %% [markdown] part="hints"
# - One line is new. It stands between two of the seven steps. Which array does it change?
# - `np.where(allowed_ts, scores_hts, ...)`: which number gets a weight of exactly 0 in softmax?
# - The scores 2, 1, 5, and the third may not be asked: 2, 1, -inf. The exps are {{exp(2)}}, {{exp(1)}} and 0,
#   so the weights are {{exp(2) / (exp(2) + exp(1))}}, {{exp(1) / (exp(2) + exp(1))}} and 0.

# %% [markdown] part="why"
# **Why it works.** exp(-inf) is 0, so the hidden places take nothing, and the sum of the row is the sum over
# the allowed ones. The mask has the shape (n, n) and the scores (heads, n, n): numpy lays the mask over
# every head.
#
# **What else works.** Adding an array of 0 and -inf to the scores. Or the mask after softmax, if each row is
# divided by its sum again.


# %% part="right" name="added to the scores"
def masked_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads, allowed_ts):
    n, d = x_td.shape
    q, k, v = ((x_td @ w).reshape(n, heads, -1).swapaxes(0, 1) for w in (w_q_dc, w_k_dc, w_v_dc))
    fill_ts = np.zeros((n, n))
    fill_ts[~allowed_ts] = -np.inf
    mixed = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(d // heads) + fill_ts) @ v
    return mixed.swapaxes(0, 1).reshape(n, d) @ w_o_cd


# %% part="wrong" name="B36"
def masked_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads, allowed_ts):
    q, k, v = (project(x_td, split_columns(w_dc, heads)) for w_dc in (w_q_dc, w_k_dc, w_v_dc))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])) * allowed_ts
    return concat_heads(weights @ v) @ w_o_cd


# %% part="wrong" name="B37"
def masked_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads, allowed_ts):
    q, k, v = (project(x_td, split_columns(w_dc, heads)) for w_dc in (w_q_dc, w_k_dc, w_v_dc))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]) * allowed_ts)
    return concat_heads(weights @ v) @ w_o_cd


# %% part="wrong" name="B41"
def masked_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads, allowed_ts):
    q, k, v = (project(x_td, split_columns(w_dc, heads)) for w_dc in (w_q_dc, w_k_dc, w_v_dc))
    weights = softmax(np.where(allowed_ts, -np.inf, q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])))
    return concat_heads(weights @ v) @ w_o_cd


# %% part="wrong" name="B45"
def masked_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads, allowed_ts):
    return textbook_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads)


# %% [markdown]
# ## Decoding with a cache
#
# A model that writes gets one new token at a time. The old tokens do not change, and under a causal mask
# they never ask the new one. So their keys and values stay what they were. They are kept: this is the
# *cache*. For a new token only its own query, key and value are made. The query asks all keys that are
# kept, and its own.
#
# The result is the same as if the whole sentence had been run again under a causal mask. The last rows
# are equal:

# %%
steps = decode(robot)
print("tokens decoded one by one:", len(steps.steps))
print("all rows equal those of the full causal pass:", steps.difference < 1e-12)

# %% [markdown] exercise="10.7" kind="implement" title="The last rows, with a cache"
# Write `last_rows`. Some tokens are in the cache already; a few new ones come, often just one. It gets:
#
# - `new_td`: the rows of the new tokens, (n, d);
# - `kept_k_hse` and `kept_v_hse`: keys and values of the tokens before, (heads, kept, d_k); kept may be 0;
# - `w_q_hde`, `w_k_hde`, `w_v_hde`: each head's matrices, (heads, d, d_k); and `w_o_cd`, (d, d).
#
# It returns the output rows of the new tokens, (n, d), as a full causal pass over all tokens would give
# them. A new token may ask every kept token, itself, and the new ones before it.


# %% part="given"
def decoding_case(seed, kept, new, heads=2, d=8):
    """Arguments for last_rows: `kept` tokens in the cache, `new` ones to come."""
    draw = np.random.default_rng(seed)
    x_td = draw.normal(size=(kept + new, d))
    w_q, w_k, w_v = draw.normal(size=(3, heads, d, d // heads))
    kept_td = x_td[:kept]
    return x_td[kept:], project(kept_td, w_k), project(kept_td, w_v), w_q, w_k, w_v, draw.normal(size=(d, d))


decoding_cases = [
    decoding_case(seed, kept, new)
    for seed, (kept, new) in enumerate([(4, 1), (3, 2), (0, 1), (0, 5), (5, 3)])
]


# %% part="work"
def last_rows(new_td, kept_k_hse, kept_v_hse, w_q_hde, w_k_hde, w_v_hde, w_o_cd):
    # TODO: make q, k and v of the new tokens, put k and v behind the kept ones, and let q ask.
    ### BEGIN SOLUTION
    q_hte = new_td @ w_q_hde
    k_hse = np.concatenate([kept_k_hse, new_td @ w_k_hde], axis=1)
    v_hse = np.concatenate([kept_v_hse, new_td @ w_v_hde], axis=1)
    n, m = q_hte.shape[1], k_hse.shape[1]
    allowed_ts = np.tril(np.ones((n, m), dtype=bool), k=m - n)
    scores_hts = q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1])
    weights_hts = softmax(np.where(allowed_ts, scores_hts, -np.inf))
    return concat_heads(weights_hts @ v_hse) @ w_o_cd
    ### BLANK
    # q_hte = new_td @ w_q_hde
    # k_hse = ...
    # v_hse = ...
    # return ...
    ### END SOLUTION


# %% part="check"
check.function("10.7", last_rows, decoding_cases)

# %% [markdown] part="hints"
# - The mask has n rows, the new tokens, and m columns, all tokens. In its last row every place is True. How
#   many places are True in its first row?
# - With 3 kept and 2 new tokens n is 2 and m is 5. The first new token may ask 4 tokens, the second 5.
#   `np.tril(ones, k=0)` allows 1 and 2. So k must be ... here, which is m - n.
# - `np.tril(np.ones((2, 3)), k=1)` is `[[1, 1, 0], [1, 1, 1]]`: one kept token and two new ones.

# %% [markdown] part="why"
# **Why it works.** A key and a value are made from one token's row alone, so they can be kept. A query is
# used once and need not be kept. The mask is aligned at the bottom right: the last new token is also the
# last of all.
#
# **What else works.** One new token at a time needs no mask at all: it may ask everything that is there.


# %% part="right" name="one after the other"
def last_rows(new_td, kept_k_hse, kept_v_hse, w_q_hde, w_k_hde, w_v_hde, w_o_cd):
    rows = []
    for x_d in new_td:
        kept_k_hse = np.concatenate([kept_k_hse, x_d[None] @ w_k_hde], axis=1)
        kept_v_hse = np.concatenate([kept_v_hse, x_d[None] @ w_v_hde], axis=1)
        q_hte = x_d[None] @ w_q_hde
        weights_hts = softmax(q_hte @ kept_k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1]))
        rows.append(concat_heads(weights_hts @ kept_v_hse)[0] @ w_o_cd)
    return np.array(rows)


# %% part="wrong" name="B60" cause="the causal mask starts at the first token, although the tokens that ask are the last ones"
def last_rows(new_td, kept_k_hse, kept_v_hse, w_q_hde, w_k_hde, w_v_hde, w_o_cd):
    q_hte = new_td @ w_q_hde
    k_hse = np.concatenate([kept_k_hse, new_td @ w_k_hde], axis=1)
    v_hse = np.concatenate([kept_v_hse, new_td @ w_v_hde], axis=1)
    allowed_ts = np.tril(np.ones((q_hte.shape[1], k_hse.shape[1]), dtype=bool))
    scores_hts = q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1])
    return concat_heads(softmax(np.where(allowed_ts, scores_hts, -np.inf)) @ v_hse) @ w_o_cd


# %% part="wrong" name="B45" cause="the new tokens may ask the ones after them"
def last_rows(new_td, kept_k_hse, kept_v_hse, w_q_hde, w_k_hde, w_v_hde, w_o_cd):
    q_hte = new_td @ w_q_hde
    k_hse = np.concatenate([kept_k_hse, new_td @ w_k_hde], axis=1)
    v_hse = np.concatenate([kept_v_hse, new_td @ w_v_hde], axis=1)
    scores_hts = q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1])
    return concat_heads(softmax(scores_hts) @ v_hse) @ w_o_cd


# %% part="wrong" name="new ones first" cause="the new keys and values are put before the kept ones"
def last_rows(new_td, kept_k_hse, kept_v_hse, w_q_hde, w_k_hde, w_v_hde, w_o_cd):
    q_hte = new_td @ w_q_hde
    k_hse = np.concatenate([new_td @ w_k_hde, kept_k_hse], axis=1)
    v_hse = np.concatenate([new_td @ w_v_hde, kept_v_hse], axis=1)
    n, m = q_hte.shape[1], k_hse.shape[1]
    allowed_ts = np.tril(np.ones((n, m), dtype=bool), k=m - n)
    scores_hts = q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1])
    return concat_heads(softmax(np.where(allowed_ts, scores_hts, -np.inf)) @ v_hse) @ w_o_cd


# %% part="wrong" name="itself left out"
def last_rows(new_td, kept_k_hse, kept_v_hse, w_q_hde, w_k_hde, w_v_hde, w_o_cd):
    q_hte = new_td @ w_q_hde
    scores_hts = q_hte @ kept_k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1])
    return concat_heads(softmax(scores_hts) @ kept_v_hse) @ w_o_cd


# %% [markdown] exercise="10.8" kind="predict" title="How much is kept"
# Take the decoder of the 2017 base model: {{size("transformer-base", "layers")}} layers, in each
# {{size("transformer-base", "heads")}} heads of width {{size("transformer-base", "d_k")}}. Each number takes 2 bytes.
# A token is decoded, and all layers keep what later tokens need of it (self-attention alone). How many bytes does
# this one token keep? And how many if all heads of a layer share one key/value head, as in multi-query attention?

# %% part="work"
# TODO: type two whole numbers.
### BEGIN SOLUTION
bytes_kept = 12288
bytes_kept_shared = 1536
### END SOLUTION

# %% part="check"
check.numbers(
    "10.8",
    {
        'cache_bytes("transformer-base")': bytes_kept,
        'cache_bytes("transformer-base", 1)': bytes_kept_shared,
    },
    decimals=0,
)

# %% [markdown] part="hints"
# - Two rows are kept for each head and layer. Which ones? The query is not among them.
# - 2 × {{size("transformer-base", "layers")}} × {{size("transformer-base", "heads")}} ×
#   {{size("transformer-base", "d_k")}} numbers, times ... bytes. For the second answer the heads count as one.
# - 3 layers of 2 heads of width 5, 4 bytes a number: 2 × 3 × 2 × 5 = 60 numbers, 240 bytes. With one shared head 120.

# %% [markdown] part="why"
# **Why it works.** For each layer and key/value head one key and one value. The query is used once and forgotten. The
# robot's layer keeps 2 × {{heads}} × {{d_k}} = {{2 * heads * d_k}} numbers a token. In the shape of GPT-3 a token keeps
# {{cache_bytes("gpt3")}} bytes, and with one shared head {{cache_bytes("gpt3", 1)}}.

# %% part="right" name="worked out"
bytes_kept = 2 * 6 * 512 * 2
bytes_kept_shared = bytes_kept // 8

# %% part="wrong" name="keys alone" cause="a factor of 2 is left out: a key and a value are kept, and each number takes 2 bytes"
bytes_kept = 6144
bytes_kept_shared = 768

# %% part="wrong" name="queries too" cause="queries are kept too; nobody asks for them again"
bytes_kept = 18432
bytes_kept_shared = 2304

# %% part="wrong" name="numbers, not bytes"
bytes_kept = 6144
bytes_kept_shared = 768

# %% [markdown]
# ## Part 2: the bug clinic
#
# The programs in the clinic are patients. Most of them carry a mistake that people really shipped: in
# course notebooks, in libraries, in published models. Three patients are healthy, though two of those look
# odd. So do not assume that there is a bug. Say when there is none.
#
# For each patient go through five steps:
#
# 1. **Symptom.** What can be seen from outside: a shape, a sum, a nan, a number that does not move.
# 2. **Guess.** Which line, and why would it give just this symptom? Say whether you are sure.
# 3. **Smallest input.** The least input on which the fault shows. On a small input you can do the sum by hand.
# 4. **Repair.** Change one thing.
# 5. **Test.** Lines that fail before the repair and pass after it. They keep the bug from coming back.
#
# Each exercise asks for one or two of the steps and tells the rest of the case when you are done. The
# source of a case is named there too: owner, project and number of a public report on GitHub.
#
# ## Ward 1: what the sums tell
#
# These patients make attention weights. Each gets `scores_ts` of shape (n, m) and `allowed_ts`, booleans of
# the same shape. The cell below has what the whole clinic needs: healthy functions to compare
# with, and a rule for small inputs. You need not read it now.

# %%
scores_ts = walk(robot)["scores"].values[0]  # head 1 of the robot
everybody_ts = np.ones((9, 9), dtype=bool)
causal_ts = np.tril(everybody_ts)


def healthy_weights(scores_ts, allowed_ts):
    return softmax(np.where(allowed_ts, scores_ts, -np.inf))


def healthy_projection(x_td, w_dc):
    return x_td @ w_dc


def healthy_queries(x_td, w_q_dc, heads):
    return project(x_td, split_columns(w_q_dc, heads))


def healthy_last_weights(scores_ts):
    n, m = scores_ts.shape
    if n > m:
        raise ValueError("more tokens ask than there are")
    return softmax(np.where(np.tril(np.ones((n, m), dtype=bool), k=m - n), scores_ts, -np.inf))


def at_most(count, function, axes=2):
    """The function, for inputs of at most `count` numbers. A small input is easy to check by hand."""

    def small(*inputs):
        if any(np.ndim(one) != axes for one in inputs):
            raise ValueError(f"each array needs {axes} axes, so as many opening brackets")
        numbers = sum(np.size(one) for one in inputs)
        if numbers > count:
            raise ValueError(f"it has {numbers} numbers, and {count} are enough")
        return function(*inputs)

    return small


def shown(array):
    return [round(float(number), 2) for number in np.ravel(array)]


# %% [markdown]
# ### Patient 1, all five steps worked
#
# **Symptom.** A model trains, but poorly. The weights of a row do not sum to 1:


# %%
def patient_1(scores_ts, allowed_ts):
    masked_ts = np.where(allowed_ts, scores_ts, -np.inf)
    exps_ts = np.exp(masked_ts - masked_ts.max())
    return exps_ts / exps_ts.sum(axis=0)


print("sums of rows:   ", shown(patient_1(scores_ts, everybody_ts).sum(axis=1)))
print("sums of columns:", shown(patient_1(scores_ts, everybody_ts).sum(axis=0)))
print("smallest input: ", shown(patient_1(np.array([[0.0, 1.0]]), np.array([[True, True]]))))

# %% [markdown]
# **Guess.** The columns sum to 1. So each exp was divided by the sum of its column: axis 0 is the axis of
# the tokens that ask.
#
# **Smallest input.** One row of two scores, 0 and 1. Each column has one number, so each weight is 1, though
# the scores differ. A right softmax gives {{1 / (1 + exp(1))}} and {{exp(1) / (1 + exp(1))}}.
#
# **Repair.** `exps_ts.sum(axis=-1, keepdims=True)`.
#
# **Test.** On scores with more columns than rows, each row must sum to 1.
#
# **Source.** PetrochukM/PyTorch-NLP#2: somebody saw that all weights were 1, whatever went in.

# %% [markdown] exercise="10.9" kind="bug" title="Patient 2: rows that get shorter"
# **Symptom.** Under a causal mask only the last row of the weights sums to 1.
#
# **Guess.** Read the program. At which moment are the hidden weights taken away?
#
# Give the **smallest input** that shows the fault, as two lists of rows: scores and allowed. Write 1 for
# True and 0 for False. Four numbers in all are enough, and every token must have somebody to ask.


# %% part="given"
def patient_2(scores_ts, allowed_ts):
    return softmax(scores_ts) * allowed_ts


print("sums of rows:", shown(patient_2(scores_ts, causal_ts).sum(axis=1)))

# %% part="work"
# TODO: type one row of scores and one row of allowed, as in ([[1, 2, 3]], [[1, 1, 1]]).
### BEGIN SOLUTION
patient_2_shows = ([[0, 0]], [[1, 0]])
### END SOLUTION

# %% part="check"
check.exposes("10.9", patient_2_shows, patient_2, at_most(4, healthy_weights))

# %% [markdown] part="hints"
# - One row is enough. How many tokens must be asked in it, so that one may be hidden and one is left?
# - For the scores 0 and 0 softmax gives one half and one half. If the second is hidden, the patient gives one
#   half and 0. A right row gives ... and 0.
# - A program that shares 10 coins among 2 children and then sends one child away has given out 5. To see
#   it you need 2 children. With one child who stays nothing is seen.

# %% [markdown] part="why"
# **The case.** The budget was spent before the mask came, so the part of the hidden tokens is lost.
# **Repair:** -inf before softmax. **Test:** each row sums to 1 with a mask too.
# **Source:** huggingface/pytorch-image-models#2236, since repaired.

# %% part="right" name="other scores"
patient_2_shows = (np.array([[3.0, -1.0]]), np.array([[0, 1]]))

# %% part="wrong" name="nobody hidden"
patient_2_shows = ([[0, 1]], [[1, 1]])

# %% part="wrong" name="too large"
patient_2_shows = ([[0, 0, 0]], [[1, 1, 0]])

# %% part="wrong" name="one list"
patient_2_shows = [[0, 0]]

# %% [markdown] exercise="10.10" kind="bug" title="Patient 3: the same again?"
# This program also takes the hidden weights away after softmax. **Symptom:** none was reported; a reader of
# the code is worried. Try it on inputs of your own. Which claim is right?


# %% part="given"
def patient_3(scores_ts, allowed_ts):
    kept_ts = softmax(scores_ts) * allowed_ts
    return kept_ts / kept_ts.sum(axis=-1, keepdims=True)


print("first row:   ", shown(patient_3(scores_ts, causal_ts)[0]))
print("sums of rows:", shown(patient_3(scores_ts, causal_ts).sum(axis=1)))

# %% [markdown] part="claims"
# - [ ] A. It is broken: the mask must come before softmax, whatever follows. => Often it must. But here each
#   row is divided by what is left of it, and that gives the same weights.
# - [ ] B. It is broken: hidden tokens keep a small weight. => Their weights are multiplied by 0, and 0 divided
#   by the rest is 0.
# - [ ] C. It is broken: the rows were normalised twice, so the weights are too even. => Dividing a row by its
#   own sum a second time changes no ratio between two allowed weights.
# - [x] D. It is right for scores of ordinary size, if every token has somebody to ask. => Softmax divides all
#   exps by one number, and the second division takes that number out again. What is left is exp divided by
#   the sum of the allowed exps.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
patient_3_verdict = "D"
### END SOLUTION

# %% part="check"
check.choice("10.10", patient_3_verdict)

# %% [markdown] part="hints"
# - Take one row, scores 0, 0, 0, and hide the third. Follow the three numbers through both lines.
# - After the first line: one third, one third, 0. Their sum is two thirds. Divided by it: ..., ..., 0. What
#   does a softmax over two equal scores give?
# - Of 100 votes 20 are void. The shares of the others are 30/100 and 50/100. Divided by their sum, 80/100,
#   they are 3/8 and 5/8: the same as counting only the 80 valid votes.

# %% [markdown] part="why"
# **The case.** Unusual, but right. It is weaker in one place: if a hidden score is larger than the allowed
# ones by many hundreds, all allowed exps become 0, and 0/0 is nan. With -inf before softmax that cannot
# happen. **Source:** abisee/pointer-generator#88 is a discussion of just such code.

# %% part="right" name="small letter"
patient_3_verdict = "d"

# %% part="wrong" name="A"
patient_3_verdict = "A"

# %% part="wrong" name="B"
patient_3_verdict = "B"

# %% part="wrong" name="C"
patient_3_verdict = "C"

# %% [markdown] exercise="10.11" kind="bug" title="Patient 4: nan after the last word"
# **Symptom.** Short sentences are filled up with padding. After some steps every number of the model is
# nan. The first nan stands in the row of a padding token that may ask nobody.
#
# Do the **repair**. Write `patient_4_repaired(masked_ts)`: softmax along each row. A row of nothing but -inf
# becomes a row of zeros. All other rows stay what they were, large scores too.


# %% part="given"
def patient_4(masked_ts):
    exps_ts = np.exp(masked_ts - masked_ts.max(axis=-1, keepdims=True))
    return exps_ts / exps_ts.sum(axis=-1, keepdims=True)


with np.errstate(invalid="ignore"):
    print("a row with nobody to ask:", shown(patient_4(np.array([[-np.inf, -np.inf]]))))


# %% part="work"
def patient_4_repaired(masked_ts):
    # TODO: softmax, with zeros where a token has nobody to ask.
    ### BEGIN SOLUTION
    top_t1 = masked_ts.max(axis=-1, keepdims=True)
    exps_ts = np.exp(masked_ts - np.where(np.isneginf(top_t1), 0, top_t1))
    sums_t1 = exps_ts.sum(axis=-1, keepdims=True)
    return exps_ts / np.where(sums_t1 == 0, 1, sums_t1)
    ### END SOLUTION


# %% part="check"
hidden = float("-inf")
check.function(
    "10.11",
    patient_4_repaired,
    [([[0.0, 1.0], [hidden, hidden]],), ([[1000.0, hidden], [hidden, hidden]],), ("masked_ts",)],
)

# %% [markdown] part="hints"
# - Follow a row of -inf, -inf through the two lines. Which step gives the first nan?
# - The largest score is -inf, and -inf - (-inf) is nan. If 0 is taken off instead, the exps are 0 and 0, and
#   their sum is ... . What must the sum be replaced by before the division?
# - To divide `a` by `b` with 0 where b is 0: `a / np.where(b == 0, 1, b)`. For a = 0 and b = 0 it gives 0 / 1.

# %% [markdown] part="why"
# **The case.** Smallest input: one row with one -inf. **Guess:** -inf minus -inf. **Test:** a mask with one
# empty row, and no nan in the output. Zeros or an error: that is a decision. nan is none. Torch's own layer gives nan there. `np.nan_to_num` on the result works too, but it would also hide
# every other nan. **Source:** pytorch/pytorch#41508.


# %% part="right" name="nan_to_num at the end"
def patient_4_repaired(masked_ts):
    return np.nan_to_num(patient_4(masked_ts))


# %% part="right" name="only the rows that have somebody"
def patient_4_repaired(masked_ts):
    weights_ts = np.zeros_like(masked_ts)
    asks = (masked_ts > -np.inf).any(axis=-1)
    weights_ts[asks] = patient_4(masked_ts[asks])
    return weights_ts


# %% part="wrong" name="as it was" cause="-inf is taken off -inf, which gives nan"
def patient_4_repaired(masked_ts):
    return patient_4(masked_ts)


# %% part="wrong" name="evenly" cause="-inf is replaced by a very low number, so that the empty row is spread evenly"
def patient_4_repaired(masked_ts):
    return patient_4(np.maximum(masked_ts, -1e9))


# %% part="wrong" name="B31" cause="exp is taken of large scores without taking the largest off first"
def patient_4_repaired(masked_ts):
    exps_ts = np.exp(masked_ts)
    sums_t1 = exps_ts.sum(axis=-1, keepdims=True)
    return exps_ts / np.where(sums_t1 == 0, 1, sums_t1)


# %% [markdown] exercise="10.12" kind="predict" title="Patients 5 and 6: two more masks"
# Both programs mask before the rows are divided, and in both every row sums to 1 on the robot's scores.
#
# **Patient 5** was seen in lesson 4: it is right until the scores become large.
#
# **Patient 6.** **Symptom:** a language model is much too good in training and useless in practice. Take one
# row with the scores 2, 1, 3, where the third may not be asked. Work out what patient 6 gives to the hidden
# third token, and what a right program gives to the first. exp(2) is {{exp(2)}} and exp(1) is {{exp(1)}}.


# %% part="given"
def patient_5(scores_ts, allowed_ts):
    exps_ts = np.exp(scores_ts) * allowed_ts
    return exps_ts / exps_ts.sum(axis=-1, keepdims=True)


def patient_6(scores_ts, allowed_ts):
    return softmax(scores_ts * allowed_ts)


print("patient 5, sums of rows:", shown(patient_5(scores_ts, causal_ts).sum(axis=1)))
print("patient 6, sums of rows:", shown(patient_6(scores_ts, causal_ts).sum(axis=1)))

# %% part="work"
# TODO: type two numbers.
### BEGIN SOLUTION
patient_6_gives_hidden = 0.09
right_first = 0.73
### END SOLUTION

# %% part="check"
check.numbers(
    "10.12",
    {
        "exp(-2) / (1 + exp(-1) + exp(-2))": patient_6_gives_hidden,
        "1 / (1 + exp(-1))": right_first,
    },
)

# %% [markdown] part="hints"
# - A score times 0 is 0. What is exp(0)?
# - Patient 6 sees the scores 2, 1, 0. The hidden one gets 1 / ({{exp(2)}} + {{exp(1)}} + ...). In a right
#   program the sum has only two exps.
# - Scores 1 and 4, the second hidden. Patient 6 gives it 1 / ({{exp(1)}} + 1) = {{1 / (exp(1) + 1)}}. A right
#   program gives the first {{exp(1)}} / {{exp(1)}} = 1.

# %% [markdown] part="why"
# **The case.** To hide is not to set to 0: a score of 0 is an ordinary score. So the model sees what it
# should predict. **Smallest input:** one row, scores 0 and 0, one hidden. **Repair:** -inf. **Test:** hidden
# weights are exactly 0. **Source:** georg-wolflein/good-features#1, since repaired; for patient 5 Stack
# Overflow, question 61567597.

# %% part="right" name="as fractions"
patient_6_gives_hidden = "1/11.11"
right_first = np.exp(2) / (np.exp(2) + np.exp(1))

# %% part="wrong" name="hidden gets nothing" cause="the hidden token gets 0; patient 6 gives it more"
patient_6_gives_hidden = 0
right_first = 0.73

# %% part="wrong" name="three in the sum" cause="the hidden token is still in the sum"
patient_6_gives_hidden = 0.09
right_first = 0.67

# %% [markdown] exercise="10.13" kind="bug" title="One test for the ward"
# Write `budgets_are_kept(weights_of)`. It calls `weights_of(scores_ts, allowed_ts)` on inputs of your own and
# raises AssertionError when something is wrong. It must accept `healthy_weights`, and find patients 1, 2, 5
# and 6. Every token in your inputs must have somebody to ask.


# %% part="work"
def budgets_are_kept(weights_of):
    # TODO: choose scores and a mask, call weights_of, and assert what must hold.
    ### BEGIN SOLUTION
    scores_ts = np.array([[1000.0, 1.0, 2.0], [0.0, 3.0, 1.0]])
    allowed_ts = np.array([[True, True, False], [False, True, True]])
    weights_ts = weights_of(scores_ts, allowed_ts)
    assert np.allclose(weights_ts.sum(axis=-1), 1)
    assert (weights_ts[~allowed_ts] == 0).all()
    ### END SOLUTION


# %% part="check"
check.catches("10.13", budgets_are_kept, healthy_weights, patient_1, patient_2, patient_5, patient_6)

# %% [markdown] part="hints"
# - Two things must hold: something about each row, and something about the hidden places. And one patient
#   needs scores of a certain size.
# - `assert np.allclose(weights_ts.sum(axis=...), 1)` finds patients 1 and 2. Which assertion about
#   `weights_ts[~allowed_ts]` finds patient 6? Which score makes patient 5 overflow?
# - A test for a function that sorts: `result = sort([3, 1, 2])`, then `assert result == [1, 2, 3]`. If it must
#   also find a sort that loses doubles, the input needs a double: `sort([2, 2, 1])`.

# %% [markdown] part="why"
# **Why it works.** Nobody had to know the right weights. A test can ask for *laws* that hold for every
# input: rows sum to 1, hidden weights are 0, no nan. Note that a nan fails `allclose`, since nan is not
# near to anything. And one row is not enough here: beside a score of 1000 the wrong 0 of patient 6 gets
# no weight either, so its fault is hidden.


# %% part="right" name="against the healthy one"
def budgets_are_kept(weights_of):
    some_ts = np.array([[900.0, 899.0, 905.0], [1.0, 2.0, 3.0]])
    mask_ts = np.array([[True, True, False], [True, True, False]])
    expected_ts = healthy_weights(some_ts, mask_ts)
    found_ts = weights_of(some_ts, mask_ts)
    assert found_ts.shape == expected_ts.shape and np.abs(found_ts - expected_ts).max() < 1e-9


# %% part="wrong" name="sums alone, small scores"
def budgets_are_kept(weights_of):
    weights_ts = weights_of(np.array([[1.0, 2.0]]), np.array([[True, False]]))
    assert np.allclose(weights_ts.sum(axis=-1), 1)


# %% part="wrong" name="asks too much"
def budgets_are_kept(weights_of):
    weights_ts = weights_of(np.array([[1.0, 2.0]]), np.array([[True, True]]))
    assert (weights_ts == 0.5).all()


# %% part="wrong" name="asserts nothing"
def budgets_are_kept(weights_of):
    weights_of(np.array([[1000.0, 2.0]]), np.array([[True, False]]))


# %% [markdown]
# ## Ward 2: right shapes, wrong numbers
#
# Here the sums tell nothing. Some patients are *closed*: you can run them, but you cannot read them. So it
# is with a library. What helps is to change one thing in the input and to look at what moves.

# %% [markdown] exercise="10.14" kind="bug" title="Patient 7: which columns move"
# Patient 7 is a whole layer, and closed. The columns 5 to 8 of W^V belong to head 2. The cell adds 1 to them
# and prints which columns of the output move: first in a healthy layer, then in patient 7.
#
# **Guess:** what is wrong with patient 7?

# %% part="given"
patient_7 = with_mistake("B50")


def columns_that_move(layer):
    changed_w_v = robot.W_V.copy()
    changed_w_v[:, 4:8] += 1
    before = layer(robot.X, robot.W_Q, robot.W_K, robot.W_V, robot.W_O, 3)
    after = layer(robot.X, robot.W_Q, robot.W_K, changed_w_v, robot.W_O, 3)
    return [int(column) + 1 for column in np.flatnonzero(np.abs(after - before).max(axis=0) > 1e-9)]


print("healthy layer:", columns_that_move(textbook_attention))
print("patient 7:    ", columns_that_move(patient_7))

# %% [markdown] part="claims"
# - [ ] A. W^V is not used; the values are made with W^K. => Then a change of W^V would move nothing.
# - [x] B. W^O is missing; the output is concat itself. => Columns 5 to 8 of concat are head 2's own. With W^O
#   they would be mixed into other columns.
# - [ ] C. The heads are averaged. => Then the change would reach columns of every head, or the shape would
#   be smaller.
# - [ ] D. Nothing. A head may only change its own columns of the output. => That holds for concat, not for the
#   output. W^O lets each head write into any feature.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
patient_7_guess = "B"
### END SOLUTION

# %% part="check"
check.choice("10.14", patient_7_guess)

# %% [markdown] part="hints"
# - Columns 5 to 8 are those of head 2 in one of the arrays of the layer. In which one, and what comes after it?
# - In the healthy layer head 2's four numbers go through rows 5 to 8 of W^O. In patient 7 a change of column 5
#   stays in column ... .
# - Pour red paint into one of three tins. If afterwards only that tin is red, nobody has stirred the tins
#   together.

# %% [markdown] part="why"
# **The case.** Without W^O the heads never meet, and every shape is right. **Smallest input:** one token, one
# head of width 1, W^O = 2: the output must be twice the value. **Repair:** multiply by W^O. **Test:** exercise
# 10.19. **Source:** Kyubyong/transformer#117.

# %% part="right" name="with a space"
patient_7_guess = " b"

# %% part="wrong" name="A"
patient_7_guess = "A"

# %% part="wrong" name="C"
patient_7_guess = "C"

# %% part="wrong" name="D"
patient_7_guess = "D"

# %% [markdown] exercise="10.15" kind="bug" title="Patient 8: a test that sees nothing"
# **Symptom:** the results differ a little from those of another program. The author's test passes. Patient 8
# divides by the square root of the wrong number.
#
# The author tested with 2 heads of width 2. Which of these sizes would have shown the fault?


# %% part="given"
def patient_8(q_hte, k_hse):
    heads = q_hte.shape[0]
    return q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(heads)


# %% [markdown] part="claims"
# - [ ] A. 4 heads of width 4, with many tokens. => Both programs divide by sqrt(4). The number of tokens
#   does not matter.
# - [ ] B. 1 head of width 1. => Both divide by 1.
# - [x] C. 2 heads of width 3. => The patient divides by sqrt(2), a right program by sqrt(3).
# - [ ] D. 2 heads of width 2, with larger scores. => Two equal divisors give equal results for every score.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
sizes_that_show_it = "C"
### END SOLUTION

# %% part="check"
check.choice("10.15", sizes_that_show_it)

# %% [markdown] part="hints"
# - By what does a right program divide, and by what does the patient? When are the two the same?
# - With 2 heads of width 2 both divide by sqrt(2). With 2 heads of width 3 the patient divides by sqrt(2), a
#   right one by sqrt(...).
# - A program that takes the height of a picture for its width passes every test with square pictures. A
#   picture of 2 by 3 shows it.

# %% [markdown] part="why"
# **The case.** Give every size a different number when you test: tokens, width, heads, width of a head.
# **Repair:** sqrt(q_hte.shape[-1]). **Test:** 2 heads of width 3, against numbers by hand. **Source:**
# tenstorrent/tt-metal#56789. The program still picked the right picture title, which is why nobody noticed.

# %% part="right" name="small letter"
sizes_that_show_it = "c"

# %% part="wrong" name="A"
sizes_that_show_it = "A"

# %% part="wrong" name="B"
sizes_that_show_it = "B"

# %% part="wrong" name="D"
sizes_that_show_it = "D"

# %% [markdown] exercise="10.16" kind="bug" title="Patient 9: scrambled rows"
# Patient 9 puts the heads side by side. **Symptom:** right shape, and a model with it trains, only worse.
#
# The cell gives it numbers that tell where they come from: 10 × head + token, two columns each. Look at row 1.
# **Guess** what `reshape` did. Then give the **smallest input** `mixed_hte` that shows the fault, as a nested
# list of shape (heads, tokens, width). Four numbers are enough.


# %% part="given"
def patient_9(mixed_hte):
    h, n, e = mixed_hte.shape
    return mixed_hte.reshape(n, h * e)


labelled_hte = np.array([[[11, 11], [12, 12], [13, 13]], [[21, 21], [22, 22], [23, 23]]])
print("patient 9:", patient_9(labelled_hte).tolist())
print("healthy:  ", concat_heads(labelled_hte).tolist())

# %% part="work"
# TODO: type a nested list, as in [[[1, 2]]] for 1 head, 1 token, width 2.
### BEGIN SOLUTION
patient_9_shows = [[[1], [2]], [[3], [4]]]
### END SOLUTION

# %% part="check"
check.exposes("10.16", patient_9_shows, patient_9, at_most(4, concat_heads, axes=3))

# %% [markdown] part="hints"
# - With one head nothing can be scrambled. With one token neither. So how many of each do you need?
# - Two heads, two tokens, width 1: row 1 must hold the first token of head 1 and the first token of head ... .
#   reshape takes the first two numbers as they lie in memory.
# - For `a = [[1, 2, 3], [4, 5, 6]]`, `a.reshape(3, 2)` is `[[1, 2], [3, 4], [5, 6]]`, but `a.T` is
#   `[[1, 4], [2, 5], [3, 6]]`. To reshape is not to transpose.

# %% [markdown] part="why"
# **The case.** Row 1 held two tokens of head 1. **Repair:** swapaxes(0, 1) first, then reshape. **Test:** the
# labelled input above; it shows every wrong order. **Source:** jsbaan/transformer-from-scratch#6. With
# patient 10 it is the mistake most often reported in the sample this course was made from.

# %% part="right" name="other numbers"
patient_9_shows = [[[0], [0]], [[1], [0]]]

# %% part="wrong" name="one head"
patient_9_shows = [[[1], [2], [3]]]

# %% part="wrong" name="one token"
patient_9_shows = [[[1, 2]], [[3, 4]]]

# %% part="wrong" name="all alike"
patient_9_shows = [[[1], [1]], [[1], [1]]]

# %% [markdown] exercise="10.17" kind="bug" title="Patient 10: heads that mix tokens"
# Patient 10 projects and splits. **Symptom:** the queries have the right shape, but a change of token 1
# changes only head 1.
#
# The cell gives it one packed row of four numbers for each token: 10 × token + column, and a W^Q that leaves
# them as they are. Do the **repair**: write `patient_10_repaired(x_td, w_q_dc, heads)`. It returns the
# queries, shape (heads, n, d / heads).


# %% part="given"
def patient_10(x_td, w_q_dc, heads):
    q_tc = x_td @ w_q_dc
    return q_tc.reshape(heads, len(x_td), -1)


labelled_td = np.array([[11, 12, 13, 14], [21, 22, 23, 24], [31, 32, 33, 34]])
print("head 1:", patient_10(labelled_td, np.eye(4, dtype=int), 2)[0].tolist())


# %% part="work"
def patient_10_repaired(x_td, w_q_dc, heads):
    # TODO: project, then give each head its columns of every token.
    ### BEGIN SOLUTION
    q_tc = x_td @ w_q_dc
    return q_tc.reshape(len(x_td), heads, -1).swapaxes(0, 1)
    ### END SOLUTION


# %% part="check"
check.stage("10.17", patient_10_repaired, "x_td w_q_dc heads -> q_hte")

# %% [markdown] part="hints"
# - Head 1 should have columns 1 and 2 of every token: 11, 12, then 21, 22, then 31, 32. What did it get?
# - `reshape(tokens, heads, ...)` cuts each row. Which two axes must change places after it?
# - For 2 tokens and 3 heads of width 1: `[[1, 2, 3], [4, 5, 6]]` becomes `[[[1], [2], [3]], [[4], [5], [6]]]`
#   with shape (2, 3, 1), and after swapping `[[[1], [4]], [[2], [5]], [[3], [6]]]`.

# %% [markdown] part="why"
# **The case.** Smallest input: two tokens, two heads of width 1. **Guess:** reshape read the rows one after
# the other, so head 1 got all of token 1 and half of token 2. **Test:** `q[0]` equals X times the first columns of
# W^Q. **Source:** reczoo/FuxiCTR#30, where it was found in several published models.


# %% part="right" name="cut the columns"
def patient_10_repaired(x_td, w_q_dc, heads):
    return np.stack(np.split(x_td @ w_q_dc, heads, axis=1))


# %% part="right" name="cut the matrix"
def patient_10_repaired(x_td, w_q_dc, heads):
    return np.stack([x_td @ w_de for w_de in np.split(w_q_dc, heads, axis=1)])


# %% part="wrong" name="F01"
def patient_10_repaired(x_td, w_q_dc, heads):
    return x_td @ w_q_dc


# %% part="wrong" name="B14"
def patient_10_repaired(x_td, w_q_dc, heads):
    return patient_10(x_td, w_q_dc, heads)


# %% part="wrong" name="columns in turn" cause="the columns are dealt out in turn, one to each head"
def patient_10_repaired(x_td, w_q_dc, heads):
    q_tc = x_td @ w_q_dc
    return q_tc.reshape(len(x_td), -1, heads).transpose(2, 0, 1)


# %% [markdown] exercise="10.18" kind="bug" title="Patient 11: no concat anywhere"
# Patient 11 makes the output from the heads' results. **Symptom:** none was reported. A reader says: "The
# heads are added, so it cannot be told any more which head said what." Try it, and compare with
# `concat_heads(mixed_hte) @ w_o_cd`. Which claim is right?


# %% part="given"
def patient_11(mixed_hte, w_o_cd):
    e = mixed_hte.shape[-1]
    output_td = 0
    for i, head_te in enumerate(mixed_hte):
        output_td = output_td + head_te @ w_o_cd[i * e : (i + 1) * e]
    return output_td


# %% [markdown] part="claims"
# - [x] A. It is right for every input. => A row of concat times W^O is a sum over all columns. It may be added
#   up head by head.
# - [ ] B. It is broken: each head uses the same rows of W^O. => The slice moves on with i: head 1 uses the first
#   e rows, head 2 the next e.
# - [ ] C. It is broken: heads must stand side by side, not be added. => Adding the short rows themselves would
#   be wrong. Here each head is multiplied by its own rows of W^O first.
# - [ ] D. It is right only if all heads look at different tokens. => Where the heads look does not matter. The
#   sum is equal for any numbers.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
patient_11_verdict = "A"
### END SOLUTION

# %% part="check"
check.choice("10.18", patient_11_verdict)

# %% [markdown] part="hints"
# - Take two heads of width 1 and one token: concat is [a, b], and W^O has two rows. Write the product out.
# - [a, b] times W^O is a × (first row) + b × ... . Compare with what the loop adds.
# - A bill of 2 apples at 3 and 4 pears at 5 is 2 × 3 + 4 × 5 = 26. It does not matter whether you add up one
#   long list or one list for apples and one for pears.

# %% [markdown] part="why"
# **The case.** Unusual, but right; lesson 6 showed it. Michel et al. 2019 write multi-head attention as such
# a sum. It is also the easiest way to see what one head adds to the output.

# %% part="right" name="small letter"
patient_11_verdict = "a"

# %% part="wrong" name="C"
patient_11_verdict = "C"

# %% part="wrong" name="B"
patient_11_verdict = "B"

# %% part="wrong" name="D"
patient_11_verdict = "D"

# %% [markdown] exercise="10.19" kind="bug" title="Patient 12: a matrix that does not count"
# Patients 7 and 12 are closed, and one more is: patient 13. In each of them at least one of the four matrices
# has no effect. **Symptom:** training leaves that matrix as it was.
#
# Write the **test** `every_matrix_counts(layer)`. It changes one matrix at a time and asserts that the output
# changes. It must accept a healthy layer and find all three patients. You may use torch's input from exercise
# 10.5: `torch_x`, `torch_w_q` and so on.

# %% part="given"
patient_12 = with_mistake("B07")
patient_13 = with_mistake("B02")


# %% part="work"
def every_matrix_counts(layer):
    # TODO: for each of the four matrices: change it, run the layer, assert that the output is different.
    ### BEGIN SOLUTION
    matrices = [torch_w_q, torch_w_k, torch_w_v, torch_w_o]
    before_td = layer(torch_x, *matrices, torch_heads)
    for i in range(4):
        changed = [matrix * 2 if i == j else matrix for j, matrix in enumerate(matrices)]
        assert not np.allclose(layer(torch_x, *changed, torch_heads), before_td)
    ### END SOLUTION


# %% part="check"
check.catches("10.19", every_matrix_counts, textbook_attention, patient_7, patient_12, patient_13)

# %% [markdown] part="hints"
# - Run the layer once with all matrices as they are. Then four times more, with one matrix changed each time.
# - `assert not np.allclose(after, ...)`: with what is the new output compared?
# - To test that both inputs of `area(a, b)` count: `assert area(2, 3) != area(4, 3)` and
#   `assert area(2, 3) != area(2, 6)`. A function that returns `a * a` fails the second.

# %% [markdown] part="why"
# **The cases.** Patient 12 makes the values with W^K: two lines were copied and one name was not changed
# (yflyzhang/AnnotatedTransformer#1). Patient 13 cuts X itself into heads and uses no W^Q, W^K or W^V: a belief
# that many explanations invite. Patient 7 has no W^O. **Repair:** use the matrix. Note that doubling W^Q is
# enough of a change, since softmax is not blind to the size of scores.


# %% part="right" name="one by one"
def every_matrix_counts(layer):
    first = layer(torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, 2)
    others = [
        layer(torch_x, torch_w_q + 1, torch_w_k, torch_w_v, torch_w_o, 2),
        layer(torch_x, torch_w_q, -torch_w_k, torch_w_v, torch_w_o, 2),
        layer(torch_x, torch_w_q, torch_w_k, -torch_w_v, torch_w_o, 2),
        layer(torch_x, torch_w_q, torch_w_k, torch_w_v, -torch_w_o, 2),
    ]
    assert all(np.abs(other - first).max() > 1e-6 for other in others)


# %% part="wrong" name="all at once"
def every_matrix_counts(layer):
    before = layer(torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, 2)
    after = layer(torch_x, 2 * torch_w_q, 2 * torch_w_k, 2 * torch_w_v, 2 * torch_w_o, 2)
    assert not np.allclose(before, after)


# %% part="wrong" name="the other way round"
def every_matrix_counts(layer):
    before = layer(torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, 2)
    assert np.allclose(layer(torch_x, torch_w_q, torch_w_k, 2 * torch_w_v, torch_w_o, 2), before)


# %% [markdown] exercise="10.20" kind="bug" title="Patient 14: square and silent"
# **Symptom:** matrices copied from another program give other results, without any error.
#
# **Guess:** compare the line with "row times matrix". Then give the **smallest input** that shows the fault:
# rows and a matrix, as two nested lists. Six numbers are enough; a clever input needs only three.


# %% part="given"
def patient_14(x_td, w_dc):
    return x_td @ w_dc.T


# %% part="work"
# TODO: type rows and a matrix, as in ([[1, 2]], [[1, 0], [0, 1]]).
### BEGIN SOLUTION
patient_14_shows = ([[1]], [[1, 2]])
### END SOLUTION

# %% part="check"
check.exposes("10.20", patient_14_shows, patient_14, at_most(6, healthy_projection))

# %% [markdown] part="hints"
# - For some square matrices the transpose is the same matrix. Which ones? Do not take one of them.
# - One row [a, b] and a matrix of 2 × 2: the first result is a × (upper left) + b × (lower left). The patient
#   takes a × (upper left) + b × ... . Choose numbers for which the two differ.
# - A program that swaps day and month is right on the 3rd of March. The 2nd of March shows it. The 30th of March
#   even gives an error.

# %% [markdown] part="why"
# **The case.** Libraries store a matrix as (out, in) or as (in, out). When both sizes are equal, nothing
# complains. With a matrix that is not square the patient stops with an error, and an error is the best symptom
# of all. **Repair:** no `.T`. **Test:** once with d_in and d_out different. **Source:**
# rasbt/LLMs-from-scratch#857.

# %% part="right" name="two by two"
patient_14_shows = ([[1, 0]], [[0, 1], [0, 0]])

# %% part="wrong" name="the identity"
patient_14_shows = ([[1, 2]], [[1, 0], [0, 1]])

# %% part="wrong" name="symmetric"
patient_14_shows = ([[1, 2]], [[1, 3], [3, 5]])

# %% part="wrong" name="does not fit"
patient_14_shows = ([[1, 2, 3]], [[1, 2]])

# %% [markdown] exercise="10.21" kind="bug" title="Patient 15: heads that are half blind"
# **Symptom:** a model with 2 heads does worse than the paper's. All shapes are right.
#
# Write the **test** `every_head_reads_all(queries_of)`. It calls `queries_of(x_td, w_q_dc, heads)`, changes
# one feature of X at a time, and asserts that the queries of *every* head move. Take random matrices, so that
# no number of them is 0. It must accept a healthy projection and find patient 15.


# %% part="given"
def patient_15(x_td, w_q_dc, heads):
    e = x_td.shape[1] // heads
    parts = [slice(i * e, (i + 1) * e) for i in range(heads)]
    return np.stack([x_td[:, part] @ w_q_dc[part, part] for part in parts])


# %% part="work"
def every_head_reads_all(queries_of):
    # TODO: make X and W^Q, change one feature after the other, assert that each head's queries change.
    ### BEGIN SOLUTION
    draw = np.random.default_rng(0)
    x_td, w_q_dc = draw.normal(size=(3, 4)), draw.normal(size=(4, 4))
    before_hte = queries_of(x_td, w_q_dc, 2)
    for feature in range(4):
        changed_td = x_td.copy()
        changed_td[:, feature] += 1
        moved_hte = np.abs(queries_of(changed_td, w_q_dc, 2) - before_hte)
        assert (moved_hte.max(axis=(1, 2)) > 1e-9).all()
    ### END SOLUTION


# %% part="check"
check.catches("10.21", every_head_reads_all, healthy_queries, patient_15)

# %% [markdown] part="hints"
# - Which part of X does head 1 of the patient read? Change a feature outside that part and look at head 1.
# - With d = 4 and 2 heads the patient's head 1 reads features 1 and 2. Add 1 to feature 4 and compare the queries
#   of head 1 before and after: `assert np.abs(after[0] - before[0]).max() > ...`.
# - To test that a lamp is lit by both switches: press each switch alone and look at the lamp. If you press both
#   at once, a dead switch stays hidden.

# %% [markdown] part="why"
# **The case.** X was cut into slices, one for each head. Right is: project, then split. Each head reads all of
# X; only what comes out is narrow. **Smallest input:** one token, two features, two heads; change feature 2 and
# look at head 1. **Repair:** `x_td @ w_q_dc`, then split the columns. **Source:**
# MarcoMeter/episodic-transformer-memory-ppo#22, since repaired.


# %% part="right" name="one feature is enough"
def every_head_reads_all(queries_of):
    w_q_dc = np.arange(1.0, 17.0).reshape(4, 4)
    nothing, last = np.zeros((1, 4)), np.array([[0.0, 0.0, 0.0, 1.0]])
    before, after = queries_of(nothing, w_q_dc, 2), queries_of(last, w_q_dc, 2)
    assert np.abs(after[0] - before[0]).max() > 0.1


# %% part="wrong" name="any head will do"
def every_head_reads_all(queries_of):
    x, w = np.ones((2, 4)), np.ones((4, 4))
    for feature in range(4):
        changed = x.copy()
        changed[:, feature] += 1
        assert not np.allclose(queries_of(changed, w, 2), queries_of(x, w, 2))


# %% part="wrong" name="only shapes"
def every_head_reads_all(queries_of):
    assert queries_of(np.ones((3, 4)), np.ones((4, 4)), 2).shape == (2, 3, 2)


# %% [markdown]
# ## Ward 3: masks, caches, sharing
#
# These faults show only under a condition: with a cache, with shared heads, with two sentences at once. The
# last patient looks well in every respect.

# %% [markdown] exercise="10.22" kind="bug" title="Patient 16: off by one?"
# A reader reports: "k=1 is a typing error. It should be k=0, as the diagonal must be part of the triangle."
# **Symptom:** the report. Look at the mask for three tokens. Which claim is right?


# %% part="given"
def patient_16(scores_ts):
    n = len(scores_ts)
    hidden_ts = np.triu(np.ones((n, n), dtype=bool), k=1)
    return softmax(np.where(hidden_ts, -np.inf, scores_ts))


print("hidden for three tokens:", np.triu(np.ones((3, 3), dtype=int), k=1).tolist())

# %% [markdown] part="claims"
# - [ ] A. The reader is right: with k=1 each token sees the one after it. => Row 1 hides tokens 2 and 3. The
#   next token is hidden, not shown.
# - [x] B. Nothing is wrong: each token may ask itself and those before it. => triu with k=1 holds all places above
#   the diagonal. They are hidden; the diagonal is not.
# - [ ] C. The mask is the wrong way round. => The name says it: True means hidden, and np.where puts -inf where
#   it is True.
# - [ ] D. It is wrong in row 1: the first token has nobody to ask. => It has itself. With k=0 it would have nobody,
#   and the row would have no weights.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
patient_16_verdict = "B"
### END SOLUTION

# %% part="check"
check.choice("10.22", patient_16_verdict)

# %% [markdown] part="hints"
# - What does True mean in this mask: may be asked, or is hidden?
# - Row 1 of the printed mask is 0, 1, 1. So token 1 may ask token ..., and no other.
# - A list of those who may *not* come in is not wrong because your name is missing on it.

# %% [markdown] part="why"
# **The case.** No bug. Somebody really reported this as one: pytorch/tutorials#2250. Before you repair, look at a
# small input: three tokens show it all. With k=0 the first row is all hidden, which another project had to
# repair in its text: pbloem/former#10.

# %% part="right" name="small letter"
patient_16_verdict = "b"

# %% part="wrong" name="A"
patient_16_verdict = "A"

# %% part="wrong" name="C"
patient_16_verdict = "C"

# %% part="wrong" name="D"
patient_16_verdict = "D"

# %% [markdown] exercise="10.23" kind="bug" title="Patient 17: too good to be true"
# **Symptom:** a model that learns to predict the next word makes almost no errors in training, even on words drawn
# at random.
#
# Patient 17 is a whole layer with a causal mask, and closed. The cell makes it, and five more layers with other
# mistakes in their masks. Write the **test** `later_tokens_do_not_matter(layer)`. It calls
# `layer(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads)` twice: the second time with another last row of X. It
# asserts that all output rows before the last are the same.


# %% part="given"
def causal_layer(mistake=None):
    """A layer with a causal mask; right, or with one known mistake."""

    def layer(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
        allowed_ts = np.tril(np.ones((len(x_td), len(x_td)), dtype=bool))
        problem = Problem.packed(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads, allowed=allowed_ts)
        return problem["output"] if mistake is None else wrong_output(problem, REGISTRY[mistake])

    return layer


patient_17 = causal_layer("B44b")
other_leaks = [causal_layer(name) for name in ("B36", "B37", "B38", "B41", "B45")]


# %% part="work"
def later_tokens_do_not_matter(layer):
    # TODO: run the layer on X, and on X with another last row; compare all rows but the last.
    ### BEGIN SOLUTION
    matrices = torch_w_q, torch_w_k, torch_w_v, torch_w_o
    changed_td = torch_x.copy()
    changed_td[-1] += 1
    before_td = layer(torch_x, *matrices, torch_heads)
    after_td = layer(changed_td, *matrices, torch_heads)
    assert np.allclose(before_td[:-1], after_td[:-1])
    ### END SOLUTION


# %% part="check"
check.catches("10.23", later_tokens_do_not_matter, causal_layer(), patient_17, *other_leaks)

# %% [markdown] part="hints"
# - Nothing has to be known about the right output. You compare two outputs of the same layer.
# - Change `x[-1]`. The last output row will change, and may. So compare `before[...]` and `after[...]` without
#   the last row. Copy X first, or you change both.
# - To test that a diary is written day by day: tear out the last page and look whether an earlier page has
#   changed.

# %% [markdown] part="why"
# **The case.** Patient 17 allows one diagonal too many, so each token sees the one it should predict. **Smallest
# input:** two tokens; change the second and look at row 1. **Repair:** `np.tril(..., k=0)`. The test finds every
# kind of leak, as it does not ask how the mask is made. **Source:** RVC-Boss/GPT-SoVITS#965; a model without any
# mask in huggingface/transformers#48745.


# %% part="right" name="every place"
def later_tokens_do_not_matter(layer):
    for place in range(1, 5):
        changed = torch_x.copy()
        changed[place] *= -1
        before = layer(torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, 2)
        after = layer(changed, torch_w_q, torch_w_k, torch_w_v, torch_w_o, 2)
        assert np.abs(before[:place] - after[:place]).max() < 1e-9


# %% part="wrong" name="the last row too"
def later_tokens_do_not_matter(layer):
    changed = torch_x.copy()
    changed[-1] += 1
    before = layer(torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, 2)
    assert np.allclose(before, layer(changed, torch_w_q, torch_w_k, torch_w_v, torch_w_o, 2))


# %% part="wrong" name="the first token changed"
def later_tokens_do_not_matter(layer):
    changed = torch_x.copy()
    changed[-1] += 0
    before = layer(torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, 2)
    assert np.allclose(
        before[:-1], layer(changed, torch_w_q, torch_w_k, torch_w_v, torch_w_o, 2)[:-1], equal_nan=True
    )


# %% [markdown] exercise="10.24" kind="bug" title="Patient 18: a mask from another library"
# **Symptom:** after a model was moved from one library to another, its output is nan. The mask
# was made by the other library. The cell prints some rows of the weights of head 2 of the robot, as patient 18 makes them.
#
# **Guess:** what is wrong?

# %% part="given"
with np.errstate(invalid="ignore"):
    causal_problem = Problem.of(walk(robot, allowed=causal_ts))
    patient_18_weights = REGISTRY["B41"].wrong(causal_problem, "weights")[1]
print("from The:    ", shown(patient_18_weights[0]))
print("from patient:", shown(patient_18_weights[4]))
print("from was:    ", shown(patient_18_weights[7]))
print("from tired:  ", shown(patient_18_weights[8]))

# %% [markdown] part="claims"
# - [ ] A. The mask was forgotten. => Then no weight would be exactly 0.
# - [ ] B. The mask also hides the token itself. => Then row 1 would be the one with nobody to ask. Here it is the
#   last row, and the zeros stand on the other side.
# - [ ] C. Nothing is wrong: nan in the last row is usual for a causal mask. => Under a causal mask the last token may
#   ask everybody.
# - [x] D. The mask is the wrong way round: each token asks only those after it. => The zeros stand at the token
#   itself and before it, and the last token has nobody left.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
patient_18_guess = "D"
### END SOLUTION

# %% part="check"
check.choice("10.24", patient_18_guess)

# %% [markdown] part="hints"
# - Look at the row `patient`, the fifth token. On which side of the fifth place are the zeros?
# - Under a causal mask row 5 has weights in places 1 to 5. Here it has weights in places ... to {{n}}.
# - A door list was read as the list of those who must stay out. The room is then full of the wrong people, and
#   nobody who was invited is in.

# %% [markdown] part="why"
# **The case.** True means "may be asked" in one library and "is blocked" in the other. In torch alone both
# meanings occur: `nn.MultiheadAttention` blocks where a mask is True, `scaled_dot_product_attention` allows.
# **Smallest input:** two tokens; the first must have the weights 1 and 0. **Repair:** `~mask`, and a name that
# says what True means: `allowed` or `hidden`. **Test:** exercise 10.23. **Sources:** rasbt/LLMs-from-scratch#1061,
# pytorch/pytorch#120668.

# %% part="right" name="small letter"
patient_18_guess = "d"

# %% part="wrong" name="A"
patient_18_guess = "A"

# %% part="wrong" name="B"
patient_18_guess = "B"

# %% part="wrong" name="C"
patient_18_guess = "C"

# %% [markdown] exercise="10.25" kind="bug" title="Patient 19: shared heads in the wrong order"
# In grouped-query attention some query heads share a key/value head. Neighbours share: with 4 query heads and 2
# key/value heads, query heads 1 and 2 use the first, 3 and 4 the second. **Symptom:** a trained model, loaded with
# patient 19, writes nonsense. With one key/value head, or as many as query heads, all is well.
#
# Do the **repair**: write `patient_19_repaired(k_gse, heads)`. It gets the shared keys, shape (kv_heads, m,
# d_k), and the number of query heads. It returns the keys for every query head, shape (heads, m, d_k).


# %% part="given"
def patient_19(k_gse, heads):
    return np.tile(k_gse, (heads // len(k_gse), 1, 1))


print("4 query heads read:", patient_19(np.array([[[1]], [[2]]]), 4).ravel().tolist())


# %% part="work"
def patient_19_repaired(k_gse, heads):
    # TODO: hand each shared head to its neighbours.
    ### BEGIN SOLUTION
    return np.repeat(k_gse, heads // len(k_gse), axis=0)
    ### END SOLUTION


# %% part="check"
check.function(
    "10.25",
    patient_19_repaired,
    [
        ([[[1.0]], [[2.0]]], 4),
        ([[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]], 6),
        ([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]], 3),
        ([[[1.0]], [[2.0]]], 2),
        (onnx_k, 9),
    ],
)

# %% [markdown] part="hints"
# - Four query heads, two shared ones. Which shared head does query head 2 need, and which does it get?
# - The patient gives 1, 2, 1, 2. Right is 1, 1, ..., ... . `np.tile` lays the whole row again and again;
#   another function of numpy lays each part again and again.
# - `np.tile([7, 8, 9], 2)` is 7, 8, 9, 7, 8, 9. `np.repeat([7, 8, 9], 2)` is 7, 7, 8, 8, 9, 9.

# %% [markdown] part="why"
# **The case.** Smallest input: 2 key/value heads, 4 query heads; with fewer the two orders agree. **Guess:** the
# symptom is gone for one head and for all, so it is the order. **Test:** the labelled input 1, 2 must give
# 1, 1, 2, 2. **Source:** onnx/onnx#7274.


# %% part="right" name="by index"
def patient_19_repaired(k_gse, heads):
    return k_gse[[i // (heads // len(k_gse)) for i in range(heads)]]


# %% part="wrong" name="B58" cause="the shared heads are laid out 1 2 1 2 instead of 1 1 2 2"
def patient_19_repaired(k_gse, heads):
    return patient_19(k_gse, heads)


# %% part="wrong" name="B59" cause="the tokens are repeated in place of the heads"
def patient_19_repaired(k_gse, heads):
    return np.repeat(k_gse, heads // len(k_gse), axis=1)


# %% [markdown] exercise="10.26" kind="bug" title="Patient 20: well without a cache"
# **Symptom:** in training all is right. While writing, with a cache, the model repeats itself: the new token seems to
# see only the very first one.
#
# Patient 20 makes the weights of the last n tokens, which ask m tokens: `scores_ts` has the shape (n, m). **Guess**
# which line thinks that n and m are equal. Then give the **smallest input**: a list of rows of scores. Two numbers
# are enough.


# %% part="given"
def patient_20(scores_ts):
    n, m = scores_ts.shape
    allowed_ts = np.tril(np.ones((n, m), dtype=bool))
    return softmax(np.where(allowed_ts, scores_ts, -np.inf))


# %% part="work"
# TODO: type rows of scores, as in [[1, 2], [3, 4]].
### BEGIN SOLUTION
patient_20_shows = [[0, 0]]
### END SOLUTION

# %% part="check"
check.exposes("10.26", patient_20_shows, patient_20, at_most(2, healthy_last_weights))

# %% [markdown] part="hints"
# - With as many rows as columns both masks are the same. So take fewer rows than ... .
# - One new token and one kept token: one row, two columns. The patient allows 1 place in that row, a right
#   program ... places.
# - A program that numbers the days of a holiday from the first of the month is right when the holiday starts
#   on the first. Take one that starts on the second.

# %% [markdown] part="why"
# **The case.** The mask was counted from the first token, but the tokens that ask are the last ones.
# **Repair:** `np.tril(..., k=m - n)`. **Test:** the last rows with a cache equal the last rows of the full causal
# pass, as in exercise 10.7. **Sources:** pytorch/pytorch#103082, Dao-AILab/flash-attention#517.

# %% part="right" name="other scores"
patient_20_shows = np.array([[-1.0, 5.0]])

# %% part="wrong" name="one token"
patient_20_shows = [[0]]

# %% part="wrong" name="no rest to see"
patient_20_shows = [[0], [0]]

# %% part="wrong" name="square"
patient_20_shows = [[0, 1], [1, 0]]

# %% [markdown] exercise="10.27" kind="bug" title="Patient 21: two sentences at once"
# **Symptom:** no error, and training goes on; but the model learns nothing from the other words of a sentence. Two
# sentences of three tokens go through patient 21 at once, as an array of shape (sentences, tokens, features). The
# cell changes the last token of sentence 2 and prints which output rows move.
#
# **Guess:** what is wrong? In a healthy layer without a mask all three rows of sentence 2 would move.


# %% part="given"
def patient_21(x_tbd):
    """Attention without matrices. It takes an array (tokens, sentences, features)."""
    scores_bts = np.einsum("tbd,sbd->bts", x_tbd, x_tbd) / np.sqrt(x_tbd.shape[-1])
    return np.einsum("bts,sbd->tbd", softmax(scores_bts), x_tbd)


two_sentences = np.random.default_rng(5).normal(size=(2, 3, 4))
changed_sentences = two_sentences.copy()
changed_sentences[1, 2] += 1
moved = np.abs(patient_21(changed_sentences) - patient_21(two_sentences)).max(axis=-1) > 1e-9
print("rows that move:", [f"sentence {s + 1}, token {t + 1}" for s, t in np.argwhere(moved).tolist()])

# %% [markdown] part="claims"
# - [x] A. Sentences and tokens have changed places: token 3 of one sentence asks token 3 of the other. => The function
#   takes the first axis for the tokens. It got sentences there, so tokens at the same place ask each other.
# - [ ] B. There is a causal mask that should not be there. => A mask would keep the change inside sentence 2. Here
#   sentence 1 moves.
# - [ ] C. The softmax runs over the wrong axis. => The weights run over s, the tokens that are asked, as they should.
#   It is the input whose axes are not what the function expects.
# - [ ] D. Nothing: sentences in one batch always learn from each other. => In attention they do not. A sentence's
#   output must be the same whoever travels with it.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
patient_21_guess = "A"
### END SOLUTION

# %% part="check"
check.choice("10.27", patient_21_guess)

# %% [markdown] part="hints"
# - Only sentence 2 was changed. What do the two rows that move have in common?
# - The function reads the shape (2, 3, 4) as 2 ..., 3 ... and 4 features. What is written in its first lines?
# - In a class list somebody sorts by bench in place of by family. Each "family" is then made of strangers who sit
#   at the same place.

# %% [markdown] part="why"
# **The case.** Libraries differ in which axis comes first; in torch `batch_first` says it. **Smallest input:** two
# sentences, two tokens. **Repair:** swap the first two axes before and after. **Test:** a sentence alone and in
# company gives the same rows. **Source:** IBM/TabFormer#14, since repaired.

# %% part="right" name="small letter"
patient_21_guess = "a"

# %% part="wrong" name="B"
patient_21_guess = "B"

# %% part="wrong" name="C"
patient_21_guess = "C"

# %% part="wrong" name="D"
patient_21_guess = "D"

# %% [markdown] exercise="10.28" kind="bug" title="Patient 22: heads that compete"
# **Symptom:** for each token the weights of *all heads together* sum to 1. Do the **repair**: write
# `patient_22_repaired(scores_hts)`, shape (heads, n, m) in and out.


# %% part="given"
def patient_22(scores_hts):
    h, n, m = scores_hts.shape
    side_by_side = scores_hts.swapaxes(0, 1).reshape(n, h * m)
    return softmax(side_by_side).reshape(n, h, m).swapaxes(0, 1)


patient_22_weights = patient_22(walk(robot)["scores"].values)
print("from `it`, sums of heads 1, 2, 3:", shown(patient_22_weights[:, 6].sum(axis=-1)))
print("together:", round(float(patient_22_weights[:, 6].sum()), 2))


# %% part="work"
def patient_22_repaired(scores_hts):
    # TODO: one budget for each token in each head.
    ### BEGIN SOLUTION
    return softmax(scores_hts)
    ### END SOLUTION


# %% part="check"
check.stage("10.28", patient_22_repaired, "scores_hts -> weights_hts")

# %% [markdown] part="hints"
# - What was laid side by side before softmax, that should not share a budget?
# - `softmax` works along the last axis. In `scores_hts` the last axis is ... .
# - `a` of shape (2, 3, 4): `softmax(a)` gives 2 × 3 rows of 4 numbers, and each of these rows sums to 1.

# %% [markdown] part="why"
# **The case.** Heads and tokens were flattened into one axis before softmax. One budget was shared by all heads,
# which multi-head attention is there to avoid. **Smallest input:** two heads, one token: all weights must be 1, and
# the patient gives halves. **Test:** each row of each head sums to 1. **Source:** facebookresearch/detr#247. It
# was in published code for segmenting pictures; trained again with the repair, the results were better.


# %% part="right" name="head by head"
def patient_22_repaired(scores_hts):
    return np.stack([softmax(scores_ts) for scores_ts in scores_hts])


# %% part="wrong" name="B28"
def patient_22_repaired(scores_hts):
    return patient_22(scores_hts)


# %% part="wrong" name="B27"
def patient_22_repaired(scores_hts):
    exps_hts = np.exp(scores_hts - scores_hts.max(axis=0))
    return exps_hts / exps_hts.sum(axis=0)


# %% [markdown] exercise="10.29" kind="bug" title="Patient 23: well in every respect"
# **Symptom:** rows sum to 1, every matrix counts, every head reads all of X, no token looks ahead. A model with it
# trains well. Only torch's numbers are not met. Go through all five steps alone, and do the **repair**: write
# `patient_23_repaired`, with the same inputs. You may copy the program.


# %% part="given"
def patient_23(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    n, d = x_td.shape
    q, k, v = ((x_td @ w_dc).reshape(n, heads, -1).swapaxes(0, 1) for w_dc in (w_q_dc, w_k_dc, w_v_dc))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(d))
    mixed = weights @ v
    return mixed.swapaxes(0, 1).reshape(n, d) @ w_o_cd


patient_23_output = patient_23(torch_x, torch_w_q, torch_w_k, torch_w_v, torch_w_o, torch_heads)
print(f"largest difference from torch: {np.abs(patient_23_output - torch_output).max():.2f}")


# %% part="work"
def patient_23_repaired(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    # TODO: the whole layer, repaired.
    ### BEGIN SOLUTION
    n, d = x_td.shape
    q, k, v = ((x_td @ w_dc).reshape(n, heads, -1).swapaxes(0, 1) for w_dc in (w_q_dc, w_k_dc, w_v_dc))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(d // heads))
    mixed = weights @ v
    return mixed.swapaxes(0, 1).reshape(n, d) @ w_o_cd
    ### END SOLUTION


# %% part="check"
check.stage("10.29", patient_23_repaired, "x_td w_q_dc w_k_dc w_v_dc w_o_cd heads -> output_td")

# %% [markdown] part="hints"
# - The laws that hold for the patient rule out most lines. Which of the seven steps changes the weights but leaves
#   each row's sum at 1?
# - The dots run over the columns of one head. For torch's layer that is 6 / 2 = ... columns. By what does the
#   patient divide?
# - A program that gives prices in the wrong currency passes every test about sums and discounts. Only a price from
#   elsewhere shows it.

# %% [markdown] part="why"
# **The case.** The dots were divided by sqrt(d_model) and not by sqrt(d_k). Weights that are a little too even hurt no
# law, and training gets used to them. So only numbers from elsewhere show it. **Smallest input:** 2 heads of width
# 1, two tokens. With one head the program is right. **Test:** exercise 10.5. **Source:** among many others
# karpathy/ng-video-lecture#6, a lecture's code, since repaired, and lucidrains/vit-pytorch#65.


# %% part="right" name="the queries divided"
def patient_23_repaired(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    return textbook_attention(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads)


# %% part="wrong" name="B17"
def patient_23_repaired(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    return patient_23(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads)


# %% part="wrong" name="B18"
def patient_23_repaired(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    n, d = x_td.shape
    q, k, v = ((x_td @ w_dc).reshape(n, heads, -1).swapaxes(0, 1) for w_dc in (w_q_dc, w_k_dc, w_v_dc))
    mixed = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(heads)) @ v
    return mixed.swapaxes(0, 1).reshape(n, d) @ w_o_cd


# %% part="wrong" name="B20"
def patient_23_repaired(x_td, w_q_dc, w_k_dc, w_v_dc, w_o_cd, heads):
    n, d = x_td.shape
    q, k, v = ((x_td @ w_dc).reshape(n, heads, -1).swapaxes(0, 1) for w_dc in (w_q_dc, w_k_dc, w_v_dc))
    mixed = softmax(q @ k.swapaxes(-1, -2) / (d // heads)) @ v
    return mixed.swapaxes(0, 1).reshape(n, d) @ w_o_cd


# %% [markdown]
# ## Where the layer fits in a Transformer
#
# In a Transformer the layer does not stand alone. One block of the 2017 encoder is:
#
# 1. multi-head attention on all rows;
# 2. *residual*: the result is added to the rows that went in, so a token keeps what it was;
# 3. *normalisation*: each row is brought to a common size;
# 4. *feed-forward*: one small network works on each row alone;
# 5. residual and normalisation again. Then comes the next block, with matrices of its own.
#
# Attention is the only step in which tokens exchange anything. In a decoder it is masked, and there is a second
# attention: its queries come from the decoder, its keys and values from the encoder. Many later models
# normalise before attention and not after it. Either way residual and normalisation stand between attention and
# feed-forward.


# %%
def normalised(x_td):
    return (x_td - x_td.mean(axis=-1, keepdims=True)) / x_td.std(axis=-1, keepdims=True)


def block(x_td, attention, feed_forward):
    x_td = normalised(x_td + attention(x_td))
    return normalised(x_td + feed_forward(x_td))


draw = np.random.default_rng(0)
w_in, w_out = draw.normal(size=(12, 48)), draw.normal(size=(48, 12))
after_block = block(
    robot.X,
    lambda x_td: textbook_attention(x_td, robot.W_Q, robot.W_K, robot.W_V, robot.W_O, 3),
    lambda x_td: np.maximum(x_td @ w_in, 0) @ w_out,
)
print("into the block:", robot.X.shape, "  out of it:", after_block.shape)

# %% [markdown]
# ## Why it mattered in 2017, and where it stands now
#
# Before 2017 many models read a sentence one token after the other. The 2017 paper's argument is about steps that
# must wait for each other: a recurrent layer needs as many as there are tokens, attention needs a fixed number. Its
# reason for several heads is another one: with a single head the averaging keeps a token from attending to different
# kinds of information at different places. In its table, with the same amount of computation, one head reached
# {{figures.bleu_heads_1}} BLEU, 8 heads {{figures.bleu_heads_8}}, and 32 heads {{figures.bleu_heads_32}}. So one head
# was worse but did not fail, and more were not always better ({{source: bleu_heads_1}}).
#
# Since then the layer has been used far beyond translation.
#
# - **Vision.** A picture is cut into patches, and each patch is a token (Dosovitskiy et al. 2020). The layer is the
#   same one. Patient 22 comes from the code of DETR, a model that finds objects in pictures.
# - **Proteins.** A protein is a chain of amino acids. AlphaFold (Jumper et al. 2021) uses forms of multi-head attention
#   over such chains and over pairs of their parts.
# - **Compression.** What hurts in writing is the cache: every head keeps keys and values for every token. Multi-query
#   attention shares one key/value head among all heads (Shazeer 2019). Grouped-query attention shares one in each group
#   (Ainslie et al. 2023); Llama 2 70B has {{size("llama2-70b", "heads")}} heads and
#   {{size("llama2-70b", "kv_heads")}} key/value heads. Latent attention keeps one short row for each token and makes
#   keys and values from it (DeepSeek-AI 2024). Shazeer's reason was the memory that must be read at each step of
#   decoding, not that heads had been found to be useless.
#
# So the plain layer of this lesson is no longer what every large model uses. But each of these forms changes one
# of its steps, and now you know all of them.

# %% [markdown] exercise="10.30" kind="choose" title="What may be said"
# Four sentences from explanations of multi-head attention. Which one is supported by the published work?

# %% [markdown] part="claims"
# - [ ] A. More heads helped because they brought more parameters. => In the standard design the matrices have
#   4 × d_model × d_model numbers for any number of heads, since the heads share the width.
# - [x] B. At about the same computation, one head was {{figures.bleu_heads_8 - figures.bleu_heads_1 : 1}} BLEU below
#   8 heads in the 2017 paper. => That is its table, on one task and one development set: English to German.
# - [ ] C. Keys and values are shared today because pruning had shown that most heads are useless. => The reason
#   given was the memory read at each step of decoding.
# - [ ] D. Each head is given a relation of its own, such as the subject or the tense. => Nobody gives heads roles. What
#   a trained head does is found out afterwards, and one head may do several things.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
supported_claim = "B"
### END SOLUTION

# %% part="check"
check.choice("10.30", supported_claim)

# %% [markdown] part="hints"
# - Two of the sentences give a cause. Did you read of that cause in the text above, or of another one?
# - Count the numbers of W^Q, W^K, W^V and W^O for d_model = 12: each is 12 × 12. What changes with 3 heads?
# - "Sales rose after the shop was painted" may be true, and "because" may still be wrong. A number with its table is
#   easier to check than a cause.

# %% [markdown] part="why"
# **Why it matters.** A measured difference has a task, a data set and a table. A story about causes sounds better and
# is checked less often.

# %% part="right" name="small letter"
supported_claim = "b"

# %% part="wrong" name="A"
supported_claim = "A"

# %% part="wrong" name="C"
supported_claim = "C"

# %% part="wrong" name="D"
supported_claim = "D"

# %% [markdown] part="misconception"
# ## A common misconception
#
# *"The shapes are right and the model trains, so the layer is right."*
#
# Nearly every patient of this clinic has the right shapes, and a model trains with most of them, only worse. Training
# bends the matrices around a fault. A layer is right when it agrees with numbers that somebody else computed, and when
# the laws hold: rows sum to 1, hidden weights are 0, later tokens do not matter, every matrix counts.

# %% [markdown] part="questions"
# ## Test yourself
#
# - Why should a test use 5 tokens, 6 columns, 2 heads of width 3, and not 4, 4, 2 and 2? => When all sizes differ, no
#   mistake can hide behind two equal ones, as dividing by sqrt(heads) does when heads = d_k.
# - A layer's output is the same whatever W^V holds. What do you suspect? => The values are made with another matrix, or
#   X itself is mixed. Look at the line that makes V.
# - Why need queries not be kept in a cache? => Only the token that asks uses its query, and it asks once. Its key and
#   value are needed by every later token.
# - A sentence gives other output when it travels with another sentence. Which axis do you look at first? => The axis of
#   the sentences: it may be taken for the axis of tokens.
# - How can a test find a leak without knowing the right output? => Change a later token; earlier output rows must not move.
# - When would you accept fewer key/value heads? => When the cache is what limits you, and when a measurement on your
#   own task shows that the quality you need is kept. The layer's shapes do not tell.
# - Put the heads in another order, together with their rows of W^O. What changes? => Nothing. The output is a sum over
#   heads, so "head 2" is only a place.

# %% [markdown] part="card"
# ## Summary
#
# - project, split, dots, scale, softmax, mix, concat, W^O: (n, d) in, (n, d) out.
# - A causal mask puts -inf before softmax. With a cache it is aligned at the last token: `k = m - n`.
# - The last rows with a cache equal the last rows of the full causal pass.
# - Clinic: symptom, guess, smallest input, repair, test. And say when there is no bug.
# - Test with all sizes different, with numbers from elsewhere, and with laws.
#
# In a Transformer, residual and normalisation stand between this layer and the feed-forward step.

# %% [markdown] part="exit"
# ## Exit ticket
#
# - One number: a layer has 3 heads of width 4 and 10 tokens in its cache. How many numbers does it keep?
# - One choice: a layer's rows sum to 1, but its output changes in row 1 when the last token changes. Is the fault in (A)
#   the projection, (B) the mask, (C) concat, (D) W^O?
# - One because: "A right shape is not enough, because ..."

# %% [markdown] part="reading"
# ## Further reading
#
# - Attention Is All You Need. Vaswani and others, 2017. arXiv:1706.03762. Sections 3.1 and 3.2 are this course's layer.
# - Are Sixteen Heads Really Better than One? Michel, Levy and Neubig, 2019. arXiv:1905.10650. Attention as a sum over heads.
# - Fast Transformer Decoding: One Write-Head is All You Need. Shazeer, 2019. arXiv:1911.02150. Multi-query attention.
# - GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints. Ainslie and others, 2023.
#   arXiv:2305.13245.
# - DeepSeek-V2. DeepSeek-AI, 2024. arXiv:2405.04434. Latent attention.
# - An Image is Worth 16x16 Words. Dosovitskiy and others, 2020. arXiv:2010.11929. Patches as tokens.
# - Highly accurate protein structure prediction with AlphaFold. Jumper and others, 2021. Nature 596, pages 583 to 589.
