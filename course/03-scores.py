# ---
# title: Scores and the scale
# summary: A score is the dot product of one token's query with another token's key, divided by sqrt(d_k); rows ask, columns are asked.
# minutes: 35
# ---

# %% [markdown]
# ## What this lesson is for
#
# Every token now has a query and a key. This lesson lets them meet: each query against each key. After it you can work out
# any score by hand. You can say which token asks and which is asked. And you can explain why there is a square root in the
# formula.
#
# Exercises 3.5, 3.8 and 3.9 use numpy. They can wait, and take about ten minutes. The others carry the lesson
# and take about 35 minutes.

# %% [markdown] part="recall"
# ## Three questions from lessons 1 and 2
#
# - What does a query stand for, and what does a key stand for? => Query: what this token looks for. Key: what a token can be
#   found by. Both are pictures for {{d_k}} numbers.
# - Which part of X does head 2 read? => All of it. W_2^Q and W_2^K have {{d_model}} rows, one for each feature.
# - Without the position, what would be the same for `The` and `the`? => Their rows in X, and so also their queries and keys.

# %% part="setup"
import numpy as np

from mha_tutor.course import check

# %% [markdown] part="warmup"
# ## Warm-up: the dot product
#
# Two items, five minutes. Skip them if you are sure.
#
# - What is the dot product of [2, 0, 1] and [3, 5, -1]? => 2 x 3 + 0 x 5 + 1 x (-1) = 5. Multiply pair by pair, then add.
# - The dot product of [1, 2] and [2, -1] is 0, and neither row is all zeros. When is a dot product large, when is it below 0? =>
#   It is large when both have large numbers of the same sign in the same places. It is below 0 when the signs mostly
#   disagree. It is 0 when the products cancel, as here, or when no place is filled in both.

# %% [markdown]
# ## One head first
#
# In head 1, let `it` ask and let `because` be asked. So we need the query of `it` and the key of `because`.
#
# The query of `it`:
#
# {{table: Q[head 1] rows=it}}
#
# The key of `because`:
#
# {{table: K[head 1] rows=because}}
#
# Multiply pair by pair, then add. The result is the **dot product**:
#
# {{Q[head 1, it, col 1]}} x {{K[head 1, because, col 1]}} + {{Q[head 1, it, col 2]}} x {{K[head 1, because, col 2]}} +
# {{Q[head 1, it, col 3]}} x {{K[head 1, because, col 3]}} + {{Q[head 1, it, col 4]}} x {{K[head 1, because, col 4]}} =
# {{dots[head 1, it, because]}}
#
# Then divide by sqrt(d_k). Here d_k is {{d_k}}, so we divide by {{sqrt(d_k)}}. The result is the **score**:
#
# {{dots[head 1, it, because]}} / {{sqrt(d_k)}} = {{scores[head 1, it, because]}}
#
# Other texts call a score a logit.
#
# ### Rows ask, columns are asked
#
# `it` asks every token, also itself. That gives one row of scores, one for each token that is asked:
#
# {{table: scores[head 1] rows=it}}
#
# All {{n}} tokens ask, so there are {{n}} rows. The number in row `it` and column `because` is written
# scores[head 1, it, because]: first the one who asks, then the one who is asked.
#
# All dot products of a head come from one product of two tables: dots_1 = Q_1 K_1^T. The T means that rows and columns of K_1 are
# exchanged. Only then can each row of Q_1 meet each row of K_1.

# %% [markdown] exercise="3.1" kind="predict" title="Head 2, with two blanks"
# In head 2 the query of `it` is:
#
# {{table: Q[head 2] rows=it}}
#
# And the key of `robot` is:
#
# {{table: K[head 2] rows=robot}}
#
# Fill the two blanks by hand:
#
# - dots[head 2, it, robot] = {{Q[head 2, it, col 1]}} x {{K[head 2, robot, col 1]}} + {{Q[head 2, it, col 2]}} x
#   {{K[head 2, robot, col 2]}} + 0 + 0 = `dot_2`
# - scores[head 2, it, robot] = `dot_2` / sqrt({{d_k}}) = `score_2`

# %% part="work"
# TODO: two numbers.
### BEGIN SOLUTION
dot_2 = 9
score_2 = 4.5
### END SOLUTION

