# ---
# title: Projection, three short rows from each row
# summary: Each head multiplies all of X by three matrices of its own and so gives every token a query, a key and a value.
# minutes: 35
# ---

# %% [markdown]
# ## What this lesson is for
#
# A head does not compare the rows of X directly. First it makes three short rows from each of them. After this
# lesson you can compute any number of Q, K and V by hand. You can write the projection in numpy. And you can say what
# is cut into heads, and what is not.
#
# Exercises 2.5 and 2.8 are harder. They can wait, and take about ten minutes. The others carry the lesson and
# take about 35 minutes.

# %% [markdown] part="recall"
# ## Three questions from lesson 1
#
# - What are the rows and the columns of X? => Rows are tokens, columns are features. Here X is {{n}} x {{d_model}}.
# - `The` and `the` are the same word. In which columns do their rows differ? => Only in the columns of the position.
# - With `robot` and `patient` swapped, head 2 still looks from `it` to `robot`. Why? => The feature `subject*` was put in
#   by hand. It belongs to the word and goes with it.

# %% part="setup"
import numpy as np

from mha_tutor.course import check

# %% [markdown] part="warmup"
# ## Warm-up: row times matrix
#
# Two items, five minutes. Skip them if you are sure.
#
# - The row is [1, 2]. The matrix has the rows [3, 0] and [1, 4]. What is row times matrix? => The first number is
#   1 x 3 + 2 x 1 = 5. The second is 1 x 0 + 2 x 4 = 8. So the result is [5, 8]: go along the row and down a column.
# - Our rows are tokens, and we write x W. A book puts each token into a column and writes W x. How do the two matrices
#   differ? => The book's W is ours with rows and columns exchanged, its transpose. The numbers that come out are the same.

# %% [markdown]
# ## One head first
#
# Head 1 has three matrices: W_1^Q, W_1^K and W_1^V. In a trained model their numbers are learned. Here they were built by
# hand. Each has {{d_model}} rows and {{d_k}} columns. The head multiplies X by each of them:
#
# - Q_1 = X W_1^Q. A row of Q_1 is a **query**: what this token looks for.
# - K_1 = X W_1^K. A row of K_1 is a **key**: what a token can be found by.
# - V_1 = X W_1^V. A row of V_1 is a **value**: what a token hands on.
#
# These words are pictures. A token has no intentions: a query is {{d_k}} numbers, and so is a key.
# Row times matrix is called a **projection**. The width of the queries and keys, {{d_k}}, is called d_k. The width of the values
# is called d_v. Here it is {{d_v}}, too.
#
# ### One number, worked out
#
# This is the row of `it`:
#
# {{table: X rows=it}}
#
# And this is W_1^Q, a row for each feature:
#
# {{table: W_Q[head 1]}}
#
# Take column 2. Go along the row of `it` and down column 2. Multiply pair by pair, then add. Of the twelve products ten are 0.
# Two are left, in slow cos and slow sin:
#
# ({{X[it, slow cos]}}) x ({{W_Q[head 1, slow cos, col 2]}}) + {{X[it, slow sin]}} x {{W_Q[head 1, slow sin, col 2]}} =
# {{Q[head 1, it, col 2]}}
#
# So Q[head 1, it, col 2] is {{Q[head 1, it, col 2]}}. The other three columns go the same way. The query of `it` in head 1 is:
#
# {{table: Q[head 1] rows=it}}
#
# Each new number is a mixture of all {{d_model}} old ones. Some of them are mixed in with the factor 0.

# %% [markdown] exercise="2.1" kind="predict" title="Head 2, with blanks"
# Head 2 does the same with matrices of its own. Its W_2^Q is:
#
# {{table: W_Q[head 2]}}
#
# Its W_2^K is:
#
# {{table: W_K[head 2]}}
#
# The rows of `it` and `robot` in X are:
#
# {{table: X rows=it|robot}}
#
# Fill the blanks by hand:
#
# - Q[head 2, it, col 1]: only pronoun gives a product that is not 0. {{X[it, pronoun]}} x ... = `query_it`
# - K[head 2, robot, col 1]: only ... gives one. ... x ... = `key_robot_1`
# - K[head 2, robot, col 2]: only ... gives one. ... x ... = `key_robot_2`

