# ---
# title: Softmax, one budget per token and head
# summary: Softmax turns each row of scores into attention weights: none below 0, and each row sums to 1.
# minutes: 45
# ---

# %% [markdown]
# ## What this lesson is for
#
# A score says how well a key fits a query. A token needs shares of one whole. This lesson turns scores into
# shares, the attention weights. After it you can work out a row of weights by hand, write softmax so that large
# scores do no harm, and hide tokens with a mask. Exercises 4.1 to 4.5, 4.9 and 4.10 carry the lesson and take
# about 45 minutes. The others can wait.

# %% [markdown] part="recall"
# ## Three questions from earlier lessons
#
# Answer first, then look. A wrong answer now costs nothing and helps later.
#
# - In a table of scores, what is a row, and what is a column? => A row belongs to the token that asks,
#   a column to the token that is asked.
# - A query has d_k numbers. By what are the dot products divided, and why? => By sqrt(d_k). A sum of d_k
#   products spreads more when d_k grows; dividing by sqrt(d_k) takes that out again.
# - Which numbers of a token's row does head 2 read? => All {{d_model}} of them. Only what comes out,
#   its query, key and value, is {{d_k}} wide.

# %% part="setup"
import numpy as np

from mha_tutor.course import check

# %% [markdown] part="warmup"
# ## Warm-up: exp
#
# Skip it when both answers are right. exp(0) is 1, and exp(1) is {{exp(1)}}.
#
# - What is exp(2)? Use exp(a + b) = exp(a) exp(b). => {{exp(1)}} times {{exp(1)}}, which is {{exp(2)}}.
# - Can exp of a number be negative, or 0? => No. exp(-5) is small, {{exp(-5) : 4}}, but above 0.

# %% [markdown]
# ## One budget
#
# The scores of a token say how well each key fits its query. They can be any numbers, also negative
# ones. A token needs shares of one whole: how much it takes from each token. Softmax makes these
# shares, the *attention weights*. It works on one row at a time:
#
# 1. exp of each score in the row,
# 2. the sum of these exps,
# 3. each exp divided by that sum.
#
# So no weight is below 0, and the weights of a row sum to 1. Think of a budget: each token has a
# budget of 1 in each head and spends all of it. What one token gets, the others do not get.
#
# ## Head 1, worked
#
# These are the scores of the token `it` in head 1 of the robot example. The numbers were built by
# hand, so that a pattern can be seen.
#
# {{table: scores[head 1, it]}}
#
# The largest score is that of `because`: exp({{scores[head 1, it, because]}}) is
# {{exp(scores[head 1, it, because])}}. The exps of the whole row sum to
# {{sum(exp(scores[head 1, it, *]))}}. So the weight is {{exp(scores[head 1, it, because])}} divided
# by {{sum(exp(scores[head 1, it, *]))}}, which is {{weights[head 1, it, because]}}.
#
# {{table: weights[head 1, it]}}
#
# The printed digits of a row may add up to a little more or less than 1, since each is rounded.
# The full numbers sum to 1.
#
# The same in numpy, for this one row:

# %%
scores_it = np.array([0.1, 3.09, 2.06, 0.7, 3.33, 5.3, 3.27, 0.58, 1.9])  # head 1, rounded
exps = np.exp(scores_it)
weights_it = exps / exps.sum()
print(" ".join(f"{weight:.2f}" for weight in weights_it))

# %% [markdown] exercise="4.1" kind="predict" title="Head 2, from `it` to `robot`"
# In head 2 the scores from `it` are simpler:
#
# {{table: scores[head 2, it]}}
#
# Work out two numbers before any code runs: the sum of the exps of this row, and the weight on
# `robot`. Use exp({{scores[head 2, it, robot]}}) = {{exp(scores[head 2, it, robot])}} and exp(0) = 1.
# Two decimals are enough.

# %% part="work"
# TODO: type two numbers.
### BEGIN SOLUTION
sum_of_exps = 98.02
weight_on_robot = 0.92
### END SOLUTION

