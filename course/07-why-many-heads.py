# ---
# title: Why one head is not enough
# summary: One head gives a token one budget for all it needs; several narrow heads give it several, at the same size.
# minutes: 40
# ---

# %% [markdown]
# ## What this lesson is for
#
# You know every step of a head now. This lesson asks why there are several. The same matrices are used
# twice, cut into three heads and left as one, and the numbers are compared. After it you can say what
# changes, why each head is narrow, and what such a comparison does not show. Exercises 7.1 to 7.5, 7.8 and
# 7.10 carry the lesson and take about 40 minutes. The others can wait.

# %% [markdown] part="recall"
# ## Three questions from earlier lessons
#
# Answer first, then look.
#
# - By what are the dot products of a head divided? => By sqrt(d_k), the width of that head. It is not
#   sqrt(d_model).
# - In a table of weights, what do you know about a row? => No weight is below 0, and the row sums to 1. It
#   is one budget for one token in one head.
# - How do the results of the heads come together in the output? => Each head's short row meets its own rows
#   of W^O, and what comes out is added.

# %% part="setup"
import numpy as np

from mha_tutor.course import check
from mha_tutor.examples import find
from mha_tutor.stages import walk

# %% [markdown]
# ## What one token needs at once
#
# Before you read on, take the sentence "The robot carried the patient because it was tired". Write down:
# which tokens must `it` look at, and what for?
#
# There is more than one kind of relation. You may have found `was`, the verb that goes with it. The example
# was built for these three:
#
# - what stands just before it: `because`,
# - who is meant: `robot`, or perhaps `patient`. The sentence leaves it open,
# - how that one is: `tired`.
#
# Each head was built by hand for one of them, so the pattern is invented:
#
# {{table: weights[head 1, it]}}
#
# {{table: weights[head 2, it]}}
#
# {{table: weights[head 3, it]}}
#
# Three heads, three budgets. `it` spends {{weights[head 1, it, because]}} on `because`,
# {{weights[head 2, it, robot]}} on `robot`, and {{weights[head 3, it, patient]}} on each of `patient` and
# `tired`. Together that is
# {{weights[head 1, it, because] + weights[head 2, it, robot] + 2 * weights[head 3, it, patient]}}, much
# more than 1. Heads 2 and 3 even look at two different tokens that `it` could mean. Both stay possible.
#
# With one head there is one row of weights, and it sums to 1. More for `robot` means less for `because`.
# And this one row is used for every column of the values. What follows shows it in numbers.
#
# ## The same matrices, cut in two ways
#
# W^Q, W^K and W^V of the robot example have {{d_model}} columns each. They can be cut into {{heads}} blocks
# of {{d_k}} columns: three heads. Or they are left whole, one block of {{d_model}} columns: one head. The
# learned numbers are the very same, {{parameters(12, 3)}} with W^O in both cases. Before the softmax two
# things change:
#
# 1. **The dot products.** One head multiplies all {{d_model}} columns of a query with those of a key. So
#    its dot product is the sum of the dot products of the three heads.
# 2. **The divisor.** It is the square root of the head's width: sqrt({{one.d_k}}) = {{sqrt(one.d_k) : 3}}
#    in place of sqrt({{d_k}}) = {{sqrt(d_k) : 0}}.
#
# Then one softmax turns the sums into one row of weights, where there were three.
#
# These matrices were built for three heads. Cut as one, they show what one softmax makes of them. They do
# not show what one head could do if it were trained as one. That is another question, and the lab asks it.

# %% [markdown] exercise="7.1" kind="choose" title="Predict: what becomes of `robot`"
# With three heads `it` gave {{weights[head 2, it, robot]}} to `robot` in head 2. Now the same matrices are
# left as one head. Make a guess before any number is worked out: what will `it` give to `robot`?

# %% [markdown] part="claims"
# - [ ] A. As before, about {{weights[head 2, it, robot]}}, since the matrices are the same. => The matrices
#   are the same, but the dot products of head 1 and head 3 are now added to those of head 2, and all
#   compete in one softmax. It gives {{one.weights[head 1, it, robot]}}.
# - [ ] B. More than before, since the dot products of three heads are added. => All tokens get additions,
#   not only `robot`. Only differences between scores count, and the divisor is larger. It
#   gives {{one.weights[head 1, it, robot]}}.
# - [x] C. About half of the budget. => It gives {{one.weights[head 1, it, robot]}}. The rest goes mostly to
#   `patient`, `because` and `tired`, which the other two heads looked for.
# - [ ] D. About 1/{{n}}, since one head cannot tell the tokens apart. => It can. `robot` still gets most,
#   only less: {{one.weights[head 1, it, robot]}}.

# %% part="work"
# TODO: type a letter, as in "A". A guess is fine; then read why.
### BEGIN SOLUTION
guess_for_robot = "C"
### END SOLUTION

# %% part="check"
check.choice("7.1", guess_for_robot)

# %% [markdown] part="hints"
# - Look at the row `it` in all three heads. Which tokens want a share of the one budget?
# - The dot product from `it` to `robot` is {{dots[head 1, it, robot]}} +
#   {{dots[head 2, it, robot]}} + {{dots[head 3, it, robot] : 0}}. To `because` it is
#   {{dots[head 1, it, because]}} + 0 + 0. By what are both divided now?
# - Three people each pick one place for a trip: sea, hills, city. If the three must go on one trip, the
#   days are shared. The place with the strongest wish gets more of them, but not all.

# %% [markdown] part="why"
# **Why it matters.** One budget is shared among all that `it` needs. The next exercises work it out.

# %% part="right" name="small letter"
guess_for_robot = "c"

# %% part="wrong" name="A"
guess_for_robot = "A"

