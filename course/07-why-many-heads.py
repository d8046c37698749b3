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
# changes, why each head is narrow, and what such a comparison does not show. At the end heads are trained
# on the spot. Exercises 7.1, 7.2, 7.4, 7.8, 7.10, 7.13 and 7.14 carry the lesson and take about 40 minutes.
# The others can wait.

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
from mha_tutor.lab import ROLES, Plan, floor, trained
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
# not show what one head could do if it were trained as one. That is another question. The experiment near
# the end of this lesson asks it.

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

# %% [markdown]
# ## An experiment: heads that are trained
#
# Exercise 7.8 left a question open: what can one head do when it is trained as one? The next cells train
# heads here, each in about half a second. The task is called "who did what to whom".
#
# - A sentence has six names in random order. Three of them carry a tag: *agent* (who), *recipient* (to
#   whom) or *place* (where). The other three carry no tag. They are there to mislead.
# - A last token asks. It must report three names: the agent's, the recipient's and the place's.
# - All names come from one pool of 24. So a name says nothing about its role.
# - **A key may read the tag only, and a value the name only.** These are called *split streams*. All that
#   follows rests on it.
#
# The matrices start as random numbers. In 400 steps they are changed a little each time, so that the *loss*
# falls. The loss of a name is -ln of the probability that the right name gets: 0 when it gets 1, and
# {{log(2)}} when it gets 1/2. It is averaged over the three names. A guess among all 24 names has a loss of
# ln 24 = {{log(24)}}.
#
# One head is as wide as three heads together, so both have the same {{figures.lab_parameters}} learned
# numbers. One head has one budget, and three names are asked for. Predict: what will it do?

# %%
one_head = trained(Plan(heads=1, seed=1))
three_heads = trained(Plan(heads=3, seed=1))
for run in (one_head, three_heads):
    print(f"heads: {run.plan.heads}  loss: {run.loss:.1f}  right names: {run.accuracy:.0%}")
tags = ("agent", "recipient", "place", "three others", "itself")
print("one head's weights:", dict(zip(tags, one_head.weights_hg[0].round(1).tolist(), strict=True)))

# %% [markdown]
# The one head finds the three names that count. It looks at all three about alike, and then it cannot say
# which is which: about one of three is right, as if it knew the three names and guessed the order.
#
# One training may be bad luck. So one head is trained from five starts, each with other random numbers. Does
# one of the five look at two names only?

# %%
for seed in range(1, 6):
    run = trained(Plan(heads=1, seed=seed))
    weights = dict(zip(ROLES, run.weights_hg[0, :3].round(1).tolist(), strict=True))
    print(f"start {seed}: loss {run.loss:.1f}  {weights}")

# %% [markdown]
# The five losses go from {{figures.lab_one_best}} to {{figures.lab_one_worst}}. With three heads, the largest
# of five losses is {{figures.lab_three_worst}}.
#
# Could more training help the one head? Only down to a *floor*, and you can work out where it is.
#
# ## Why there is a floor for one head
#
# 1. The weights depend on the tags only. So they are the same numbers in every sentence: one for the agent,
#    one for the recipient, one for the place. What arrives is each name, in the amount of its weight.
# 2. From what arrives, a readout gives each name of the pool a score, and softmax turns scores into
#    probabilities. All names are drawn alike. So no readout does better than one that treats all names
#    alike: score = a × amount, with one number a for each of the three readouts. (Average a readout over all
#    ways to rename the pool. The loss is convex, so it gets no larger. What is left has this form.)
# 3. Let a be 0 or more. Order the three roles by their weight. The name with the largest amount may have
#    the largest score, and a probability up to 1. For the second role one name scores as high or higher:
#    the first. So these two share, and the second gets 1/2 at most. And the third?
#
# With a below 0 it is worse: the 18 names that are not in the sentence then score higher than the right one,
# and it gets 1/19 at most.

# %% [markdown] exercise="7.13" kind="predict" title="The floor of one head"
# Go on with step 3. What is the largest probability that the right name of the third role can get? Then
# take these three largest probabilities. Their three losses are -ln of each. The floor is the average of
# the three losses. Type both numbers; for ln you may use `np.log`.

# %% part="work"
# TODO: type two numbers.
### BEGIN SOLUTION
most_for_third = 1 / 3
floor_of_one_head = (0 + np.log(2) + np.log(3)) / 3
### END SOLUTION

# %% part="check"
check.numbers(
    "7.13",
    {"figures.floor_third": most_for_third, "figures.floor_all": floor_of_one_head},
    labels={"figures.floor_third": "most_for_third", "figures.floor_all": "floor_of_one_head"},
)