# %% part="check"
check.numbers(
    "4.1",
    {"sum(exp(scores[head 2, it, *]))": sum_of_exps, "weights[head 2, it, robot]": weight_on_robot},
    labels={"sum(exp(scores[head 2, it, *]))": "the sum of the exps"},
)

# %% [markdown] part="hints"
# - Only the row `it` matters. It has one large score and {{n - 1}} scores of 0.
# - The sum is {{exp(scores[head 2, it, robot])}} + {{n - 1}} × ..., and the weight is
#   {{exp(scores[head 2, it, robot])}} divided by that sum. What stands in the place of the dots?
# - A row with the scores 2, 0, 0: exp(2) is {{exp(2)}}. The sum is {{exp(2)}} + 1 + 1 =
#   {{exp(2) + 2}}. The weight on the first is {{exp(2)}} / {{exp(2) + 2}} = {{exp(2) / (exp(2) + 2)}}.

# %% [markdown] part="why"
# **Why it works.** A score of 0 is not nothing: exp(0) is 1, so each of the other tokens gets
# 1 / {{sum(exp(scores[head 2, it, *]))}} = {{weights[head 2, it, The]}}. The score of `robot` is only
# {{scores[head 2, it, robot]}} higher, but exp makes that
# {{exp(scores[head 2, it, robot])}} times as much.

# %% part="right" name="as fractions and text"
sum_of_exps = 90.017 + 8
weight_on_robot = "90.02/98.02"

# %% part="wrong" name="scores divided by their sum"
sum_of_exps = 98.02
weight_on_robot = 1.0

# %% [markdown] exercise="4.2" kind="predict" title="Head 3, alone"
# Head 3 looks for whatever is alive, and for states. Its scores from `it`:
#
# {{table: scores[head 3, it]}}
#
# Work out the weight on `patient`, the weight on `tired`, and the weight on `robot`. exp(3) is
# {{exp(3)}}.

# %% part="work"
# TODO: type three numbers.
### BEGIN SOLUTION
on_patient = 0.43
on_tired = 0.43
on_robot = 0.02
### END SOLUTION

# %% part="check"
check.numbers(
    "4.2",
    {
        "weights[head 3, it, patient]": on_patient,
        "weights[head 3, it, tired]": on_tired,
        "weights[head 3, it, robot]": on_robot,
    },
)

# %% [markdown] part="hints"
# - Two columns of the row `it` have a score of 3, the other {{n - 2}} have 0.
# - The sum of the exps is 2 × {{exp(3)}} + {{n - 2}} × ... . Divide exp of each score by it.
# - A row with the scores 1, 1, 0: the exps are {{exp(1)}}, {{exp(1)}} and 1, their sum is
#   {{2 * exp(1) + 1}}. The weights are {{exp(1) / (2 * exp(1) + 1)}}, {{exp(1) / (2 * exp(1) + 1)}} and
#   {{1 / (2 * exp(1) + 1)}}.

# %% [markdown] part="why"
# **Why it works.** Equal scores get equal weights. Head 3 finds two tokens that fit equally well, so
# each gets less than half of the budget: {{weights[head 3, it, tired]}}.

# %% part="right" name="worked out in full"
on_patient = on_tired = np.exp(3) / (2 * np.exp(3) + 7)
on_robot = 1 / (2 * np.exp(3) + 7)

# %% part="wrong" name="half for each of the two" cause="the other seven tokens are left out of the sum"
on_patient = on_tired = 0.5
on_robot = 0

# %% [markdown] exercise="4.3" kind="implement" title="Softmax of every row"
# Write `softmax`. It gets `scores_hts`, an array of shape (h, n, m): for each head, a row for each
# token that asks. It returns the attention weights in the same shape. Each row must sum to 1.
#
# The scores may be large. exp of 1000 is too large for a computer, so take the largest score of each
# row off first. That changes no weight; you will see why after exercise 4.4.


