# ---
# title: Mixing values, a weighted average in each head
# summary: Each head hands a token a weighted average of all values, and an average stays in their range.
# minutes: 25
# ---

# %% [markdown]
# ## What this lesson is for
#
# Softmax said how much a token takes from each token. This lesson says what it takes: their values. After
# it you can work out what a head hands to a token, say between which bounds it must lie, and write the step
# in numpy. Exercises 5.1 to 5.6 carry the lesson and take about 25 minutes. The others can wait for another
# day.

# %% [markdown] part="recall"
# ## Three questions from earlier lessons
#
# Answer first, then look.
#
# - How wide is one token's value in one head, and how many numbers of the token's row does it draw on? =>
#   {{d_v}} numbers. Each may draw on all {{d_model}} numbers of the row, since W_i^V has {{d_model}} rows.
# - What sums to 1 after softmax: a row, a column, or all weights of a token over all heads? => A row of one
#   head. It is one budget for each token and head.
# - A token's scores in a head are all alike. What are its {{n}} weights? => 1/{{n}} each, whatever the
#   score is.

# %% part="setup"
import numpy as np

from mha_tutor.course import check
from mha_tutor.examples import find
from mha_tutor.stages import walk

# %% [markdown] part="warmup"
# ## Warm-up: weighted average
#
# Skip it when both answers are right. In a weighted average every number is multiplied by its weight, and
# the results are added. The weights are not negative and sum to 1.
#
# - The numbers 2 and 10 have the weights 3/4 and 1/4. What is the weighted average? => 3/4 × 2 + 1/4 × 10,
#   which is {{3 / 4 * 2 + 1 / 4 * 10 : 0}}.
# - Which weights make 12 out of the numbers 2 and 10? => None. A weighted average lies between the smallest
#   and the largest number, here between 2 and 10.

# %% [markdown]
# ## From shares to what is shared
#
# A value is the row that a token hands on when it is asked. Each head has values of its own, made with its
# own W_i^V. For one token in one head:
#
# 1. take the token's row of weights: one weight for each token that is asked,
# 2. multiply each token's value by its weight,
# 3. add all of these rows.
#
# The result is one row, as wide as a value. It goes to the token that asks. In short:
#
# mixed_i = weights_i V_i
#
# ## Head 1, worked
#
# The weights of `it` in head 1, and the values of head 1. All matrices of the robot example were built by
# hand, so its patterns are invented. Head 1 hands on what kind of word a token is: column 1 says verb,
# column 2 determiner, column 3 link, column 4 noun. A pronoun counts as half a noun.
#
# {{table: weights[head 1, it]}}
#
# {{table: V[head 1]}}
#
# **Column 3.** Only `because` has a number there, {{V[head 1, because, 3]}}. So `it` gets
# {{weights[head 1, it, because]}} × {{V[head 1, because, 3]}} = {{mixed[head 1, it, 3]}}.
#
# **Column 4.** Three tokens have a number there: `robot`, `patient`, and `it` itself. So `it` gets
# {{weights[head 1, it, robot]}} × {{V[head 1, robot, 4]}} + {{weights[head 1, it, patient]}} ×
# {{V[head 1, patient, 4]}} + {{weights[head 1, it, it]}} × {{V[head 1, it, 4]}} = {{mixed[head 1, it, 4]}}.
#
# The whole row that head 1 hands to `it`:
#
# {{table: mixed[head 1, it]}}
#
# It says: mostly a link stands before you, and perhaps something like a noun.
#
# The same in numpy. The parts are the values, each times its weight. Arrays count from 0, so head 1 is
# number 0 and `it`, the seventh token, is number 6.

# %%
robot = walk(find("robot"))
weights_hts, v_hse = robot["weights"].values, robot["V"].values
parts_se = weights_hts[0, 6][:, None] * v_hse[0]


def printed(row):
    return " ".join(f"{number:5.2f}" for number in row)


for token, part in zip(robot["V"].axis("s").labels, parts_se, strict=True):
    print(f"{token:<8}", printed(part))
print("sum     ", printed(parts_se.sum(axis=0)))

# %% [markdown]
# ## The others do the same
#
# Heads 2 and 3 follow the same three steps, each with its own weights and its own values. Nothing passes
# from one head to another here.