# %% [markdown] part="hints"
# - For the second role one name scored as high or higher. How many such names are there for the third?
# - The losses are -ln 1 = 0, -ln 1/2 = {{log(2)}} and -ln ... = ... . Add them and divide by 3.
# - With two roles: the largest probabilities are 1 and 1/2, the losses 0 and {{log(2)}}, and the floor is
#   (0 + {{log(2)}}) / 2 = {{log(2) / 2}}.

# %% [markdown] part="why"
# **Why it works.** The floor is (ln 1 + ln 2 + ln 3) / 3 = ln(3!) / 3 = {{log(6) / 3 : 3}}. It holds for a
# head of any width, trained for any time. It follows from one budget, and from weights that know the tags
# only.
#
# All five heads that were trained above keep to it, and none comes near it: the best has {{figures.lab_one_best}}. A head that is built
# for the purpose does. Its three weights are nearly equal, each a little larger than the next, and its a is
# very large: its loss is {{figures.lab_built}}. So the floor cannot be raised either.

# %% part="right" name="as text and number"
most_for_third = "1/3"
floor_of_one_head = 0.597

# %% part="right" name="ln of 3!"
most_for_third = 0.3333
floor_of_one_head = np.log(1 * 2 * 3) / 3

# %% part="wrong" name="not divided by 3" cause="the three losses are added, and not averaged"
most_for_third = 1 / 3
floor_of_one_head = np.log(6)

# %% part="wrong" name="probabilities averaged first" cause="the three probabilities are averaged before -ln; each has its own loss, and the losses are averaged"
most_for_third = 1 / 3
floor_of_one_head = -np.log((1 + 1 / 2 + 1 / 3) / 3)

# %% part="wrong" name="all three guess" cause="each of the three roles gets 1/3; the first and the second can do better"
most_for_third = 1 / 3
floor_of_one_head = np.log(3)

# %% part="wrong" name="log with another base" cause="the logarithm is to the base 2; ln is to the base e, in numpy np.log"
most_for_third = 1 / 3
floor_of_one_head = np.log2(6) / 3

# %% part="wrong" name="log to the base 10" cause="the logarithm is to the base 10; ln is to the base e, in numpy np.log"
most_for_third = 1 / 3
floor_of_one_head = np.log10(6) / 3

# %% part="wrong" name="halved again" cause="the second's probability is halved; the third shares with two names, so it gets a third"
most_for_third = 1 / 4
floor_of_one_head = (np.log(2) + np.log(4)) / 3

# %% part="wrong" name="the sign is lost" cause="the sign is lost: ln of a probability is below 0, and the loss is -ln"
most_for_third = 1 / 3
floor_of_one_head = -np.log(6) / 3

# %% [markdown]
# ## Do three names need three heads?
#
# The floor is for one head. Here two heads are trained, and each has one budget too:

# %%
two_heads = trained(Plan(heads=2, seed=1))
print(f"floor of one head: {floor():.1f}  loss of two heads: {two_heads.loss:.1f}")
print(f"right names: {two_heads.accuracy:.0%}")
for head, weights_r in enumerate(two_heads.weights_hg[:, :3], 1):
    print(f"head {head}:", dict(zip(ROLES, weights_r.round(1).tolist(), strict=True)))

# %% [markdown] exercise="7.14" kind="choose" title="How two heads find three names"
# Two heads have two budgets and find three names. In five trainings the largest loss is
# {{figures.lab_two_worst}}, and at least {{figures.lab_two_names}} percent of the names are right. Look at
# the weights above. How do they do it?

# %% [markdown] part="claims"
# - [ ] A. Each head finds one name, and the third is guessed among the rest. => A guess among the 22 other
#   names has a loss of ln 22. The average would be {{log(22) / 3}}. And the weights are not 1 and 0.
# - [x] B. Each head takes in two names, about half each. One name comes through both heads, and each of the
#   others through one head only. => So a readout can find the shared name by adding the heads. It finds the
#   name that only head 1 has by taking head 1 minus head 2: then the shared name cancels.
# - [ ] C. Two heads have more learned numbers than one. => All have {{figures.lab_parameters}}: two heads are
#   each half as wide.
# - [ ] D. The weights depend on which names stand in the sentence. => With split streams they cannot: a key
#   reads the tag only. These weights are the same in every sentence.

# %% part="work"
# TODO: type a letter.
### BEGIN SOLUTION
how_two_find_three = "B"
### END SOLUTION