# %% part="check"
check.numbers("3.1", {"dots[head 2, it, robot]": dot_2, "scores[head 2, it, robot]": score_2})

# %% [markdown] part="hints"
# - Only column 1 is filled in both rows. Every other product has a 0 in it.
# - dot product = {{Q[head 2, it, col 1]}} x {{K[head 2, robot, col 1]}}. The square root of {{d_k}} is ... .
# - A parallel problem: dots[head 2, tired, it] = {{Q[head 2, tired, col 3]}} x {{K[head 2, it, col 3]}} =
#   {{dots[head 2, tired, it]}}, and scores[head 2, tired, it] = {{dots[head 2, tired, it]}} / {{sqrt(d_k)}} =
#   {{scores[head 2, tired, it]}}.

# %% [markdown] part="why"
# **Why it works.** `it` asks in column 1, and `robot` can be found in column 1, where its `subject*` was written. All other keys
# are 0 in that column, so from `it` every other dot product is 0.
#
# **What else would work.** Divide first: (3 / 2) x 3 is the same score. Some programs scale the queries in place of the dot products.

# %% part="right" name="as text"
dot_2 = "9.0"
score_2 = "9/2"

# %% part="wrong" name="B16"
dot_2 = 9
score_2 = 9

# %% part="wrong" name="B20"
dot_2 = 9
score_2 = 2.25

# %% part="wrong" name="B18"
dot_2 = 9
score_2 = 5.2

# %% part="wrong" name="B17"
dot_2 = 9
score_2 = 2.6

# %% part="wrong" name="F03"
dot_2 = 9
score_2 = 18

# %% part="wrong" name="added, not multiplied" cause="the two numbers are added, not multiplied"
dot_2 = 6
score_2 = 3

# %% [markdown] exercise="3.2" kind="predict" title="Head 3, alone"
# These are queries of head 3:
#
# {{table: Q[head 3] rows=carried|it}}
#
# And these are keys of head 3:
#
# {{table: K[head 3] rows=robot|patient|tired}}
#
# Work out dots[head 3, it, tired] as `dot_3`, and scores[head 3, carried, patient] as `score_3`.

# %% part="work"
# TODO: a dot product and a score.
### BEGIN SOLUTION
dot_3 = 6
score_3 = 2
### END SOLUTION

# %% part="check"
check.numbers("3.2", {"dots[head 3, it, tired]": dot_3, "scores[head 3, carried, patient]": score_3})

# %% [markdown] part="hints"
# - The first word in the brackets asks: take its row from the queries. The second is asked: take its row from the keys.
# - dots[head 3, it, tired] = {{Q[head 3, it, col 1]}} x {{K[head 3, tired, col 1]}} + {{Q[head 3, it, col 2]}} x ... + 0 + 0.
#   For the score, divide the dot product by sqrt({{d_k}}).
# - A parallel problem: `because` asks `was`. dots = {{Q[head 3, because, col 3]}} x {{K[head 3, was, col 3]}} =
#   {{dots[head 3, because, was]}}. The score is {{dots[head 3, because, was]}} / {{sqrt(d_k)}} =
#   {{scores[head 3, because, was]}}.

# %% [markdown] part="why"
# **Why it works.** `it` asks in two columns at once, so two kinds of tokens can answer: what is alive, and what is a state. From `it`,
# `patient` and `tired` get the same score, {{scores[head 3, it, patient]}}.
#
# **What else would work.** In numpy: `Q[2, 6] @ K[2, 8]`. Arrays count from 0, so head 3 is 2, `it` is 6 and `tired` is 8.

# %% part="right" name="with points"
dot_3 = 6.0
score_3 = "4/2"

# %% part="wrong" name="B16"
dot_3 = 6
score_3 = 4

# %% part="wrong" name="B20"
dot_3 = 6
score_3 = 1

# %% part="wrong" name="B24"
dot_3 = 0
score_3 = 2