# %% [markdown] exercise="5.1" kind="predict" title="Head 2, with two blanks"
# In head 2 `it` gives {{weights[head 2, it, robot]}} to `robot` and {{weights[head 2, it, The]}} to each of
# the others. These are the values of head 2:
#
# {{table: V[head 2]}}
#
# Fill the blanks and work out two numbers of the row that head 2 hands to `it`:
#
# - column 2: ... × {{V[head 2, robot, 2]}} + ... × {{V[head 2, patient, 2]}}
# - column 4: the same with the four tokens that have a number there. Mind the signs.

# %% part="work"
# TODO: type two numbers.
### BEGIN SOLUTION
head_2_column_2 = 0.93
head_2_column_4 = 0.91
### END SOLUTION

# %% part="check"
check.numbers("5.1", {"mixed[head 2, it, 2]": head_2_column_2, "mixed[head 2, it, 4]": head_2_column_4})

# %% [markdown] part="hints"
# - Take the row `it` of the weights and one column of V_2. They have {{n}} numbers each.
# - Column 4: {{weights[head 2, it, robot]}} × 1 + {{weights[head 2, it, the]}} × (-1) +
#   {{weights[head 2, it, because]}} × 1 + {{weights[head 2, it, was]}} × ... .
# - Weights 7/10, 2/10, 1/10 and a column 1, -1, 1: the sum is 7/10 - 2/10 + 1/10 = 6/10.

# %% [markdown] part="why"
# **Why it works.** `robot` gets nearly the whole budget, so the result is close to the value of `robot`. It
# is not equal to it: every other token adds a little, or takes a little away.

# %% part="right" name="as sums"
head_2_column_2 = 0.918 + 0.0102
head_2_column_4 = 0.918 - 0.0102 + 0.0102 - 0.0102

# %% part="wrong" name="F12"
head_2_column_2 = 1
head_2_column_4 = 1

# %% part="wrong" name="F13"
head_2_column_2 = 0.22
head_2_column_4 = 0

# %% part="wrong" name="the weight alone" cause="the weight on `robot` is taken, and the other tokens are left out"
head_2_column_2 = 0.92
head_2_column_4 = 0.92

# %% [markdown] exercise="5.2" kind="predict" title="Head 3, alone"
# In head 3 `it` gives {{weights[head 3, it, patient] : 3}} each to `patient` and to `tired`, and
# {{weights[head 3, it, The] : 3}} to each of the other {{n - 2}} tokens. The values of head 3:
#
# {{table: V[head 3]}}
#
# Work out columns 2 and 4 of the row that head 3 hands to `it`.

# %% part="work"
# TODO: type two numbers.
### BEGIN SOLUTION
head_3_column_2 = 0.43
head_3_column_4 = 0.83
### END SOLUTION

# %% part="check"
check.numbers("5.2", {"mixed[head 3, it, 2]": head_3_column_2, "mixed[head 3, it, 4]": head_3_column_4})

# %% [markdown] part="hints"
# - In each column, first mark the tokens whose number is not 0. The others add nothing.
# - Column 4 has five of them: {{weights[head 3, it, The] : 3}} × 1 + {{weights[head 3, it, carried] : 3}} ×
#   (-1) + {{weights[head 3, it, patient] : 3}} × 1 + {{weights[head 3, it, it] : 3}} × ... +
#   {{weights[head 3, it, tired] : 3}} × 1.
# - Weights 4/10, 4/10, 1/10, 1/10 and a column 1, 1, -1, 1: the sum is 4/10 + 4/10 - 1/10 + 1/10 = 8/10.

# %% [markdown] part="why"
# **Why it works.** Two tokens share most of the budget, so their values are blended. In column 2 only
# `tired` has a number, so less than half of it arrives. In column 4 both have a 1, so most of a 1 arrives.

# %% part="right" name="with the full weights"
large, small = np.exp(3) / (2 * np.exp(3) + 7), 1 / (2 * np.exp(3) + 7)
head_3_column_2 = large
head_3_column_4 = 2 * large - small

# %% part="wrong" name="F12"
head_3_column_2 = 0
head_3_column_4 = 1

# %% part="wrong" name="S06"
head_3_column_2 = 0.43
head_3_column_4 = 0.87

# %% part="wrong" name="F13"
head_3_column_2 = 0.11
head_3_column_4 = 0.11

