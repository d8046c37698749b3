# ---
# title: What heads do and do not do
# summary: A head adds one term to the output; what that term is for must be found out, and a large weight does not say it.
# minutes: 45
# ---

# %% part="setup"
import math

import numpy as np

from mha_tutor.course import check
from mha_tutor.examples import find
from mha_tutor.lab import ROLES, Plan, loss_without, trained
from mha_tutor.lab.real.fooling import fooling
from mha_tutor.stages import walk

# %% [markdown] part="recall"
# ## Three questions from earlier lessons
#
# Answer first, then look.
#
# - How many budgets has one token in a layer with {{heads}} heads? => It has {{heads}}. Each head has its own
#   softmax, so each token has one budget in each head.
# - W^O has {{d_model}} rows here. Which of them read head 2? => Rows 5 to 8. Head 1 fills the first {{d_k}}
#   numbers of concat, head 2 the next {{d_k}}.
# - A token gets a mixture of values. Can a number of the mixture lie above the largest number of that
#   column? => No. It is a weighted average, and an average stays between the smallest and the largest.

# %% [markdown]
# ## What this lesson is for
#
# Many people say what heads do: one does grammar, one finds names, training makes them differ. Some of
# this was measured, some was measured by others than those who are named, and some is wrong. In about 45
# minutes you will remove heads and measure what is missing, in heads built by hand and in heads that were
# trained. You will sort claims into those that hold and those that do not. Exercises 8.1, 8.3, 8.6, 8.7,
# 8.14 to 8.16 and 8.18 carry the lesson. The others can wait, and so can the text around
# exercises 8.8 to 8.13.
#
# ## A head is one term of a sum
#
# Lesson 6 cut W^O into blocks of rows, one for each head. The output is a sum over heads:
#
# output = head_1 W_1^O + head_2 W_2^O + head_3 W_3^O
#
# So a head can be removed in a clean way: its term is left out, and nothing else changes.
#
# **Head 1, worked.** Look at the row `it` and the column `noun`. In W_1^O only one number of this column
# is not 0. It stands in the row that reads the fourth number of head 1. The mixed row of head 1 has
# {{mixed[head 1, it, 4]}} there, and W^O has {{W_O[4, noun]}}. So head 1 adds
# {{mixed[head 1, it, 4]}} × {{W_O[4, noun]}} = {{mixed[head 1, it, 4] * W_O[4, noun]}}.
#
# Head 1 in numpy, for all tokens. The last line prints how long each token's term is. The length of a
# row is the square root of the sum of its squared numbers.

# %%
robot = walk(find("robot"))
mixed_hte = robot["mixed"].values  # (3 heads, 9 tokens, 4 numbers)
w_o_cd = robot["W_O"].values  # (12 rows, 12 columns)

term_td = mixed_hte[0] @ w_o_cd[0:4]
print("shape of the term:", term_td.shape)
print("lengths:", np.linalg.norm(term_td, axis=1).round(2).tolist())

# %% [markdown] exercise="8.1" kind="predict" title="Head 2 is removed"
# The output of `it` in the column `noun` is {{output[it, noun]}}. Two heads write there:
#
# - head 1 adds {{mixed[head 1, it, 4]}} × {{W_O[4, noun]}},
# - head 2 adds {{mixed[head 2, it, 2]}} × {{W_O[6, noun]}}.
#
# Head 2 is removed. Which number is left in this place? Two decimals are enough.

# %% part="work"
# TODO: type a number.
### BEGIN SOLUTION
noun_without_head_2 = 0.11
### END SOLUTION

# %% part="check"
check.numbers("8.1", {"output[it, noun] - mixed[head 2, it, 2] * W_O[6, noun]": noun_without_head_2})

# %% [markdown] part="hints"
# - Row `it`, column `noun`. Two terms stand there; one of them goes.
# - {{output[it, noun]}} - {{mixed[head 2, it, 2]}} × ... = what is left.
# - A sum 5 = 2 + 3 loses the term 3. What is left is 2: the other term, unchanged.

# %% [markdown] part="why"
# **Why it works.** The heads do not touch each other before W^O. So the other terms stay as they were.
# What is left is the term of head 1, {{mixed[head 1, it, 4] * W_O[4, noun]}}.

# %% part="right" name="from the other side"
noun_without_head_2 = 1.04 - 0.93

# %% part="right" name="the term of head 1"
noun_without_head_2 = mixed_hte[0, 6, 3] * 0.5

# %% part="wrong" name="the term that goes"
noun_without_head_2 = 0.93

# %% part="wrong" name="nothing is left"
noun_without_head_2 = 0

# %% [markdown] exercise="8.2" kind="predict" title="Head 3, alone"
# Now heads 1 and 2 are both removed. In the row `it` head 3 has these mixed numbers:
#
# {{table: mixed[head 3, it]}}
#
# In the column `state`, the block W_3^O has {{W_O[10, state]}} in its second row and 0 in the others. What
# is the output of `it` in the column `state`? One decimal is enough.

# %% part="work"
# TODO: type a number.
### BEGIN SOLUTION
state_from_head_3 = 0.64
### END SOLUTION

# %% part="check"
check.numbers("8.2", {"output[it, state]": state_from_head_3}, decimals=1)

# %% [markdown] part="hints"
# - The four mixed numbers meet the four rows of W_3^O in the column `state`. Three of the products are 0.
# - {{mixed[head 3, it, 2]}} × ... = the number.
# - A row (2, 5) and a block with the column (0, 3): 2 × 0 + 5 × 3 = 15.

# %% [markdown] part="why"
# **Why it works.** One term is left, and it is the whole output. No other head writes into `state`, so with
# all heads the number is the same. For this place heads 1 and 2 could go, and nobody would notice.

# %% part="right" name="as a product"
state_from_head_3 = 0.43 * 1.5

# %% part="wrong" name="not multiplied by W^O"
state_from_head_3 = 0.43

# %% [markdown] exercise="8.3" kind="implement" title="Remove one head"
# Write `without_head`. It gets
#
# - `mixed_hte`, the mixed rows of all heads, shape (heads, n, e),
# - `w_o_cd`, the whole of W^O, shape (heads · e, d),
# - `removed`, the head to remove, counted from 0 as arrays do.
#
# It returns the output without that head, shape (n, d).


# %% part="work"
def without_head(mixed_hte, w_o_cd, removed):
    heads, n, e = mixed_hte.shape
    # TODO: the output without the term of one head.
    ### BEGIN SOLUTION
    kept_hte = mixed_hte.copy()
    kept_hte[removed] = 0
    concat_tc = kept_hte.swapaxes(0, 1).reshape(n, heads * e)
    return concat_tc @ w_o_cd
    ### END SOLUTION


# %% part="check"
check.function("8.3", without_head, [("mixed_hte", "w_o_cd", 0), ("mixed_hte", "w_o_cd", 1)])

# %% [markdown] part="hints"
# - Which rows of W^O read the head that is removed? They are rows `removed * e` to `removed * e + e - 1`.
# - The sum runs over all heads but one: `mixed_hte[i] @ w_o_cd[i * e : ...]`. Where does the block of head i
#   end?
# - Three columns, and the second is to be left out of a row's sum: with `row = np.array([2.0, 5.0, 4.0])`,
#   `row[1] = 0` and then `row.sum()` gives 6. So does 2 + 4.

# %% [markdown] part="why"
# **Why it works.** A row of zeros times a block of W^O is a row of zeros, so that head's term is gone.
#
# **What else works.** Add the terms of the other heads. Or set the removed head's rows of W^O to 0. All
# three give the same numbers. Averaging the heads that are left, or leaving the columns out of concat and
# moving the others up, does not: then heads meet rows of W^O that were learned for another head.


# %% part="right" name="sum of the other terms"
def without_head(mixed_hte, w_o_cd, removed):
    heads, n, e = mixed_hte.shape
    total_td = np.zeros((n, w_o_cd.shape[1]))
    for i in range(heads):
        if i != removed:
            total_td += mixed_hte[i] @ w_o_cd[i * e : (i + 1) * e]
    return total_td


# %% part="right" name="rows of W^O set to 0"
def without_head(mixed_hte, w_o_cd, removed):
    blocks_hed = np.array(w_o_cd).reshape(len(mixed_hte), -1, w_o_cd.shape[1])
    blocks_hed[removed] = 0
    return np.einsum("hte,hed->td", mixed_hte, blocks_hed)


# %% part="wrong" name="moved up" cause="the other heads move up and meet rows of W^O that belong to another head"
def without_head(mixed_hte, w_o_cd, removed):
    kept_hte = np.delete(mixed_hte, removed, axis=0)
    concat_tc = np.concatenate(list(kept_hte), axis=1)
    return concat_tc @ w_o_cd[: concat_tc.shape[1]]


