# ---
# title: Concatenation and W^O, where the heads meet
# summary: The short rows of all heads are put side by side, and W^O, learned like the others, mixes them.
# minutes: 40
# ---

# %% [markdown]
# ## What this lesson is for
#
# After mixing, a token has one short row from each head. The next layer wants one row. This lesson shows
# how the short rows become one, and why that takes a matrix of its own, W^O. After it you can join heads,
# apply W^O, and say what each head adds to the output. Exercises 6.1, 6.2 and 6.4 to 6.8 carry the lesson
# and take about 40 minutes. The others can wait.

# %% [markdown] part="recall"
# ## Three questions from earlier lessons
#
# Answer first, then look.
#
# - How many rows and columns has W_i^V in the robot example? => {{d_model}} rows and {{d_v}} columns. Every
#   head reads all {{d_model}} numbers and makes {{d_v}} of its own.
# - In head 2 `it` spends {{weights[head 2, it, robot]}} of its budget on `robot`. What does that leave for
#   head 3? => A whole budget of 1. Each head has its own softmax.
# - Can a number in `mixed` be larger than every number in its column of V? => No. It is a weighted average
#   of that column.

# %% part="setup"
import numpy as np

from mha_tutor.course import check
from mha_tutor.examples import find
from mha_tutor.stages import walk

# %% [markdown] part="warmup"
# ## Warm-up: rows in blocks
#
# Skip it when both answers are right. Put two rows side by side, [a b], and two matrices one below the
# other, M over N. Then [a b] times that tall matrix is aM + bN: each part of the row meets its own block,
# and the two results are added.
#
# - a is the one number 2, b the one number 3. M is the row 10, 0 and N is the row 1, 100. What is aM + bN?
#   => 2 × (10, 0) + 3 × (1, 100), which is ({{2 * 10 + 3 * 1}}, {{2 * 0 + 3 * 100}}).
# - a has 4 numbers and b has 4. How many rows must the tall matrix have, and which of them does b meet? =>
#   8 rows, one for each number. b meets rows 5 to 8, which are N.

# %% [markdown]
# ## Side by side
#
# A small example makes this step easy to see: "Birds sing at dawn". Its matrices were built by hand, so its
# pattern is invented. Each token has {{narrow.d_model}} numbers: thing, doing, link, time. There are
# {{narrow.heads}} heads, and each is as wide as the model: {{narrow.d_v}} numbers. That is unusual. The
# usual case comes later in this lesson.
#
# What each head hands to `Birds` and `dawn`:
#
# {{table: narrow.mixed[head 1] rows=Birds|dawn}}
#
# {{table: narrow.mixed[head 2] rows=Birds|dawn}}
#
# {{table: narrow.mixed[head 3] rows=Birds|dawn}}
#
# To *concatenate* means to put side by side. Nothing is computed. The row of `Birds` begins with the four
# numbers of head 1, then come those of head 2, then those of head 3:
#
# {{table: narrow.concat[Birds]}}
#
# Column `2.3` is the third number of head 2. Each token keeps its own row, so the result has a row for each
# token and {{narrow.heads}} × {{narrow.d_v}} = {{narrow.heads * narrow.d_v}} columns.

# %% [markdown] exercise="6.1" kind="predict" title="The row of `dawn`"
# Write down the whole row of `dawn` in `concat`, all {{narrow.heads * narrow.d_v}} numbers, on paper. Then
# type two of them: the number in column 6 and the number in column 10, counted from 1.

# %% part="work"
# TODO: type two numbers.
### BEGIN SOLUTION
column_6 = 0.05
column_10 = 0.44
### END SOLUTION

# %% part="check"
check.numbers("6.1", {"narrow.concat[dawn, 2.2]": column_6, "narrow.concat[dawn, 3.2]": column_10})

# %% [markdown] part="hints"
# - Only the rows of `dawn` matter. Which head do columns 5 to 8 belong to, and which head columns 9 to 12?
# - Column 6 is number 6 - 4 of head 2. Column 10 is number 10 - ... of head 3.
# - Two heads of width 3, [1 2 3] and [4 5 6], make [1 2 3 4 5 6]. Column 5 is the second number of head 2,
#   so it is 5.

# %% [markdown] part="why"
# **Why it works.** Column c of `concat` is read off, not computed. With heads of width {{narrow.d_v}}, the
# first {{narrow.d_v}} columns are head 1, the next {{narrow.d_v}} are head 2, and so on.

# %% part="right" name="as text"
column_6 = "0.051"
column_10 = "0.437"

# %% part="wrong" name="F07"
column_6 = 0.44
column_10 = 0.26

# %% part="wrong" name="S04"
column_6 = 0.82
column_10 = 0.43

# %% part="wrong" name="the row of Birds" cause="the row of `Birds` is read in place of the row of `dawn`"
column_6 = 0.15
column_10 = 0.34

# %% [markdown] exercise="6.2" kind="implement" title="Put the heads side by side"
# Write `concat_heads`. It gets `mixed_hte`, of shape (h, n, e): for each head a short row for each token.
# It returns an array of shape (n, h e): for each token its short rows side by side, head 1 first.