# %% part="wrong" name="B"
guess_for_robot = "B"

# %% part="wrong" name="D"
guess_for_robot = "D"

# %% [markdown]
# ## From `it` to `because`, worked
#
# The dot products from `it` to `because` in the three heads are {{dots[head 1, it, because]}},
# {{dots[head 2, it, because] : 0}} and {{dots[head 3, it, because] : 0}}.
#
# - One head: the dot product is {{dots[head 1, it, because]}} + 0 + 0 = {{one.dots[head 1, it, because]}}.
#   Divided by {{sqrt(one.d_k) : 3}} it is the score {{one.scores[head 1, it, because]}}.
# - With three heads, the score in head 1 was {{dots[head 1, it, because]}} /
#   {{sqrt(d_k) : 0}} = {{scores[head 1, it, because]}}.

# %% [markdown] exercise="7.2" kind="predict" title="From `it` to `robot`, with blanks"
# From `it` to `robot` the dot products in the three heads are {{dots[head 1, it, robot]}},
# {{dots[head 2, it, robot] : 0}} and {{dots[head 3, it, robot] : 0}}. Head 1 adds some, since `robot`
# stands at a place that is a little like the one before `it`.
#
# - One head: the dot product is {{dots[head 1, it, robot]}} + ... + ...
# - The score is that sum divided by ...
#
# Type both. sqrt({{one.d_k}}) is {{sqrt(one.d_k) : 3}}.

# %% part="work"
# TODO: type two numbers.
### BEGIN SOLUTION
dot_to_robot = 15.18
score_to_robot = 4.38
### END SOLUTION

# %% part="check"
check.numbers(
    "7.2",
    {"one.dots[head 1, it, robot]": dot_to_robot, "one.scores[head 1, it, robot]": score_to_robot},
)

# %% [markdown] part="hints"
# - Row `it`, column `robot`, in each of the three heads. How many numbers are added?
# - The dot product is {{dots[head 1, it, robot]}} + {{dots[head 2, it, robot] : 0}} + 0. Divide it by the
#   square root of the width of the one head, which is {{one.d_k}}: ... / {{sqrt(one.d_k) : 3}}.
# - Two heads of width 8 have the dot products 3 and 5. As one head of width 16 the dot product is 8, and
#   the score is 8 / 4 = 2.

# %% [markdown] part="why"
# **Why it works.** A dot product over {{one.d_k}} columns is a sum of {{one.d_k}} products. The first
# {{d_k}} of them are head 1's, the next {{d_k}} head 2's, the last {{d_k}} head 3's. The divisor grows with
# the width, since longer sums spread more.

# %% part="right" name="worked out in full"
dot_to_robot = 6.18 + 9
score_to_robot = (6.18 + 9) / np.sqrt(12)

# %% part="wrong" name="divided by 2, as with three heads" cause="it is divided by 2, the square root of 4; the one head is 12 wide"
dot_to_robot = 15.18
score_to_robot = 7.59

# %% part="wrong" name="B16"
dot_to_robot = 15.18
score_to_robot = 15.18

# %% part="wrong" name="head 2 alone" cause="only head 2 is counted"
dot_to_robot = 9
score_to_robot = 2.6

# %% [markdown] exercise="7.3" kind="predict" title="From `it` to `tired`, alone"
# From `it` to `tired` the dot products in the three heads are {{dots[head 1, it, tired]}},
# {{dots[head 2, it, tired] : 0}} and {{dots[head 3, it, tired] : 0}}. Work out, for one head, the score and
# then the weight. The exps of the whole row sum to {{sum(exp(one.scores[head 1, it, *]))}}. For exp you may
# use `np.exp`.

# %% part="work"
# TODO: type two numbers.
### BEGIN SOLUTION
score_to_tired = 2.83
weight_on_tired = 0.10
### END SOLUTION

# %% part="check"
check.numbers(
    "7.3",
    {
        "one.scores[head 1, it, tired]": score_to_tired,
        "one.weights[head 1, it, tired]": weight_on_tired,
    },
)

# %% [markdown] part="hints"
# - Only the row `it` and the column `tired` matter, in all three heads. The order is: add, divide, exp,
#   divide.
# - The score is ({{dots[head 1, it, tired]}} + 0 +
#   {{dots[head 3, it, tired] : 0}}) / {{sqrt(one.d_k) : 3}}. The weight is exp of that score divided by ...
#   .
# - From `it` to `because` the score is {{one.scores[head 1, it, because]}}, so the weight is
#   exp({{one.scores[head 1, it, because]}}) /
#   {{sum(exp(one.scores[head 1, it, *]))}} = {{one.weights[head 1, it, because]}}.

# %% [markdown] part="why"
# **Why it works.** With three heads `tired` got {{weights[head 3, it, tired]}} in head 3. Now it has to
# share with what the other heads looked for.

# %% part="right" name="worked out in full"
score_to_tired = 9.8 / np.sqrt(12)
weight_on_tired = np.exp(9.8 / np.sqrt(12)) / 170.76

# %% part="wrong" name="B16"
score_to_tired = 9.8
weight_on_tired = 0.10

# %% part="wrong" name="divided by 2, as with three heads" cause="it is divided by 2, the square root of 4; the one head is 12 wide"
score_to_tired = 4.9
weight_on_tired = 0.05

# %% part="wrong" name="the weight of head 3" cause="the weight is the one of head 3, with three heads"
score_to_tired = 2.83
weight_on_tired = 0.43

# %% part="wrong" name="the score is not put into exp" cause="the score itself, without exp, is divided by the sum of the exps"
score_to_tired = 2.83
weight_on_tired = 0.02