# %% part="wrong" name="only that head" cause="only the term of the head is kept, and the others are removed"
def without_head(mixed_hte, w_o_cd, removed):
    e = mixed_hte.shape[2]
    return mixed_hte[removed] @ w_o_cd[removed * e : (removed + 1) * e]


# %% part="wrong" name="columns" cause="columns of the output are set to 0; the rows of W^O are what belongs to a head"
def without_head(mixed_hte, w_o_cd, removed):
    heads, n, e = mixed_hte.shape
    output_td = mixed_hte.swapaxes(0, 1).reshape(n, heads * e) @ w_o_cd
    output_td[:, removed * e : (removed + 1) * e] = 0
    return output_td


# %% part="wrong" name="nothing removed" cause="no head is removed"
def without_head(mixed_hte, w_o_cd, removed):
    heads, n, e = mixed_hte.shape
    return mixed_hte.swapaxes(0, 1).reshape(n, heads * e) @ w_o_cd


# %% part="wrong" name="no swap" cause="the heads are reshaped to rows without swapping the first two axes, so numbers of different tokens stand in one row"
def without_head(mixed_hte, w_o_cd, removed):
    heads, n, e = mixed_hte.shape
    kept_hte = mixed_hte.copy()
    kept_hte[removed] = 0
    return kept_hte.reshape(n, heads * e) @ w_o_cd


# %% part="wrong" name="without W^O" cause="W^O is missing"
def without_head(mixed_hte, w_o_cd, removed):
    heads, n, e = mixed_hte.shape
    kept_hte = mixed_hte.copy()
    kept_hte[removed] = 0
    return kept_hte.swapaxes(0, 1).reshape(n, heads * e)


# %% [markdown] exercise="8.4" kind="implement" title="How much is missing"
# When a head is removed, each token's output loses one row of d numbers. Write `missing_lengths`. It gets
# `mixed_hte`, of shape (heads, n, e), and `w_o_cd`, of shape (heads · e, d). It returns an array of shape
# (heads, n): for each head and token, the length of the row that is missing when this head alone is
# removed.
#
# Predict first, for `it`: which of the three heads adds the longest row?


# %% part="work"
def missing_lengths(mixed_hte, w_o_cd):
    heads, e = mixed_hte.shape[0], mixed_hte.shape[2]
    # TODO: each head's term, then the length of each row.
    ### BEGIN SOLUTION
    terms_htd = mixed_hte @ w_o_cd.reshape(heads, e, -1)
    return np.sqrt((terms_htd**2).sum(axis=-1))
    ### BLANK
    # terms_htd = ...
    # return ...
    ### END SOLUTION


# %% part="check"
check.function("8.4", missing_lengths, [("mixed_hte", "w_o_cd")])

# %% [markdown] part="hints"
# - The code at the top of this lesson does it for head 1: rows 0 to 3 of W^O, then a length for each row.
# - Head i meets `w_o_cd[i * e : ...]`. That gives (n, d). A length for each row runs along axis ... .
# - The rows (3, 4) and (0, 2) have the lengths sqrt(9 + 16) = 5 and 2. In numpy:
#   `np.linalg.norm(np.array([[3.0, 4.0], [0.0, 2.0]]), axis=-1)` is `[5.0, 2.0]`.

# %% [markdown] part="why"
# **Why it works.** The output with all heads minus the output without head i is exactly the term of head i.
# So the length of the term is the length of what is missing.
#
# For `it` head 2 adds the longest row. For `robot` and `patient` it is head 3. So "the most important head"
# already depends on the token. And a length is not yet a loss: what a missing row costs depends on what
# later layers do with it. To know that, one has to run the whole model and measure.


# %% part="right" name="with and without"
def missing_lengths(mixed_hte, w_o_cd):
    heads, n, _ = mixed_hte.shape
    full_td = mixed_hte.swapaxes(0, 1).reshape(n, -1) @ w_o_cd
    rows = []
    for i in range(heads):
        kept_hte = mixed_hte.copy()
        kept_hte[i] = 0
        less_td = kept_hte.swapaxes(0, 1).reshape(n, -1) @ w_o_cd
        rows.append(np.linalg.norm(full_td - less_td, axis=1))
    return np.array(rows)


# %% part="right" name="a loop"
def missing_lengths(mixed_hte, w_o_cd):
    e = mixed_hte.shape[2]
    return [np.linalg.norm(m @ w_o_cd[i * e : (i + 1) * e], axis=1) for i, m in enumerate(mixed_hte)]


# %% part="wrong" name="before W^O" cause="the rows are measured before W^O, as if every block of W^O kept lengths"
def missing_lengths(mixed_hte, w_o_cd):
    return np.linalg.norm(mixed_hte, axis=-1)


# %% part="wrong" name="what is left" cause="what is left is measured, not what is missing"
def missing_lengths(mixed_hte, w_o_cd):
    heads, _, e = mixed_hte.shape
    terms_htd = mixed_hte @ w_o_cd.reshape(heads, e, -1)
    return np.linalg.norm(terms_htd.sum(axis=0) - terms_htd, axis=-1)


# %% part="wrong" name="without the root" cause="the square root is missing"
def missing_lengths(mixed_hte, w_o_cd):
    heads, _, e = mixed_hte.shape
    return ((mixed_hte @ w_o_cd.reshape(heads, e, -1)) ** 2).sum(axis=-1)


# %% part="wrong" name="sum of the row" cause="the numbers of a row are added up; numbers above and below 0 then cancel"
def missing_lengths(mixed_hte, w_o_cd):
    heads, _, e = mixed_hte.shape
    return (mixed_hte @ w_o_cd.reshape(heads, e, -1)).sum(axis=-1)


# %% part="wrong" name="first block" cause="every head meets the rows of W^O that belong to head 1"
def missing_lengths(mixed_hte, w_o_cd):
    return np.linalg.norm(mixed_hte @ w_o_cd[: mixed_hte.shape[2]], axis=-1)


# %% part="wrong" name="difference of lengths" cause="the lengths of the output with and without the head are subtracted; the rows must be subtracted first"
def missing_lengths(mixed_hte, w_o_cd):
    heads, _, e = mixed_hte.shape
    terms_htd = mixed_hte @ w_o_cd.reshape(heads, e, -1)
    full_td = terms_htd.sum(axis=0)
    return np.linalg.norm(full_td, axis=-1) - np.linalg.norm(full_td - terms_htd, axis=-1)


# %% [markdown]
# ## The number of a head means nothing
#
# A sum does not depend on the order of its terms. So the heads may stand in any order, as long as each
# head keeps its own matrices and its own rows of W^O:

# %%
usual_td = sum(mixed_hte[i] @ w_o_cd[4 * i : 4 * i + 4] for i in (0, 1, 2))
other_td = sum(mixed_hte[i] @ w_o_cd[4 * i : 4 * i + 4] for i in (2, 0, 1))
print("the same output:", np.allclose(usual_td, other_td))

# %% [markdown]
# In a trained model nothing decides which head is head 1. Train the same model again from other random
# numbers, and what head 1 did may be done by head 6, or by two heads, or by none. So a sentence such as
# "head 1 is the grammar head" can at most be true of one trained model.

# %% [markdown] exercise="8.5" kind="implement" title="The heads in another order"
# Somebody puts the heads into another order: `mixed_hte[list(order)]`. The place i now holds the head that
# stood at place `order[i]`. Write `rows_follow`, which gives the W^O for the new order, so that the output
# stays the same. It gets `w_o_cd`, of shape (heads · e, d), the number `heads`, and `order`, a tuple such as
# (2, 0, 1). It returns a matrix of the same shape.


# %% part="given"
rows_cd = np.arange(18.0).reshape(6, 3)  # 6 rows to try it on


# %% part="work"
def rows_follow(w_o_cd, heads, order):
    # TODO: W^O with its blocks of rows in the new order.
    ### BEGIN SOLUTION
    blocks_hed = w_o_cd.reshape(heads, -1, w_o_cd.shape[1])
    return blocks_hed[list(order)].reshape(w_o_cd.shape)
    ### END SOLUTION


# %% part="check"
check.function(
    "8.5",
    rows_follow,
    [(rows_cd, 3, (2, 0, 1)), (rows_cd, 3, (1, 0, 2)), (rows_cd, 2, (1, 0)), (rows_cd, 3, (0, 1, 2))],
)

# %% [markdown] part="hints"
# - Each head owns a block of W^O: whole rows, as many as a head is wide. The blocks move, not their rows.
# - `w_o_cd.reshape(heads, ..., d)` cuts W^O into one block for each head. How many rows has a block?
# - Six cards in pairs, [a a][b b][c c]. In the order (1, 2, 0) they lie as [b b][c c][a a]: first the pair
#   that stood at place 1.