# %% [markdown] exercise="3.3" kind="predict" title="To ask and to be asked"
# In head 1, `it` asks `carried`, and then `carried` asks `it`. Before you compute: will the two dot products be the same? Say to
# yourself whether you are sure.
#
# The queries:
#
# {{table: Q[head 1] rows=carried|it}}
#
# The keys:
#
# {{table: K[head 1] rows=carried|it}}
#
# Work out both: dots[head 1, it, carried] as `it_asks`, and dots[head 1, carried, it] as `carried_asks`.

# %% part="work"
# TODO: two dot products, with two decimals.
### BEGIN SOLUTION
it_asks = 4.12
carried_asks = 0.2
### END SOLUTION

# %% part="check"
check.numbers("3.3", {"dots[head 1, it, carried]": it_asks, "dots[head 1, carried, it]": carried_asks})

# %% [markdown] part="hints"
# - When `it` asks: row `it` of the queries, row `carried` of the keys. When `carried` asks: row `carried` of the queries, row `it` of
#   the keys.
# - dots[head 1, carried, it] = {{Q[head 1, carried, col 1]}} x ({{K[head 1, it, col 1]}}) + {{Q[head 1, carried, col 2]}} x ... +
#   {{Q[head 1, carried, col 3]}} x ({{K[head 1, it, col 3]}}) + {{Q[head 1, carried, col 4]}} x {{K[head 1, it, col 4]}}
# - A parallel problem: `it` asks `The`. {{Q[head 1, it, col 1]}} x {{K[head 1, The, col 1]}} + {{Q[head 1, it, col 2]}} x
#   {{K[head 1, The, col 2]}} + {{Q[head 1, it, col 3]}} x {{K[head 1, The, col 3]}} + {{Q[head 1, it, col 4]}} x
#   {{K[head 1, The, col 4]}} = {{dots[head 1, it, The]}}. The other way round, {{dots[head 1, The, it]}} comes out.

# %% [markdown] part="why"
# **Why it works.** The two dot products use four different rows: one query and one key each time. W_1^Q and W_1^K are different
# matrices, so nothing makes the two numbers equal. To ask is not the same as to be asked.
#
# **What else would work.** A table of dot products would be symmetric if queries and keys came from the same matrix. Here they do not.

# %% part="right" name="as text"
it_asks = "4.12"
carried_asks = "1/5"

# %% part="wrong" name="B24"
it_asks = 0.2
carried_asks = 4.12

# %% part="wrong" name="the same both times"
it_asks = 4.12
carried_asks = 4.12

# %% part="wrong" name="S05"
it_asks = 3.96
carried_asks = 0.2

# %% part="wrong" name="S06"
it_asks = 4.12
carried_asks = 3.8

# %% [markdown]
# ## The others do the same
#
# Each head multiplies its own queries with its own keys. Heads never mix here. In numpy, the arrays of all heads have the heads first:

# %%
from mha_tutor.examples import find
from mha_tutor.stages import walk

robot = walk(find("robot"))
Q = robot["Q"].values
K = robot["K"].values
dots = robot["dots"].values
print("Q", Q.shape, "K", K.shape, "dots", dots.shape)
print("head 1, it asks because:", round(float(Q[0, 6] @ K[0, 5]), 2))
print("the same place in dots: ", round(float(dots[0, 6, 5]), 2))

# %% [markdown]
# In the trophy sentence head 2 gives, from `it`, the dot product {{trophy.dots[head 2, it, trophy]}} to `trophy` and
# {{trophy.dots[head 2, it, suitcase]}} to `suitcase`. In the chef sentence it gives, from `cooked`,
# {{chef.dots[head 2, cooked, chef]}} to `chef`, seven tokens away. Distance plays no part in it: W_2^Q and W_2^K do not read the
# position. All these patterns are invented.

# %% [markdown] exercise="3.4" kind="shape" title="A sentence of shapes"
# Complete it: "Q_2 (..., ...) times K_2^T gives dots_2 (..., ...). K_2 itself, before the T, is (..., ...). The scores of all heads
# in one array have the shape (..., ..., ...)."

# %% part="work"
# TODO: four shapes.
### BEGIN SOLUTION
shape_of_q2 = (9, 4)
shape_of_dots2 = (9, 9)
shape_of_k2 = (9, 4)
shape_of_scores = (3, 9, 9)
### END SOLUTION