# %% part="work"
def softmax(scores_hts):
    # TODO: exp of each score, divided by the sum of its row.
    top = scores_hts.max(axis=-1, keepdims=True)
    ### BEGIN SOLUTION
    exps_hts = np.exp(scores_hts - top)
    return exps_hts / exps_hts.sum(axis=-1, keepdims=True)
    ### BLANK
    # exps_hts = np.exp(scores_hts - ...)
    # return exps_hts / ...
    ### END SOLUTION


# %% part="check"
check.stage("4.3", softmax, "scores_hts -> weights_hts")

# %% [markdown] part="hints"
# - Look at one row of one head. Which axis of the array runs along that row? The sum must run along it.
# - For the row `it` of head 2: exp({{scores[head 2, it, robot]}}) is divided by the sum of all exps of
#   the row. In numpy: `exps_hts.sum(axis=..., keepdims=True)`. Which axis?
# - For two rows `a = np.array([[1.0, 3.0], [2.0, 2.0]])`, `a.sum(axis=-1, keepdims=True)` is
#   `[[4.0], [4.0]]`: one sum a row, in a column. `a / a.sum(axis=-1, keepdims=True)` is
#   `[[0.25, 0.75], [0.5, 0.5]]`.

# %% [markdown] part="why"
# **Why it works.** axis -1 is the last one: the tokens that are asked. The sum runs over them, once
# for each token that asks. keepdims=True keeps the sums as a column, so each row meets its own sum.
#
# **What else works.** A loop over heads and rows gives the same. So does any other number that is
# taken off a whole row, as long as exp does not overflow.


# %% part="right" name="row by row"
def softmax(scores_hts):
    def one_row(row):
        exps = [np.exp(score - max(row)) for score in row]
        return [one / sum(exps) for one in exps]

    return np.array([[one_row(row) for row in head] for head in scores_hts])


# %% part="right" name="through logarithms"
def softmax(scores_hts):
    top = scores_hts.max(axis=-1, keepdims=True)
    logs = np.log(np.exp(scores_hts - top).sum(axis=-1, keepdims=True))
    return np.exp(scores_hts - top - logs)


# %% part="wrong" name="B26"
def softmax(scores_hts):
    exps_hts = np.exp(scores_hts - scores_hts.max(axis=1, keepdims=True))
    return exps_hts / exps_hts.sum(axis=1, keepdims=True)


# %% part="wrong" name="B31"
def softmax(scores_hts):
    exps_hts = np.exp(scores_hts)
    return exps_hts / exps_hts.sum(axis=-1, keepdims=True)


# %% part="wrong" name="largest of the whole array"
def softmax(scores_hts):
    exps_hts = np.exp(scores_hts - scores_hts.max())
    return exps_hts / exps_hts.sum(axis=-1, keepdims=True)


# %% [markdown] exercise="4.4" kind="choose" title="What sums to 1"
# The weights of the robot example have the shape (heads, tokens that ask, tokens that are asked).
# Which claim is right for every sentence and every head?

# %% [markdown] part="claims"
# - [ ] A. The weights that one token receives sum to 1. => That is a column. Many tokens may ask for the
#   same one: in head 2 the column `robot` sums to {{sum(weights[head 2, *, robot])}}.
# - [x] B. The weights that one token spends in one head sum to 1. => That is a row of one head: one budget
#   for each token and head.
# - [ ] C. The weights of one token sum to 1 over all heads together. => Each head has its own softmax. Over
#   {{heads}} heads they sum to {{heads}}.
# - [ ] D. All weights of one head sum to 1. => Every row sums to 1, so the weights of a head sum to the
#   number of tokens that ask, here {{sum(weights[head 2, *, *]) : 0}}.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
what_sums_to_one = "B"
### END SOLUTION

# %% part="check"
check.choice("4.4", what_sums_to_one)