# %% [markdown] part="why"
# **Why it works.** Each head meets the rows that it met before. The same terms are added, in another order.
# If only the heads moved and W^O stayed, each head would meet rows that were learned for another one.
#
# W^Q, W^K and W^V of the heads move in the same way. Then the whole layer gives the same output with its
# heads in any order.


# %% part="right" name="list of rows"
def rows_follow(w_o_cd, heads, order):
    e = len(w_o_cd) // heads
    return w_o_cd[[i * e + k for i in order for k in range(e)]]


# %% part="right" name="split and joined"
def rows_follow(w_o_cd, heads, order):
    blocks = np.split(w_o_cd, heads)
    return np.concatenate([blocks[i] for i in order])


# %% part="wrong" name="the way back" cause="the block of place i goes to place order[i]; place i must receive the block of order[i]"
def rows_follow(w_o_cd, heads, order):
    blocks = np.split(w_o_cd, heads)
    moved = [None] * heads
    for i, place in enumerate(order):
        moved[place] = blocks[i]
    return np.concatenate(moved)


# %% part="wrong" name="nothing moves" cause="W^O stays as it is, so heads meet rows that belong to another head"
def rows_follow(w_o_cd, heads, order):
    return w_o_cd


# %% part="wrong" name="single rows" cause="single rows are picked; each head owns a whole block of rows"
def rows_follow(w_o_cd, heads, order):
    return w_o_cd[list(order)]


# %% part="wrong" name="columns" cause="columns of W^O move; a head owns rows"
def rows_follow(w_o_cd, heads, order):
    columns = np.array_split(w_o_cd, heads, axis=1)
    return np.concatenate([columns[i] for i in order], axis=1)


# %% part="wrong" name="interleaved" cause="the rows are dealt out to the heads one by one; the rows of a head stand together"
def rows_follow(w_o_cd, heads, order):
    dealt = w_o_cd.reshape(-1, heads, w_o_cd.shape[1])
    return dealt[:, list(order)].reshape(w_o_cd.shape)


# %% [markdown]
# ## Roles are found, not assigned
#
# In the robot example the heads have roles because somebody built the matrices that way. The patterns are
# invented. Look at what such a role is worth:
#
# - In "The trophy did not fit in the suitcase because it was too big", head 2 gives `trophy`
#   {{trophy.weights[head 2, it, trophy]}} from `it`. That looks like understanding.
# - With `small` in the place of `big`, `it` should mean the suitcase. Head 2 gives `trophy`
#   {{trophy_small.weights[head 2, it, trophy]}} again. It looks for a feature, and that feature has not moved.
# - In "The chef, who trained in Paris, cooked the meal quickly", the same head gives `chef`
#   {{chef.weights[head 2, who, chef]}} from `who` and {{chef.weights[head 2, cooked, chef]}} from `cooked`.
#   Is it a head for pronouns or a head for verbs? It serves both.
#
# In a trained model nobody assigns a role. The loss, which training makes small, says only how good the
# predictions are. It does not mention heads. What a head does is found out afterwards, one model at a
# time. Still, some *kinds* of head turn up again and again. Three that Voita and others (2019) describe in
# translation models:
#
# - **positional** heads look at a neighbour, the token before or after, at least
#   {{figures.voita_neighbour}} times in a hundred,
# - **syntactic** heads follow a grammatical relation, such as that between a verb and its subject,
# - one head of the first layer looks at the **rarest tokens** of the sentence.
#
# Olsson and others (2022) describe *induction heads*: after "A B ... A" they look at what followed the first
# A. In small models they could show that such heads cause what they are said to cause. In large models the
# evidence is a correlation.

# %% [markdown] exercise="8.6" kind="choose" title="Claims about roles"
# Which claims hold? Several may.

# %% [markdown] part="claims"
# - [ ] A. Training pushes the heads apart, so that they cover different things. => The loss has no term for
#   being different. Clark and others (2019) find that heads of one layer often behave alike. Li and others
#   (2018) had to add a penalty for agreement to make heads differ more.
# - [x] B. What a head does is found out afterwards, and anew for each trained model. => The same matrices in
#   another order give the same output, so the number of a head says nothing.
# - [ ] C. Head 1 of a layer learns the grammar. => No number has a task. Words depend on other words,
#   as a subject does on its verb. The best single head of BERT finds the right one for
#   {{figures.clark_best_head}} percent of words; a simple rule without any model does so for
#   {{figures.clark_right_branching}} percent.
# - [ ] D. Each kind of relation gets one head of its own. => There is no such map. Some relations have a head
#   that fits well: one of BERT's is right for {{figures.clark_object}} percent of direct objects. For others no
#   head does as well, and one head may do several things.
# - [x] E. Some kinds of head are found in many models. => Heads that look at a neighbour are an example. Where
#   they sit must be found out each time.

# %% part="work"
# TODO: type the letters, as in "AC".
### BEGIN SOLUTION
claims_about_roles = "BE"
### END SOLUTION

# %% part="check"
check.choice("8.6", claims_about_roles)

# %% [markdown] part="hints"
# - For each claim ask: who would have made it so? The loss, a person, or nobody?
# - Exercise 8.5 changed the order of the heads and kept the output. Which claims cannot be true after that?
# - Ants carry food along paths that nobody planned. One can find out which ant did what, and that some
#   kinds of work turn up in every nest. But nobody gave ant number 1 a task.

# %% [markdown] part="why"
# **Why it matters.** A picture with "head 1: grammar, head 2: names" teaches something that nobody has
# measured. Say "in this model, this head often does this", and say how often.

# %% part="right" name="small letters"
claims_about_roles = "be"

# %% part="right" name="with a comma"
claims_about_roles = "E, B"

# %% part="wrong" name="A"
claims_about_roles = "ABE"

# %% part="wrong" name="C"
claims_about_roles = "C"

# %% part="wrong" name="D"
claims_about_roles = "BD"

# %% part="wrong" name="one of two"
claims_about_roles = "B"

# %% [markdown]
# ## What can be removed, and who measured it
#
# To remove heads is called *pruning*. Two papers of 2019 are often mixed up. Both measure translations in
# BLEU, a number for their quality; more is better.
#
# **Voita and others (2019)** used a model with {{figures.voita_layers}} layers of {{figures.voita_heads}}
# heads in each of three kinds of attention. They did not switch heads off one by one. Each head got a gate,
# and training went on while the gates learned to close. Of {{figures.voita_encoder_heads}} encoder heads
# {{figures.voita_kept_wmt}} were kept on one data set, with a loss of {{figures.voita_drop_wmt}} BLEU; on
# another {{figures.voita_kept_subtitles}} were kept, with a loss of {{figures.voita_drop_subtitles}}. Heads
# from the decoder to the encoder were the last to go. Over all {{figures.voita_all_heads}} heads, the model
# with {{figures.voita_75_kept}} left has {{figures.voita_75_bleu}} BLEU; with all it has
# {{figures.voita_base}}. The paper calls that no noticeable loss. It does not call it a gain.
#
# **Michel and others (2019)** switched heads off in trained models, without training again. Of
# {{figures.michel_single}} encoder heads, removed one at a time, {{figures.michel_significant}} changed BLEU by
# more than chance explains, and {{figures.michel_up}} of those removals made it better. In order of importance, about
# {{figures.michel_wmt}} percent of the heads of the translation model could go, and about
# {{figures.michel_mnli}} percent of the heads of BERT on one task; after that quality fell fast. Most layers
# still work when they keep one head. But one layer, from the decoder to the encoder, loses
# {{figures.michel_layer6}} BLEU when it keeps one head.
#
# **A hypothesis: spare heads may help training.** When the small models that pruning left were trained from
# the start, they were worse than the pruned ones: by {{figures.scratch_75}}, {{figures.scratch_58}},
# {{figures.scratch_36}} and {{figures.scratch_26}} BLEU (Voita and others, Table 2, from more heads to
# fewer). So heads that are not needed in the end may have been of use on the way. It is not proven.

# %% [markdown] exercise="8.7" kind="choose" title="Who found what"
# Which sentences may stand in a report? Several may.

# %% [markdown] part="claims"
# - [ ] A. Voita and others pruned a model of twelve heads a layer, and it became better. => Their model has
#   {{figures.voita_heads}} heads a layer. {{figures.voita_75_kept}} of {{figures.voita_all_heads}} heads gave
#   {{figures.voita_75_bleu}} BLEU in place of {{figures.voita_base}}; the paper calls that no noticeable loss.
#   Twelve heads a layer has BERT base, in the other paper.
# - [x] B. With {{figures.voita_kept_wmt}} of {{figures.voita_encoder_heads}} encoder heads a translation model
#   lost {{figures.voita_drop_wmt}} BLEU, after training went on during pruning. => It says how many, of which
#   kind, at what price, and how.
# - [x] C. Michel and others found single heads whose removal made translations better. =>
#   {{figures.michel_up}} of the {{figures.michel_significant}} removals that changed BLEU by more than chance.
# - [ ] D. Half of the heads of any model can be removed. => It depends on the model, the kind of attention and
#   the method. Without training again it was about {{figures.michel_wmt}} percent in one model and
#   {{figures.michel_mnli}} in another, and one layer could not do with one head at all.
# - [ ] E. Pruning shows that the removed heads were never of use. => It shows that the trained model can do
#   without them. The same small models trained from the start were worse.