# %% part="check"
check.shapes(
    "3.4",
    {
        "Q[head 2]": shape_of_q2,
        "dots[head 2]": shape_of_dots2,
        "K[head 2]": shape_of_k2,
        "scores": shape_of_scores,
    },
)

# %% [markdown] part="hints"
# - The rows of dots_2 are the tokens that ask. What are its columns?
# - ({{n}}, {{d_k}}) times ({{d_k}}, {{n}}) gives ({{n}}, ...). Dividing by sqrt(d_k) changes numbers, not the shape.
# - A parallel problem: 5 tokens, 2 heads, d_k = 3. Q_1 is (5, 3), K_1^T is (3, 5), dots_1 is (5, 5), and all scores are (2, 5, 5).

# %% [markdown] part="why"
# **Why it works.** The width d_k disappears: it is what the sum runs over. What stays is "who asks" x "who is asked". So each head has
# one number for each pair of tokens, {{n}} x {{n}} = {{n * n}}.
#
# **What else would work.** When one text asks another one, the two sizes differ: n rows for those who ask, m columns for those who are asked.

# %% part="right" name="lists"
shape_of_q2 = [9, 4]
shape_of_dots2 = [9, 9]
shape_of_k2 = [9, 4]
shape_of_scores = [3, 9, 9]

# %% part="wrong" name="as wide as a head" cause="the tokens are summed away, not the width of the head"
shape_of_q2 = (9, 4)
shape_of_dots2 = (4, 4)
shape_of_k2 = (9, 4)
shape_of_scores = (3, 4, 4)

# %% part="wrong" name="K already turned" cause="K is turned before it is asked for"
shape_of_q2 = (9, 4)
shape_of_dots2 = (9, 9)
shape_of_k2 = (4, 9)
shape_of_scores = (3, 9, 9)

# %% part="wrong" name="one map for all heads" cause="one table is counted for all heads together"
shape_of_q2 = (9, 4)
shape_of_dots2 = (9, 9)
shape_of_k2 = (9, 4)
shape_of_scores = (9, 9)

# %% [markdown] exercise="3.5" kind="implement" title="Every query against every key"
# Write `dot_products`. It gets `q_hte` of shape (h, n, e) and `k_hse` of shape (h, m, e): queries of n tokens that ask, keys of m tokens
# that are asked, for h heads. It returns the dot products, an array of shape (h, n, m). Do not scale yet.


# %% part="work"
def dot_products(q_hte, k_hse):
    # TODO: in each head, every query against every key.
    ### BEGIN SOLUTION
    return q_hte @ k_hse.swapaxes(-1, -2)
    ### END SOLUTION


# %% part="check"
check.stage("3.5", dot_products, "q_hte k_hse -> dots_hts")

# %% [markdown] part="hints"
# - For one head: rows of `q_hte[0]` ask, rows of `k_hse[0]` are asked. In a product it is rows times columns, so one of the two must be
#   turned.
# - `q_hte @ k_hse.swapaxes(..., ...)`: exchange only the last two axes. The heads stay where they are.
# - A parallel problem: `a` has the shape (7, 2, 3). `a.T` has the shape (3, 2, 7): all axes are reversed. `a.swapaxes(0, 1)` has the shape
#   (2, 7, 3): only the two axes that are named change places.

# %% [markdown] part="why"
# **Why it works.** `@` works on the last two axes and repeats for each head. After the swap the keys are columns.
#
# **What else would work.** `np.einsum("hte,hse->hts", q_hte, k_hse)`. It says aloud that e is the axis that is added up. In a loop over the heads, `q @ k.T` is
# right: there k has only two axes.


# %% part="right" name="einsum"
def dot_products(q_hte, k_hse):
    return np.einsum("hte,hse->hts", q_hte, k_hse)


# %% part="right" name="head by head"
def dot_products(q_hte, k_hse):
    return np.stack([q @ k.T for q, k in zip(q_hte, k_hse, strict=True)])


# %% part="right" name="turned afterwards"
def dot_products(q_hte, k_hse):
    return (k_hse @ q_hte.swapaxes(-1, -2)).swapaxes(-1, -2)


# %% part="wrong" name="B24"
def dot_products(q_hte, k_hse):
    return k_hse @ q_hte.swapaxes(-1, -2)