# %% [markdown] part="hints"
# - In the formula, what is each exp divided by? Which tokens does that sum run over?
# - In head 2 the row `it` has {{weights[head 2, it, robot]}} for `robot` and {{n - 1}} times
#   {{weights[head 2, it, The]}}. Add them. Then add the column `robot` of some rows.
# - A class votes, and every pupil has one vote that can be split. The votes of one pupil sum to 1. The
#   votes that one candidate gets can sum to anything.

# %% [markdown] part="why"
# **Why it matters.** A token must decide: more for one means less for the others. Being asked costs
# nothing, so one token can be looked at by all.

# %% part="right" name="small letter"
what_sums_to_one = "b"

# %% part="wrong" name="A"
what_sums_to_one = "A"

# %% part="wrong" name="C"
what_sums_to_one = "C"

# %% part="wrong" name="D"
what_sums_to_one = "D"

# %% [markdown]
# ## Only differences count
#
# Take the same number off every score of a row. Every exp becomes smaller by the same factor, since
# exp(s - c) = exp(s) / exp(c). The sum becomes smaller by that factor too. So no weight changes.

# %% [markdown] exercise="4.5" kind="predict" title="A row of scores, shifted"
# A row has the scores 1001, 1000, 1000. Work out the three weights. exp(1001) is too large for any
# computer, so shift the row first. exp(1) is {{exp(1)}}.

# %% part="work"
# TODO: type three numbers.
### BEGIN SOLUTION
first, second, third = 0.58, 0.21, 0.21
### BLANK
# first, second, third = ..., ..., ...
### END SOLUTION

# %% part="check"
check.numbers(
    "4.5",
    {
        "exp(1) / (exp(1) + 2)": first,
        "1 / (exp(1) + 1 + 1)": second,
        "1 / (exp(1) + 2)": third,
    },
)

# %% [markdown] part="hints"
# - Which number can be taken off all three scores so that small ones are left?
# - After taking off 1000 the scores are 1, 0, 0. The sum of the exps is {{exp(1)}} + 1 + ... .
# - The scores 502, 500: take off 500. The exps of 2 and 0 are {{exp(2)}} and 1, so the weights are
#   {{exp(2) / (exp(2) + 1)}} and {{1 / (exp(2) + 1)}}.

# %% [markdown] part="why"
# **Why it works.** Only the differences between scores in a row count. Taking off the row's largest
# score leaves numbers of 0 and below; their exps lie between 0 and 1 and cannot overflow.

# %% part="right" name="worked out in full"
first = np.exp(1) / (np.exp(1) + 2)
second = third = (1 - first) / 2

# %% part="wrong" name="all alike" cause="the difference of 1 between the scores is left out"
first = second = third = 0.33

# %% [markdown] exercise="4.6" kind="bug" title="An input that shows the fault"
# This softmax was used for a long time before anybody saw that something is wrong with it. Its
# weights were right in every test.

# %% part="given"
from mha_tutor.attention import softmax as tested_softmax


def old_softmax(scores_ts):
    exps_ts = np.exp(scores_ts)
    return exps_ts / exps_ts.sum(axis=-1, keepdims=True)


# %% [markdown] part="given"
# Find the smallest input that shows the fault: an array of shape (1, 2), written as a list of one
# row. Your input must be fine for a right softmax.

# %% part="work"
# TODO: type one row of two scores.
### BEGIN SOLUTION
input_that_shows_it = [[1000.0, 0.0]]
### END SOLUTION

# %% part="check"
check.exposes("4.6", input_that_shows_it, old_softmax, tested_softmax)

# %% [markdown] part="hints"
# - The function has one line less than yours in exercise 4.3. For which scores does that line matter?
# - `np.exp(700.0)` is still a number. What is `np.exp(...)` for something larger?
# - A function that divides by `b - a` looks right until it is tried on two equal numbers. The smallest
#   input that shows it is `(1, 1)`.

# %% [markdown] part="why"
# **Why it works.** From about 710 on exp is larger than the largest float64 number, so it becomes inf,
# and inf / inf is nan. With float32 it happens from about 89 on. Scores of that size do occur in
# training, and one nan spreads to every number after it.