# %% part="work"
# TODO: type the letters, as in "AC".
### BEGIN SOLUTION
who_found_what = "BC"
### END SOLUTION

# %% part="check"
check.choice("8.7", who_found_what)

# %% [markdown] part="hints"
# - Look for three things in each sentence: which model, which heads, and whether training went on.
# - Two sentences say more than was measured, with words such as "any" and "never". Which are they?
# - "A shop sold 3 of 10 chairs on Monday" can be checked. "Shops sell few chairs" cannot.

# %% [markdown] part="why"
# **Why it matters.** "Half the heads are useless" is easily said. What was measured is narrower: which
# heads, in which model, with which method, at what price.

# %% part="right" name="small letters"
who_found_what = "c b"

# %% part="wrong" name="A"
who_found_what = "ABC"

# %% part="wrong" name="D"
who_found_what = "BD"

# %% part="wrong" name="E"
who_found_what = "E"

# %% [markdown] exercise="8.8" kind="implement" title="Six of twelve heads, at random"
# A layer has 12 heads. Six are removed at random. Somebody says: "The loss will be small, since this is
# likely to remove heads that do not matter." Both papers chose with care which heads to remove. At random
# the heads that matter are in danger too.
#
# Predict first: 3 of the 12 heads are essential. What is the chance that all 3 stay: about 50, 25 or 10
# percent?
#
# Then write `chance_all_stay`. It gets three whole numbers: how many heads there are, how many are removed at
# random, and how many are essential. It returns the chance that no essential head is removed, a number from
# 0 to 1. `math.comb(5, 2)` is the number of ways to choose 2 of 5.


# %% part="work"
def chance_all_stay(heads, removed, essential):
    # TODO: the ways to remove none of the essential heads, divided by all ways to remove so many.
    ### BEGIN SOLUTION
    return math.comb(heads - essential, removed) / math.comb(heads, removed)
    ### BLANK
    # return math.comb(..., removed) / math.comb(..., removed)
    ### END SOLUTION


# %% part="check"
check.function(
    "8.8", chance_all_stay, [(12, 6, 3), (12, 6, 2), (12, 6, 4), (8, 2, 3), (10, 7, 1), (12, 6, 7)]
)

# %% [markdown] part="hints"
# - Count choices of heads to remove. All choices are alike at random. In how many of them is every removed
#   head one of those that are not essential?
# - With 12 heads, 6 removed and 3 essential: comb(..., 6) / comb(12, 6). From how many heads may the 6 be
#   taken?
# - Of 5 eggs 2 are bad, and 2 are taken. No bad one is taken in comb(3, 2) = {{comb(3, 2)}} of
#   comb(5, 2) = {{comb(5, 2)}} ways, a chance of {{comb(3, 2) / comb(5, 2)}}. Step by step:
#   3/5 × 2/4 = {{3 / 5 * 2 / 4}}.

# %% [markdown] part="why"
# **What it says.** With 2 essential heads the chance that both stay is
# {{comb(10, 6) / comb(12, 6) : %1}}, with 3 it is {{comb(9, 6) / comb(12, 6) : %1}}, with 4
# {{comb(8, 6) / comb(12, 6) : %1}}. A random half takes about half of the essential heads too. So "likely to
# remove heads that do not matter" is only half of the truth: it does, and it also removes heads that matter.
#
# The loss may still be smaller than expected, for other reasons: heads are not equally important, several may
# do nearly the same (the others make up for one that is gone), and one measurement has noise.


# %% part="right" name="one head after the other"
def chance_all_stay(heads, removed, essential):
    chance = 1.0
    for i in range(removed):
        chance *= max(heads - essential - i, 0) / (heads - i)
    return chance


# %% part="right" name="from the side of the essential heads"
def chance_all_stay(heads, removed, essential):
    return math.comb(heads - removed, essential) / math.comb(heads, essential)


# %% part="wrong" name="independent" cause="each essential head has a chance of its own, as if the other removals did not count; a head that is removed leaves fewer places for the next"
def chance_all_stay(heads, removed, essential):
    return ((heads - removed) / heads) ** essential


# %% part="wrong" name="at least one goes" cause="this is the chance that at least one essential head is removed"
def chance_all_stay(heads, removed, essential):
    return 1 - math.comb(heads - essential, removed) / math.comb(heads, removed)


# %% part="wrong" name="one head alone" cause="only one essential head is looked at"
def chance_all_stay(heads, removed, essential):
    return (heads - removed) / heads


# %% part="wrong" name="a count" cause="the ways are counted but not divided by the number of all ways"
def chance_all_stay(heads, removed, essential):
    return math.comb(heads - essential, removed)


# %% part="wrong" name="whole numbers" cause="the division is rounded down to a whole number"
def chance_all_stay(heads, removed, essential):
    return math.comb(heads - essential, removed) // math.comb(heads, removed)


# %% part="wrong" name="in percent" cause="the chance is given in percent; a number from 0 to 1 is asked for"
def chance_all_stay(heads, removed, essential):
    return 100 * math.comb(heads - essential, removed) / math.comb(heads, removed)


# %% [markdown]
# ## A head that we cannot read may still work
#
# Many heads of trained models show no pattern that a person can name. Some spread their weights over the
# whole sentence. That does not make them useless. In the robot example, head 3 has nothing to look for when
# `The` asks:
#
# {{table: weights[head 3, The]}}

# %% [markdown] exercise="8.9" kind="predict" title="A head that looks nowhere"
# These are the values of head 3:
#
# {{table: V[head 3]}}
#
# What is the third number that head 3 hands to `The`? Its weights are all 1/9.

# %% part="work"
# TODO: type a number.
### BEGIN SOLUTION
third_number = 0.68
### END SOLUTION

# %% part="check"
check.numbers("8.9", {"mixed[head 3, The, 3]": third_number})

# %% [markdown] part="hints"
# - Only the third column of the values counts. Every token gives the same share of its number.
# - The sum of the column is {{sum(V[head 3, *, 3])}}. Each of the {{n}} tokens has the weight 1/{{n}}, so
#   divide by ... .
# - Three values 1, 2 and 6 with the weights 1/3 each: (1 + 2 + 6) / 3 = 3.

# %% [markdown] part="why"
# **Why it matters.** With even weights a head hands over the average of all values. That is something: here
# it says whether the sentence has states and where its tokens stand. In the output of `The`, the column
# `slow sin` is {{output[The, slow sin]}}, and all of it comes from head 3. A person sees no pattern in the
# weights, and the head works.

# %% part="right" name="worked out in full"
third_number = (0 + 0.3 + 0.6 + 0.8 + 1 + 1 + 1 + 0.8 + 0.6) / 9

# %% part="right" name="as a text"
third_number = "6.1/9"

# %% part="wrong" name="nothing is handed over"
third_number = 0

# %% part="wrong" name="the column's sum"
third_number = 6.1

# %% [markdown]
# ## A weight is not an explanation
#
# A weight says how large a token's share is. What arrives is weight × value. In head 2 the token `tired`
# gives `it` {{weights[head 2, tired, it]}}, and the token `it` gives `robot` {{weights[head 2, it, robot]}}.
# Both are large. But the value of `it` in head 2 is short, with a length of
# {{sqrt(sum(V[head 2, it, *] ** 2))}}, and that of `robot` is long: {{sqrt(sum(V[head 2, robot, *] ** 2))}}.
# So `tired` receives a row of length
# {{weights[head 2, tired, it] * sqrt(sum(V[head 2, it, *] ** 2))}}, and `it` receives one of length
# {{weights[head 2, it, robot] * sqrt(sum(V[head 2, robot, *] ** 2))}}.
#
# Whether weights explain what a model says has been argued about in public. Jain and Wallace (2019) found
# that they often do not agree with other measures of importance. They studied a kind of model with one
# attention layer on top of a recurrent network, not Transformers. Wiegreffe and Pinter (2019) answered that
# it depends on what one calls an explanation.

# %% [markdown] exercise="8.10" kind="implement" title="What each token hands over"
# Write `handed_over`, for one head. It gets `weights_ts`, of shape (n, m), and the values `v_se`, of shape
# (m, e). It returns an array of shape (n, m): the length of the row weight × value, for each token that asks
# and each token that is asked.