# %% part="check"
check.choice("7.14", how_two_find_three)

# %% [markdown] part="hints"
# - Which role has a half in both heads? Which has a half in head 1 only, and which in head 2 only?
# - Add what both heads hand over: the amounts of agent, recipient and place are 1/2 + 1/2, 0 + 1/2 and
#   1/2 + ... . Which is the largest? Now take head 1 minus head 2.
# - Anna and Ben keep one list each of two guests, and one guest is on both lists. Who is on both? Who is
#   only on Anna's? Two lists of two are enough to tell three guests apart.

# %% [markdown] part="why"
# **Why it matters.** "Three kinds of relation need three heads" is false. What counts is that each name
# arrives through other heads, or in other amounts, than the two others. One head cannot do that well: in
# one budget only the amounts can differ. Nobody told the two heads to share in this way.
#
# With other starts other roles are shared. Try it: `mha-tutor lab train --heads 2 --seeds 5 --page two`.

# %% part="right" name="small letter"
how_two_find_three = "b"

# %% part="wrong" name="A"
how_two_find_three = "A"

# %% part="wrong" name="C"
how_two_find_three = "C"

# %% part="wrong" name="D"
how_two_find_three = "D"

# %% [markdown] exercise="7.15" kind="implement" title="Which name wins"
# This one may wait. A readout of the two heads is a list of two numbers: what head 1 hands over is taken
# so many times, what head 2 hands over so many times, and both are added. Write `winner`. It gets
# `weights_hr`, of shape (heads, 3), the weights on agent, recipient and place, and `readout_h`, of shape
# (heads,). It returns the number of the role whose name gets the largest score: 0, 1 or 2.


# %% part="given"
weights_hr = two_heads.weights_hg[:, :3]
by_hand_hr = np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]])  # built by hand, to try it on


# %% part="work"
def winner(weights_hr, readout_h):
    # TODO: the score of each role's name, then the place of the largest.
    ### BEGIN SOLUTION
    scores_r = readout_h @ weights_hr
    return int(np.argmax(scores_r))
    ### BLANK
    # scores_r = ...
    # return ...
    ### END SOLUTION


# %% part="check"
check.function(
    "7.15",
    winner,
    [
        (by_hand_hr, [1.0, 1.0]),
        (by_hand_hr, [1.0, -1.0]),
        (by_hand_hr, [-1.0, 1.0]),
        (by_hand_hr, [-1.0, 3.0]),
        (weights_hr, [1.0, 1.0]),
        (weights_hr, [1.0, -1.0]),
        (weights_hr, [-1.0, 1.0]),
        ([[0.1, 0.2, 0.6]], [-1.0]),
    ],
)

# %% [markdown] part="hints"
# - There is one score for each role: a column of `weights_hr`. Which axis is added up?
# - By hand, with the readout (1, -1): the scores are 1 × 1/2 - 1 × 0 = {{1 / 2}}, then 1/2 - 1/2 = 0, then
#   0 - ... . Which is the largest?
# - Two shops sell apples, pears and plums at prices (1, 2, 3) and (2, 2, 0). Two of the first and one of the
#   second cost (4, 6, 6): `np.array([2, 1]) @ np.array([[1, 2, 3], [2, 2, 0]])`.

# %% [markdown] part="why"
# **Why it works.** Three readouts, (1, 1), (1, -1) and (-1, 1), find the three names: the shared one, the
# one that only head 1 has, the one that only head 2 has. The trained readouts are larger matrices that do
# just that. With one head a readout is one number, and it can only find the largest amount, or the smallest.


# %% part="right" name="loops"
def winner(weights_hr, readout_h):
    scores = [sum(r * w for r, w in zip(readout_h, column, strict=True)) for column in weights_hr.T]
    return scores.index(max(scores))


# %% part="right" name="einsum"
def winner(weights_hr, readout_h):
    return np.einsum("h,hr->r", readout_h, weights_hr).argmax()


# %% part="wrong" name="without the readout" cause="the weights are added up, and the readout is left out"
def winner(weights_hr, readout_h):
    return int(np.argmax(weights_hr.sum(axis=0)))


# %% part="wrong" name="head 1 alone" cause="only head 1 is used"
def winner(weights_hr, readout_h):
    return int(np.argmax(readout_h[0] * weights_hr[0]))


# %% part="wrong" name="not added" cause="the largest of all single products is taken; the products of the heads must be added first"
def winner(weights_hr, readout_h):
    return int(np.argmax(readout_h[:, None] * weights_hr)) % 3