# %% part="right" name="very negative scores"
input_that_shows_it = [[-1000, -1001]]

# %% part="wrong" name="an input on which both agree"
input_that_shows_it = [[5.0, 0.0]]

# %% part="wrong" name="an input without a right answer"
input_that_shows_it = [[np.inf, 0.0]]

# %% [markdown] exercise="4.7" kind="implement" title="Temperature"
# Before softmax every score can be divided by a number, the *temperature*. Predict first: what does a
# high temperature do to a row, and what a low one? Then write `tempered`. It gets `scores_ts`, of shape
# (n, m), and a temperature above 0, and returns the weights in the same shape. The scores may be large.


# %% part="work"
def tempered(scores_ts, temperature):
    # TODO: divide the scores, then do what softmax does.
    ### BEGIN SOLUTION
    cooler_ts = scores_ts / temperature
    exps_ts = np.exp(cooler_ts - cooler_ts.max(axis=-1, keepdims=True))
    return exps_ts / exps_ts.sum(axis=-1, keepdims=True)
    ### END SOLUTION


# %% part="check"
check.function(
    "4.7", tempered, [("scores_ts", 0.5), ("scores_ts", 1.0), ("scores_ts", 3.0), ([[0.0, 1.0]], 100.0)]
)

# %% [markdown] part="hints"
# - One division comes first, on the whole array. All else is softmax, row by row.
# - For the row `it` of head 2 with temperature 3: exp({{scores[head 2, it, robot]}} / ...) over the sum of
#   the exps of the row.
# - The scores 2 and 0 with temperature 2 become 1 and 0. Their weights are
#   {{exp(1) / (exp(1) + 1)}} and {{1 / (exp(1) + 1)}}; with temperature 1 they were
#   {{exp(2) / (exp(2) + 1)}} and {{1 / (exp(2) + 1)}}.

# %% [markdown] part="why"
# **Why it works.** A high temperature makes differences small, so the weights become more alike. A low
# one makes differences large, so the largest score takes nearly all. Dividing by sqrt(d_k) is such a
# temperature, chosen once for all rows.


# %% part="right" name="one row after the other"
def tempered(scores_ts, temperature):
    rows = []
    for row in scores_ts:
        exps = np.exp((row - row.max()) / temperature)
        rows.append(exps / exps.sum())
    return np.stack(rows)


# %% part="wrong" name="multiplied" cause="the scores are multiplied by the temperature"
def tempered(scores_ts, temperature):
    hotter_ts = scores_ts * temperature
    exps_ts = np.exp(hotter_ts - hotter_ts.max(axis=-1, keepdims=True))
    return exps_ts / exps_ts.sum(axis=-1, keepdims=True)


# %% part="wrong" name="after softmax" cause="the weights, not the scores, are divided by the temperature"
def tempered(scores_ts, temperature):
    exps_ts = np.exp(scores_ts - scores_ts.max(axis=-1, keepdims=True))
    return exps_ts / exps_ts.sum(axis=-1, keepdims=True) / temperature


# %% part="wrong" name="ignored" cause="the temperature is not used"
def tempered(scores_ts, temperature):
    exps_ts = np.exp(scores_ts - scores_ts.max(axis=-1, keepdims=True))
    return exps_ts / exps_ts.sum(axis=-1, keepdims=True)


# %% [markdown] exercise="4.8" kind="predict" title="A token that finds nothing"
# In head 2 the query of `because` is all 0, so its scores are all alike:
#
# {{table: scores[head 2, because]}}
#
# What is the weight on `robot`? And what is it in a sentence of 4 tokens, if all scores are 7?

# %% part="work"
# TODO: type two numbers.
### BEGIN SOLUTION
of_nine = 0.11
of_four = 0.25
### END SOLUTION

# %% part="check"
check.numbers("4.8", {"weights[head 2, because, robot]": of_nine, "exp(7) / (4 * exp(7))": of_four})