# %% part="wrong" name="scaled too early" cause="the dot products are already divided by sqrt(d_k)"
def dot_products(q_hte, k_hse):
    return q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1])


# %% part="wrong" name="B21"
def dot_products(q_hte, k_hse):
    return q_hte @ k_hse.T


# %% part="wrong" name="F04"
def dot_products(q_hte, k_hse):
    dots_hts = q_hte @ k_hse.swapaxes(-1, -2)
    return np.stack([dots_hts.sum(axis=0)] * len(dots_hts))


# %% part="wrong" name="token by token only"
def dot_products(q_hte, k_hse):
    return (q_hte * k_hse).sum(axis=-1)


# %% [markdown]
# ## Why divide by sqrt(d_k)?
#
# Think of numbers that chance decides, as at the start of training. Say that each number of a query and of a key has mean 0 and variance 1, and
# that all are independent. The **variance** says how widely numbers spread around their mean. Its square root is the typical size of a step away from
# the mean.
#
# - One product of two such numbers has mean 0 and variance 1, too.
# - A dot product adds d_k such products. Variances of independent numbers add. So a dot product has the variance d_k.

# %% [markdown] exercise="3.6" kind="predict" title="Predict: a head of width 64"
# A head has d_k = 64. Its queries and keys are as just described. What are the variance of the dot products, their typical size, and the variance
# of the scores, in this order? Set `spread` to a letter.

# %% [markdown] part="claims"
# - [ ] A. 8, 64 and 1 => The first two are exchanged. The variance is the sum of 64 ones; the typical size is its square root.
# - [x] B. 64, 8 and 1 => 64 variances of 1 add up to 64, and the square root of 64 is 8. Dividing numbers by 8 divides their variance by 64.
# - [ ] C. 64, 8 and 8 => Dividing numbers by 8 divides their variance by 8 x 8, since a variance is made of squares.
# - [ ] D. 1, 1 and 1 => Each single product has the variance 1. The dot product adds 64 of them.
# - [ ] E. 4096, 64 and 64 => 64 x 64 would be right if all 64 products were always the same number. They are independent, so their variances add.

# %% part="work"
# TODO: a letter.
### BEGIN SOLUTION
spread = "B"
### END SOLUTION

# %% part="check"
check.choice("3.6", spread)

# %% [markdown] part="hints"
# - Take the three in order. How many products are added in one dot product?
# - variance = 64 times 1. Typical size = sqrt(...). Scores = dot products / sqrt(64).
# - A parallel problem: d_k = {{d_k}}. The variance of the dot products is {{d_k}}, their typical size is {{sqrt(d_k)}}. Divided by
#   {{sqrt(d_k)}}, the typical size is 1, and so is the variance.

# %% [markdown] part="why"
# **Why it works.** The wider the head, the wider its dot products spread. Dividing by sqrt(d_k) takes just that back, whatever d_k is.
#
# **What else would work.** Measure it: the next cell draws such queries and keys and counts.

# %% part="right" name="a small letter"
spread = "b"

# %% part="wrong" name="A"
spread = "A"

# %% part="wrong" name="C"
spread = "C"

# %% part="wrong" name="D"
spread = "D"

# %% part="wrong" name="E"
spread = "E"

# %% [markdown]
# ## Observe
#
# 50000 queries and 50000 keys, drawn by chance, for three widths. The variances are rounded to whole numbers.

# %%
rng = np.random.default_rng(0)
for width in (1, 4, 64):
    queries = rng.normal(size=(50000, width))
    keys = rng.normal(size=(50000, width))
    products = (queries * keys).sum(axis=1)
    scaled = products / np.sqrt(width)
    print(f"d_k {width:2}: dot products have variance {products.var():2.0f}")
    print(f"        scores have variance       {scaled.var():2.0f}")

# %% [markdown]
# ## Explain: why do wide spreads hurt?
#
# The next step, softmax, turns a row of scores into shares. It reacts to differences between scores. Large differences give almost the whole
# budget to one token. Look at head 1, from `it` to `because`:
#
# - with the scores, `because` gets {{weights[head 1, it, because]}};
# - with the dot products in their place, it would get {{exp(dots[head 1, it, because]) / sum(exp(dots[head 1, it, *]))}}.
#
# When one share is near 1 and the others are near 0, small changes of the scores change almost nothing. Training works by small changes, so it
# would get little to go by. The authors of the 2017 paper give this as what they suspect. They do not claim to have proved it.
#
# In a trained model queries and keys are no longer drawn by chance, and the robot's never were. The scale stays in the formula all the same.