# %% [markdown] exercise="5.3" kind="implement" title="Mix the values of every head"
# Write `mix_heads`. It gets `weights_hts`, of shape (h, n, m): for each head a row for each token that
# asks. It also gets `v_hse`, of shape (h, m, e): for each head the values of the tokens that are asked. It
# returns an array of shape (h, n, e): for each head and each token that asks, its weighted average.


# %% part="work"
def mix_heads(weights_hts, v_hse):
    # TODO: for each head, weights times values.
    ### BEGIN SOLUTION
    return weights_hts @ v_hse
    ### END SOLUTION


# %% part="check"
check.stage("5.3", mix_heads, "weights_hts v_hse -> mixed_hte")

# %% [markdown] part="hints"
# - Take one head and one token that asks. Its row of `weights_hts` meets a column of `v_hse`: which axis do
#   both have?
# - For head 2, the row `it`, column 2: {{weights[head 2, it, robot]}} × 1 + ... . That is row times column,
#   so it is a matrix product. Which array stands on the left, so that the axis s stands in the middle?
# - With one head: `weights_ts` is `[[1, 0], [0.5, 0.5]]` and `v_se` is `[[2], [4]]`. Row 1 takes only the
#   2, row 2 takes half of 2 and half of 4. The result is `[[2], [3]]`.

# %% [markdown] part="why"
# **Why it works.** (n, m) times (m, e) gives (n, e): the axis of the tokens that are asked is summed away.
# For arrays with three axes, `@` does that for each head and leaves the head axis alone.
#
# **What else works.** `np.einsum("hts,hse->hte", weights_hts, v_hse)`, or loops over heads and tokens.


# %% part="right" name="einsum"
def mix_heads(weights_hts, v_hse):
    return np.einsum("hts,hse->hte", weights_hts, v_hse)


# %% part="right" name="parts, then their sum"
def mix_heads(weights_hts, v_hse):
    return (weights_hts[:, :, :, None] * v_hse[:, None, :, :]).sum(axis=2)


# %% part="right" name="token by token"
def mix_heads(weights_hts, v_hse):
    def one_row(weights_s, v_se):
        return sum(weight * value for weight, value in zip(weights_s, v_se, strict=True))

    return np.array(
        [
            [one_row(row, v_se) for row in weights_ts]
            for weights_ts, v_se in zip(weights_hts, v_hse, strict=True)
        ]
    )


# %% part="wrong" name="F06"
def mix_heads(weights_hts, v_hse):
    return weights_hts.swapaxes(1, 2) @ v_hse


# %% part="wrong" name="F12"
def mix_heads(weights_hts, v_hse):
    winners = weights_hts.argmax(axis=-1)
    return np.stack([v_se[best] for v_se, best in zip(v_hse, winners, strict=True)])


# %% part="wrong" name="F13"
def mix_heads(weights_hts, v_hse):
    return np.repeat(v_hse.mean(axis=1, keepdims=True), weights_hts.shape[1], axis=1)


# %% part="wrong" name="values of head 1" cause="the values of head 1 are mixed in every head"
def mix_heads(weights_hts, v_hse):
    return weights_hts @ v_hse[0]


# %% part="wrong" name="values without weights" cause="each token gets its own value, and no weight is used"
def mix_heads(weights_hts, v_hse):
    return v_hse


# %% [markdown] exercise="5.4" kind="choose" title="Between which bounds"
# Take any head, any token and any column of `mixed`. Before you compute anything: which claim is right?

# %% [markdown] part="claims"
# - [ ] A. The number may be larger than every number in that column of V, if the weights are large enough.
#   => No weight is above 1 and they sum to 1. In head 2, column 4 runs from {{min(V[head 2, *, 4]) : 0}} to
#   {{max(V[head 2, *, 4]) : 0}} in V, and from {{min(mixed[head 2, *, 4])}} to {{max(mixed[head 2, *, 4])}}
#   after mixing.
# - [ ] B. The number is one of the numbers in that column of V. => That would be so if one weight were
#   exactly 1. No softmax of ordinary scores does that: head 2 hands `it` {{mixed[head 2, it, 1]}} in column
#   1, where V has only 0 and 1.
# - [ ] C. The number is never below 0, since no weight is. => A value may be negative. Head 2 hands
#   {{mixed[head 2, robot, 4]}} to `robot` in column 4.
# - [x] D. The number lies between the smallest and the largest number in that column of V. => It is a
#   weighted average of that column, and an average cannot leave the range of what it averages.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
between_bounds = "D"
### END SOLUTION