# %% part="wrong" name="the score" cause="the largest score is returned, not its place"
def winner(weights_hr, readout_h):
    return (readout_h @ weights_hr).max()


# %% part="wrong" name="counted from 1" cause="the roles are counted from 1; arrays count from 0"
def winner(weights_hr, readout_h):
    return int(np.argmax(readout_h @ weights_hr)) + 1


# %% part="wrong" name="without signs" cause="signs are dropped, so that a score far below 0 counts as large"
def winner(weights_hr, readout_h):
    return int(np.argmax(np.abs(readout_h @ weights_hr)))


# %% [markdown] exercise="7.16" kind="implement" title="Try to beat the floor"
# This one may wait. It checks step 3 of the proof with numbers. Write `probabilities`, for one head. It
# gets `weights_s`, the weights of the names in a sentence, the number `a`, and `pool`, how many names there
# are in all. The score of a name in the sentence is a × its weight. The score of every other name of the
# pool is 0. Softmax runs over the whole pool. Return the probabilities of the names in the sentence, in the
# order of `weights_s`.


# %% part="given"
by_tag_g = one_head.weights_hg[0]
weights_of_names = np.array([*by_tag_g[:3], *[by_tag_g[3] / 3] * 3])  # the head that was trained above


# %% part="work"
def probabilities(weights_s, a, pool):
    # TODO: exp of each score, divided by the sum over the whole pool.
    ### BEGIN SOLUTION
    exps_s = np.exp(a * weights_s)
    return exps_s / (exps_s.sum() + pool - len(weights_s))
    ### BLANK
    # exps_s = ...
    # return ...
    ### END SOLUTION


# %% part="check"
check.function(
    "7.16",
    probabilities,
    [
        ([0.5, 0.5], 2.0, 8),
        ([0.5, 0.3, 0.2], 10.0, 24),
        ([0.5, 0.3, 0.2], -40.0, 3),
        ([0.4, 0.3, 0.2, 0.1], 0.0, 8),
        (weights_of_names, 30.0, 24),
    ],
)

# %% [markdown] part="hints"
# - How many names of the pool are not in the sentence? Each has the score 0. What is exp(0)?
# - For the weights (1/2, 1/2), a = 2 and a pool of 8: both exps are exp(1) = {{exp(1)}}. The sum over the
#   pool is {{exp(1)}} + {{exp(1)}} + ... × 1.
# - Scores 0, 0 and ln 2 over a pool of 3 give the exps 1, 1 and 2, and the probabilities 1/4, 1/4 and 1/2.

# %% [markdown] part="why"
# **Why it works.** Now try to beat the floor. In a new cell, make up three weights and an a, and print
# `-np.log(probabilities(weights, a, 24)[:3]).mean()`. Each role may even have an a of its own. The first
# name gets a probability near 1 when a is large, and the same a leaves little for the third. However you
# choose, no average comes below {{log(6) / 3 : 3}}. The best that a search over weights and a found, from 64
# starts, is {{figures.lab_searched}}.


# %% part="right" name="the whole pool as an array"
def probabilities(weights_s, a, pool):
    scores_v = np.zeros(pool)
    scores_v[: len(weights_s)] = a * weights_s
    exps_v = np.exp(scores_v - scores_v.max())
    return (exps_v / exps_v.sum())[: len(weights_s)]


# %% part="right" name="a loop"
def probabilities(weights_s, a, pool):
    total = sum(np.exp(a * w) for w in weights_s) + (pool - len(weights_s))
    return [np.exp(a * w) / total for w in weights_s]


# %% part="wrong" name="sentence only" cause="softmax runs over the names of the sentence alone; the other names of the pool compete too"
def probabilities(weights_s, a, pool):
    exps_s = np.exp(a * weights_s)
    return exps_s / exps_s.sum()


# %% part="wrong" name="counted twice" cause="the names of the sentence are counted twice: once with their exps and once among the others"
def probabilities(weights_s, a, pool):
    exps_s = np.exp(a * weights_s)
    return exps_s / (exps_s.sum() + pool)


# %% part="wrong" name="always three" cause="the names of the sentence are taken to be three; there are as many as `weights_s` has numbers"
def probabilities(weights_s, a, pool):
    exps_s = np.exp(a * weights_s)
    return exps_s / (exps_s.sum() + pool - 3)


# %% part="wrong" name="always six" cause="the names of the sentence are taken to be six; there are as many as `weights_s` has numbers"
def probabilities(weights_s, a, pool):
    exps_s = np.exp(a * weights_s)
    return exps_s / (exps_s.sum() + pool - 6)