# %% [markdown] exercise="3.7" kind="choose" title="What the scale changes, and what it does not"
# Which statements are right? More than one is. Set `scale` to the letters of all right ones. This row of dot products of head 1 may help:
#
# {{table: dots[head 1] rows=was}}

# %% [markdown] part="claims"
# - [ ] A. After scaling, another token may have the largest number of the row. => All numbers of a head are divided by the same number above 0. The
#   order stays.
# - [x] B. In the robot's heads every difference between two scores is half of the difference between the dot products. => The divisor is
#   sqrt({{d_k}}) = {{sqrt(d_k)}}, so all differences are halved.
# - [ ] C. Every number gets smaller. => Those below 0 get larger: from {{dots[head 1, was, The]}} to {{scores[head 1, was, The]}} in row `was`, column
#   `The`. All come nearer to 0.
# - [ ] D. The divisor is sqrt({{d_model}}), since X has {{d_model}} columns. => The dot product of a head runs over d_k = {{d_k}} columns, not over the columns
#   of X.
# - [ ] E. The divisor is sqrt({{heads}}), since there are {{heads}} heads. => The number of heads is not the width of a head. One dot product adds d_k products.
# - [x] F. For a longer sentence the divisor stays the same. => It depends on d_k, and d_k does not depend on the number of tokens.

# %% part="work"
# TODO: the letters of all right statements.
### BEGIN SOLUTION
scale = "BF"
### END SOLUTION

# %% part="check"
check.choice("3.7", scale)

# %% [markdown] part="hints"
# - Try each statement on two numbers of the row above, one above 0 and one below 0.
# - The divisor is sqrt(d_k). d_k is the number of ... of one head's queries.
# - A parallel case: marks from -10 to 10 are all divided by 2. The best pupil stays the best. A mark of -6 becomes -3, which is more.

# %% [markdown] part="why"
# **Why it works.** One number for the whole head, d_k, decides the divisor. In the base model of 2017 d_k is
# {{size("transformer-base", "d_k")}} and the divisor is {{sqrt(size("transformer-base", "d_k"))}}. X has {{size("transformer-base", "d_model")}} columns there.
#
# **What else would work.** Scale the queries before the product, or put 1 / sqrt(d_k) into W_i^Q once and for all. The scores come out the same. Do it once only.

# %% part="right" name="the other order"
scale = "f, b"

# %% part="wrong" name="A"
scale = "ABF"

# %% part="wrong" name="C"
scale = "BC"

# %% part="wrong" name="D"
scale = "BDF"

# %% part="wrong" name="E"
scale = "BEF"

# %% part="wrong" name="only one of them"
scale = "B"

# %% [markdown] exercise="3.8" kind="implement" title="Scores, with the scale"
# Write `scores_of`. It gets `q_hte` of shape (h, n, e) and `k_hse` of shape (h, m, e) and returns the scores, an array of shape (h, n, m): the dot products
# divided by sqrt(d_k). Find d_k in the shape of what you get.


# %% part="work"
def scores_of(q_hte, k_hse):
    # TODO: dot products of each head, divided by sqrt(d_k).
    ### BEGIN SOLUTION
    d_k = q_hte.shape[-1]
    return q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(d_k)
    ### END SOLUTION


# %% part="check"
check.stage("3.8", scores_of, "q_hte k_hse -> scores_hts")

# %% [markdown] part="hints"
# - `q_hte` has three axes: heads, tokens, columns. Which of the three sizes is d_k?
# - scores = (`q_hte` @ `k_hse` with its last two axes exchanged) / np.sqrt(`q_hte.shape[...]`)
# - A parallel problem: the array `a` of shape (2, 5, 9) holds two groups of five rows with nine numbers. `a.shape[-1]` is 9, `len(a)` is 2. Dividing by the root of
#   the row's length is `a / np.sqrt(a.shape[-1])`, that is `a / 3`.