# %% part="check"
check.choice("5.4", between_bounds)

# %% [markdown] part="hints"
# - Only one column of V of that head matters, and one row of weights. What do you know about that row?
# - Column 1 of V_2 has {{max(V[head 2, *, 1]) : 0}} for `robot` and 0 for the rest. With a weight of
#   {{weights[head 2, it, robot]}} on `robot`, the number is {{weights[head 2, it, robot]}} × ... .
# - Three glasses of water have 10, 20 and 40 degrees. Pour some of each into a jug, as much as you like.
#   Can the jug have 50 degrees, or 5?

# %% [markdown] part="why"
# **Why it matters.** One head can only blend what the values hold. It cannot make a number larger, turn a
# sign, or invent something new. The projections and W^O can do that, and so can the layers that follow.

# %% part="right" name="small letter"
between_bounds = "d"

# %% part="wrong" name="A"
between_bounds = "A"

# %% part="wrong" name="B"
between_bounds = "B"

# %% part="wrong" name="C"
between_bounds = "C"

# %% [markdown] exercise="5.5" kind="predict" title="A large weight and a small value"
# In head 2 the token `tired` gives {{weights[head 2, tired, it]}} of its budget to `it`, and
# {{weights[head 2, tired, robot]}} to each of the other tokens. Look at the value of `it` in the table of
# exercise 5.1: three of its four numbers are 0.
#
# Predict first: will columns 1 and 4 of the row that `tired` gets come mostly from `it`? Then work out both
# numbers.

# %% part="work"
# TODO: type two numbers.
### BEGIN SOLUTION
tired_column_1 = 0.04
tired_column_4 = 0
### END SOLUTION

# %% part="check"
check.numbers("5.5", {"mixed[head 2, tired, 1]": tired_column_1, "mixed[head 2, tired, 4]": tired_column_4})

# %% [markdown] part="hints"
# - Which token has a number in column 1 of V_2? How much of its budget does `tired` give to that token?
# - Column 4: {{weights[head 2, tired, robot]}} × 1 + {{weights[head 2, tired, the]}} × (-1) +
#   {{weights[head 2, tired, because]}} × ... + {{weights[head 2, tired, was]}} × (-1).
# - Weights 8/10 and 2/10, values 0 and 1: the average is 8/10 × 0 + 2/10 × 1 = 2/10. All of it comes from
#   the token with the small weight.

# %% [markdown] part="why"
# **Why it works.** What a token adds is its weight times its value. `it` has by far the largest weight, but
# hands on 0 in these columns. All of column 1 comes from `robot`, which has one of the smallest weights. So
# a large weight does not show that a token matters: look at the value too.

# %% part="right" name="from the full weight"
tired_column_1 = 1 / (np.exp(3) + 8)
tired_column_4 = "0"

# %% part="wrong" name="F12"
tired_column_1 = 0
tired_column_4 = 0

# %% part="wrong" name="the weight on `it`" cause="the weight on `it` itself is taken; it must be multiplied with the value, which is 0"
tired_column_1 = 0.72
tired_column_4 = 0

# %% [markdown] exercise="5.6" kind="choose" title="What is left for head 3"
# In head 2 `it` spends {{weights[head 2, it, robot]}} on `robot`. How much can it still spend in head 3?

# %% [markdown] part="claims"
# - [ ] A. What is left of its budget, {{1 - weights[head 2, it, robot]}}. => That is what head 2 itself
#   spends on the other tokens. Head 3 has its own softmax and its own budget.
# - [x] B. A whole budget of 1. => Each head has its own softmax over its own scores. With {{heads}} heads a
#   token spends {{sum(weights[*, it, *]) : 0}} in all.
# - [ ] C. One third, since the {{heads}} heads share a budget of 1. => Add the row `it` of one head: it is
#   {{sum(weights[head 3, it, *]) : 0}}, not a third.
# - [ ] D. As much as the other tokens leave for it. => Tokens do not compete for being the one who asks.
#   Each token that asks has its own row and its own budget.

# %% part="work"
# TODO: type a letter.
### BEGIN SOLUTION
left_for_head_3 = "B"
### END SOLUTION