# %% part="wrong" name="largest taken off" cause="the largest score is taken off before exp, but the names that are not in the sentence still count as exp(0)"
def probabilities(weights_s, a, pool):
    exps_s = np.exp(a * weights_s - (a * weights_s).max())
    return exps_s / (exps_s.sum() + pool - len(weights_s))


# %% part="wrong" name="one other name" cause="all other names together count as one"
def probabilities(weights_s, a, pool):
    exps_s = np.exp(a * weights_s)
    return exps_s / (exps_s.sum() + 1)


# %% part="wrong" name="without a" cause="a is left out"
def probabilities(weights_s, a, pool):
    exps_s = np.exp(weights_s)
    return exps_s / (exps_s.sum() + pool - len(weights_s))


# %% part="wrong" name="without exp" cause="exp is left out"
def probabilities(weights_s, a, pool):
    scores_s = a * weights_s
    return scores_s / (scores_s.sum() + pool - len(weights_s))


# %% part="wrong" name="a outside" cause="exp is multiplied by a; a belongs inside, to the score"
def probabilities(weights_s, a, pool):
    exps_s = a * np.exp(weights_s)
    return exps_s / (exps_s.sum() + pool - len(weights_s))


# %% [markdown]
# ## When keys see the names too
#
# This section is for those who want more. In most models keys and values read the same rows, here both the
# tag and the name. These are *mixed streams*. One head is trained twice on a pool of 8 names, first with
# split streams, then with mixed ones:

# %%
for mixed in (False, True):
    run = trained(Plan(heads=1, seed=2, vocab=8, mixed=mixed))
    print(f"mixed: {mixed}  loss: {run.loss:.1f}  floor of split streams: {floor():.1f}")
    print("weight on the agent, by its name:", run.by_name_hrv[0, 0].round(2).tolist())

# %% [markdown] exercise="7.17" kind="choose" title="Where the proof breaks"
# With mixed streams one softmax finds all three names: its loss is {{figures.lab_mixed}}, far below the
# floor. So the proof of the floor must break somewhere. Compare the two lists of weights. Which statement is
# no longer true?

# %% [markdown] part="claims"
# - [x] A. The weights are the same numbers in every sentence. => Now they change with the names. So the
#   amount itself can tell which name it is.
# - [ ] B. The weights of the asking token sum to 1. => They still do. Softmax sees to that in any stream.
# - [ ] C. All names are drawn alike. => The sentences are drawn in the same way as before.
# - [ ] D. The average of -ln 1, -ln 1/2 and -ln 1/3 is {{log(6) / 3 : 3}}. => It is. But a role may now get more
#   than 1/2 or 1/3, so the average says nothing.

# %% part="work"
# TODO: type a letter.
### BEGIN SOLUTION
broken_statement = "A"
### END SOLUTION

# %% part="check"
check.choice("7.17", broken_statement)

# %% [markdown] part="hints"
# - Go through the three steps of the proof. Which of them uses that a key reads the tag only?
# - Compare the two lists of 8 weights above. In one of them all numbers are ... .
# - Three people may send one bag each, and together the bags weigh 1 kilogram. If all bags always weigh the
#   same, you learn nothing from the scales. If each name has a weight of its own, the scales tell the name.

# %% [markdown] part="why"
# **Why it matters.** "One softmax cannot tell three names apart" is true for split streams, and it is proven
# only there. Without these words it is false. The trained head gives each name a weight of its own: the name
# explains at least {{figures.lab_mixed_by_name}} percent of how its weights differ from sentence to
# sentence. And a value now hands over the tag as well. So the amount in which the agent's tag arrives can
# tell which name the agent has.
#
# T5 and ALiBi are models that split a part: the place of a token enters the scores, and not the values. The
# trick has limits too: from some starts training does not find it. Try
# `mha-tutor lab train --mixed --heads 1 --vocab 8 --seeds 5`.

# %% part="right" name="small letter"
broken_statement = "a"

# %% part="wrong" name="B"
broken_statement = "B"

# %% part="wrong" name="C"
broken_statement = "C"

# %% part="wrong" name="D"
broken_statement = "D"

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
# - In the experiment, let four names be asked for in place of three. Where is the floor of one head with split
#   streams? => (ln 1 + ln 2 + ln 3 + ln 4) / 4 = ln(4!) / 4 = {{log(24) / 4}}.
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
# - Trained here, one head with split streams stays above {{log(6) / 3 : 3}}. Two heads can share three names.
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