# %% part="work"
def concat_heads(mixed_hte):
    # TODO: one long row for each token.
    ### BEGIN SOLUTION
    heads, n, e = mixed_hte.shape
    return mixed_hte.swapaxes(0, 1).reshape(n, heads * e)
    ### END SOLUTION


# %% part="check"
check.stage("6.2", concat_heads, "mixed_hte -> concat_tc")

# %% [markdown] part="hints"
# - Row 1 of the result must hold row 1 of head 1, then row 1 of head 2, and so on. Along which axis do the
#   short rows grow?
# - `np.concatenate([mixed_hte[0], mixed_hte[1], ...], axis=...)` joins arrays of shape (n, e). Which axis
#   makes it (n, h e)? With reshape instead: which two axes must change places first?
# - `a` is `[[1], [2]]` and `b` is `[[3], [4]]`: two heads, two tokens, width 1. Joined along the first axis
#   they make 4 rows. Joined along the last axis they make `[[1, 3], [2, 4]]`.

# %% [markdown] part="why"
# **Why it works.** After swapping the first two axes, all that belongs to one token stands together, and
# reshape only takes away the border between its heads.
#
# **What else works.** `np.concatenate(list(mixed_hte), axis=-1)`, or a loop over the tokens.


# %% part="right" name="concatenate"
def concat_heads(mixed_hte):
    return np.concatenate(list(mixed_hte), axis=-1)


# %% part="right" name="token by token"
def concat_heads(mixed_hte):
    n = mixed_hte.shape[1]
    return np.array([[x for head in mixed_hte for x in head[t]] for t in range(n)])


# %% part="wrong" name="B47"
def concat_heads(mixed_hte):
    heads, n, e = mixed_hte.shape
    return mixed_hte.reshape(n, heads * e)


# %% part="wrong" name="B48"
def concat_heads(mixed_hte):
    return np.concatenate(list(mixed_hte), axis=0)


# %% part="wrong" name="F07"
def concat_heads(mixed_hte):
    heads, n, e = mixed_hte.shape
    return mixed_hte.transpose(1, 2, 0).reshape(n, heads * e)


# %% part="wrong" name="B49a"
def concat_heads(mixed_hte):
    return mixed_hte.sum(axis=0)


# %% part="wrong" name="last head first" cause="the heads stand in reverse order"
def concat_heads(mixed_hte):
    return np.concatenate(list(mixed_hte)[::-1], axis=-1)


# %% [markdown] exercise="6.3" kind="bug" title="The smallest input that shows it"
# This slip is reported again and again: reshape without swapping the axes first. The shape is right, a
# model can still be trained with it, and the tokens are scrambled.

# %% part="given"
from mha_tutor.attention import concat_heads as right_concat


def concat_by_reshape(mixed_hte):
    heads, n, e = mixed_hte.shape
    return mixed_hte.reshape(n, heads * e)


# %% [markdown] part="given"
# Find the smallest input on which it differs from a right one. Write it as lists: a list of heads, each a
# list of tokens, each a list of numbers. How many heads and how many tokens does it need? How wide must a
# head be?

# %% part="work"
# TODO: type an input of shape (heads, tokens, width).
### BEGIN SOLUTION
scrambled_input = [[[1], [2]], [[3], [4]]]
### END SOLUTION

# %% part="check"
check.exposes("6.3", scrambled_input, concat_by_reshape, right_concat)

# %% [markdown] part="hints"
# - reshape reads all numbers in order: head 1 token 1, head 1 token 2, then head 2. The right order is
#   token by token. When are both orders the same?
# - With one head, or with one token, both agree. So take ... heads and ... tokens, and numbers that differ.
# - For `a = np.arange(6).reshape(2, 3)`, `a.reshape(3, 2)` is not `a.T`. For a single row, `a[:1]`, both
#   give the same numbers in the same order.

# %% [markdown] part="why"
# **Why it works.** Two heads, two tokens and width 1 are enough: [[[1], [2]], [[3], [4]]] must give the
# rows (1, 3) and (2, 4). The broken one gives (1, 2) and (3, 4), so token 1 gets what belongs to token 2. A
# test with one head, or with one token, cannot see it.