# %% part="check"
check.choice("5.6", left_for_head_3)

# %% [markdown] part="hints"
# - Look at the row `it` of the weights in head 2 and in head 3. What does each sum to?
# - In head 3, `it` gives {{weights[head 3, it, patient] : 3}} twice and {{weights[head 3, it, The] : 3}}
#   {{n - 2}} times. Together that is ... .
# - Three friends each give you a sheet with 100 points to hand out. What you write on the first sheet does
#   not change how many points the second has.

# %% [markdown] part="why"
# **Why it matters.** In head 2 `it` can look at `robot`, and at the same time in head 3 at `patient` and
# `tired`. One budget would have to be shared among them. Lesson 7 shows what that does.

# %% part="right" name="small letter"
left_for_head_3 = "b"

# %% part="wrong" name="A"
left_for_head_3 = "A"

# %% part="wrong" name="C"
left_for_head_3 = "C"

# %% part="wrong" name="D"
left_for_head_3 = "D"

# %% [markdown] exercise="5.7" kind="predict" title="A budget spread evenly"
# In head 2 the query of `because` is all 0, so its budget is spread evenly: 1/{{n}} for each token. Work
# out columns 1 and 3 of the row it gets. The values stand in exercise 5.1.

# %% part="work"
# TODO: type two numbers.
### BEGIN SOLUTION
even_column_1 = 0.11
even_column_3 = 0.22
### END SOLUTION

# %% part="check"
check.numbers(
    "5.7",
    {"mixed[head 2, because, 1]": even_column_1, "mixed[head 2, because, 3]": even_column_3},
)

# %% [markdown] part="hints"
# - Every number of a column gets the same weight. What is that kind of average called?
# - Column 3: add its {{n}} numbers, three of them negative, and divide by ... .
# - A column 1, 0, 2, -1 with weights of 1/4: the sum of the column is 2, so the average is 2/4.

# %% [markdown] part="why"
# **Why it works.** Equal weights make the ordinary mean of all values. A token that finds nothing is not
# handed nothing: it is handed the mean.

# %% part="right" name="as fractions"
even_column_1 = "1/9"
even_column_3 = "2/9"

# %% part="wrong" name="the sum of the column" cause="the column is added and not divided by the number of tokens"
even_column_1 = 1
even_column_3 = 2

# %% part="wrong" name="nothing found, nothing handed on" cause="nothing is handed on; an even budget hands on the mean"
even_column_1 = even_column_3 = 0

# %% [markdown] exercise="5.8" kind="shape" title="A sentence of shapes"
# Complete the sentence for the robot example, with its {{heads}} heads, {{n}} tokens and heads of width
# {{d_v}}: "The weights of shape ... meet the values of shape ... . They make `mixed`, of shape ... ; and
# what head 2 hands to `it` has the shape ..."

# %% part="work"
# TODO: type four shapes, as in (2, 5); a row of 5 numbers is (5,).
### BEGIN SOLUTION
shape_of_weights = (3, 9, 9)
shape_of_values = (3, 9, 4)
shape_of_mixed = (3, 9, 4)
shape_of_one_row = (4,)
### END SOLUTION

# %% part="check"
check.shapes(
    "5.8",
    {
        "weights": shape_of_weights,
        "V": shape_of_values,
        "mixed": shape_of_mixed,
        "mixed[head 2, it]": shape_of_one_row,
    },
)

# %% [markdown] part="hints"
# - Which sizes does each need: heads, tokens that ask, tokens that are asked, width of a head?
# - (heads, tokens that ask, tokens that are asked) meets (heads, tokens that are asked, width). The axis
#   that both share is summed away. What is left?
# - With 2 heads, 5 tokens that ask, 7 that are asked and width 3: (2, 5, 7) meets (2, 7, 3) and makes (2,
#   5, 3). One row is (3,).

# %% [markdown] part="why"
# **Why it works.** V has a row for each token that is asked, `mixed` a row for each token that asks. Here
# both are the same {{n}} tokens, so the two shapes look alike. Their rows mean different things.

# %% part="right" name="as lists"
shape_of_weights = [3, 9, 9]
shape_of_values = shape_of_mixed = [3, 9, 4]
shape_of_one_row = [4]

# %% part="wrong" name="as wide as the model" cause="a head is taken as wide as the model"
shape_of_weights = (3, 9, 9)
shape_of_values = (3, 9, 12)
shape_of_mixed = (3, 9, 12)
shape_of_one_row = (12,)