# %% [markdown]
# ## The one row of weights
#
# {{table: one.weights[head 1, it]}}
#
# `robot`, `patient`, `because` and `tired` share
# {{one.weights[head 1, it, robot] + one.weights[head 1, it, patient] + one.weights[head 1, it, because] + one.weights[head 1, it, tired]}}
# of the budget. Each is found, and each gets less than in its own head. The budget is spread thin.
#
# Is that the fault of the divisor? Keep the divisor at {{sqrt(d_k) : 0}} and the row becomes sharper:
# `robot` gets {{exp(one.dots[head 1, it, robot] / 2) / sum(exp(one.dots[head 1, it, *] / 2))}}, `patient`
# {{exp(one.dots[head 1, it, patient] / 2) / sum(exp(one.dots[head 1, it, *] / 2))}}, `because`
# {{exp(one.dots[head 1, it, because] / 2) / sum(exp(one.dots[head 1, it, *] / 2))}} and
# `tired` {{exp(one.dots[head 1, it, tired] / 2) / sum(exp(one.dots[head 1, it, *] / 2))}}. The others pay
# for it. It is still one budget.

# %% [markdown] exercise="7.4" kind="predict" title="What arrives at `it`"
# With one head a value is {{one.d_v}} numbers wide, and the one row of weights is used for all of them.
# Three columns of V are simple:
#
# - column 3 (link) is 1 for `because` and 0 for all others,
# - column 5 (`subject*`, put in by hand) is 1 for `robot` and 0 for all others,
# - column 9 (alive) is 1 for `patient` and 0 for all others.
#
# What does the one head hand to `it` in these three columns? Use the row of weights above. With three heads
# it was {{mixed[head 1, it, 3]}}, {{mixed[head 2, it, 1]}} and {{mixed[head 3, it, 1]}}.

# %% part="work"
# TODO: type three numbers.
### BEGIN SOLUTION
arrives_link = 0.12
arrives_subject = 0.47
arrives_alive = 0.23
### END SOLUTION

# %% part="check"
check.numbers(
    "7.4",
    {
        "one.mixed[head 1, it, 3]": arrives_link,
        "one.mixed[head 1, it, 5]": arrives_subject,
        "one.mixed[head 1, it, 9]": arrives_alive,
    },
)

# %% [markdown] part="hints"
# - In each column only one token has a number. Which column of the row of weights belongs to that token?
# - Column 3: {{one.weights[head 1, it, because]}} × 1. Column 5: ... × 1.
# - Weights 2/10, 5/10, 3/10 and a column 0, 1, 0: the number is 5/10.

# %% [markdown] part="why"
# **Why it works.** These three numbers are shares of one budget, so together they cannot pass 1. With three
# heads they were shares of three budgets, and their sum
# was {{mixed[head 1, it, 3] + mixed[head 2, it, 1] + mixed[head 3, it, 1]}}. Each of them still arrives,
# only weaker.

# %% part="right" name="with more decimals"
arrives_link = 0.1249
arrives_subject = 0.4685
arrives_alive = 0.2263

# %% part="wrong" name="the numbers of three heads" cause="the numbers of the three heads are taken; the one row of weights gives others"
arrives_link = 0.68
arrives_subject = 0.92
arrives_alive = 0.43

# %% part="wrong" name="F13"
arrives_link = arrives_subject = arrives_alive = 0.11

# %% part="wrong" name="F12"
arrives_link = 0
arrives_subject = 1
arrives_alive = 0

# %% [markdown] exercise="7.5" kind="implement" title="The dot products of one head, from those of many"
# Write `one_head_dots`. It gets the queries and keys of several heads: `q_hte`, of shape (h, n, e), and
# `k_hse`, of shape (h, m, e). It returns the dot products, shape (n, m), that the same matrices give when
# they are left as one head. Do not divide by anything yet.


# %% part="work"
def one_head_dots(q_hte, k_hse):
    # TODO: one dot product for each pair of tokens, over all heads.
    ### BEGIN SOLUTION
    return (q_hte @ k_hse.swapaxes(1, 2)).sum(axis=0)
    ### END SOLUTION


# %% part="check"
check.function("7.5", one_head_dots, [("q_hte", "k_hse")])

# %% [markdown] part="hints"
# - One head has the columns of all heads side by side. A dot product runs over all of them. What does each
#   old head contribute?
# - From `it` to `robot`: {{dots[head 1, it, robot]}} + {{dots[head 2, it, robot] : 0}} + 0. Make the dot
#   products of every head, shape (h, n, m), and then add along axis ... .
# - The queries (1, 2) and (3), the keys (4, 5) and (6), in two heads of width 2 and 1: the dot products are
#   14 and 18. Side by side (1, 2, 3) and (4, 5, 6) give 32.

# %% [markdown] part="why"
# **Why it works.** A long sum may be added in parts. So one wide head knows only the total of what narrow
# heads would have found each on its own. After the softmax the total cannot be taken apart again.
#
# **What else works.** Put the queries of all heads side by side, the keys as well, and multiply once.


# %% part="right" name="side by side first"
def one_head_dots(q_hte, k_hse):
    q_tc = np.concatenate(list(q_hte), axis=-1)
    k_sc = np.concatenate(list(k_hse), axis=-1)
    return q_tc @ k_sc.T


# %% part="right" name="einsum"
def one_head_dots(q_hte, k_hse):
    return np.einsum("hte,hse->ts", q_hte, k_hse)


# %% part="right" name="a loop"
def one_head_dots(q_hte, k_hse):
    total_ts = 0
    for q_te, k_se in zip(q_hte, k_hse, strict=True):
        total_ts = total_ts + q_te @ k_se.T
    return total_ts