# %% part="work"
def handed_over(weights_ts, v_se):
    # TODO: the length of each token's value, times the weight it gets.
    ### BEGIN SOLUTION
    lengths_s = np.sqrt((v_se**2).sum(axis=1))
    return weights_ts * lengths_s
    ### BLANK
    # lengths_s = ...
    # return ...
    ### END SOLUTION


# %% part="check"
check.function("8.10", handed_over, [("weights_ts", "v_se"), ([[0.9, 0.1]], [[0.0, 0.0], [3.0, -4.0]])])

# %% [markdown] part="hints"
# - Each column of the weights belongs to a token that is asked, and so does each row of the values.
# - The row `robot` of V_2 is 1, 1, 1, 1. Its length is sqrt(1 + 1 + 1 + 1) = {{sqrt(4)}}. From `it` the weight
#   is {{weights[head 2, it, robot]}}, so it hands over {{weights[head 2, it, robot]}} × ... .
# - The weights 1/2 and 1/2, and the values (6, 8) and (0, 1): the lengths are 10 and 1, so 5 and
#   {{1 / 2}} are handed over. The same weight, ten times as much.

# %% [markdown] part="why"
# **Why it works.** A weight is a number of 0 or more, so it makes the value's row longer or shorter and keeps
# its direction. A token with a value of zeros hands over nothing, whatever its weight. It only takes a share
# of the budget, so that the others hand over less.
#
# This is a better measure than the weight alone, and still not an explanation: W^O, the other heads and all
# later layers come after it.


# %% part="right" name="all rows, then lengths"
def handed_over(weights_ts, v_se):
    return np.linalg.norm(weights_ts[:, :, None] * v_se[None], axis=-1)


# %% part="right" name="two loops"
def handed_over(weights_ts, v_se):
    return [
        [math.sqrt(sum((w * x) ** 2 for x in v)) for w, v in zip(row, v_se, strict=True)]
        for row in weights_ts
    ]


# %% part="wrong" name="weights alone" cause="only the weights are used, and the values are not"
def handed_over(weights_ts, v_se):
    return weights_ts


# %% part="wrong" name="values alone" cause="only the values are used, and the weights are not"
def handed_over(weights_ts, v_se):
    return np.tile(np.linalg.norm(v_se, axis=1), (len(weights_ts), 1))


# %% part="wrong" name="sum of the numbers" cause="the numbers of a value are added up; numbers above and below 0 then cancel"
def handed_over(weights_ts, v_se):
    return weights_ts * v_se.sum(axis=1)


# %% part="wrong" name="without the root" cause="the square root is missing"
def handed_over(weights_ts, v_se):
    return weights_ts * (v_se**2).sum(axis=1)


# %% part="wrong" name="sum of sizes" cause="the sizes of a value's numbers are added up; a length is the root of the sum of squares"
def handed_over(weights_ts, v_se):
    return weights_ts * np.abs(v_se).sum(axis=1)


# %% part="wrong" name="mixed rows" cause="the parts are added up to one mixed row for each token that asks; the parts themselves are asked for"
def handed_over(weights_ts, v_se):
    return weights_ts @ v_se


# %% [markdown] exercise="8.11" kind="bug" title="An input that shows the fault"
# A tool marks the token that "matters most" for a token that asks. It takes the token with the largest
# weight. It looked right on every sentence its author tried.


# %% part="given"
def marked_by_weight(weights_s, v_se):
    return int(np.argmax(weights_s))


def marked_by_what_arrives(weights_s, v_se):
    if weights_s.ndim != 1 or v_se.ndim != 2 or len(weights_s) != len(v_se):
        raise ValueError("one weight for each row of values is needed")
    if weights_s.min() < 0 or abs(weights_s.sum() - 1) > 1e-6:
        raise ValueError("the weights must be 0 or more and sum to 1")
    return int(np.argmax(weights_s * np.linalg.norm(v_se, axis=1)))


# %% [markdown] part="given"
# Find an input of two tokens for which the two functions mark different tokens. Write the two weights as a
# list; they must sum to 1. Write the values as a list of two rows, each with one number or more.

# %% part="work"
# TODO: type two weights, and two rows of values.
### BEGIN SOLUTION
two_weights = [0.9, 0.1]
two_values = [[0.1], [5.0]]
### END SOLUTION

# %% part="check"
check.exposes("8.11", (two_weights, two_values), marked_by_weight, marked_by_what_arrives)

# %% [markdown] part="hints"
# - The token with the larger weight must hand over less. What must be true of its value?
# - With the weights `0.8` and `0.2`, the second value must be more than ... times as long as the first.
# - Of 10 people 9 give one coin each, and one gives 50. Who gives most is not the group with most people.

# %% [markdown] part="why"
# **Why it works.** A large weight on a short value loses against a small weight on a long one. Both functions
# agree when all values are about equally long, so the fault stays hidden for a long time.

# %% part="right" name="a value of zeros"
two_weights = [0.99, 0.01]
two_values = [[0, 0], [0, 1]]

# %% part="right" name="negative numbers are long too"
two_weights = [0.25, 0.75]
two_values = [[-8, 1], [1, 1]]

# %% part="wrong" name="values of the same length"
two_weights = [0.9, 0.1]
two_values = [[1.0], [1.0]]

# %% part="wrong" name="weights that do not sum to 1"
two_weights = [0.9, 0.9]
two_values = [[0.1], [5.0]]

# %% part="wrong" name="a value too many"
two_weights = [0.9, 0.1]
two_values = [[0.1], [5.0], [1.0]]

# %% [markdown]
# ## Sinks
#
# Softmax cannot say "nothing fits" (lesson 4). Trained models often give much of such a budget to the first
# tokens of a text, although these are not important for the meaning. Xiao and others (2023) call them
# *attention sinks*. Clark and others (2019) saw heads of BERT that look mostly at a separator token, and read
# that as "nothing to do here". So a bright column in a picture of weights may mean very little.

# %% [markdown] exercise="8.12" kind="implement" title="Look for a sink"
# Write `share_of_first`. It gets `weights_hts`, of shape (heads, n, m). It
# returns an array of shape (heads,): for each head, the weight that the first token receives, averaged over
# all tokens that ask.


# %% part="work"
def share_of_first(weights_hts):
    # TODO: the column of the first token, averaged over the tokens that ask.
    ### BEGIN SOLUTION
    return weights_hts[:, :, 0].mean(axis=1)
    ### END SOLUTION


# %% part="check"
check.function("8.12", share_of_first, [("weights_hts",), ([[[0.9, 0.1], [0.7, 0.3], [0.8, 0.2]]],)])

# %% [markdown] part="hints"
# - The first token is asked here, so it is a column. Which axis runs over the tokens that ask?
# - `weights_hts[:, :, ...]` is the column for every head, of shape (heads, n). Then average along axis ... .
# - For a head with the rows (1, 0) and (1/2, 1/2), the first token receives 1 and 1/2. The average is
#   {{(1 + 1 / 2) / 2}}.

# %% [markdown] part="why"
# **Why it works.** Rows ask, columns are asked. In the robot example the shares are
# {{mean(weights[head 1, *, The])}}, {{mean(weights[head 2, *, The])}} and
# {{mean(weights[head 3, *, The])}}. If all {{m}} tokens were treated alike, each would be {{1 / m}}. None is
# far above that, so there is no sink here.
#
# With a causal mask the first token gets more in any case: the first token can only look at itself, the second
# at two tokens. Compare with even weights under the same mask before calling something a sink.


# %% part="right" name="a loop"
def share_of_first(weights_hts):
    return [sum(row[0] for row in head) / len(head) for head in weights_hts]


# %% part="wrong" name="row of the first token" cause="the row of the first token is averaged: that is what it spends, not what it receives"
def share_of_first(weights_hts):
    return weights_hts[:, 0, :].mean(axis=1)


# %% part="wrong" name="a sum" cause="the column is added up, not averaged"
def share_of_first(weights_hts):
    return weights_hts[:, :, 0].sum(axis=1)


# %% part="wrong" name="not averaged" cause="the column is not averaged yet"
def share_of_first(weights_hts):
    return weights_hts[:, :, 0]


# %% part="wrong" name="one average" cause="everything is averaged together, over heads and tokens"
def share_of_first(weights_hts):
    return weights_hts.mean()


# %% part="wrong" name="first head" cause="the first axis is the heads, so this is head 1 and not token 1"
def share_of_first(weights_hts):
    return weights_hts[0].mean(axis=0)


# %% part="wrong" name="itself only" cause="only the weight that the first token gives to itself is taken"
def share_of_first(weights_hts):
    return weights_hts[:, 0, 0]


# %% [markdown] exercise="8.13" kind="bug" title="One bug to find"
# A colleague removes head 2 by changing W^O. No error comes up. Run the cell: it prints the output of `it`
# with all heads, and what the colleague's function leaves of it.