# %% part="work"
# TODO: three numbers.
### BEGIN SOLUTION
query_it = 3
key_robot_1 = 3
key_robot_2 = 3
### END SOLUTION

# %% part="check"
check.numbers(
    "2.1",
    {
        "Q[head 2, it, col 1]": query_it,
        "K[head 2, robot, col 1]": key_robot_1,
        "K[head 2, robot, col 2]": key_robot_2,
    },
)

# %% [markdown] part="hints"
# - For the query: the row of `it` in X and column 1 of W_2^Q. For the keys: the row of `robot` in X, and the columns 1 and 2
#   of W_2^K.
# - `robot` has a 1 in noun and a 1 in `subject*`. In column 1 of W_2^K the row noun has
#   {{W_K[head 2, noun, col 1]}} and the row `subject*` has ... .
# - A parallel problem: Q[head 2, The, col 2]. `The` has {{X[The, determiner]}} in determiner, and W_2^Q has
#   {{W_Q[head 2, determiner, col 2]}} there: {{X[The, determiner]}} x {{W_Q[head 2, determiner, col 2]}} =
#   {{Q[head 2, The, col 2]}}. The position of `The` meets only zeros.

# %% [markdown] part="why"
# **Why it works.** The row of a word is 1 in few columns, so it picks few rows of the matrix. W_2^K writes `subject*` into
# column 1 and noun into column 2. W_2^Q makes a pronoun ask in column 1. Lesson 3 lets the two meet.
#
# **What else would work.** Add up rows in place of going down columns: the query of `it` is
# 1 x row pronoun of W_2^Q + the position's rows, each times its number.

# %% part="right" name="as text"
query_it = "3.0"
key_robot_1 = 3.0
key_robot_2 = "6/2"

# %% part="wrong" name="B02"
query_it = 1
key_robot_1 = 1
key_robot_2 = 1

# %% part="wrong" name="B06"
query_it = "0.1"
key_robot_1 = 3
key_robot_2 = 3

# %% part="wrong" name="the columns exchanged"
query_it = 0
key_robot_1 = 3
key_robot_2 = 3

# %% [markdown] exercise="2.2" kind="predict" title="Head 3, alone"
# These are the three matrices of head 3. First W_3^Q:
#
# {{table: W_Q[head 3]}}
#
# W_3^K:
#
# {{table: W_K[head 3]}}
#
# W_3^V:
#
# {{table: W_V[head 3]}}
#
# And three rows of X:
#
# {{table: X rows=carried|patient|it}}
#
# Work out by hand: Q[head 3, it, col 2] as `query_3`, K[head 3, patient, col 1] as `key_3`, and V[head 3, carried, col 4] as
# `value_3`.

# %% part="work"
# TODO: three numbers.
### BEGIN SOLUTION
query_3 = 2
key_3 = 3
value_3 = -1
### END SOLUTION

# %% part="check"
check.numbers(
    "2.2",
    {
        "Q[head 3, it, col 2]": query_3,
        "K[head 3, patient, col 1]": key_3,
        "V[head 3, carried, col 4]": value_3,
    },
)

# %% [markdown] part="hints"
# - For each of the three: first find the matrix (Q, K or V), then the row of X (the token), then the column of the matrix.
# - V[head 3, carried, col 4]: in column 4 of W_3^V only fast cos is not 0. So it is {{W_V[head 3, fast cos, col 4]}} x ...,
#   with the sign of the number in X.
# - A parallel problem: V[head 3, robot, col 3]. In column 3 of W_3^V only slow sin is not 0. `robot` has
#   {{X[robot, slow sin]}} there, so V[head 3, robot, col 3] is {{X[robot, slow sin]}} x
#   {{W_V[head 3, slow sin, col 3]}} = {{V[head 3, robot, col 3]}}.

# %% [markdown] part="why"
# **Why it works.** Nothing new happens in head 3. It has other matrices, so it asks for other things: `it` gets a query
# that will fit whatever is alive (column 1) and whatever is a state (column 2). Someone built it so.
#
# **What else would work.** Let numpy do it: `X[6] @ W_Q[2]` is the whole query of `it` in head 3. Arrays count from 0.