# %% [markdown] part="hints"
# - All {{n}} columns of the row `because` have the same score. Must one of them get more?
# - The budget is 1 and {{n}} tokens share it evenly: 1 / ... .
# - With 5 tokens and equal scores, each weight is 1 / 5 = {{1 / 5}}, whatever the score is.

# %% [markdown] part="why"
# **Why it works.** Softmax cannot say "nothing fits". The row must sum to 1, so a token that finds
# nothing spreads its budget evenly. Trained models often have heads that put such a budget on one
# token without much meaning.

# %% part="right" name="as a fraction"
of_nine = "1/9"
of_four = "1/4"

# %% part="wrong" name="nothing fits, so nothing is spent" cause="nothing is spent where nothing fits; a budget is always spent"
of_nine = 0
of_four = 0

# %% [markdown]
# ## Masks
#
# Sometimes a token must not ask certain others. When a model writes a text, a token may ask only
# itself and the tokens before it: those after it are not written yet. This is the *causal mask*. A
# score that is not allowed becomes -inf before softmax. exp(-inf) is 0, so its weight is exactly 0, and
# the row still sums to 1.
#
# Head 3 with the causal mask, before softmax and after it:
#
# {{table: causal.masked[head 3, it]}}
#
# {{table: causal.weights[head 3, it]}}

# %% [markdown] exercise="4.9" kind="predict" title="Head 3 loses `tired`"
# Without the mask head 3 gave `patient` {{weights[head 3, it, patient]}} and `tired`
# {{weights[head 3, it, tired]}}. With the causal mask `it` may ask its own place and the six before it.
# The table above shows what becomes of `patient`. Now take the token `patient` itself, which may ask the
# first five tokens. Its scores in head 3 are
#
# {{table: causal.masked[head 3, patient]}}
#
# What are its weights on `robot` and on `tired`?

# %% part="work"
# TODO: type two numbers.
### BEGIN SOLUTION
patient_on_robot = 0.2
patient_on_tired = 0
### END SOLUTION

# %% part="check"
check.numbers(
    "4.9",
    {
        "causal.weights[head 3, patient, robot]": patient_on_robot,
        "causal.weights[head 3, patient, tired]": patient_on_tired,
    },
)

# %% [markdown] part="hints"
# - Which columns of the row `patient` are allowed? What do they have in common?
# - exp(-inf) is 0, so only five exps are left. Each allowed weight is 1 / ... .
# - The scores 2, 2, -inf: the exps are {{exp(2)}}, {{exp(2)}} and 0. The weights are
#   {{exp(2) / (2 * exp(2))}}, {{exp(2) / (2 * exp(2))}} and 0.

# %% [markdown] part="why"
# **Why it works.** What a hidden token would have got is shared out among the others: the row sums to 1
# again. This head looked for states, and the only state of the sentence comes later.

# %% part="right" name="as a fraction"
patient_on_robot = "1/5"
patient_on_tired = "0"

# %% part="wrong" name="the weight without the mask" cause="the hidden tokens are still in the sum"
patient_on_robot = 0.04
patient_on_tired = 0

# %% [markdown] exercise="4.10" kind="implement" title="Softmax with a mask"
# Write `masked_softmax`. It gets `scores_ts`, of shape (n, m), and `allowed_ts`, booleans of the same
# shape: True where the token of the row may ask the token of the column. It returns the weights. Every
# row has at least one True.


# %% part="work"
def masked_softmax(scores_ts, allowed_ts):
    # TODO: hide the scores that are not allowed, then softmax.
    ### BEGIN SOLUTION
    masked_ts = np.where(allowed_ts, scores_ts, -np.inf)
    exps_ts = np.exp(masked_ts - masked_ts.max(axis=-1, keepdims=True))
    return exps_ts / exps_ts.sum(axis=-1, keepdims=True)
    ### END SOLUTION


# %% part="check"
check.stage("4.10", masked_softmax, "scores_ts allowed_ts -> weights_ts")