# %% part="wrong" name="averaged" cause="the dot products of the heads are averaged, not added"
def one_head_dots(q_hte, k_hse):
    return (q_hte @ k_hse.swapaxes(1, 2)).mean(axis=0)


# %% part="wrong" name="added too early" cause="queries and keys of all heads are added before they are multiplied"
def one_head_dots(q_hte, k_hse):
    return q_hte.sum(axis=0) @ k_hse.sum(axis=0).T


# %% part="wrong" name="head 1 alone" cause="only head 1 is used"
def one_head_dots(q_hte, k_hse):
    return q_hte[0] @ k_hse[0].T


# %% part="wrong" name="largest" cause="the largest dot product of the heads is taken, not their sum"
def one_head_dots(q_hte, k_hse):
    return (q_hte @ k_hse.swapaxes(1, 2)).max(axis=0)


# %% part="wrong" name="scrambled" cause="the heads are reshaped straight to (tokens, columns), which scrambles the tokens"
def one_head_dots(q_hte, k_hse):
    q_tc = q_hte.reshape(q_hte.shape[1], -1)
    return q_tc @ k_hse.reshape(k_hse.shape[1], -1).T


# %% part="wrong" name="rows and columns" cause="rows and columns are exchanged: rows must ask, columns are asked"
def one_head_dots(q_hte, k_hse):
    return (k_hse @ q_hte.swapaxes(1, 2)).sum(axis=0)


# %% part="wrong" name="divided" cause="the dot products are already divided by the square root of a head's width"
def one_head_dots(q_hte, k_hse):
    return (q_hte @ k_hse.swapaxes(1, 2)).sum(axis=0) / np.sqrt(q_hte.shape[2])


# %% [markdown] exercise="7.6" kind="implement" title="Cut the matrices into any number of heads"
# Write `weights_of_cut`. It gets `x_td`, of shape (n, d), the packed matrices `w_q_dc` and `w_k_dc`, of
# shape (d, d), and `heads`, which divides d. It cuts the columns of both matrices into that many heads and
# returns the attention weights, of shape (heads, n, n). Take the largest score of each row off before exp.


# %% part="work"
def weights_of_cut(x_td, w_q_dc, w_k_dc, heads):
    # TODO: project, split into heads, dot products, divide, softmax.
    ### BEGIN SOLUTION
    tokens = len(x_td)
    q_hte = (x_td @ w_q_dc).reshape(tokens, heads, -1).swapaxes(0, 1)
    k_hse = (x_td @ w_k_dc).reshape(tokens, heads, -1).swapaxes(0, 1)
    scores_hts = q_hte @ k_hse.swapaxes(1, 2) / np.sqrt(q_hte.shape[-1])
    exps_hts = np.exp(scores_hts - scores_hts.max(axis=-1, keepdims=True))
    return exps_hts / exps_hts.sum(axis=-1, keepdims=True)
    ### END SOLUTION


# %% part="check"
check.stage("7.6", weights_of_cut, "x_td w_q_dc w_k_dc heads -> weights_hts")

# %% [markdown] part="hints"
# - Each head takes its own columns: with d columns and h heads, head 1 has columns 1 to d / h. Rows are
#   tokens all the way.
# - For `it`, three heads give rows of {{n}} weights in each of {{heads}} heads. The divisor is the square
#   root of the width of one head, d / ... .
# - The row (1, 2, 3, 4) is cut for two heads into (1, 2) and (3, 4). For all tokens: reshape (n, 4) to (n,
#   2, 2), then swap the first two axes.

# %% [markdown] part="why"
# **Why it works.** Nothing in the matrices says how many heads there are. The cut decides which products
# are added into one dot product, and by what the sum is divided.
#
# **What else works.** A loop over heads that takes the columns `w_q_dc[:, i * e : (i + 1) * e]`.


# %% part="right" name="head by head"
def weights_of_cut(x_td, w_q_dc, w_k_dc, heads):
    e = w_q_dc.shape[1] // heads
    rows = []
    for i in range(heads):
        mine = slice(i * e, (i + 1) * e)
        scores_ts = (x_td @ w_q_dc[:, mine]) @ (x_td @ w_k_dc[:, mine]).T / e**0.5
        exps_ts = np.exp(scores_ts - scores_ts.max(axis=1, keepdims=True))
        rows.append(exps_ts / exps_ts.sum(axis=1, keepdims=True))
    return np.stack(rows)


# %% part="wrong" name="B17"
def weights_of_cut(x_td, w_q_dc, w_k_dc, heads):
    tokens, d = x_td.shape
    q_hte = (x_td @ w_q_dc).reshape(tokens, heads, -1).swapaxes(0, 1)
    k_hse = (x_td @ w_k_dc).reshape(tokens, heads, -1).swapaxes(0, 1)
    scores_hts = q_hte @ k_hse.swapaxes(1, 2) / np.sqrt(d)
    exps_hts = np.exp(scores_hts - scores_hts.max(axis=-1, keepdims=True))
    return exps_hts / exps_hts.sum(axis=-1, keepdims=True)


# %% part="wrong" name="B14"
def weights_of_cut(x_td, w_q_dc, w_k_dc, heads):
    tokens = len(x_td)
    q_hte = (x_td @ w_q_dc).reshape(heads, tokens, -1)
    k_hse = (x_td @ w_k_dc).reshape(heads, tokens, -1)
    scores_hts = q_hte @ k_hse.swapaxes(1, 2) / np.sqrt(q_hte.shape[-1])
    exps_hts = np.exp(scores_hts - scores_hts.max(axis=-1, keepdims=True))
    return exps_hts / exps_hts.sum(axis=-1, keepdims=True)