# %% part="right" name="with points"
query_3 = 2.0
key_3 = "3"
value_3 = -1.0

# %% part="wrong" name="S06"
query_3 = 2
key_3 = 3
value_3 = 1

# %% part="wrong" name="S04"
query_3 = 2
key_3 = 3
value_3 = "0.6"

# %% part="wrong" name="B06"
query_3 = "3.3"
key_3 = 3
value_3 = -1

# %% part="wrong" name="another row of the matrix"
query_3 = 2
key_3 = 2
value_3 = -1

# %% [markdown]
# ## The others do the same
#
# Every head has its own W_i^Q, W_i^K and W_i^V. The small i stands for the number of the head. In numpy the matrices of all
# heads are one array with three axes: head, feature, column.

# %%
from mha_tutor.examples import find
from mha_tutor.stages import walk

robot = walk(find("robot"))
X = robot["X"].values
W_Q = robot["W_Q"].values
print("X", X.shape)
print("W_Q", W_Q.shape)
print("the query of it in head 1:", (X[6] @ W_Q[0]).round(2).tolist())

# %% [markdown]
# Look at the shapes. The matrix of one head has {{d_model}} rows, one for each column of X. So **every head reads all of X**.
# Only what comes out is short: {{d_k}} numbers.
#
# The same matrices serve every sentence. In the trophy sentence `it` is another token at another place. Head 2 still gives
# it {{trophy.Q[head 2, it, col 1]}} in column 1 of the query, and `trophy` has {{trophy.K[head 2, trophy, col 1]}} in column 1 of
# its key. In the chef sentence the verb `cooked` gets {{chef.Q[head 2, cooked, col 1]}} in column 1 of its query. All of these
# patterns are invented.

# %% [markdown] exercise="2.3" kind="shape" title="A sentence of shapes"
# Complete it: "X (..., ...) times W_1^Q (..., ...) gives Q_1 (..., ...). The queries of all heads in one array have the
# shape (..., ..., ...)."
#
# Set the four names below. In the last shape the heads come first.

# %% part="work"
# TODO: four shapes.
### BEGIN SOLUTION
shape_of_x = (9, 12)
shape_of_w = (12, 4)
shape_of_q1 = (9, 4)
shape_of_all = (3, 9, 4)
### END SOLUTION

# %% part="check"
check.shapes("2.3", {"X": shape_of_x, "W_Q[head 1]": shape_of_w, "Q[head 1]": shape_of_q1, "Q": shape_of_all})

# %% [markdown] part="hints"
# - The rows of X are tokens. The rows of W_1^Q are features. Which of the two are the rows of Q_1?
# - (n, d_model) times (d_model, d_k) gives (n, d_k): here ({{n}}, {{d_model}}) times ({{d_model}}, {{d_k}}) gives
#   ({{n}}, ...).
# - A parallel problem: 5 tokens, d_model = 6, two heads. (5, 6) times (6, 3) gives (5, 3), and both heads together are
#   (2, 5, 3).

# %% [markdown] part="why"
# **Why it works.** In a product the inner sizes must agree, and they disappear: the features of X meet the rows of W. What stays
# is tokens x columns.
#
# **What else would work.** Some programs put the tokens before the heads: (9, 3, 4). Then every later step must know it.

# %% part="right" name="lists"
shape_of_x = [9, 12]
shape_of_w = [12, 4]
shape_of_q1 = [9, 4]
shape_of_all = [3, 9, 4]

# %% part="wrong" name="a head's matrix is square" cause="each head keeps the whole width; it makes short rows"
shape_of_x = (9, 12)
shape_of_w = (12, 12)
shape_of_q1 = (9, 12)
shape_of_all = (3, 9, 12)

# %% part="wrong" name="only a slice of X" cause="X is cut before the product; every head reads all of X"
shape_of_x = (9, 4)
shape_of_w = (4, 4)
shape_of_q1 = (9, 4)
shape_of_all = (3, 9, 4)