# %% part="given"
def strange_removal(concat_tc, w_o_cd, heads, removed):
    e = w_o_cd.shape[0] // heads
    changed_cd = w_o_cd.copy()
    changed_cd[:, removed * e : (removed + 1) * e] = 0
    return concat_tc @ changed_cd


features = robot["X"].axes[1].labels
concat_tc = robot["concat"].values
before_d = (concat_tc @ w_o_cd)[6]
after_d = strange_removal(concat_tc, w_o_cd, 3, 1)[6]
for name, before, after in zip(features, before_d, after_d, strict=True):
    print(f"{name:<10} {before:5.2f} -> {after:5.2f}")

# %% [markdown] part="given"
# The columns `pronoun`, `state`, `subject*` and `alive` became 0. But `state` came from head 3, and head 2
# still writes `noun`. Write the function again, so that it removes the head that is asked for and nothing
# else.


# %% part="work"
def repaired_removal(concat_tc, w_o_cd, heads, removed):
    # TODO: set to 0 what reads the removed head.
    ### BEGIN SOLUTION
    e = w_o_cd.shape[0] // heads
    changed_cd = w_o_cd.copy()
    changed_cd[removed * e : (removed + 1) * e] = 0
    return concat_tc @ changed_cd
    ### END SOLUTION


# %% part="check"
check.function(
    "8.13", repaired_removal, [("concat_tc", "w_o_cd", "heads", 0), ("concat_tc", "w_o_cd", "heads", 1)]
)

# %% [markdown] part="hints"
# - In concat W^O, which axis of W^O meets the columns of concat?
# - Head i fills columns i · e to i · e + e - 1 of concat. They meet the ... of W^O with the same numbers.
# - For a matrix with rows for apples and pears and columns for two shops, to take apples off the list means
#   to set a row to 0. To set a column to 0 takes away a shop with all it sells.

# %% [markdown] part="why"
# **Why it works.** Rows of W^O are for what comes in, one block for each head. Columns are for what goes out,
# and every head may write to all of them. W^O is square, so both slices fit and no shape tells.
#
# **What else works.** Setting the head's columns of concat to 0.


# %% part="right" name="columns of concat"
def repaired_removal(concat_tc, w_o_cd, heads, removed):
    kept_thc = concat_tc.reshape(len(concat_tc), heads, -1).copy()
    kept_thc[:, removed] = 0
    return kept_thc.reshape(concat_tc.shape) @ w_o_cd


# %% part="right" name="the term taken off"
def repaired_removal(concat_tc, w_o_cd, heads, removed):
    e = concat_tc.shape[1] // heads
    own = slice(removed * e, removed * e + e)
    return concat_tc @ w_o_cd - concat_tc[:, own] @ w_o_cd[own]


# %% part="wrong" name="columns still" cause="columns of W^O are set to 0; the removed head is read by rows"
def repaired_removal(concat_tc, w_o_cd, heads, removed):
    return strange_removal(concat_tc, w_o_cd, heads, removed)


# %% part="wrong" name="nothing removed" cause="no head is removed"
def repaired_removal(concat_tc, w_o_cd, heads, removed):
    return concat_tc @ w_o_cd


# %% part="wrong" name="one row" cause="one row of W^O is set to 0; a head has as many rows as it is wide"
def repaired_removal(concat_tc, w_o_cd, heads, removed):
    changed_cd = w_o_cd.copy()
    changed_cd[removed] = 0
    return concat_tc @ changed_cd


# %% part="wrong" name="every h-th row" cause="the rows are dealt out to the heads one by one; the rows of a head stand together"
def repaired_removal(concat_tc, w_o_cd, heads, removed):
    changed_cd = w_o_cd.copy()
    changed_cd[removed::heads] = 0
    return concat_tc @ changed_cd


# %% part="wrong" name="the next head" cause="the block of another head is set to 0; heads are counted from 0 here"
def repaired_removal(concat_tc, w_o_cd, heads, removed):
    e = w_o_cd.shape[0] // heads
    other = (removed + 1) % heads
    changed_cd = w_o_cd.copy()
    changed_cd[other * e : (other + 1) * e] = 0
    return concat_tc @ changed_cd


# %% [markdown]
# ## Heads that were trained: who does what
#
# The robot's heads were built. Now look at heads that nobody built. Lesson 7 trains heads for the task "who
# did what to whom": three of six names carry a tag, and three slots must be filled, the agent, the recipient
# and the place. Here are three heads from one such training, and what each of them looks at:

# %%
three_heads = trained(Plan(heads=3, seed=3))
print(f"right names: {three_heads.accuracy:.0%}")
for head, weights_r in enumerate(three_heads.weights_hg[:, :3], 1):
    print(f"head {head}:", dict(zip(ROLES, weights_r.round(1).tolist(), strict=True)))

# %% [markdown] exercise="8.14" kind="choose" title="Predict: what breaks without head 2"
# Head 2 of these three is removed: its columns of `concat` are set to 0. Nothing is trained again. Which slot
# gets worse? Answer before anything is computed.

# %% [markdown] part="claims"
# - [ ] A. The recipient: it is the second slot, and head 2 is the second head. => Numbers of heads mean
#   nothing. Head 2 puts its weight on the agent, so the agent's name is what is missing.
# - [x] B. The agent, and only that. => Head 2 puts its weight on the agent, and no other head hands over that
#   name. The loss of this slot grows by {{figures.lab_own_head_2}}; the others change by
#   {{figures.lab_others_most}}.
# - [ ] C. All three a little, since the output is one sum. => Each slot has its own readout of the sum. A term
#   that carries the agent's name says nothing to the readouts of the other two.
# - [ ] D. None: two heads can fill three slots, as lesson 7 shows. => Two heads that were trained as two can.
#   These were trained as three, and nothing is trained again.

# %% part="work"
# TODO: type a letter.
### BEGIN SOLUTION
breaks_without_2 = "B"
### END SOLUTION

# %% part="check"
check.choice("8.14", breaks_without_2)

# %% [markdown] part="hints"
# - Which name does head 2 hand over? Is there another head that hands it over too?
# - Head 2 spends 1 on the ... and 0 on the two others. Without head 2 that name arrives in the amount ... .
# - Three clerks fetch one file each from three shelves. One clerk is ill. Which file is missing? Look at
#   who fetched what, not at the clerks' numbers.

# %% [markdown] part="why"
# **Why it matters.** Such a prediction can be wrong, and so it tests what you believe about a head. It also
# says how far weights can be trusted: here they told the truth, since values carry names and nothing else.

# %% part="right" name="small letter"
breaks_without_2 = "b"

# %% part="wrong" name="A"
breaks_without_2 = "A"

# %% part="wrong" name="C"
breaks_without_2 = "C"

# %% part="wrong" name="D"
breaks_without_2 = "D"

# %% [markdown] exercise="8.15" kind="implement" title="The damage, head by head"
# Now measure it. `loss_of_three(removed)` gives the loss of each slot, an array of three numbers, when the
# heads in the tuple `removed` are removed. `loss_of_three(())` removes none, `loss_of_three((0,))` the first.
#
# Write `damage`. It gets such a function and the number of heads. It returns an array of shape (heads,
# slots): how much each slot's loss **grows** when this head alone is removed.


# %% part="given"
def loss_of_three(removed):
    return loss_without(Plan(heads=3, seed=3), removed)


def loss_of_two(removed):  # the two heads of lesson 7, to try it on
    return loss_without(Plan(heads=2, seed=1), removed)


# %% part="work"
def damage(loss_of, heads):
    # TODO: one row for each head: the loss without it, minus the loss with all.
    ### BEGIN SOLUTION
    with_all_r = loss_of(())
    return np.array([loss_of((head,)) - with_all_r for head in range(heads)])
    ### BLANK
    # with_all_r = ...
    # return ...
    ### END SOLUTION


# %% part="check"
check.function("8.15", damage, [(loss_of_two, 2), (loss_of_three, 3)])

# %% [markdown] part="hints"
# - There is a row for each head and a column for each slot. What is the loss with no head removed?
# - For head 2 the row is `loss_of((1,))` - `loss_of(...)`. A tuple of one number needs a comma.
# - A car goes 100 with all, 60 without one part and 100 without another. The parts cost 40 and 0:
#   `[full - without[part] for part in parts]`. There the speed falls; here the loss grows.

# %% [markdown] part="why"
# **Why it works.** Print `damage(loss_of_three, 3).round(1)` in a new cell. Each head has one slot, which
# loses {{figures.lab_own_least}} to {{figures.lab_own_most}}. The others change by
# {{figures.lab_others_most}}. (-0. is a number just below 0, rounded.) Then print
# `damage(loss_of_two, 2).round(1)`. Two heads share three slots, so every slot suffers when one of them goes,
# and one slot most.


# %% part="right" name="a loop"
def damage(loss_of, heads):
    rows = []
    for head in range(heads):
        rows.append(loss_of((head,)) - loss_of(()))
    return rows