# %% part="wrong" name="B01"
def weights_of_cut(x_td, w_q_dc, w_k_dc, heads):
    e = x_td.shape[1] // heads
    rows = []
    for i in range(heads):
        mine = slice(i * e, (i + 1) * e)
        q_te, k_se = x_td[:, mine] @ w_q_dc[mine, mine], x_td[:, mine] @ w_k_dc[mine, mine]
        scores_ts = q_te @ k_se.T / np.sqrt(e)
        exps_ts = np.exp(scores_ts - scores_ts.max(axis=1, keepdims=True))
        rows.append(exps_ts / exps_ts.sum(axis=1, keepdims=True))
    return np.stack(rows)


# %% part="wrong" name="one map for all" cause="one head as wide as the model is used, and its weights are given to every head"
def weights_of_cut(x_td, w_q_dc, w_k_dc, heads):
    scores_ts = (x_td @ w_q_dc) @ (x_td @ w_k_dc).T / np.sqrt(x_td.shape[1])
    exps_ts = np.exp(scores_ts - scores_ts.max(axis=1, keepdims=True))
    return np.stack([exps_ts / exps_ts.sum(axis=1, keepdims=True)] * heads)


# %% [markdown] exercise="7.7" kind="shape" title="Two cuts, two sets of shapes"
# Complete the sentence: "Left as one head, the robot's matrices give queries Q of shape ... and weights of
# shape ... . Cut into {{heads}} heads they give queries of shape ... and weights of shape ... . The output
# has the shape ... in both cases." There are {{n}} tokens, and the model is {{d_model}} wide. Keep the axis
# of the heads, also when there is one.

# %% part="work"
# TODO: type five shapes, as in (2, 5, 5).
### BEGIN SOLUTION
q_of_one = (1, 9, 12)
weights_of_one = (1, 9, 9)
q_of_three = (3, 9, 4)
weights_of_three = (3, 9, 9)
output_of_both = (9, 12)
### END SOLUTION

# %% part="check"
check.shapes(
    "7.7",
    {
        "one.Q": q_of_one,
        "one.weights": weights_of_one,
        "Q": q_of_three,
        "weights": weights_of_three,
        "output": output_of_both,
    },
)

# %% [markdown] part="hints"
# - Q has the axes (heads, tokens that ask, width of a head). The weights have (heads, tokens that ask,
#   tokens that are asked). Which of these depend on the cut?
# - heads × width stays {{d_model}}: {{heads}} × {{d_k}}, or 1 × ... .
# - A model 10 wide with 6 tokens: one head gives Q (1, 6, 10) and weights (1, 6, 6). Five heads give Q (5,
#   6, 2) and weights (5, 6, 6). The output is (6, 10).

# %% [markdown] part="why"
# **Why it works.** Q holds {{n * d_model}} numbers in both cuts. The weights do not:
# {{softmax_entries(1, 9)}} with one head, {{softmax_entries(3, 9)}} with three. More heads mean more rows
# of weights, and that is what is gained: more budgets.

# %% part="right" name="as lists"
q_of_one, weights_of_one = [1, 9, 12], [1, 9, 9]
q_of_three, weights_of_three = [3, 9, 4], [3, 9, 9]
output_of_both = [9, 12]

# %% part="wrong" name="every head as wide as the model" cause="every head is as wide as the model"
q_of_one, weights_of_one = (1, 9, 12), (1, 9, 9)
q_of_three, weights_of_three = (3, 9, 12), (3, 9, 9)
output_of_both = (9, 12)

# %% part="wrong" name="tokens shared out among the heads" cause="the tokens are shared out among the heads, in place of the width"
q_of_one, weights_of_one = (1, 9, 12), (1, 9, 9)
q_of_three, weights_of_three = (3, 3, 12), (3, 3, 3)
output_of_both = (9, 12)

# %% part="wrong" name="the output of three heads is three times as wide" cause="W^O is left out, or the heads are counted as wide as the model"
q_of_one, weights_of_one = (1, 9, 12), (1, 9, 9)
q_of_three, weights_of_three = (3, 9, 4), (3, 9, 9)
output_of_both = (9, 36)

# %% [markdown]
# ## The same in another sentence
#
# "The trophy did not fit in the suitcase because it was too big", with the robot's matrices; the pattern is
# invented. With three heads, head 2 of `it` gives {{trophy.weights[head 2, it, trophy]}} to `trophy`. Cut
# as one head, the same matrices give these weights:
#
# {{table: trophy_one.weights[head 1, it]}}
#
# `trophy` is left with {{trophy_one.weights[head 1, it, trophy]}}. It stands far from `it`, so the part
# that looks at places adds a negative number to its dot product: {{trophy.dots[head 1, it, trophy]}} from
# head 1, and {{trophy.dots[head 2, it, trophy] : 0}} from head 2. In a head of its own, "who is meant"
# cannot be drowned by "what stands near".
#
# "The chef, who trained in Paris, cooked the meal quickly": `cooked` needs who cooked, what was cooked, and
# how. Head 2 gives {{chef.weights[head 2, cooked, chef]}} to `chef`. Head 3 gives
# {{chef.weights[head 3, cooked, meal]}} to each of `chef`, `Paris` and `meal`: to it they are just nouns.
# No head looks for `quickly`, since no feature stands for it. More heads help only if the rows hold what
# there is to find.

# %% [markdown] exercise="7.8" kind="choose" title="What these numbers show"
# `it` gave {{weights[head 2, it, robot]}} to `robot` with three heads, and
# {{one.weights[head 1, it, robot]}} with one. Which conclusion is right?

