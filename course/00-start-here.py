# ---
# title: Start here
# summary: How these notebooks work, and what the word attention means before any formula.
# minutes: 10
# ---

# %% [markdown]
# ## Is everything here?
#
# Run the next cell: click on it and press Shift and Enter together. It looks for what the course needs.

# %%
import sys
from importlib.util import find_spec

missing = [name for name in ("numpy", "mha_tutor") if find_spec(name) is None]
if missing:
    print("This notebook runs in", sys.executable)
    print("Missing there:", ", ".join(missing))
    print("Type this in a terminal, then restart the kernel:")
    print(f'"{sys.executable}" -m pip install {" ".join(missing).replace("mha_tutor", "mha-tutor")}')
else:
    print("numpy and mha-tutor are here.")

# %% part="setup"
from mha_tutor.course import check

check.environment()

# %% [markdown]
# To see which Python runs this notebook, and the versions, add a cell with `check.where()`. Added cells
# are never lost: `mha-tutor course check` keeps them, in their place.
#
# ## How an exercise works
#
# An exercise has a task, a cell to work in, and a check. In the work cell a line `TODO` says what is
# missing, and three dots `...` or `raise NotImplementedError` stand where you write.
#
# 1. Write, and run the work cell.
# 2. Run the check under it. It says "not started yet", or what is not right, or "done", and why.
# 3. Stuck? Open one hint after the other. Each says more, none gives the answer.
#
# You may run cells in any order and as often as you like. A check that fails is part of the work: it
# tries to name the mistake that gives your answer.
#
# Its last line is a short code, such as `Code: 4.3:B26`. In a class, call it out when it is asked for: it
# says which exercise and which mistake, and nothing about you.
#
# In a terminal, `mha-tutor course check` runs all checks again, on the exercises as they were shipped,
# and `mha-tutor course next` says where to go on.

# %% [markdown] exercise="0.1" kind="predict" title="A number"
# The sentence is "The robot carried the patient because it was tired". How many tokens has it? A token is
# one word or punctuation mark here.

# %% part="work"
# TODO: type a number in place of the three dots.
### BEGIN SOLUTION
how_many = 9
### END SOLUTION

# %% part="check"
check.numbers("0.1", {"n": how_many})

# %% [markdown] part="hints"
# - Every word counts, also one that comes twice.
# - "The robot carried the patient" has 5 words. Then come because, it, ... .
# - "The cat saw the dog" has 5 tokens, for `the` counts both times.

# %% [markdown] part="why"
# This is what a check says when all is right. After each exercise it adds why the answer works.

# %% part="right" name="as a text"
how_many = "9"

# %% part="wrong" name="each word once"
how_many = 8

# %% [markdown] exercise="0.2" kind="implement" title="A function"
# Write `total`. It gets an array of shape (n, m) and returns the sum of each row, an array of shape (n,).


# %% part="work"
def total(weights_ts):
    # TODO: return the sum of each row.
    ### BEGIN SOLUTION
    return weights_ts.sum(axis=1)
    ### END SOLUTION


# %% part="check"
check.function("0.2", total, [([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],), ("weights_ts",)])

# %% [markdown] part="hints"
# - A row runs along the second axis, which numpy calls axis 1.
# - `weights_ts.sum(axis=...)` with the number of that axis.
# - For `a` of shape (2, 3), `a.max(axis=1)` has the shape (2,): the largest number of each row.

# %% [markdown] part="why"
# A function is tried on several arrays of different sizes. So a number that fits one case only is found.


# %% part="right" name="a loop"
def total(weights_ts):
    return [sum(row) for row in weights_ts]


# %% part="wrong" name="columns" cause="each column is added up, not each row"
def total(weights_ts):
    return weights_ts.sum(axis=0)


# %% part="wrong" name="everything" cause="all numbers are added up together"
def total(weights_ts):
    return weights_ts.sum()


# %% [markdown]
# ## What attention is
#
# A model that reads text keeps one row of numbers for each token. At first a row knows its own word and
# its place, and nothing of the other words. But `it` says little alone: somebody has to look up what it
# stands for. *Attention* is the step in which each token takes in something from the others.
#
# - Each token **asks**: it compares itself with every token of the sentence, itself included.
# - The comparison gives a **score** for each of them: how well does this token fit what I look for?
# - The scores become **shares** that sum to 1, the attention weights.
# - The token then takes in a **mixture** of what the tokens hand on, by these shares.
#
# Here are the shares of `it` in a small example that was built by hand:
#
# {{table: weights[head 2, it]}}
#
# It takes {{weights[head 2, it, robot] : %}} of the mixture from `robot`. Nobody told it to at this
# moment: the numbers in its row and in a few matrices make it so. In a trained model those matrices are
# learned. Here somebody chose them, so that the pattern can be seen.
#
# **Multi-head** attention does this several times side by side, with different matrices. Each time is
# called a *head*. Another head of the same example looks elsewhere from the same word:
#
# {{table: weights[head 3, it]}}
#
# The other lessons take this apart, one step at a time, with every number.