# %% part="wrong" name="heads last" cause="the heads come last"
shape_of_weights = (9, 9, 3)
shape_of_values = (9, 4, 3)
shape_of_mixed = (9, 4, 3)
shape_of_one_row = (4,)

# %% [markdown] exercise="5.9" kind="bug" title="The smallest input that shows it"
# A colleague says: a head finds the token that fits best and hands on its value. The function
# `mix_of_winner` does that.


# %% part="given"
def right_mix(weights_ts, v_se):
    if not np.allclose(weights_ts.sum(axis=-1), 1):
        raise ValueError("each row of weights must sum to 1")
    if (weights_ts < 0).any():
        raise ValueError("no weight may be below 0")
    return weights_ts @ v_se


def mix_of_winner(weights_ts, v_se):
    return v_se[weights_ts.argmax(axis=-1)]


# %% [markdown] part="given"
# Find a small input on which it differs from a right one. Write a tuple of two lists of rows: the weights
# of one token over two tokens, shape (1, 2), and two values of one number each, shape (2, 1). The weights
# must sum to 1.

# %% part="work"
# TODO: type ([[weight, weight]], [[value], [value]]).
### BEGIN SOLUTION
weights_and_values = ([[0.75, 0.25]], [[1.0], [0.0]])
### END SOLUTION

# %% part="check"
check.exposes("5.9", weights_and_values, mix_of_winner, right_mix)

# %% [markdown] part="hints"
# - The row of weights must not be all on one token. And what must hold for the two values?
# - With weights 3/4 and 1/4 the winner hands on the first value alone. The right number is 3/4 × first +
#   1/4 × ... . When is that not the first value?
# - `max` and `mean` differ on the list 1, 3 but agree on the list 2, 2. An input shows a fault only where
#   two ways disagree.

# %% [markdown] part="why"
# **Why it works.** Two things are needed: weight on more than one token, and values that differ. With
# weights 1 and 0, or with equal values, the two functions agree, and the fault stays hidden.

# %% part="right" name="an even tie"
weights_and_values = ([[0.5, 0.5]], [[2.0], [-2.0]])

# %% part="wrong" name="all weight on one token"
weights_and_values = ([[1.0, 0.0]], [[1.0], [0.0]])

# %% part="wrong" name="equal values"
weights_and_values = ([[0.75, 0.25]], [[1.0], [1.0]])

# %% part="wrong" name="weights that sum to 2"
weights_and_values = ([[1.0, 1.0]], [[1.0], [0.0]])

# %% [markdown] exercise="5.10" kind="bug" title="One bug to find"
# A colleague's function has the right shapes. There is a quick test for any mixing: let all values be 1.
# Then every weighted average must be 1. Run the cell and look at the row of numbers.


# %% part="given"
def strange_mix(weights_hts, v_hse):
    return np.einsum("hts,hte->hse", weights_hts, v_hse)


from_ones = strange_mix(weights_hts, np.ones_like(v_hse))
print("head 2, column 1:", printed(from_ones[1, :, 0]))

# %% [markdown] part="given"
# Whose weights does each of these numbers add up? Write the function again so that it mixes rightly. You
# may keep einsum and repair its letters, or write it in your own way.


# %% part="work"
def repaired_mix(weights_hts, v_hse):
    # TODO: repair the letters.
    ### BEGIN SOLUTION
    return np.einsum("hts,hse->hte", weights_hts, v_hse)
    ### BLANK
    # return np.einsum(..., weights_hts, v_hse)
    ### END SOLUTION


# %% part="check"
check.stage("5.10", repaired_mix, "weights_hts v_hse -> mixed_hte")

# %% [markdown] part="hints"
# - The second number is {{sum(weights[head 2, *, robot])}}. Compare it with the column `robot` of the
#   weights in head 2, and with the row `robot`.
# - In einsum the letter that is missing after the arrow is summed away. Here that is t. Which one must it
#   be, and which letter must each value carry: `"hts,h...e->h...e"`?
# - `np.einsum("ij,jk->ik", a, b)` is `a @ b`: j is summed away. `np.einsum("ij,ik->jk", a, b)` is
#   `a.T @ b`.