# %% [markdown] part="claims"
# - [ ] A. A model with one head can never find who `it` means. => `robot` still gets the largest weight.
#   And these matrices were built for three heads. What one head can learn when it is trained as one is not
#   shown here.
# - [ ] B. One head can look at one token only. => It looked at four: together they
#   get {{one.weights[head 1, it, robot] + one.weights[head 1, it, patient] + one.weights[head 1, it, because] + one.weights[head 1, it, tired]}}.
#   They share one budget.
# - [x] C. With these matrices, one softmax has to share one budget among what three heads found separately.
#   => That is all that the comparison shows. It explains the idea. Whether trained models gain from it must
#   be measured.
# - [ ] D. Training gives each head its own kind of relation. => Nobody trained these heads: they were built
#   by hand. In trained models what a head does is found out afterwards, if it can be read at all.

# %% part="work"
# TODO: type a letter.
### BEGIN SOLUTION
what_it_shows = "C"
### END SOLUTION

# %% part="check"
check.choice("7.8", what_it_shows)

# %% [markdown] part="hints"
# - Where do the matrices of the robot come from, and for how many heads were they made?
# - The row of the one head gives {{one.weights[head 1, it, robot]}}, {{one.weights[head 1, it, patient]}},
#   {{one.weights[head 1, it, because]}} and ... to the four tokens. Which claims does that rule out?
# - A shoe was made for one foot. That it does not fit another does not show that no shoe could.

# %% [markdown] part="why"
# **Why it matters.** An example built by hand can show how a thing works. It cannot show how well it works.
# For that one must train and measure.

# %% part="right" name="small letter"
what_it_shows = "c"

# %% part="wrong" name="A"
what_it_shows = "A"

# %% part="wrong" name="B"
what_it_shows = "B"

# %% part="wrong" name="D"
what_it_shows = "D"

# %% [markdown]
# ## Why the width is split
#
# Several budgets could also be had with heads that are each as wide as the model. It would cost more. So
# the width is shared out: d_k = d_model / heads. The model of the 2017 paper is 512 wide: cut into 8 heads,
# each is {{512 // 8}} wide. GPT-3 is {{size("gpt3", "d_model")}} wide and has {{size("gpt3", "heads")}}
# heads of width {{size("gpt3", "d_k")}} in each of its {{size("gpt3", "layers")}} layers. However the width
# is cut, the four matrices have the same size: {{parameters(512, 8)}} learned numbers at a width of 512,
# with 8 heads as with 1.
#
# Splitting has a price. A narrow head has few numbers to tell tokens apart. One result says how narrow is
# too narrow: a head at least as wide as there are tokens can make any table of positive weights, and a
# narrower one cannot in general (Bhojanapalli and others, 2020). So the number of heads is a choice between
# more budgets and wider heads.

# %% [markdown] exercise="7.9" kind="choose" title="If every head kept the full width"
# A model is 512 wide and has 8 heads. Suppose each head kept the full width of 512 in place
# of {{512 // 8}}. What becomes of the number of learned numbers in W^Q, W^K, W^V and W^O together? It
# was {{parameters(512, 8)}}.

# %% [markdown] part="claims"
# - [ ] A. It stays, since the number of heads does not change it. => That holds only as long as the heads
#   share the width. Now each W_i^Q has 512 columns where it had {{512 // 8}}.
# - [x] B. It becomes 8 times as large: {{8 * parameters(512, 1)}}. => Each W_i^Q, W_i^K and W_i^V becomes 8
#   times as wide. And W^O must take 8 × 512 numbers, so it has 8 times as many rows.
# - [ ] C. It becomes 6 to 7 times as large: W^Q, W^K and W^V grow 8 times, W^O stays. => W^O has a row for
#   each column of `concat`, and `concat` is now {{8 * 512}} wide.
# - [ ] D. It becomes 3 times as large, since there are W^Q, W^K and W^V. => There are three of them in
#   every head, wide or narrow. What changes is their width.

# %% part="work"
# TODO: type a letter.
### BEGIN SOLUTION
full_width_costs = "B"
### END SOLUTION

# %% part="check"
check.choice("7.9", full_width_costs)

# %% [markdown] part="hints"
# - Write down rows and columns of W_i^Q, and of W^O, before and after.
# - W_i^Q was 512 × {{512 // 8}} and is now 512 × 512. W^O was 512 × 512 and is now ... × 512.
# - "Birds sing at dawn" in lesson 6 has {{narrow.heads}} heads as wide as its model of {{narrow.d_model}}.
#   Its W^O has {{narrow.heads * narrow.d_v}} rows and {{narrow.d_model}} columns, {{narrow.heads}} times
#   what a square one has.

# %% [markdown] part="why"
# **Why it matters.** "More heads mean more learned numbers" is right for heads of a fixed width and wrong
# for the usual design. Lesson 9 counts it.

# %% part="right" name="small letter"
full_width_costs = "b"

# %% part="wrong" name="A"
full_width_costs = "A"

# %% part="wrong" name="C"
full_width_costs = "C"

# %% part="wrong" name="D"
full_width_costs = "D"

# %% [markdown] exercise="7.10" kind="choose" title="What was measured"
# The 2017 paper trained its translation model with different numbers of heads and kept the amount of
# computation the same. The quality is given in BLEU; more is better.
#
# | heads | 1 | 4 | 8 | 16 | 32 |
# | --- | ---: | ---: | ---: | ---: | ---: |
# | BLEU | {{figures.bleu_heads_1}} | {{figures.bleu_heads_4}} | {{figures.bleu_heads_8}} | {{figures.bleu_heads_16}} | {{figures.bleu_heads_32}} |
#
# English to German, on the development set. Source: {{source: bleu_heads_8}}. Which conclusion is right?