# %% [markdown] exercise="0.3" kind="choose" title="What attention does"
# Which claim is right?

# %% [markdown] part="claims"
# - [ ] A. Attention picks the one most important word and drops the others. => It takes a mixture. Each token
#   gets a share, most of them small; here `The` still gets {{weights[head 2, it, The]}}.
# - [x] B. Each token takes in a mixture of what all tokens hand on, with shares that sum to 1. => Who asks
#   decides the shares, so each token has a mixture of its own.
# - [ ] C. The sentence gets one set of shares that all its tokens use. => Each token asks for itself. From
#   `carried` head 2 gives `robot` {{weights[head 2, carried, robot]}}, from `it`
#   {{weights[head 2, it, robot]}}.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
what_it_does = "B"
### END SOLUTION

# %% part="check"
check.choice("0.3", what_it_does)

# %% [markdown] part="hints"
# - Look at the first table: how many of its numbers are above 0?
# - The shares of one token sum to ... . Has another token the same shares?
# - A cook takes flour, water and salt, each with its share of the dough. Another cook takes other shares.

# %% [markdown] part="why"
# Keep three words apart: a score compares, a weight is a share, a value is what is handed on.

# %% part="right" name="small letter"
what_it_does = "b"

# %% part="wrong" name="A"
what_it_does = "A"

# %% part="wrong" name="C"
what_it_does = "C"

# %% [markdown] exercise="0.4" kind="bug" title="A check that finds a mistake"
# This function should return the shares of each row: every number divided by the sum of its row. Its
# author divided by the sum of everything. Write it again, so that each row sums to 1. All numbers are
# above 0.


# %% part="given"
def odd_shares(numbers_ts):
    return numbers_ts / numbers_ts.sum()


# %% part="work"
def shares(numbers_ts):
    # TODO: divide each number by the sum of its row.
    ### BEGIN SOLUTION
    return numbers_ts / numbers_ts.sum(axis=1, keepdims=True)
    ### BLANK
    # return numbers_ts / ...
    ### END SOLUTION


# %% part="check"
check.function("0.4", shares, [([[1.0, 3.0], [2.0, 2.0], [1.0, 1.0]],), ([[5.0, 1.0, 2.0]],)])

# %% [markdown] part="hints"
# - What must sum to 1: each row, each column, or everything?
# - `numbers_ts.sum(axis=1, keepdims=...)` gives one sum a row, as a column.
# - For `a` of shape (2, 3), `a - a.max(axis=1, keepdims=True)` takes each row's largest number off that row.

# %% [markdown] part="why"
# keepdims=True keeps the sums as a column of shape (n, 1), so each row is divided by its own sum. You
# will need it often.


# %% part="right" name="row by row"
def shares(numbers_ts):
    return [[one / sum(row) for one in row] for row in numbers_ts]


# %% part="wrong" name="of everything" cause="everything is divided by the sum of all numbers"
def shares(numbers_ts):
    return odd_shares(numbers_ts)


# %% part="wrong" name="of the columns" cause="each number is divided by the sum of its column"
def shares(numbers_ts):
    return numbers_ts / numbers_ts.sum(axis=0)


# %% [markdown] part="misconception"
# ## A common misconception
#
# *"Attention means that the model understands what matters."*
#
# Attention is arithmetic: rows are multiplied by matrices, compared, turned into shares, and mixed. What
# a share means, if it means anything to a person, must be found out afterwards. Lesson 8 comes back to it.

# %% [markdown] part="card"
# ## Summary
#
# - One row of numbers for each token. Attention lets a token take in something from the others.
# - Ask, score, share, mix. The shares of a token sum to 1.
# - Several heads do it side by side, each with its own matrices.
# - An exercise: write, run, check; hints in three steps; nothing you do is lost.

# %% [markdown] part="exit"
# ## Exit ticket
#
# - How many rows does a sentence of 12 tokens have?
# - Do the shares that one token receives sum to 1, or those that it spends?
# - `it` alone says little, because ...