# %% part="right" name="an array filled in"
def damage(loss_of, heads):
    before_r = loss_of(())
    grown_hr = np.zeros((heads, len(before_r)))
    for head in range(heads):
        grown_hr[head] = np.asarray(loss_of((head,))) - before_r
    return grown_hr


# %% part="wrong" name="not compared" cause="the loss without each head is given, and the loss with all heads is not taken off"
def damage(loss_of, heads):
    return np.array([loss_of((head,)) for head in range(heads)])


# %% part="wrong" name="the other way round" cause="the loss without the head is taken off the loss with all; what grows comes out below 0"
def damage(loss_of, heads):
    return np.array([loss_of(()) - loss_of((head,)) for head in range(heads)])


# %% part="wrong" name="all but one" cause="all other heads are removed, and this one is kept"
def damage(loss_of, heads):
    others = [tuple(h for h in range(heads) if h != head) for head in range(heads)]
    return np.array([loss_of(removed) - loss_of(()) for removed in others])


# %% part="wrong" name="one after another" cause="heads that were removed before stay removed; each head is to be removed alone"
def damage(loss_of, heads):
    return np.array([loss_of(tuple(range(head + 1))) - loss_of(()) for head in range(heads)])


# %% part="wrong" name="averaged over slots" cause="the slots are averaged, so one cannot see which slot suffers"
def damage(loss_of, heads):
    return np.array([(loss_of((head,)) - loss_of(())).mean() for head in range(heads)])


# %% part="wrong" name="slots by heads" cause="rows and columns are exchanged: heads are rows, slots are columns"
def damage(loss_of, heads):
    return np.array([loss_of((head,)) - loss_of(()) for head in range(heads)]).T


# %% part="wrong" name="always against head 1" cause="each head is compared with the head before it, not with all heads"
def damage(loss_of, heads):
    rows = [loss_of(()), *(loss_of((head,)) for head in range(heads))]
    return np.diff(np.array(rows), axis=0)


# %% [markdown]
# ## The same training from other random numbers
#
# Below, five runs of the same training. Only the random numbers at the start differ. For each head the cell
# prints the slots that are lost without it.

# %%
for seed in range(1, 6):
    run = trained(Plan(heads=3, seed=seed))
    lost = [" and ".join(ROLES[r] for r in run.slots(head)) for head in range(3)]
    print(f"start {seed}:", ", ".join(f"head {head} {slots}" for head, slots in enumerate(lost, 1)))

# %% [markdown] exercise="8.16" kind="choose" title="What these runs show"
# Which sentences may stand in a report on these five runs? Several may.

# %% [markdown] part="claims"
# - [ ] A. Head 2 is the head for the recipient. => In some runs it is, in others not. A number of a head means
#   something in one trained model only.
# - [x] B. In each of these runs every head has one slot, and which one differs from run to run. => That is
#   what was measured: specialists, and nobody gave them their roles.
# - [ ] C. The loss has a term that makes heads differ. => It is the loss of three names, and nothing else. Two
#   heads that do the same leave a slot empty, and that costs. With another task there may be no such cost.
# - [ ] D. Trained heads always specialise like that. => The two heads of lesson 7 share three slots. In large
#   models many heads have no role that can be named. This is one small task.
# - [x] E. To know what a head does in run 4, one has to look at run 4. => Roles are found, anew for each run.

# %% part="work"
# TODO: type the letters, as in "AC".
### BEGIN SOLUTION
what_runs_show = "BE"
### END SOLUTION

# %% part="check"
check.choice("8.16", what_runs_show)

# %% [markdown] part="hints"
# - Compare the five lines for one head. Is anything the same in all of them?
# - A report says what was measured: how many runs, which heads, which task. Which sentences have words such
#   as "is the" or "always"?
# - Five families share out cooking, washing and shopping. In every family each person has one job. Who is
#   older says nothing about who cooks.

# %% [markdown] part="why"
# **Why it matters.** Specialists were found here, and they were measured by damage, not by a picture of
# weights. That is the kind of evidence that "this head does this" needs.

# %% part="right" name="small letters"
what_runs_show = "b, e"

# %% part="wrong" name="A"
what_runs_show = "ABE"

# %% part="wrong" name="C"
what_runs_show = "BC"

# %% part="wrong" name="D"
what_runs_show = "D"

# %% part="wrong" name="one of two"
what_runs_show = "E"

# %% [markdown] exercise="8.17" kind="choose" title="Predict: six heads for three slots"
# Six heads are trained together for the same three slots, five times. All five find every name. Then heads
# are removed, those that matter least first, and nothing is trained again. How many of the six can go before
# fewer than 99 of 100 names are right?

# %% [markdown] part="claims"
# - [ ] A. Three: there are three slots, so three heads are spare. => Three specialists would do. But nothing
#   in training asks for few heads. With three removed only {{figures.lab_half_worst}} to
#   {{figures.lab_half_best}} percent of the names are right.
# - [ ] B. Five: one head can look at all three names. => Lesson 7 has a floor against that. And these heads
#   were trained as six.
# - [x] C. None or one. => In {{figures.lab_spare_runs}} of 5 runs one head could go, in the others none.
#   Training shares the work among all heads that there are.
# - [ ] D. Two, in every run, since only the number of slots counts. => The slots were the same in all five
#   runs. Yet in {{figures.lab_spare_runs}} of them one head could go, in the others none.

# %% part="work"
# TODO: type a letter. A guess is fine; then read why.
### BEGIN SOLUTION
spare_of_six = "C"
### END SOLUTION

# %% part="check"
check.choice("8.17", spare_of_six)

# %% [markdown] part="hints"
# - Does anything in training make a head idle when it is not needed?
# - If 6 heads share 3 slots, each slot has about 6 / 3 = ... heads. What happens to a slot when one of its
#   heads goes?
# - Six people carry three pianos and each piano has two carriers. Three could perhaps have learned to do it
#   with a strap. Send three away now, without practice, and see.

# %% [markdown] part="why"
# **Why it matters.** "Half of the heads can be removed" was measured on large models, some of which went on
# training. It does not follow from the idea that there are more heads than jobs. Try
# `mha-tutor lab prune --heads 6 --seed 2`.

# %% part="right" name="small letter"
spare_of_six = "c"

# %% part="wrong" name="A"
spare_of_six = "A"

# %% part="wrong" name="B"
spare_of_six = "B"

# %% part="wrong" name="D"
spare_of_six = "D"

# %% [markdown]
# ## A head of a real model that fools you
#
# Now a real model: all-MiniLM-L6-v2, with 6 layers of 12 heads. Nobody built its heads for us. Does one of
# them find what `it` stands for? The weights from `it` in 16 sentences were recorded, so the model itself is
# not needed here. Look at one sentence, and at the head that gives `robot` most.
#
# Source: {{source: fooling_right}}.

# %%
data = fooling()
pair, on_robot_lh = data.pairs[4], data.weights[:, :, 4, 0, 0]
layer, head = np.unravel_index(on_robot_lh.argmax(), on_robot_lh.shape)
first, second = data.weights[layer, head, 4, 0]
print(pair.original.text)
print(f"layer {layer + 1}, head {head + 1}, from `it`:")
print(f"   {pair.original.nouns[0]} {first:.2f}, {pair.original.nouns[1]} {second:.2f}")

# %% [markdown]
# It looks as if this head knew that the robot was weak. But among 72 heads, some head looks good in any one
# sentence. So a *control* is needed: a sentence in which the right answer changes, and little else. Here
# the two nouns change places. Then `it` stands for the other one:

# %%
first, second = data.weights[layer, head, 4, 1]
print(pair.control.text)
print(f"   {pair.control.nouns[0]} {first:.2f}, {pair.control.nouns[1]} {second:.2f}")

# %% [markdown] exercise="8.18" kind="implement" title="Put every head to the test"
# There are 8 pairs, each a sentence and its control. In half of the pairs `it` stands for the first noun, in
# half for the second. So a head that always takes the same word is right in just half of all 16 sentences. So
# is one that always takes the first noun. Write `times_right`. It gets two arrays of shape (6 layers, 12 heads,
# 8 pairs, 2 sentences):
#
# - `on_meant`: the weight from `it` to the noun that it stands for,
# - `on_other`: the weight from `it` to the other noun.
#
# Return an array of shape (6, 12): in how many of the 16 sentences the noun that is meant gets more.


# %% part="given"
on_meant, on_other = data.on_referent, data.on_other


# %% part="work"
def times_right(on_meant, on_other):
    # TODO: compare, then count over pairs and over both sentences of a pair.
    ### BEGIN SOLUTION
    return (on_meant > on_other).sum(axis=(2, 3))
    ### END SOLUTION