# %% [markdown] part="hints"
# - Where `allowed_ts` is False, the weight must be exactly 0, and the row must still sum to 1.
# - `np.where(allowed_ts, scores_ts, ...)` keeps the allowed scores. Which number has an exp of 0?
# - The scores 1, 5 with only the first allowed: 5 becomes -inf, the exps after taking off 1 are 1 and 0,
#   and the weights are 1 and 0.

# %% [markdown] part="why"
# **Why it works.** -inf is below every score, so the largest allowed score is still the largest of its
# row, and exp(-inf) is exactly 0.
#
# **What else works.** Setting the exps to 0 and then dividing by their sum gives the same. Setting the
# weights to 0 after softmax does not: those rows no longer sum to 1.


# %% part="right" name="exps set to 0"
def masked_softmax(scores_ts, allowed_ts):
    top = np.where(allowed_ts, scores_ts, -1e9).max(axis=-1, keepdims=True)
    exps_ts = np.where(allowed_ts, np.exp(np.minimum(scores_ts - top, 0)), 0)
    return exps_ts / exps_ts.sum(axis=-1, keepdims=True)


# %% part="wrong" name="B36"
def masked_softmax(scores_ts, allowed_ts):
    exps_ts = np.exp(scores_ts - scores_ts.max(axis=-1, keepdims=True))
    return exps_ts / exps_ts.sum(axis=-1, keepdims=True) * allowed_ts


# %% part="wrong" name="B37"
def masked_softmax(scores_ts, allowed_ts):
    hidden_ts = scores_ts * allowed_ts
    exps_ts = np.exp(hidden_ts - hidden_ts.max(axis=-1, keepdims=True))
    return exps_ts / exps_ts.sum(axis=-1, keepdims=True)


# %% [markdown] exercise="4.11" kind="shape" title="A sentence of shapes"
# Complete the sentence for the robot example, with its {{heads}} heads and {{n}} tokens: "All scores have
# the shape ..., the weights have the shape ..., and the weights of `it` in head 2 have the shape ..."

# %% part="work"
# TODO: type three shapes, as in (2, 5); a row of 5 numbers is (5,).
### BEGIN SOLUTION
of_scores = (3, 9, 9)
of_weights = (3, 9, 9)
of_one_row = (9,)
### END SOLUTION

# %% part="check"
check.shapes("4.11", {"scores": of_scores, "weights": of_weights, "weights[head 2, it]": of_one_row})

# %% [markdown] part="hints"
# - A table of scores for every head: which three sizes do you need, and in which order?
# - Softmax changes numbers, not shapes: (heads, tokens that ask, tokens that are asked).
# - With 2 heads, 4 tokens that ask and 6 that are asked: scores (2, 4, 6), weights (2, 4, 6), one row (6,).

# %% [markdown] part="why"
# **Why it works.** One number for each head and each pair of tokens. Softmax keeps the shape, since
# every score gets its weight.

# %% part="right" name="as lists"
of_scores = [3, 9, 9]
of_weights = [3, 9, 9]
of_one_row = [9]

# %% part="wrong" name="without the heads" cause="the axis of the heads is left out"
of_scores = (9, 9)
of_weights = (9, 9)
of_one_row = (9,)

# %% part="wrong" name="heads last" cause="the heads come last"
of_scores = (9, 9, 3)
of_weights = (9, 9, 3)
of_one_row = (9,)

# %% [markdown] exercise="4.12" kind="bug" title="One bug to find"
# A colleague's softmax makes a model that trains, but badly. Run the cell and look at the sums.


# %% part="given"
def strange_softmax(scores_ts):
    exps_ts = np.exp(scores_ts - scores_ts.max(axis=0))
    return exps_ts / exps_ts.sum(axis=0)


example_ts = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 3.0]])
strange_ts = strange_softmax(example_ts)
print("sums of rows:   ", " ".join(f"{total:.2f}" for total in strange_ts.sum(axis=1)))
print("sums of columns:", " ".join(f"{total:.2f}" for total in strange_ts.sum(axis=0)))