# %% [markdown] part="why"
# **Why it works.** d_k is the axis that the sum ran over, the last one of q and of k.
#
# **What else would work.** `np.einsum("hte,hse->hts", q_hte, k_hse) * k_hse.shape[-1] ** -0.5`, or scaling `q_hte` first.


# %% part="right" name="queries scaled first"
def scores_of(q_hte, k_hse):
    return np.einsum("hte,hse->hts", q_hte * k_hse.shape[-1] ** -0.5, k_hse)


# %% part="right" name="loops"
def scores_of(q_hte, k_hse):
    d_k = len(q_hte[0, 0])
    return [
        [[sum(q * k) / d_k**0.5 for k in keys_se] for q in q_te]
        for q_te, keys_se in zip(q_hte, k_hse, strict=True)
    ]


# %% part="wrong" name="B16"
def scores_of(q_hte, k_hse):
    return q_hte @ k_hse.swapaxes(-1, -2)


# %% part="wrong" name="B17"
def scores_of(q_hte, k_hse):
    h, _, e = q_hte.shape
    return q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(h * e)


# %% part="wrong" name="B18"
def scores_of(q_hte, k_hse):
    return q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(len(q_hte))


# %% part="wrong" name="B20"
def scores_of(q_hte, k_hse):
    return q_hte @ k_hse.swapaxes(-1, -2) / q_hte.shape[-1]


# %% part="wrong" name="F03"
def scores_of(q_hte, k_hse):
    return q_hte @ k_hse.swapaxes(-1, -2) * np.sqrt(q_hte.shape[-1])


# %% part="wrong" name="B24"
def scores_of(q_hte, k_hse):
    return k_hse @ q_hte.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1])


# %% part="wrong" name="always 2" cause="the divisor is 2, whatever the width of the heads"
def scores_of(q_hte, k_hse):
    return q_hte @ k_hse.swapaxes(-1, -2) / 2


# %% part="wrong" name="a power read otherwise" cause="d_k ** 1 / 2 is written for the root; it is d_k, and then a division by 2"
def scores_of(q_hte, k_hse):
    return q_hte @ k_hse.swapaxes(-1, -2) / q_hte.shape[-1] ** 1 / 2


# %% part="wrong" name="softmax too early" cause="softmax is already applied to the scores; it comes in lesson 4"
def scores_of(q_hte, k_hse):
    scores_hts = q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1])
    exps_hts = np.exp(scores_hts - scores_hts.max(axis=-1, keepdims=True))
    return exps_hts / exps_hts.sum(axis=-1, keepdims=True)


# %% part="wrong" name="by the tokens" cause="the dot products are divided by the square root of the number of tokens"
def scores_of(q_hte, k_hse):
    return q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[1])


# %% [markdown] exercise="3.9" kind="bug" title="One bug to find: a test that hides it"
# `scores_broken` should do the same as `scores_right`. Its author tested it once, with the input below. Both gave the same numbers, so the author was content.
#
# Find an input on which the two differ, as small as you can. Set `telling` to a pair (queries, keys), each with three axes: heads, tokens, columns. You may write lists,
# such as `([[[2]]], [[[3]]])`, or arrays. That one has one head, one token and one column, and on it the two agree.


# %% part="given"
def scores_right(q_hte, k_hse):
    return q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(q_hte.shape[-1])


def scores_broken(q_hte, k_hse):
    return q_hte @ k_hse.swapaxes(-1, -2) / np.sqrt(len(q_hte))


tested_q = np.arange(12).reshape(2, 3, 2)
tested_k = np.arange(12, 24).reshape(2, 3, 2)
expected = scores_right(tested_q, tested_k)
print("alike:", np.allclose(expected, scores_broken(tested_q, tested_k)))

# %% part="work"
# TODO: a pair (queries, keys) on which the two functions differ.
### BEGIN SOLUTION
telling = ([[[1, 2]]], [[[3, 4]]])
### END SOLUTION

# %% part="check"
check.exposes("3.9", telling, scores_broken, scores_right)