# %% part="check"
check.function(
    "8.18",
    times_right,
    [(on_meant, on_other), (on_meant.round(1), on_other.round(1))],
)

# %% [markdown] part="hints"
# - First compare, number by number. That gives true and false. Then count the true ones, along which axes?
# - `(on_meant > on_other)` has the shape (6, 12, 8, 2). Counting along the last axis alone gives
#   (6, 12, ...). One more axis must go.
# - Three classes, two tests each, passed or not: `np.array([[1, 0], [1, 1], [0, 0]])`. In all,
#   `.sum(axis=(0, 1))` tests were passed, 3 of 6.

# %% [markdown] part="why"
# **What it says.** In a new cell print `times_right(on_meant, on_other)[layer, head]`. The head from above is
# right in {{figures.fooling_right}} of 16 sentences. In the control `robot` gets {{figures.fooling_control}}
# again: the head follows the word. And it sits in layer {{figures.fooling_layer}}. The rows that come in
# there hold each word and its place. They do not say yet what `it` stands for.
#
# Then print `times_right(on_meant, on_other)`. In {{figures.fooling_at_half}} of 72 heads it is 8: the pairs
# hold every head there that follows a word or a place. So a coin is the wrong yardstick, since nothing
# holds a coin at 8. A head that always finds what `it` stands for would be right in 16. The best head is
# right in {{figures.fooling_best}}.
#
# **What it does not say.** That no head finds it now and then: 16 sentences about four scenes are too few to
# tell a little more than 8 from chance. Nor that several heads cannot do it together. Nor anything about
# another model.


# %% part="right" name="a mean, times 16"
def times_right(on_meant, on_other):
    return np.where(on_meant - on_other > 0, 1, 0).sum(axis=-1).sum(axis=-1)


# %% part="right" name="loops"
def times_right(on_meant, on_other):
    return [
        [sum(m > o for m, o in zip(a.ravel(), b.ravel(), strict=True)) for a, b in zip(x, y, strict=True)]
        for x, y in zip(on_meant, on_other, strict=True)
    ]


# %% part="wrong" name="without the controls" cause="only the first sentence of each pair is counted; the controls are left out, and so a head that likes a word looks right"
def times_right(on_meant, on_other):
    return (on_meant > on_other)[..., 0].sum(axis=-1)


# %% part="wrong" name="the controls alone" cause="only the controls are counted"
def times_right(on_meant, on_other):
    return (on_meant > on_other)[..., 1].sum(axis=-1)


# %% part="wrong" name="ties count" cause="equal weights count as right; the noun that is meant must get more"
def times_right(on_meant, on_other):
    return (on_meant >= on_other).sum(axis=(2, 3))


# %% part="wrong" name="from a half on" cause="the weight is compared with one half; it must be more than the weight on the other noun, and both may be small"
def times_right(on_meant, on_other):
    return (on_meant >= 0.5).sum(axis=(2, 3))


# %% part="wrong" name="above a half" cause="the weight is compared with one half; it must be more than the weight on the other noun, and both may be small"
def times_right(on_meant, on_other):
    return (on_meant > 0.5).sum(axis=(2, 3))


# %% part="wrong" name="weights added" cause="the weights are added up, and not the sentences counted"
def times_right(on_meant, on_other):
    return on_meant.sum(axis=(2, 3))


# %% part="wrong" name="averages compared" cause="the averages of the weights are compared; each sentence must be compared by itself"
def times_right(on_meant, on_other):
    return 16 * (on_meant.mean(axis=(2, 3)) > on_other.mean(axis=(2, 3)))


# %% part="wrong" name="a share" cause="a share from 0 to 1 is given; a count is asked for"
def times_right(on_meant, on_other):
    return (on_meant > on_other).mean(axis=(2, 3))


# %% part="wrong" name="the other noun" cause="the sentences are counted in which the other noun gets more"
def times_right(on_meant, on_other):
    return (on_meant < on_other).sum(axis=(2, 3))


# %% part="wrong" name="heads added up" cause="the wrong axes are added up: layers and heads must stay"
def times_right(on_meant, on_other):
    return (on_meant > on_other).sum(axis=(0, 1))


# %% part="wrong" name="one axis left" cause="only one axis is added up: both sentences of a pair and all pairs belong together"
def times_right(on_meant, on_other):
    return (on_meant > on_other).sum(axis=-1)


# %% [markdown]
# ## With the model on your own machine
#
# This is extra. The notebook `extra-real-heads.ipynb` runs the model on sentences of yours: weights, the heads
# that look at a neighbour, controls, the length of what a token hands over, and heads removed. It needs the
# model's file of 83 MB, and says how to get it. `mha-tutor course start` puts it beside the other notebooks.

# %% [markdown] part="misconception"
# ## A common misconception
#
# *"Head 1 does grammar, head 2 finds names, head 3 looks at positions."*
#
# Such pictures are invented, like our robot. Numbers of heads are arbitrary, nobody assigns a role, and one
# head may do several things or none that we can name. What may be said: in this model this head often does
# this, measured so and so often.

# %% [markdown] part="questions"
# ## Test yourself
#
# - Six of twelve heads are removed at random, and the loss is smaller than expected. Give three reasons. =>
#   Heads are not equally important, so the loss depends on which ones went. Several heads overlap: one that
#   stays does nearly the same. And it is one measurement, with noise.
# - What is wrong with "a random half is likely to remove the unimportant heads"? => It is as likely to remove
#   important ones. With 3 essential heads of 12, all stay in only {{comb(9, 6) / comb(12, 6) : %1}} of cases.
#   The papers removed heads by importance, not at random.
# - Why may two heads end up alike? => Nothing in the loss forbids it. If both help, both stay.
# - What experiment would convince you that a head finds the subject? => Count on many new sentences how often it
#   does, and compare with a simple rule. Change the subject and nothing else, and see whether the head follows.
#   Remove the head, and see whether the model gets worse at just that.
# - In one sentence a head spends 9/10 of its budget, from `it`, on the right noun. What do you ask to see
#   before you believe it? => Controls: the same words with the nouns swapped, and another ending, so that the
#   other noun is right. And how many heads were looked at before this one was picked.
# - A head has weights that nobody can read. May it be removed? => Only a measurement says so: remove it, run the
#   model on many texts, and compare.
# - Two heads both add the same long row, with opposite signs. What does removing one of them do? => It changes
#   the output a lot, and removing both changes nothing. Importance of one head depends on the others.

# %% [markdown] part="card"
# ## Summary
#
# - A head adds one term to the output. Removing it takes off exactly this term.
# - Heads in another order, with their rows of W^O, give the same output. The number of a head means nothing.
# - Roles are found afterwards, in one model at a time. The loss does not push heads apart. Three heads that
#   were trained here had one slot each, and other slots with other random numbers at the start.
# - A head that looks right needs a control: a sentence in which the answer changes, and little else.
# - Pruning: Voita and others kept {{figures.voita_kept_wmt}} of {{figures.voita_encoder_heads}} encoder heads
#   and lost {{figures.voita_drop_wmt}} BLEU, with training going on. Michel and others removed heads without
#   training: about {{figures.michel_wmt}} to {{figures.michel_mnli}} percent, then quality fell fast.
# - Spare heads may help training: a hypothesis, with some evidence.
# - A large weight on a short value does little. A weight is a share, not an explanation.
#
# In a Transformer each head's term goes into the same row, and the row is added to what the token was before.
# Later layers read the sum. They cannot tell which head wrote what.

# %% [markdown] part="exit"
# ## Exit ticket
#
# - 10 heads, 2 of them essential, 5 removed at random. What is the chance that both essential heads stay?
# - The largest weight of a row goes to a token whose value is all 0. Does this token change the mixture's
#   direction: A yes, B no, C only with W^O?
# - "Head 1 is the grammar head" cannot be true of all models, because ...

# %% [markdown] part="reading"
# ## Further reading
#
# - "Analyzing Multi-Head Self-Attention: Specialized Heads Do the Heavy Lifting, the Rest Can Be Pruned", Voita
#   and others, 2019, arXiv:1905.09418.
# - "Are Sixteen Heads Really Better than One?", Michel, Levy and Neubig, 2019, arXiv:1905.10650.
# - "What Does BERT Look at? An Analysis of BERT's Attention", Clark and others, 2019, arXiv:1906.04341.
# - "Multi-Head Attention with Disagreement Regularization", Li and others, 2018, arXiv:1810.10183.
# - "Attention is not Explanation", Jain and Wallace, 2019, arXiv:1902.10186, and the answer "Attention is not not
#   Explanation", Wiegreffe and Pinter, 2019, arXiv:1908.04626.
# - "In-context Learning and Induction Heads", Olsson and others, 2022, arXiv:2209.11895.
# - "Efficient Streaming Language Models with Attention Sinks", Xiao and others, 2023, arXiv:2309.17453.