# %% [markdown] part="given"
# Write it again so that every token that asks has a budget of 1. Keep the two lines, and repair what is
# wrong in each.


# %% part="work"
def repaired_softmax(scores_ts):
    # TODO: repair both lines.
    ### BEGIN SOLUTION
    exps_ts = np.exp(scores_ts - scores_ts.max(axis=1, keepdims=True))
    return exps_ts / exps_ts.sum(axis=1, keepdims=True)
    ### END SOLUTION


# %% part="check"
check.stage("4.12", repaired_softmax, "scores_ts -> weights_ts")

# %% [markdown] part="hints"
# - The columns sum to 1, not the rows. Which tokens share a budget here?
# - The sum must run along a row: axis 1. Then `exps_ts.sum(axis=1)` has the shape (n,). What does the
#   division need to meet each row with its own sum?
# - For `a` of shape (2, 3), `a.sum(axis=0)` has the shape (3,), one sum a column;
#   `a.sum(axis=1, keepdims=True)` has the shape (2, 1), one sum a row.

# %% [markdown] part="why"
# **Why it works.** axis 0 is the axis of the tokens that ask, so the tokens that ask shared one budget
# for each token that is asked. With as many rows as columns nothing in the shapes shows it; the sums do.
# Without keepdims=True, the sums of the rows would be laid along the columns.


# %% part="right" name="transposed twice"
def repaired_softmax(scores_ts):
    return strange_softmax(scores_ts.T).T


# %% part="wrong" name="B26"
def repaired_softmax(scores_ts):
    return strange_softmax(scores_ts)


# %% part="wrong" name="no keepdims" cause="the sum of row 1 divides column 1, the sum of row 2 column 2, and so on"
def repaired_softmax(scores_ts):
    exps_ts = np.exp(scores_ts - scores_ts.max(axis=1, keepdims=True))
    return exps_ts / np.resize(exps_ts.sum(axis=1), len(scores_ts[0]))


# %% [markdown] part="misconception"
# ## A common misconception
#
# *"A weight near 0 means that the token is ignored, and a large weight that it matters."*
#
# No allowed weight is exactly 0, so every allowed token takes part. And a large weight only says how
# much of the budget goes to a token. What that does depends on the value of that token: a large weight
# on a value of zeros changes nothing. Lesson 5 shows it.

# %% [markdown] part="questions"
# ## Test yourself
#
# - All scores of a row are doubled. Does the largest weight grow, shrink, or stay? => It grows, unless all
#   scores are alike: differences are doubled too. It is a temperature of one half.
# - A row of one token with one score: what is its weight? => 1, whatever the score is. There is nobody else
#   to spend on.
# - Why is a mask put on before softmax and not after? => After softmax the rest of the row would not sum to 1.
# - Can two heads of one token look at two different tokens with weights near 1? => Yes. Each head has its
#   own softmax and its own budget. One head cannot do that.

# %% [markdown] part="card"
# ## Summary
#
# - weights = exp(scores) / sum of exp(scores), along each row.
# - No weight is below 0. Each row sums to 1: one budget for each token and head.
# - Only differences in a row count. Take off the largest score, so that exp cannot overflow.
# - Equal scores get equal weights. Softmax cannot say "nothing fits".
# - A mask writes -inf before softmax; the rest of the row shares the budget.
#
# In a Transformer this step stands between the scores (lesson 3) and the mixing of values (lesson 5). It
# is the only step of attention in which the tokens of a row compete.

# %% [markdown] part="exit"
# ## Exit ticket
#
# - A row has the scores 2, 0, 0, 0. What is the weight on the first?
# - Which sums to 1: a row, a column, both, or neither?
# - A token with nothing to find spends its budget evenly, because ...

# %% [markdown] part="reading"
# ## Further reading
#
# - "Attention Is All You Need", Vaswani and others, 2017, arXiv:1706.03762, section 3.2.1.
# - "Efficient Streaming Language Models with Attention Sinks", Xiao and others, 2023, arXiv:2309.17453: what
#   large models do with a budget that they do not need.