# %% [markdown] part="claims"
# - [ ] A. A model with one head fails. => It reaches {{figures.bleu_heads_1}}. That is
#   {{figures.bleu_heads_8 - figures.bleu_heads_1 : 1}} less than the best, so it is worse, but it
#   translates.
# - [ ] B. The more heads, the better. => With 32 heads the quality is {{figures.bleu_heads_32}}, lower than
#   with 4. Each head is then only {{512 // 32}} wide.
# - [ ] C. 8 heads are better because they have more learned numbers. => The width was shared out, so the
#   matrices have the same size for every number of heads.
# - [x] D. In this experiment one head was worse than several, and very many were worse again. => One head
#   loses {{figures.bleu_heads_8 - figures.bleu_heads_1 : 1}} BLEU to 8 heads, 32 heads
#   lose {{figures.bleu_heads_8 - figures.bleu_heads_32 : 1}}. It is one model on one task.

# %% part="work"
# TODO: type a letter.
### BEGIN SOLUTION
what_was_measured = "D"
### END SOLUTION

# %% part="check"
check.choice("7.10", what_was_measured)

# %% [markdown] part="hints"
# - Read the row of BLEU from left to right. Where is it largest? Does it only grow?
# - From 1 to 8 heads it grows by {{figures.bleu_heads_8}} - {{figures.bleu_heads_1}} = ... . From 16 to 32
#   heads it falls.
# - A bus of 50 seats can be one bus or five of 10 seats each. Five can go to five places. Fifty of one seat
#   each would be of little use. The number of seats is the same in all three cases.

# %% [markdown] part="why"
# **Why it matters.** The paper gives the reason in words too: several heads let a token take in information
# of different kinds from different places at once, and with a single head the averaging stands in the way.
# The numbers show how much it mattered there.

# %% part="right" name="small letter"
what_was_measured = "d"

# %% part="wrong" name="A"
what_was_measured = "A"

# %% part="wrong" name="B"
what_was_measured = "B"

# %% part="wrong" name="C"
what_was_measured = "C"

# %% [markdown] exercise="7.11" kind="bug" title="One bug to find"
# This function was written and tested when the model had one head. Then it was used with three. Run the
# cell and compare with the right scores.


# %% part="given"
def old_scores(x_td, w_q_dc, w_k_dc, heads):
    tokens, width = x_td.shape
    q_hte = (x_td @ w_q_dc).reshape(tokens, heads, -1).swapaxes(0, 1)
    k_hse = (x_td @ w_k_dc).reshape(tokens, heads, -1).swapaxes(0, 1)
    return q_hte @ k_hse.swapaxes(1, 2) / np.sqrt(width)


one = walk(find("robot"), heads=1)
x_td = one["X"].values
w_q_dc, w_k_dc = one["W_Q"].values[0], one["W_K"].values[0]
for heads in (1, 3):
    right_hts = walk(find("robot"), heads=heads)["scores"].values
    found_hts = old_scores(x_td, w_q_dc, w_k_dc, heads)
    right, found = np.abs(right_hts).max(), np.abs(found_hts).max()
    print(f"heads: {heads}  largest score: {found:.2f}, right: {right:.2f}")

# %% [markdown] part="given"
# Write it again so that it is right for every number of heads. It gets `x_td`, of shape (n, d), the packed
# matrices, of shape (d, d), and `heads`. It returns the scores, of shape (heads, n, n).