# %% part="right" name="a larger one"
scrambled_input = [[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]

# %% part="wrong" name="one head"
scrambled_input = [[[1, 2], [3, 4]]]

# %% part="wrong" name="one token"
scrambled_input = [[[1, 2]], [[3, 4]]]

# %% part="wrong" name="all numbers alike"
scrambled_input = [[[1], [1]], [[1], [1]]]

# %% [markdown]
# ## From 12 numbers back to 4
#
# A row of `concat` has {{narrow.heads * narrow.d_v}} numbers. The rows of X had {{narrow.d_model}}, and the
# next layer expects {{narrow.d_model}} again. W^O makes them: output = concat W^O. It has a row for each
# column of `concat` and a column for each number of the output.
#
# {{table: narrow.W_O}}
#
# The first number of the output of `sing` is `thing`. The column `thing` of W^O has four numbers that are
# not 0, so four numbers of the row of `sing` take part:
#
# | | `1.1` | `1.3` | `3.1` | `3.4` |
# | --- | ---: | ---: | ---: | ---: |
# | `sing` in concat | {{narrow.concat[sing, 1.1] : 3}} | {{narrow.concat[sing, 1.3] : 3}} | {{narrow.concat[sing, 3.1] : 3}} | {{narrow.concat[sing, 3.4] : 3}} |
# | `thing` in W^O | {{narrow.W_O[1.1, thing]}} | {{narrow.W_O[1.3, thing]}} | {{narrow.W_O[3.1, thing]}} | {{narrow.W_O[3.4, thing]}} |
#
# Multiply each pair and add: {{narrow.concat[sing, 1.1] : 3}} × {{narrow.W_O[1.1, thing]}} +
# {{narrow.concat[sing, 1.3] : 3}} × {{narrow.W_O[1.3, thing]}} + {{narrow.concat[sing, 3.1] : 3}} ×
# {{narrow.W_O[3.1, thing]}} + {{narrow.concat[sing, 3.4] : 3}} ×
# ({{narrow.W_O[3.4, thing]}}) = {{narrow.output[sing, thing]}}. Two heads have met in one number.

# %% [markdown] exercise="6.4" kind="predict" title="Another column of W^O"
# Now the third number of the output of `sing`, `link`. These pairs take part:
#
# | | `1.4` | `2.3` | `2.4` | `3.3` |
# | --- | ---: | ---: | ---: | ---: |
# | `sing` in concat | {{narrow.concat[sing, 1.4] : 3}} | {{narrow.concat[sing, 2.3] : 3}} | {{narrow.concat[sing, 2.4] : 3}} | {{narrow.concat[sing, 3.3] : 3}} |
# | `link` in W^O | {{narrow.W_O[1.4, link]}} | {{narrow.W_O[2.3, link]}} | {{narrow.W_O[2.4, link]}} | {{narrow.W_O[3.3, link]}} |
#
# What is the number?

# %% part="work"
# TODO: type one number.
### BEGIN SOLUTION
link_of_sing = 0.92
### END SOLUTION

# %% part="check"
check.numbers("6.4", {"narrow.output[sing, link]": link_of_sing})

# %% [markdown] part="hints"
# - Row `sing` of `concat` meets column `link` of W^O. Only four of the {{narrow.heads * narrow.d_v}}
#   products are not 0.
# - {{narrow.concat[sing, 1.4] : 3}} × {{narrow.W_O[1.4, link]}} + {{narrow.concat[sing, 2.3] : 3}} × ... +
#   {{narrow.concat[sing, 2.4] : 3}} × ({{narrow.W_O[2.4, link]}}) +
#   {{narrow.concat[sing, 3.3] : 3}} × {{narrow.W_O[3.3, link]}}.
# - The row 2, 4, 1 and the column 1/2, -1/2, 3: the products are 1, -2 and 3, and the sum is 2.

# %% [markdown] part="why"
# **Why it works.** A number of the output is a row of `concat` times a column of W^O. This one draws on all
# three heads. `sing` had {{narrow.X[sing, link]}} in `link` before.

# %% part="right" name="worked out in full"
link_of_sing = 0.104 / 2 + 0.887 - 0.549 / 2 + 0.251

# %% part="wrong" name="S06"
link_of_sing = 0.1036 * 0.5 + 0.8869 + 0.5487 * 0.5 + 0.2512

# %% part="wrong" name="S05"
link_of_sing = 0.1036 * 0.5 + 0.8869 + 0.2512

# %% [markdown]
# ## The same number, head by head
#
# Cut W^O into three blocks of {{narrow.d_v}} rows. Rows 1 to 4 meet only the numbers of head 1, rows 5 to 8
# those of head 2, rows 9 to 12 those of head 3. That is the block product of the warm-up:
#
# output = mixed_1 W_1^O + mixed_2 W_2^O + mixed_3 W_3^O
#
# So each head, with its own block, writes a row that is as wide as the output, and these rows are added.
# Both ways give the same numbers.

# %% [markdown] exercise="6.5" kind="predict" title="What each head adds"
# The fourth number of the output of `sing` is `time`. These pairs take part:
#
# | | `1.3` | `2.1` | `2.3` | `3.2` |
# | --- | ---: | ---: | ---: | ---: |
# | `sing` in concat | {{narrow.concat[sing, 1.3] : 3}} | {{narrow.concat[sing, 2.1] : 3}} | {{narrow.concat[sing, 2.3] : 3}} | {{narrow.concat[sing, 3.2] : 3}} |
# | `time` in W^O | {{narrow.W_O[1.3, time]}} | {{narrow.W_O[2.1, time]}} | {{narrow.W_O[2.3, time]}} | {{narrow.W_O[3.2, time]}} |
#
# - Head 1, worked: {{narrow.concat[sing, 1.3] : 3}} ×
#   ({{narrow.W_O[1.3, time]}}) = {{narrow.concat[sing, 1.3] * narrow.W_O[1.3, time] : 3}}.
# - Head 2, with blanks: ... × {{narrow.W_O[2.1, time]}} + ... × {{narrow.W_O[2.3, time]}}.
# - Head 3, alone.
#
# Predict first: which head adds most to `time`? Then type the sum of all three, which is the number of the
# output.

# %% part="work"
# TODO: type one number.
### BEGIN SOLUTION
time_of_sing = 2.00
### END SOLUTION

# %% part="check"
check.numbers("6.5", {"narrow.output[sing, time]": time_of_sing})

# %% [markdown] part="hints"
# - Sort the four columns by head first: `1.3` is head 1, `2.1` and `2.3` are head 2, `3.2` is head 3.
# - {{narrow.concat[sing, 1.3] * narrow.W_O[1.3, time] : 3}} from head 1, {{narrow.concat[sing, 2.1] : 3}} ×
#   1 + {{narrow.concat[sing, 2.3] : 3}} × ... from head 2, and {{narrow.concat[sing, 3.2] : 3}} × 1/2 from
#   head 3.
# - Head 1 adds -1, head 2 adds 3 × 1 + 2 × 1/2 = 4, head 3 adds 1. The output is -1 + 4 + 1 = 4.

# %% [markdown] part="why"
# **Why it works.** Adding all products at once, or adding them head by head, is the same sum. Head by head
# it shows who wrote what: here nearly all of it comes from head 2, and head 1 takes a little away.

# %% part="right" name="head by head"
time_of_sing = -0.223 + 2.039 + 0.188

# %% part="wrong" name="S08"
time_of_sing = -0.2231 + 0.1885

# %% part="wrong" name="S06"
time_of_sing = 0.2231 + 2.0387 + 0.1885

# %% [markdown]
# All three rows for `sing`, computed, and their sum:

# %%
narrow = walk(find("narrow"))
mixed_hte, w_o_cd = narrow["mixed"].values, narrow["W_O"].values


def printed(row):
    return " ".join(f"{number:5.2f}" for number in row)


total_d = np.zeros(4)
for i in range(3):
    adds_d = mixed_hte[i, 1] @ w_o_cd[4 * i : 4 * i + 4]
    total_d = total_d + adds_d
    print(f"head {i + 1} adds", printed(adds_d))
print("the sum is ", printed(total_d))
print("the output ", printed(narrow["output"].values[1]))

# %% [markdown]
# ## The usual case: W^O is square
#
# In most models the heads share the width: {{heads}} heads of {{d_v}} numbers for a model of {{d_model}}.
# Then `concat` is {{d_model}} wide already, and W^O has {{d_model}} rows and {{d_model}} columns. Nothing
# shrinks. What is left is the mixing, and that is the point of W^O.
#
# W^O is learned too, like W_i^Q, W_i^K and W_i^V. Training sets its numbers, and they are the same for
# every sentence. In the robot example it was built by hand, and so was the feature `subject*`. This is the
# row of `it`, with all heads side by side:
#
# {{table: concat[it]}}
#
# And these are some of the numbers that W^O has there:
#
# | output | drawn from | times |
# | --- | --- | ---: |
# | `link` | column `1.3` | {{W_O[1.3, link]}} |
# | `subject*` | column `2.1` | {{W_O[2.1, subject*]}} |
# | `alive` | column `3.1` | {{W_O[3.1, alive]}} |
# | `noun` | columns `1.4` and `2.2` | {{W_O[1.4, noun]}} and {{W_O[2.2, noun]}} |
#
# Head 1 adds {{concat[it, 1.3]}} × {{W_O[1.3, link]}} = {{output[it, link]}} to `link`: the word before
# `it` is a link.

# %% [markdown] exercise="6.6" kind="predict" title="Three numbers of the robot's output"
# - Head 2, with blanks: to `subject*` it adds ... × {{W_O[2.1, subject*]}}.
# - Head 3, alone: to `alive`.
# - Heads 1 and 2 together: to `noun`.
#
# Type the three numbers of the output of `it`.

# %% part="work"
# TODO: type three numbers.
### BEGIN SOLUTION
subject_of_it = 1.38
alive_of_it = 0.43
noun_of_it = 1.04
### END SOLUTION

# %% part="check"
check.numbers(
    "6.6",
    {
        "output[it, subject*]": subject_of_it,
        "output[it, alive]": alive_of_it,
        "output[it, noun]": noun_of_it,
    },
)

# %% [markdown] part="hints"
# - All numbers come from the row `it` of `concat`. Follow the table: which column, and times what?
# - `noun`: {{concat[it, 1.4]}} × {{W_O[1.4, noun]}} + {{concat[it, 2.2]}} × ... .
# - In the row 4, 3 the first number is head 1's and the second head 2's. With 1/2 and 1 in a column of W^O,
#   the output is 4 × 1/2 + 3 × 1 = 5.

# %% [markdown] part="why"
# **Why it works.** `it` came with {{X[it, "subject*"] : 0}} in `subject*`, {{X[it, alive] : 0}} in `alive`
# and {{X[it, noun] : 0}} in `noun`. Now it has some of each. And `subject*` is larger than any value was:
# an average cannot do that, but W^O multiplied it by {{W_O[2.1, subject*]}}.

# %% part="right" name="with more decimals"
subject_of_it = 0.918 * 1.5
alive_of_it = 0.426
noun_of_it = 0.213 * 0.5 + 0.929

# %% part="wrong" name="B50"
subject_of_it = 0.93
alive_of_it = 0.91
noun_of_it = 0.01

# %% part="wrong" name="S08"
subject_of_it = 1.38
alive_of_it = 0.43
noun_of_it = 0.93

# %% part="wrong" name="S08"
subject_of_it = 1.38
alive_of_it = 0.43
noun_of_it = 0.11

# %% [markdown] exercise="6.7" kind="implement" title="The output, as a sum over heads"
# Write `output_of_heads`. It gets `mixed_hte`, of shape (h, n, e), and `w_o_cd`, of shape (h e, d). It
# returns the output, of shape (n, d): for each head its short rows times its own block of W^O, all added.
# Try it without concatenating first.


# %% part="work"
def output_of_heads(mixed_hte, w_o_cd):
    # TODO: add what each head writes with its own rows of W^O.
    ### BEGIN SOLUTION
    heads, e = mixed_hte.shape[0], mixed_hte.shape[2]
    return (mixed_hte @ w_o_cd.reshape(heads, e, -1)).sum(axis=0)
    ### END SOLUTION


# %% part="check"
check.stage("6.7", output_of_heads, "mixed_hte w_o_cd -> output_td")

# %% [markdown] part="hints"
# - Head 1 has rows 1 to e of W^O, head 2 the next e rows. Which rows has head number i, when i counts from
#   0?
# - For head number i: `mixed_hte[i] @ w_o_cd[i * e : ...]`. Then add over all heads.
# - Two heads of width 1: `mixed_hte` is `[[[2]], [[3]]]` and `w_o_cd` is `[[10, 0], [1, 100]]`. Head 1
#   writes `[20, 0]`, head 2 writes `[3, 300]`, and the output is `[[23, 300]]`.

# %% [markdown] part="why"
# **Why it works.** It is the block product of the warm-up. Concatenating and multiplying once gives the
# same numbers, up to the last digits of the computer, and is what programs do.
#
# **What else works.** A loop over heads, `np.concatenate(list(mixed_hte), axis=-1) @ w_o_cd`, or einsum. In
# every case the head axis is summed away only after each head has met its own rows.


# %% part="right" name="side by side, then one product"
def output_of_heads(mixed_hte, w_o_cd):
    return np.concatenate(list(mixed_hte), axis=-1) @ w_o_cd


# %% part="right" name="head by head"
def output_of_heads(mixed_hte, w_o_cd):
    e = mixed_hte.shape[2]
    blocks = (mixed_te @ w_o_cd[i * e : (i + 1) * e] for i, mixed_te in enumerate(mixed_hte))
    return sum(blocks)


# %% part="right" name="einsum"
def output_of_heads(mixed_hte, w_o_cd):
    blocks_hed = w_o_cd.reshape(mixed_hte.shape[0], mixed_hte.shape[2], -1)
    return np.einsum("hte,hed->td", mixed_hte, blocks_hed)


# %% part="wrong" name="F02"
def output_of_heads(mixed_hte, w_o_cd):
    return (mixed_hte @ w_o_cd[: mixed_hte.shape[2]]).sum(axis=0)


# %% part="wrong" name="B49b"
def output_of_heads(mixed_hte, w_o_cd):
    heads, e = mixed_hte.shape[0], mixed_hte.shape[2]
    return (mixed_hte @ w_o_cd.reshape(heads, e, -1)).mean(axis=0)


# %% part="wrong" name="B50"
def output_of_heads(mixed_hte, w_o_cd):
    return np.concatenate(list(mixed_hte), axis=-1)


# %% part="wrong" name="B47"
def output_of_heads(mixed_hte, w_o_cd):
    heads, n, e = mixed_hte.shape
    return mixed_hte.reshape(n, heads * e) @ w_o_cd


# %% part="wrong" name="head 1 only" cause="only what head 1 adds is returned"
def output_of_heads(mixed_hte, w_o_cd):
    return mixed_hte[0] @ w_o_cd[: mixed_hte.shape[2]]


# %% [markdown] exercise="6.8" kind="choose" title="What concat alone does not do"
# In the robot example someone leaves W^O out and hands on `concat` as the output. No error is raised. What
# is missing?

# %% [markdown] part="claims"
# - [ ] A. The right width: the rows are too long for the next layer. => They are {{heads * d_v}} wide, as
#   the layer expects. That is why nobody notices. Only where W^O is not square, as in "Birds sing at dawn",
#   does the width tell.
# - [x] B. The mixing of heads: every number still comes from one head alone. => Change head 2, and only
#   columns 5 to 8 change. With W^O each number of the output may draw on every head. Later steps could
#   still mix the heads; this step would not.
# - [ ] C. What the heads found: most of it is lost. => All {{heads * d_v}} numbers are still there. They
#   are only not mixed.
# - [ ] D. The exchange between tokens: each token keeps only what it had. => That exchange happened in the
#   mixing of values. W^O works on the row of each token alone.

# %% part="work"
# TODO: type a letter.
### BEGIN SOLUTION
what_concat_lacks = "B"
### END SOLUTION

# %% part="check"
check.choice("6.8", what_concat_lacks)

# %% [markdown] part="hints"
# - Suppose only head 2 changes. Which columns of `concat` change? Which numbers of the output may change?
# - In `concat` column `2.1` holds {{concat[it, 2.1]}}, a number of head 2 alone. The number `noun` of the
#   output is {{concat[it, 1.4]}} × {{W_O[1.4, noun]}} + {{concat[it, 2.2]}} × {{W_O[2.2, noun]}}. From how
#   many heads is that?
# - Three people write their notes on one sheet, each in a column of their own. Nobody has read what the
#   others wrote. A summary that uses all three columns is another step.

# %% [markdown] part="why"
# **Why it matters.** W^O also decides where a head writes. Without it head 2 could only ever write into
# columns 5 to 8 of the row.

# %% part="right" name="small letter"
what_concat_lacks = "b"

# %% part="wrong" name="A"
what_concat_lacks = "A"

# %% part="wrong" name="C"
what_concat_lacks = "C"

# %% part="wrong" name="D"
what_concat_lacks = "D"

# %% [markdown] exercise="6.9" kind="shape" title="A sentence of shapes"
# Complete the sentence: "The robot has {{heads}} heads of width {{d_v}} and {{n}} tokens, so `concat` has
# the shape ... and W^O the shape ... . *Birds sing at dawn* has {{narrow.heads}} heads of width
# {{narrow.d_v}}, {{narrow.n}} tokens and a model of width {{narrow.d_model}}, so `concat` has the shape ...
# and W^O the shape ... ."

# %% part="work"
# TODO: type four shapes, as in (2, 5).
### BEGIN SOLUTION
robot_concat = (9, 12)
robot_w_o = (12, 12)
birds_concat = (4, 12)
birds_w_o = (12, 4)
### END SOLUTION

# %% part="check"
check.shapes(
    "6.9",
    {
        "concat": robot_concat,
        "W_O": robot_w_o,
        "narrow.concat": birds_concat,
        "narrow.W_O": birds_w_o,
    },
)

# %% [markdown] part="hints"
# - `concat` has a row for each token. How many columns, when every head brings its width?
# - concat W^O must work: the columns of `concat` are the rows of W^O. The columns of W^O are as many as the
#   model has numbers: ... .
# - 2 heads of width 5, 6 tokens, a model of width 8: `concat` is (6, 10) and W^O is (10, 8).

# %% [markdown] part="why"
# **Why it works.** W^O has heads × d_v rows and d_model columns. In the usual design both are d_model, so
# W^O is square.

# %% part="right" name="as lists"
robot_concat = [9, 12]
robot_w_o = [12, 12]
birds_concat = [4, 12]
birds_w_o = [12, 4]

# %% part="wrong" name="W^O on its side" cause="the rows and columns of W^O are exchanged"
robot_concat = (9, 12)
robot_w_o = (12, 12)
birds_concat = (4, 12)
birds_w_o = (4, 12)

# %% part="wrong" name="heads kept as an axis" cause="the heads stay an axis of their own; side by side they are columns"
robot_concat = (3, 9, 4)
robot_w_o = (12, 12)
birds_concat = (3, 4, 4)
birds_w_o = (12, 4)

# %% [markdown]
# ## The number of a head means nothing
#
# The output is a sum, and a sum does not care about order. So the heads may change places, if their blocks
# of W^O change places with them. Then not one number of the output changes. "Head 1" is a place in memory.
# It says nothing about what a head does.

# %% [markdown] exercise="6.10" kind="implement" title="Two heads change places"
# In `concat` the columns of head 1 and head 2 have changed places; all other heads stay. Write
# `swap_heads`. It gets `w_o_cd`, of shape (h e, d), and the number of `heads`, at least 2. It returns a new
# W^O, of the same shape, with which the output is what it was before.


# %% part="work"
def swap_heads(w_o_cd, heads):
    # TODO: the blocks of rows of head 1 and head 2 change places.
    ### BEGIN SOLUTION
    e = len(w_o_cd) // heads
    return np.concatenate([w_o_cd[e : 2 * e], w_o_cd[:e], w_o_cd[2 * e :]])
    ### END SOLUTION


# %% part="check"
check.function("6.10", swap_heads, [("w_o_cd", "heads")])

# %% [markdown] part="hints"
# - The rows of W^O belong to the columns of `concat`. Which rows belong to head 1, and which to head 2?
# - With {{d_model}} rows and {{heads}} heads, head 1 has rows 1 to {{d_v}} and head 2 rows {{d_v + 1}} to
#   ... . They change places as blocks, and the rows inside a block keep their order.
# - The list a b c d e f is cut for three heads: ab, cd, ef. With heads 1 and 2 exchanged it is c d a b e f.

# %% [markdown] part="why"
# **Why it works.** Each head still meets its own block, and the sum over heads has the same terms in
# another order. Whoever trains a model twice may find the same kind of head under another number.
#
# **What else works.** Reshape to (heads, e, d), put the blocks into a new order, reshape back.


# %% part="right" name="blocks in a new order"
def swap_heads(w_o_cd, heads):
    blocks_hed = w_o_cd.reshape(heads, -1, w_o_cd.shape[1])
    order = [1, 0, *range(2, heads)]
    return blocks_hed[order].reshape(w_o_cd.shape)


# %% part="right" name="on a copy"
def swap_heads(w_o_cd, heads):
    e = w_o_cd.shape[0] // heads
    swapped_cd = w_o_cd.copy()
    swapped_cd[:e] = w_o_cd[e : 2 * e]
    swapped_cd[e : 2 * e] = w_o_cd[:e]
    return swapped_cd


# %% part="wrong" name="single rows" cause="only the first two rows change places, not two blocks of rows"
def swap_heads(w_o_cd, heads):
    return w_o_cd[[1, 0, *range(2, len(w_o_cd))]]


# %% part="wrong" name="columns" cause="columns of W^O change places; they belong to the output, not to the heads"
def swap_heads(w_o_cd, heads):
    e = len(w_o_cd) // heads
    return np.concatenate([w_o_cd[:, e : 2 * e], w_o_cd[:, :e], w_o_cd[:, 2 * e :]], axis=1)


# %% part="wrong" name="unchanged" cause="W^O stays as it was"
def swap_heads(w_o_cd, heads):
    return w_o_cd


# %% part="wrong" name="all heads reversed" cause="all heads are put in reverse order, not only the first two"
def swap_heads(w_o_cd, heads):
    return w_o_cd.reshape(heads, -1, w_o_cd.shape[1])[::-1].reshape(w_o_cd.shape)


# %% part="wrong" name="rows reversed" cause="the rows inside the two blocks change their order too"
def swap_heads(w_o_cd, heads):
    e = len(w_o_cd) // heads
    return np.concatenate([w_o_cd[: 2 * e][::-1], w_o_cd[2 * e :]])


# %% part="wrong" name="overwritten" cause="the rows of head 1 are overwritten before they are kept anywhere"
def swap_heads(w_o_cd, heads):
    e = len(w_o_cd) // heads
    return np.concatenate([w_o_cd[e : 2 * e], w_o_cd[e : 2 * e], w_o_cd[2 * e :]])


# %% part="wrong" name="all rows reversed" cause="all rows stand in reverse order"
def swap_heads(w_o_cd, heads):
    return w_o_cd[::-1]


# %% part="wrong" name="transposed" cause="W^O is transposed"
def swap_heads(w_o_cd, heads):
    return w_o_cd.T


# %% [markdown] exercise="6.11" kind="choose" title="What W^O is"
# Which claims are right for the usual design? There is more than one.

# %% [markdown] part="claims"
# - [x] A. Its numbers are learned, like those of W_i^Q, W_i^K and W_i^V. => Training sets them. For a model
#   512 wide they are {{512 * 512}} numbers.
# - [ ] B. It is the only place in a Transformer where the results of different heads are combined. => It is
#   the place within this step. After it the output is added to the token's row, and the feed-forward part
#   and the later layers combine further.
# - [x] C. It is made of one block of rows for each head, and what the heads write with their blocks is
#   added. => concat W^O is the sum of all mixed_i W_i^O, exactly.
# - [ ] D. It brings the long row of all heads down to the width of the model. => In the usual design
#   `concat` has the width of the model already, and W^O is square.
# - [ ] E. It is computed anew for each sentence, from the attention weights. => Attention weights are
#   computed for each sentence. W^O is the same for all sentences.

# %% part="work"
# TODO: type the letters of all right claims, as in "BE".
### BEGIN SOLUTION
what_w_o_is = "AC"
### END SOLUTION

# %% part="check"
check.choice("6.11", what_w_o_is)

# %% [markdown] part="hints"
# - Test each claim on the robot example: how wide is `concat`, how wide is the output, where do the numbers
#   come from?
# - For D: {{heads}} heads of width {{d_v}} make a row of ... numbers, and the model is {{d_model}} wide.
# - A kitchen has three cooks. The bowl into which all pour is the only one on this table. It does not
#   follow that nothing is ever stirred again on the way to the guest.

# %% [markdown] part="why"
# **Why it matters.** "Only place" and "brings down" stand in many texts. The first is true only inside this
# step, the second only where the heads together are wider than the model.

# %% part="right" name="with a comma"
what_w_o_is = "C, A"

# %% part="wrong" name="B"
what_w_o_is = "ABC"

# %% part="wrong" name="D"
what_w_o_is = "ACD"

# %% part="wrong" name="E"
what_w_o_is = "E"

# %% part="wrong" name="only one of them"
what_w_o_is = "A"

# %% [markdown] exercise="6.12" kind="bug" title="One bug to find"
# A colleague adds up what the heads write. The shapes are right and no error is raised. A test shows
# something odd: each row of W^O is set to 0 in turn, and some rows make no difference at all. Run the cell.


# %% part="given"
def strange_output(mixed_hte, w_o_cd):
    heads, tokens, e = mixed_hte.shape
    output_td = np.zeros((tokens, w_o_cd.shape[1]))
    for i in range(heads):
        output_td += mixed_hte[i] @ w_o_cd[i : i + e]
    return output_td


before_td = strange_output(mixed_hte, w_o_cd)
for row in range(12):
    changed_cd = w_o_cd.copy()
    changed_cd[row] = 0
    same = np.allclose(before_td, strange_output(mixed_hte, changed_cd))
    print(f"row {row + 1:2}:", "makes no difference" if same else "is used")

# %% [markdown] part="given"
# Which rows does each head use, and which should it use? Write the function again, repaired.


# %% part="work"
def repaired_output(mixed_hte, w_o_cd):
    # TODO: give each head its own rows of W^O.
    ### BEGIN SOLUTION
    heads, tokens, e = mixed_hte.shape
    output_td = np.zeros((tokens, w_o_cd.shape[1]))
    for i in range(heads):
        output_td += mixed_hte[i] @ w_o_cd[i * e : (i + 1) * e]
    return output_td
    ### END SOLUTION


# %% part="check"
check.stage("6.12", repaired_output, "mixed_hte w_o_cd -> output_td")

# %% [markdown] part="hints"
# - Write down the rows that `i : i + e` takes for i = 0, 1, 2 when e is 4. Do they overlap?
# - Head number i has e rows, and i heads come before it. So its first row is number i × ... , counted
#   from 0.
# - Pages of 3 lines each, counted from 0: page 0 has lines 0 to 2, page 1 lines 3 to 5, page 2 lines 6
#   to 8. Page i begins at line 3 × i.

# %% [markdown] part="why"
# **Why it works.** `i : i + e` moves on by one row from head to head, so the heads' rows overlap and the
# last rows are never used. No error is raised, and a model could still be trained with it. A test that
# changes one input at a time shows it.


# %% part="right" name="one product"
def repaired_output(mixed_hte, w_o_cd):
    n = mixed_hte.shape[1]
    return mixed_hte.swapaxes(0, 1).reshape(n, -1) @ w_o_cd


# %% part="wrong" name="overlapping rows" cause="head number i takes the rows from i on, so the heads' rows overlap"
def repaired_output(mixed_hte, w_o_cd):
    return strange_output(mixed_hte, w_o_cd)


# %% part="wrong" name="F02"
def repaired_output(mixed_hte, w_o_cd):
    return sum(mixed_te @ w_o_cd[: mixed_hte.shape[2]] for mixed_te in mixed_hte)


# %% part="wrong" name="every third row" cause="head number i takes every h-th row from row i on, not a block of rows"
def repaired_output(mixed_hte, w_o_cd):
    heads = len(mixed_hte)
    return sum(mixed_hte[i] @ w_o_cd[i::heads] for i in range(heads))


# %% [markdown]
# ## The same step in another sentence
#
# "The chef, who trained in Paris, cooked the meal quickly", with the robot's matrices; the pattern is
# invented. Head 2 hands {{chef.mixed[head 2, cooked, 1]}} to `cooked` in the column for the subject, and
# head 3 hands it {{chef.mixed[head 3, cooked, 1]}} in the column for what is alive. W^O writes both into
# one row: {{chef.output[cooked, subject*]}} into `subject*` and {{chef.output[cooked, alive]}} into
# `alive`. The row of the verb now carries what two heads found.

# %% [markdown] part="misconception"
# ## A common misconception
#
# *"W^O blends the heads back down to the original size."*
#
# In the usual design the row is not too long: {{heads}} × {{d_v}} is {{heads * d_v}}, the width of the
# model. W^O is square and nothing shrinks. It is there to mix: without it every number would come from one
# head alone. Only where each head is wider than its share, as in "Birds sing at dawn", does W^O also make
# the row shorter.

# %% [markdown] part="questions"
# ## Test yourself
#
# - Head 2 of the robot is switched off: its {{d_v}} numbers in `concat` are set to 0. What becomes of
#   `noun` in the output of `it`? => It falls from {{output[it, noun]}}
#   to {{mixed[head 1, it, 4] * W_O[1.4, noun]}}. What head 1 adds is still there.
# - And does `link` change? => No. Head 2's rows of W^O have 0 in the column `link`, so head 2 adds nothing
#   there.
# - Why may the heads simply be added in "output = sum of mixed_i W_i^O", when adding the mixed rows is a
#   mistake? => Before W^O the first numbers of two heads mean different things. After its own block each
#   head's row is in the numbers of the output.
# - Someone sets W^O to the identity: 1 on the diagonal, 0 elsewhere. What does the layer compute? =>
#   `concat`. It is the same as leaving W^O out.
# - Two heads of a trained model change places, and their blocks of W^O with them. Does any sentence give
#   another output? => No. The sum has the same terms.

# %% [markdown] part="card"
# ## Summary
#
# - concat: for each token the short rows of all heads side by side, head 1 first. Nothing is computed.
# - output = concat W^O. W^O has heads × d_v rows and d_model columns; in the usual design it is square.
# - The same as a sum: output = mixed_1 W_1^O + mixed_2 W_2^O + ... Each head writes with its own block of
#   rows.
# - W^O is learned. It mixes the heads and decides where each head writes.
# - Heads may change places together with their blocks. The number of a head means nothing.
#
# In a Transformer this is the last step of multi-head attention. Then the output is added to the token's
# row, the sum is normalised, and the feed-forward part follows (lesson 10).

# %% [markdown] part="exit"
# ## Exit ticket
#
# - Head 1 writes the row 5, 0, 2 and head 2 writes the row 1, -2, 4. What is the third number of the
#   output?
# - A model is 20 wide and has 5 heads of width 4. W^O has which shape: A (20, 4), B (4, 20), C (20, 20), D
#   (5, 20)?
# - Leaving W^O out raises no error in the usual design, because ...

# %% [markdown] part="reading"
# ## Further reading
#
# - "Attention Is All You Need", Vaswani and others, 2017, arXiv:1706.03762, section 3.2.2: concat and W^O
#   in one line.
# - "Are Sixteen Heads Really Better than One?", Michel, Levy and Neubig, 2019, arXiv:1905.10650: writes the
#   layer as a sum over heads, and then leaves heads out.