# %% [markdown] part="hints"
# - By what does `scores_broken` divide? Compare with the sizes of `tested_q`: 2 heads, 3 tokens, 2 columns.
# - The two agree whenever the number of ... equals d_k. Choose an input where it does not.
# - A parallel problem: a program should give the area of a sheet of paper, width x height, but computes width x width. A square sheet hides the fault. A sheet of 1 x 2 shows it.

# %% [markdown] part="why"
# **Why it works.** The author's input had as many heads as columns, so both divisors were the same. With one head and two columns they are 1 and sqrt(2).
#
# **What else would work.** Any input in which the number of heads is not d_k, and not all dot products are 0. The repair: divide by `np.sqrt(q_hte.shape[-1])`. A public tutorial had this very mistake. The order
# of the scores was right all the same, its program still picked the right class, and nobody noticed. So let all sizes of a test differ.

# %% part="right" name="arrays"
telling = (np.ones((3, 4, 5)), np.ones((3, 4, 5)))

# %% part="wrong" name="as many heads as columns"
telling = ([[[1]]], [[[3]]])

# %% part="wrong" name="all dot products 0"
telling = ([[[0, 0]]], [[[3, 4]]])

# %% part="wrong" name="the author's input"
telling = (tested_q, tested_k)

# %% [markdown] part="misconception"
# ## A common misconception
#
# **"A score says how alike two words are, so the table is symmetric."** It does not compare two words. It compares the query of one token with the key of
# another. `it` asks `because` and gets {{scores[head 1, it, because]}}; `because` asks `it` and gets {{scores[head 1, because, it]}}. And a score of 0 is not "no
# share": softmax gives it a share, and a score below 0 gets a smaller one.

# %% [markdown]
# ## Where it fits in a Transformer
#
# Inside an attention layer, scores are the only place where two tokens are compared. Each head has one for every pair of tokens, so a text of twice the length has four times as many. Lesson 9 counts them.
# What comes next is softmax, in lesson 4: each row of scores becomes a row of attention weights. In a model that writes text, a mask comes in between: a token may not ask those
# that come later.

# %% [markdown] part="questions"
# ## Test yourself
#
# - What is at row `robot`, column `it` of dots_2: the number when `robot` asks, or when `it` asks? => When `robot` asks. Rows ask, columns are asked.
# - All numbers of a query are 0. What are the scores in its row? => All 0. This token tells no other from another. In head 2 that is so for `because`.
# - d_model is 512 and there are 8 heads. By what are the dot products divided? => By 8, the square root of d_k = 512 / 8 = 64. That there are 8 heads, too, is chance.
# - Someone divides by d_k in place of sqrt(d_k). Which token wins? What does change? => The same one wins. The differences get too small, so the shares come out too even.
# - Why does `q @ k.T` work for one head and not for an array with all heads? => With three axes, `.T` reverses all of them. Only the last two should be exchanged.

# %% [markdown] part="card"
# ## Summary card
#
# - **In one sentence:** a score is the dot product of one token's query with another token's key, divided by sqrt(d_k); rows ask, columns are asked.
# - dots_i = Q_i K_i^T, scores_i = dots_i / sqrt(d_k)
# - ({{n}}, {{d_k}}) times ({{d_k}}, {{n}}) gives ({{n}}, {{n}}), for each head.
# - d_k is the width of one head: not d_model, not the number of heads.
# - With independent numbers, the variance of a dot product grows with d_k. The scale takes that back.
# - dots[it, carried] is not dots[carried, it]. To ask is not the same as to be asked.

# %% [markdown] part="exit"
# ## Before you go
#
# - One number: the query is [1, -2, 0, 3], the key is [4, 1, 7, 2]. What is the score?
# - One choice. A head twice as wide, with queries and keys of the same kind, has dot products whose variance is (A) the same, (B) larger by the factor sqrt(2), (C) twice, (D) four times as large.
# - One because: "The table of scores is not symmetric, because ..."

# %% [markdown] part="reading"
# ## Further reading
#
# - Attention Is All You Need. Vaswani and others, 2017, arXiv:1706.03762. Section 3.2.1 and its footnote on the variance.
# - Low-Rank Bottleneck in Multi-head Attention Models. Bhojanapalli and others, 2020, arXiv:2002.07028. What the width of a head allows and what it does not.