# %% part="work"
def repaired_scores(x_td, w_q_dc, w_k_dc, heads):
    # TODO: repair one line.
    ### BEGIN SOLUTION
    tokens, width = x_td.shape
    q_hte = (x_td @ w_q_dc).reshape(tokens, heads, -1).swapaxes(0, 1)
    k_hse = (x_td @ w_k_dc).reshape(tokens, heads, -1).swapaxes(0, 1)
    return q_hte @ k_hse.swapaxes(1, 2) / np.sqrt(width // heads)
    ### END SOLUTION


# %% part="check"
check.stage("7.11", repaired_scores, "x_td w_q_dc w_k_dc heads -> scores_hts")

# %% [markdown] part="hints"
# - With one head all is right, with three the scores are too small. By the same factor everywhere? Which
#   line knows nothing of the number of heads?
# - The largest score with three heads is a dot product divided by sqrt({{d_model}}). It should be divided
#   by sqrt(...).
# - A model 32 wide: with 2 heads each head is 16 wide, and its dot products are divided by 4. With 8 heads
#   each is 4 wide, and they are divided by 2.

# %% [markdown] part="why"
# **Why it works.** The divisor goes with the width of one head, over which the dot product runs. With one
# head this is the width of the model, so a test with one head cannot see the fault. Scores that are too
# small make every row of weights too flat: `it` would give `robot` only
# {{exp(dots[head 2, it, robot] / sqrt(12)) / sum(exp(dots[head 2, it, *] / sqrt(12)))}} in head 2,
# not {{weights[head 2, it, robot]}}. Nothing stops, and no shape tells.


# %% part="right" name="the width of the queries"
def repaired_scores(x_td, w_q_dc, w_k_dc, heads):
    d_k = w_q_dc.shape[1] // heads
    columns = [slice(i * d_k, (i + 1) * d_k) for i in range(heads)]
    return np.stack([(x_td @ w_q_dc[:, c]) @ (x_td @ w_k_dc[:, c]).T / d_k**0.5 for c in columns])


# %% part="wrong" name="B17"
def repaired_scores(x_td, w_q_dc, w_k_dc, heads):
    return old_scores(x_td, w_q_dc, w_k_dc, heads)


# %% part="wrong" name="B18"
def repaired_scores(x_td, w_q_dc, w_k_dc, heads):
    return old_scores(x_td, w_q_dc, w_k_dc, heads) * np.sqrt(x_td.shape[1]) / np.sqrt(heads)


# %% part="wrong" name="B20"
def repaired_scores(x_td, w_q_dc, w_k_dc, heads):
    width = x_td.shape[1]
    return old_scores(x_td, w_q_dc, w_k_dc, heads) * np.sqrt(width) / (width // heads)


# %% [markdown]
# ## A picture: the specialist editors
#
# A newspaper gives an article to several editors at once. One looks at the facts, one at the law, one at
# the style. Each reads the whole article and writes a short note. A chief editor makes one page out of all
# notes.
#
# What fits: every head reads the whole of every row. Each writes a short note of {{d_v}} numbers for each
# token. They work side by side. W^O makes one row out of the notes. And a single editor would have to share
# one hour among facts, law and style, as one head shares one budget.
#
# The picture breaks where the editors have jobs.

# %% [markdown] exercise="7.12" kind="choose" title="Where the picture breaks"
# Which of these is true of heads as well?

# %% [markdown] part="claims"
# - [ ] A. Each is told beforehand what to look for. => Nobody tells a head. Its matrices are learned, and
#   what it does is found out afterwards, one model at a time. In the robot example someone built the jobs
#   in by hand.
# - [x] B. Each has the whole text before it, not a part of it. => Every head reads all {{d_model}} numbers
#   of every row. What is narrow is what it makes of them.
# - [ ] C. Each is chosen to be different from the others. => Nothing in the usual training asks heads to
#   differ. Heads of one layer are often alike.
# - [ ] D. Each has one job, and one can say what it is. => A head may do several things, and many heads
#   cannot be read at all.
# - [ ] E. They talk with one another while they read. => Heads of a layer do not see one another. They meet
#   in W^O, after each is done.

# %% part="work"
# TODO: type a letter.
### BEGIN SOLUTION
true_of_heads = "B"
### END SOLUTION

# %% part="check"
check.choice("7.12", true_of_heads)

# %% [markdown] part="hints"
# - Go through the steps of a head: project, dots, scores, softmax, mix. Where does another head, or a job,
#   come in?
# - Head 2 of the robot reads ... of the {{d_model}} numbers of a token, and makes {{d_k}} of them.
# - A choir sings from one sheet. If two singers happen to sing the same voice, no rule was broken, unless
#   someone gave out the voices before.

# %% [markdown] part="why"
# **Why it matters.** "Each head has its own job" is a picture that many texts take for a fact. Lesson 8
# looks at what heads really do.

# %% part="right" name="small letter"
true_of_heads = "b"

# %% part="wrong" name="A"
true_of_heads = "A"

# %% part="wrong" name="C"
true_of_heads = "C"

# %% part="wrong" name="D"
true_of_heads = "D"

# %% part="wrong" name="E"
true_of_heads = "E"

# %% [markdown] part="misconception"
# ## A common misconception
#
# *"One head blurs everything and fails; the more heads, the better."*
#
# One head makes one weighted average for each token. That is less than several can do, but it is not
# nothing: in the 2017 paper a single head is {{figures.bleu_heads_8 - figures.bleu_heads_1 : 1}} BLEU worse
# than 8, and it still translates. And 32 heads are worse than 8 too, since each is then narrow.

# %% [markdown] part="questions"
# ## Test yourself
#
# - In one head, three tokens fit a query equally well and no other token counts. How much can each get at
#   most? => 1/3. One budget is shared.
# - The matrices stay the same and are cut into 6 heads in place of 3. What changes? => Each head is
#   {{d_model // 6}} wide. Each dot product has {{d_model // 6}} products, the divisor is
#   sqrt({{d_model // 6}}), and a token has 6 budgets. The number of learned numbers stays.
# - With one head, could `it` take the link from `because` with weight 9/10 and the subject from `robot`
#   with weight 9/10? => No. Both weights come from one row, and they would sum to more than 1.
# - One wide head sees all columns at once. Why is that not simply better? => It adds up all products into
#   one number for each pair of tokens. What fits in one respect and what does not fit in another are mixed
#   before the softmax.
# - A model 512 wide has 8 heads. By what are its dot products divided? => By
#   sqrt({{512 // 8}}) = {{sqrt(512 // 8) : 0}}. That it is 8 here has nothing to do with there being 8
#   heads.

# %% [markdown] part="card"
# ## Summary
#
# - A token needs several kinds of relation at once. One head has one budget for all of them.
# - The same matrices can be cut into any number of heads that divides d_model. The learned numbers stay the
#   same.
# - With one head, the dot products of the heads are added into one, and the divisor is sqrt(d_model).
# - The width is split so that several heads cost as much as one: 512 is cut into 8 heads of {{512 // 8}}.
# - In one experiment a single head was {{figures.bleu_heads_8 - figures.bleu_heads_1 : 1}} BLEU worse, and
#   32 heads were worse than 8.
#
# In a Transformer the number of heads is chosen before training. What the heads then do is the subject of
# lesson 8, what they cost that of lesson 9.

# %% [markdown] part="exit"
# ## Exit ticket
#
# - A model is 36 wide and has 4 heads. By what number are its dot products divided?
# - The same matrices are cut into 2 heads in place of 4. What doubles: A the learned numbers, B the width
#   of a head, C the budgets of a token, D the width of the output?
# - One head cannot give two tokens a weight of 3/4 each, because ...

# %% [markdown] part="reading"
# ## Further reading
#
# - "Attention Is All You Need", Vaswani and others, 2017, arXiv:1706.03762, section 3.2.2, and rows (A) of
#   its table 3.
# - "Low-Rank Bottleneck in Multi-head Attention Models", Bhojanapalli and others, 2020, arXiv:2002.07028:
#   how narrow a head may be.
# - "Are Sixteen Heads Really Better than One?", Michel, Levy and Neubig, 2019, arXiv:1905.10650: what
#   happens when heads are left out.