# %% part="wrong" name="tokens before heads" cause="the tokens come before the heads"
shape_of_x = (9, 12)
shape_of_w = (12, 4)
shape_of_q1 = (9, 4)
shape_of_all = (9, 3, 4)

# %% [markdown] exercise="2.4" kind="implement" title="Project with every head"
# Write `project`. It gets `x_td` of shape (n, d), the rows of all tokens, and `w_q_hde` of shape (h, d, e), one matrix for each
# head. It returns the queries of all heads, an array of shape (h, n, e). Each head reads all of `x_td`.
#
# The letters behind a name are its axes: t tokens, d features, h heads, e columns of one head.


# %% part="work"
def project(x_td, w_q_hde):
    # TODO: for each head, its matrix times all of x_td. Heads come first.
    ### BEGIN SOLUTION
    return np.stack([x_td @ w_q_de for w_q_de in w_q_hde])
    ### END SOLUTION


# %% part="check"
check.stage("2.4", project, "x_td w_q_hde -> q_hte")

# %% [markdown] part="hints"
# - Start with one head: its matrix is `w_q_hde[0]`, of shape (d, e). Which of the two factors stands on the left, so that the
#   rows of the result are tokens?
# - `np.stack([x_td @ ... for ... in w_q_hde])`: a loop over the first axis gives one matrix (d, e) at a time.
# - A parallel problem: prices for three shops. `basket` has the shape (4, 7): four people, seven goods. `prices` has the shape
#   (3, 7, 1), a column for each shop. `np.stack([basket @ one for one in prices])` has the shape (3, 4, 1).

# %% [markdown] part="why"
# **Why it works.** A head is one more matrix. The heads do not know of each other, so a loop over them is all it takes.
#
# **What else would work.** `x_td @ w_q_hde`: numpy repeats the product for every matrix of the first axis. Or
# `np.einsum("td,hde->hte", x_td, w_q_hde)`, which says the axes aloud.


# %% part="right" name="one product"
def project(x_td, w_q_hde):
    return x_td @ w_q_hde


# %% part="right" name="einsum"
def project(x_td, w_q_hde):
    return np.einsum("td,hde->hte", x_td, w_q_hde)


# %% part="right" name="three loops"
def project(x_td, w_q_hde):
    h, _, e = w_q_hde.shape
    q_hte = np.zeros((h, len(x_td), e))
    for i in range(h):
        for t in range(len(x_td)):
            for j in range(e):
                q_hte[i, t, j] = sum(x_td[t] * w_q_hde[i, :, j])
    return q_hte


# %% part="wrong" name="B06"
def project(x_td, w_q_hde):
    return np.stack([x_td @ w_q_hde[0] for w_q_de in w_q_hde])


# %% part="wrong" name="B01"
def project(x_td, w_q_hde):
    h, _, e = w_q_hde.shape
    slices = np.split(x_td, h, axis=1)
    return np.stack([slices[i] @ w_q_hde[i, i * e : (i + 1) * e] for i in range(h)])


# %% part="wrong" name="F01"
def project(x_td, w_q_hde):
    return np.concatenate([x_td @ w_q_de for w_q_de in w_q_hde], axis=1)


# %% part="wrong" name="X itself" cause="X itself is returned, without a product"
def project(x_td, w_q_hde):
    return x_td


# %% part="wrong" name="tokens before heads" cause="the tokens come before the heads"
def project(x_td, w_q_hde):
    return np.stack([x_td @ w_q_de for w_q_de in w_q_hde], axis=1)


# %% [markdown]
# ## Project, then split
#
# Programs seldom keep one small matrix for each head. They put the matrices of all heads side by side in one wide matrix:
#
# W^Q = [W_1^Q W_2^Q W_3^Q], which is {{d_model}} x {{heads * d_k}}
#
# Then they multiply once and cut the **columns of the result**. Head 1 gets the first {{d_k}} columns, head 2 the next
# {{d_k}}, and so on. The numbers are the same as with three small products:

# %%
wide = X @ np.concatenate(list(W_Q), axis=1)
cut_2 = wide[:, 4:8]  # the columns of head 2
own_2 = X @ W_Q[1]  # head 2 with its own matrix
print("wide:", wide.shape)
print("it, cut from the wide product:", cut_2[6].round(2).tolist())
print("it, with head 2's own matrix: ", own_2[6].round(2).tolist())
print("all numbers of head 2 equal:  ", np.allclose(cut_2, own_2))