# %% [markdown] part="why"
# **Why it works.** The values belong to the tokens that are asked, so they carry the letter s, and s is
# summed away. The broken one summed over the tokens that ask. It used the columns of the weights, and
# columns do not sum to 1. With as many tokens asked as ask, no shape shows it. The test with values of 1
# does.


# %% part="right" name="matrix product"
def repaired_mix(weights_hts, v_hse):
    return weights_hts @ v_hse


# %% part="wrong" name="F06"
def repaired_mix(weights_hts, v_hse):
    return strange_mix(weights_hts, v_hse)


# %% part="wrong" name="divided by the sum of the column" cause="columns of the weights are made to sum to 1, then used in place of rows"
def repaired_mix(weights_hts, v_hse):
    columns_hts = weights_hts / weights_hts.sum(axis=1, keepdims=True)
    return np.einsum("hts,hte->hse", columns_hts, v_hse)


# %% part="wrong" name="own value" cause="each token gets its own value times the sum of a column of weights"
def repaired_mix(weights_hts, v_hse):
    return np.einsum("hts,hse->hse", weights_hts, v_hse)


# %% [markdown]
# ## The same step in another sentence
#
# "The trophy did not fit in the suitcase because it was too big", with the robot's matrices. The pattern is
# invented too. In head 2 `it` gives {{trophy.weights[head 2, it, trophy]}} to `trophy`, so it gets
# {{trophy.mixed[head 2, it, 1]}} in column 1, which stands for the subject.
#
# Now put `small` in place of `big`. A reader thinks of the suitcase. The program does not: its rows for
# `big` and `small` are alike, a state and nothing more. Mixing can hand on only what the values hold.

# %% [markdown] part="misconception"
# ## A common misconception
#
# *"Attention picks the most important token and copies its value."*
#
# No token is picked. Every token that may be asked adds its value times its weight. Only when one weight is
# close to 1 does the result look like a copy: head 2 hands `it` {{mixed[head 2, it, 1]}} in column 1, where
# `robot` has {{V[head 2, robot, 1] : 0}}. And in head 3 two tokens share the budget, so `it` gets a blend
# of two values and a copy of neither.

# %% [markdown] part="questions"
# ## Test yourself
#
# - All tokens have the same value in a head. What does a token get there? => That value, whatever the
#   weights are. An average of equal rows is that row.
# - Head 2 hands {{mixed[head 2, it, 3]}} to `it` in column 3. Could another set of weights make it 2? =>
#   No. The values in that column run from {{min(V[head 2, *, 3])}} to {{max(V[head 2, *, 3]) : 0}}.
# - The value of `robot` in head 2 is set to 0 and all else stays. Do the weights change? => No. Weights
#   come from queries and keys alone. Only what is handed on changes.
# - `mixed` has a row for `it`. Does this row tell what `it` hands on, or what it receives? => What it
#   receives. What it hands on is its row in V.
# - Two heads have the same weights for a token. Do they hand it the same row? => Not in general. Each head
#   mixes its own values, made with its own W_i^V.

# %% [markdown] part="card"
# ## Summary
#
# - mixed_i = weights_i V_i: each value times its weight, all added.
# - (n, m) times (m, d_v) gives (n, d_v). The tokens that are asked are summed away.
# - The result lies between the smallest and the largest number of each column of V.
# - What a token adds is weight times value. A large weight on a value of 0 adds nothing.
# - Each head has its own budget and its own values.
#
# In a Transformer this step follows softmax (lesson 4). It is the place where something passes from token
# to token. Next, the short rows of all heads are put side by side and meet in W^O (lesson 6).

# %% [markdown] part="exit"
# ## Exit ticket
#
# - Weights 1/2, 1/4, 1/4 and a column 4, 0, -4. What is the number in `mixed`?
# - A column of V has numbers from -1 to 1. Which is possible in `mixed`: A 3/2, B -1/2, C 2, D -2?
# - The token with the largest weight may add nothing, because ...

# %% [markdown] part="reading"
# ## Further reading
#
# - "Attention Is All You Need", Vaswani and others, 2017, arXiv:1706.03762, section 3.2.1: the weighted sum
#   of values in one line.
# - "Neural Machine Translation by Jointly Learning to Align and Translate", Bahdanau, Cho and Bengio, 2014,
#   arXiv:1409.0473: an earlier attention that also mixes rows by weights.
