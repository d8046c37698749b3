# ---
# title: Softmax, one budget per token and head
# summary: Softmax turns each row of scores into attention weights: none below 0, and each row sums to 1.
# minutes: 45
# ---

# %% part="setup"
import numpy as np

from mha_tutor.course import check

# %% [markdown]
# ## One row
#
# Head 2 of the robot example has these scores from `it`:
#
# {{table: scores[head 2, it]}}
#
# Softmax takes exp of each score and divides by the sum of all exps in the row. From `it` to
# `robot` it gives {{weights[head 2, it, robot]}}.

# %% [markdown] exercise="4.1" kind="implement" title="Softmax of every row"
# Write `softmax`. It gets `scores_ts`, an array of shape (n, m): one row for each token that asks.
# It returns the attention weights, in the same shape. Each row must sum to 1.


# %% part="work"
def softmax(scores_ts):
    # TODO: exp of each score, divided by the sum of its row. Keep exp from overflowing.
    ### BEGIN SOLUTION
    exps_ts = np.exp(scores_ts - scores_ts.max(axis=-1, keepdims=True))
    return exps_ts / exps_ts.sum(axis=-1, keepdims=True)
    ### END SOLUTION


# %% part="check"
check.stage("4.1", softmax, "scores_ts -> weights_ts")

# %% [markdown] part="hints"
# - Look at one row, the scores of one token that asks. Which axis of the array runs along that row?
# - For the row `it` above: exp({{scores[head 2, it, robot]}}) / (exp({{scores[head 2, it, robot]}}) + ... ).
#   What is added in the place of the dots?
# - For the scores 0 and 1: exp(0) = 1 and exp(1) = {{exp(1)}}. The sum is {{exp(0) + exp(1)}}.
#   The weights are {{1 / (1 + exp(1))}} and {{exp(1) / (1 + exp(1))}}.

# %% [markdown] part="why"
# **Why it works.** exp is never negative, and each row is divided by its own sum. `keepdims=True`
# keeps the sums as a column, so that each row meets its own sum.
#
# **What else works.** You may subtract any number from a whole row first; the row's largest one
# keeps exp from overflowing.


# %% part="right" name="row by row"
def softmax(scores_ts):
    rows = [np.exp(row - max(row)) for row in scores_ts]
    return np.array([row / sum(row) for row in rows])


# %% part="wrong" name="B26"
def softmax(scores_ts):
    exps_ts = np.exp(scores_ts - scores_ts.max(axis=0))
    return exps_ts / exps_ts.sum(axis=0)