# %% [markdown]
# The columns of a product do not mix. Column 5 of Q comes from column 5 of W^Q and from all of X. So it does not matter whether
# you cut W^Q before the product or Q after it. It is **project, then split**: X itself is never cut.

# %% [markdown] exercise="2.5" kind="implement" title="One wide product, then split"
# Write `project_and_split`. It gets `x_td` of shape (n, d), the wide matrix `w_q_dc` of shape (d, c), and the number of `heads`.
# Here c is heads x e: the columns of head 1 come first, then those of head 2. It returns the queries in the shape (h, n, e).


# %% part="work"
def project_and_split(x_td, w_q_dc, heads):
    # TODO: one product, then cut its columns: (n, heads, e), heads first.
    ### BEGIN SOLUTION
    q_tc = x_td @ w_q_dc
    n, c = q_tc.shape
    return q_tc.reshape(n, heads, c // heads).swapaxes(0, 1)
    ### END SOLUTION


# %% part="check"
check.stage("2.5", project_and_split, "x_td w_q_dc heads -> q_hte")

# %% [markdown] part="hints"
# - After the product, look at one row: one token, c numbers. The first e of them belong to head 1. So it is the columns that
#   are cut, token by token.
# - `q_tc.reshape(n, heads, ...)` cuts every row into heads. The axes are then token, head, column. Which two must change places?
# - A parallel problem: a row [a1, a2, b1, b2] and a row [c1, c2, d1, d2]. reshape(2, 2, 2) gives [[a1, a2], [b1, b2]] and
#   [[c1, c2], [d1, d2]]. Swapping the first two axes gives [[a1, a2], [c1, c2]] for head 1 and [[b1, b2], [d1, d2]] for head 2.

# %% [markdown] part="why"
# **Why it works.** reshape keeps the numbers in reading order. Cutting each row into (heads, e) respects the rows; after that the
# axes may be swapped.
#
# **What else would work.** `np.stack(np.split(x_td @ w_q_dc, heads, axis=1))` cuts the columns directly. Or cut `w_q_dc` first and use
# `project`: the numbers are the same.


# %% part="right" name="cut with split"
def project_and_split(x_td, w_q_dc, heads):
    return np.stack(np.split(x_td @ w_q_dc, heads, axis=1))


# %% part="right" name="cut the matrix first"
def project_and_split(x_td, w_q_dc, heads):
    e = w_q_dc.shape[1] // heads
    return np.array([x_td @ w_q_dc[:, i * e : (i + 1) * e] for i in range(heads)])


# %% part="wrong" name="B14"
def project_and_split(x_td, w_q_dc, heads):
    q_tc = x_td @ w_q_dc
    n, c = q_tc.shape
    return q_tc.reshape(heads, n, c // heads)


# %% part="wrong" name="B01"
def project_and_split(x_td, w_q_dc, heads):
    e = w_q_dc.shape[1] // heads
    parts = [slice(i * e, (i + 1) * e) for i in range(heads)]
    return np.stack([x_td[:, part] @ w_q_dc[part, part] for part in parts])


# %% part="wrong" name="B02"
def project_and_split(x_td, w_q_dc, heads):
    return np.stack(np.split(x_td, heads, axis=1))


# %% part="wrong" name="B09"
def project_and_split(x_td, w_q_dc, heads):
    return np.stack(np.split(x_td @ w_q_dc.T, heads, axis=1))


# %% part="wrong" name="not swapped"
def project_and_split(x_td, w_q_dc, heads):
    q_tc = x_td @ w_q_dc
    return q_tc.reshape(len(q_tc), heads, -1)


# %% [markdown]
# ## What if X were cut instead?
#
# You may read elsewhere that "each word's numbers are divided into pieces, one piece for each head". Let us try it. X has
# {{d_model}} features, so with {{heads}} heads a piece would have {{d_model // heads}} features:
#
# - piece 1: determiner, noun, verb, link
# - piece 2: pronoun, state, `subject*`, alive
# - piece 3: slow cos, slow sin, fast cos, fast sin
#
# Head 1 would read only piece 1, with the first four rows of its W_1^Q.

# %% [markdown] exercise="2.6" kind="predict" title="Head 1 with a slice of X"
# Look again at W_1^Q at the top of this lesson. Predict: what are the queries of head 1 when it reads only piece 1? Say to yourself
# whether you are sure. Set `sliced_head_1` to a letter.

# %% [markdown] part="claims"
# - [ ] A. The same as before, since the matrix is the same. => Only four of its twelve rows are used. The rows that did the work,
#   slow cos to fast sin, are not among them.
# - [x] B. All 0, for every token. => W_1^Q is 0 in the rows determiner, noun, verb and link. All that head 1 reads stands outside its slice.
# - [ ] C. An error, since the shapes no longer fit. => They fit: four features times a matrix of four rows. That is why this mistake
#   is silent.
# - [ ] D. The same for the tokens that have a 1 in these four features, and 0 for the others. => The 1 in noun meets the row noun of W_1^Q,
#   and that row is 0.
# - [ ] E. A third of what they were, since a third of X is read. => A product does not shrink evenly. What matters is which rows of the matrix
#   are left.

# %% part="work"
# TODO: a letter.
### BEGIN SOLUTION
sliced_head_1 = "B"
### END SOLUTION

# %% part="check"
check.choice("2.6", sliced_head_1)

# %% [markdown] part="hints"
# - In W_1^Q, look at the rows determiner, noun, verb and link. What stands in them?
# - For `it`, column 2, with piece 1 only: {{X[it, determiner]}} x {{W_Q[head 1, determiner, col 2]}} + {{X[it, noun]}} x
#   {{W_Q[head 1, noun, col 2]}} + {{X[it, verb]}} x {{W_Q[head 1, verb, col 2]}} + {{X[it, link]}} x
#   {{W_Q[head 1, link, col 2]}} = ...
# - A parallel problem: head 2 with piece 2. The row pronoun of W_2^Q is in its piece, so `it` keeps the query
#   {{Q[head 2, it, col 1]}}. The row noun is not, so `robot` loses its query.

# %% [markdown] part="why"
# **Why it works.** A head that reads a slice cannot use anything outside it. Head 1 lives on the position, and the position is in
# piece 3. The cell below shows all three heads.
#
# **What else would work.** Set W_1^Q to 0 outside piece 1 and read all of X: the same numbers come out.

# %% part="right" name="a small letter"
sliced_head_1 = "b"

# %% part="wrong" name="A"
sliced_head_1 = "A"

# %% part="wrong" name="C"
sliced_head_1 = "C"

# %% part="wrong" name="D"
sliced_head_1 = "D"

# %% part="wrong" name="E"
sliced_head_1 = "E"

# %% [markdown]
# ## Observe
#
# The right queries of `it`, and those that a head gets from its slice:

# %%
for i in range(3):
    piece = slice(4 * i, 4 * i + 4)
    from_all = X @ W_Q[i]
    from_slice = X[:, piece] @ W_Q[i, piece]
    print(f"head {i + 1}, all of X: ", from_all[6].round(2).tolist())
    print(f"head {i + 1}, its slice:", from_slice[6].round(2).tolist())

# %% [markdown]
# Head 2 still has its query for `it`, by luck: pronoun is in its piece. Heads 1 and 3 have lost theirs.
#
# Slicing X is **a different function, and a weaker one**. A head of the sliced kind has {{d_k}} x {{d_k}} = {{d_k * d_k}} learned numbers in
# its W_i^Q. A right one has {{d_model}} x {{d_k}} = {{d_model * d_k}}. Whatever the sliced head can do, the right one can do with zeros in
# the other rows. The reverse is not true.

# %% [markdown] exercise="2.7" kind="choose" title="What is cut, and what is not?"
# Which statements are right? More than one is. Set `cut` to the letters of all right ones.

# %% [markdown] part="claims"
# - [ ] A. The row of each token is cut into {{heads}} pieces, one for each head. => X is never cut. Each head reads all {{d_model}} numbers of
#   the row.
# - [x] B. Each number of a query can depend on all {{d_model}} numbers of the token's row. => A column of W_i^Q has {{d_model}} numbers, one for
#   each feature.
# - [x] C. One wide product whose columns are cut gives the same numbers as one small product for each head. => The columns of a product do not
#   mix, so it does not matter when they are cut.
# - [ ] D. The wide matrix W^Q has zeros outside {{heads}} blocks on its diagonal. => That would be slicing X. The wide matrix is {{heads}} column
#   blocks side by side, each {{d_model}} rows tall, and all of it may be used.
# - [ ] E. Every head has a W_i^Q of shape ({{d_model}}, {{d_model}}). => It is ({{d_model}}, {{d_k}}): the columns are shared out among the heads,
#   d_k = d_model / heads.
# - [ ] F. Q, K and V of one head are three copies of the same numbers. => They come from three matrices. The walk's Q, K and V of a head differ.

# %% part="work"
# TODO: the letters of all right statements.
### BEGIN SOLUTION
cut = "BC"
### END SOLUTION

# %% part="check"
check.choice("2.7", cut)

# %% [markdown] part="hints"
# - For each statement ask: is it about X, about the matrix, or about the product? Look up the shape of that one in exercise 2.3.
# - The wide matrix is {{d_model}} x ... . Head 2 owns its columns 5 to 8, and all of their ... rows.
# - A parallel case: a recipe book with {{heads}} chapters. Every cook may use all of the kitchen's goods, but cooks only one chapter.
#   The book is divided. The kitchen is not.

# %% [markdown] part="why"
# **Why it works.** Cut what comes out, not what goes in. In the base model of the 2017 paper X has {{size("transformer-base", "d_model")}} columns.
# Its {{size("transformer-base", "heads")}} heads have queries of {{size("transformer-base", "d_model") // size("transformer-base", "heads")}} numbers each.
# In GPT-3, X has {{size("gpt3", "d_model")}} columns, and {{size("gpt3", "heads")}} heads have queries of {{size("gpt3", "d_model") // size("gpt3", "heads")}} numbers each.
#
# **What else would work.** A sentence that people use: the projected rows are split. That is right, if "projected" is not left out.

# %% part="right" name="the other order"
cut = "c, b"

# %% part="wrong" name="A"
cut = "ABC"

# %% part="wrong" name="D"
cut = "BCD"

# %% part="wrong" name="E"
cut = "BCE"

# %% part="wrong" name="F"
cut = "F"

# %% part="wrong" name="only one of them"
cut = "B"

# %% [markdown] exercise="2.8" kind="bug" title="One bug to find: tokens that are mixed up"
# `split` cuts the columns of q into heads. `split_broken` should do the same. Its shapes are always right, so no error comes up.
# In a collection of public bug reports about several heads, this mistake and its mirror image (lesson 6) were the most frequent.
#
# Find the smallest input on which the two differ. Set `small_case` to a pair: the rows of q as a list of lists, and the number of heads.
# For example, `([[1, 2, 3, 4]], 2)` is one token with four numbers and two heads. On that one they agree.


# %% part="given"
def split(q_tc, heads):
    n, c = q_tc.shape
    return q_tc.reshape(n, heads, c // heads).swapaxes(0, 1)


def split_broken(q_tc, heads):
    n, c = q_tc.shape
    return q_tc.reshape(heads, n, c // heads)


one_token = np.array([[1, 2, 3, 4]])
print(split(one_token, 2).tolist())
print(split_broken(one_token, 2).tolist())

# %% part="work"
# TODO: a pair (rows, heads) on which the two functions differ.
### BEGIN SOLUTION
small_case = ([[1, 2], [3, 4]], 2)
### END SOLUTION

# %% part="check"
check.exposes("2.8", small_case, split_broken, split)

# %% [markdown] part="hints"
# - reshape reads the numbers row by row. In `split_broken`, which numbers come first: all those of head 1, or all those of token 1?
# - With one token they agree. With one head they agree. So you need at least ... tokens and ... heads.
# - A parallel problem: two pupils write two answers each, [1a, 1b] and [2a, 2b]. You want all answers to question a, then all to question b:
#   [1a, 2a], [1b, 2b]. Reading in order gives [1a, 1b], [2a, 2b], which is sorted by pupil.

# %% [markdown] part="why"
# **Why it works.** `split_broken` fills head 1 with the first tokens and head 2 with the last ones. So the rows of a head are no longer one for each
# token. The shape cannot show it.
#
# **What else would work.** Any input with two tokens, two heads, and numbers that are not all alike. The repair: reshape to (n, heads, e) first, then
# swap the first two axes. The test: `split(q, heads)[0]` must hold the first columns of every token.

# %% part="right" name="larger"
small_case = (np.arange(24).reshape(3, 8), 4)

# %% part="wrong" name="one token"
small_case = ([[1, 2, 3, 4, 5, 6]], 3)

# %% part="wrong" name="one head"
small_case = ([[1, 2], [3, 4]], 1)

# %% part="wrong" name="all numbers alike"
small_case = ([[1, 1], [1, 1]], 2)

# %% part="wrong" name="heads that do not divide the width"
small_case = ([[1, 2, 3], [4, 5, 6]], 2)

# %% [markdown] part="misconception"
# ## A common misconception
#
# **"The numbers of each word are divided among the heads."** They are not. Every head reads the full row. What is divided is the result: the
# columns of Q, K and V. It is project, then split.

# %% [markdown]
# ## Where it fits in a Transformer
#
# Projection is the first step inside every attention layer. Its matrices, together with W^O of lesson 6, are what the layer learns. It works on each
# row alone: no token has seen another yet. That happens in lesson 3, when queries meet keys.
#
# Two notes for reading code. Many programs also add a learned row, the bias, after the product; the robot has none. And in some newer models several
# heads share one K and one V; lesson 9 comes back to them.

# %% [markdown] part="questions"
# ## Test yourself
#
# - d_model is 6 and there are 2 heads. What is the shape of W_1^Q? => (6, 3). It reads all 6 features and makes d_k = 6 / 2 = 3 numbers.
# - Why do the queries of `The` and `the` differ in head 1, but not in head 2? => W_1^Q reads the position. W_2^Q reads only features of the word.
# - You cut the wide W^Q into column blocks before the product, a friend cuts Q after it. Whose numbers are right? => Both. They are the same numbers.
# - The query of `because` in head 2 is all 0. Is that an error? => No. W_2^Q has only zeros in the row link and in the position's rows. `because` has
#   nothing else.
# - A program uses `X @ W.T` in place of `X @ W`, and no error comes up. When is that possible? => When W is square. With d_model and the other size
#   different, numpy would complain. So test with sizes that differ.

# %% [markdown] part="card"
# ## Summary card
#
# - **In one sentence:** each head multiplies all of X by three matrices of its own and so gives every token a query, a key and a value.
# - Q_i = X W_i^Q, K_i = X W_i^K, V_i = X W_i^V
# - ({{n}}, {{d_model}}) times ({{d_model}}, {{d_k}}) gives ({{n}}, {{d_k}}); all heads together: ({{heads}}, {{n}}, {{d_k}}).
# - d_k = d_model / heads, here {{d_model}} / {{heads}} = {{d_k}}.
# - Query: what this token looks for. Key: what a token can be found by. Value: what a token hands on.
# - Project, then split. X is never cut.

# %% [markdown] part="exit"
# ## Before you go
#
# - One number: x = [2, 0, 1], and a column of W is [1, 5, -3]. What is the number in that column of x W?
# - One choice. With 16 heads in place of 8 and the same d_model, each query has (A) twice as many numbers, (B) as many, (C) half as many,
#   (D) a number that cannot be known.
# - One because: "Slicing X is weaker than slicing Q, because ..."

# %% [markdown] part="reading"
# ## Further reading
#
# - Attention Is All You Need. Vaswani and others, 2017, arXiv:1706.03762. Section 3.2.2: the shapes of W_i^Q, W_i^K and W_i^V.
# - Fast Transformer Decoding: One Write-Head is All You Need. Shazeer, 2019, arXiv:1911.02150. All heads share one K and one V.
# - GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints. Ainslie and others, 2023, arXiv:2305.13245. Groups of heads
#   share them.
