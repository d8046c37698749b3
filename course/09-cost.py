# ---
# title: What it costs
# summary: More heads are narrower heads and cost no more learned numbers; what grows is the number of attention weights, and in decoding the cache that must be read.
# minutes: 40
# ---

# %% part="setup"
import numpy as np

from mha_tutor.course import check
from mha_tutor.decoding import decode
from mha_tutor.examples import find

# %% [markdown] part="recall"
# ## Three questions from earlier lessons
#
# Answer first, then look.
#
# - Which numbers of a token's row does head 2 read to make its query? => All {{d_model}} of them. Only the query
#   that comes out is narrow: it has {{d_k}} numbers.
# - One head is removed before W^O. What does the output lose? => Exactly this head's term, head_i W_i^O.
# - With three heads the dot products are divided by sqrt({{d_k}}). By what are they divided with one head that
#   is {{one.d_k}} wide? => By sqrt({{one.d_k}}). What counts is the width that the dot product ran over.

# %% [markdown]
# ## What this lesson is for
#
# Somebody wants twice as many heads. What will it cost: more memory, more work, both, or nothing? This
# lesson counts three things, each from shapes: the learned numbers, the work, and what is kept while a model
# writes. It takes about 40 minutes. Exercises 9.5 and 9.11 may wait for another day.
#
# ## Learned numbers
#
# Learned numbers are also called parameters. They stand in the matrices, so the shapes tell how many there
# are.
#
# **Head 1, worked.** In the robot example W_1^Q takes a row of {{d_model}} numbers and makes a query of {{d_k}}
# numbers. So it has {{d_model}} rows and {{d_k}} columns, which makes {{d_model}} × {{d_k}} = {{d_model * d_k}}
# numbers. W_1^K and W_1^V have the same shape. Head 1 needs 3 × {{d_model * d_k}} = {{3 * d_model * d_k}} numbers
# for all three. The other heads need as many.

# %% [markdown] exercise="9.1" kind="shape" title="A sentence of shapes"
# The robot example can be cut into three heads or kept as one. Complete the sentence: "With three heads, the
# matrix W_2^Q of head 2 has the shape ... . With one head, its matrix W_1^Q has the shape ... . W^O has, in both
# cases, the shape ... ."

# %% part="work"
# TODO: type three shapes, as in (2, 5).
### BEGIN SOLUTION
of_head_2 = (12, 4)
of_the_one_head = (12, 12)
of_w_o = (12, 12)
### END SOLUTION

# %% part="check"
check.shapes("9.1", {"W_Q[head 2]": of_head_2, "one.W_Q[head 1]": of_the_one_head, "W_O": of_w_o})

# %% [markdown] part="hints"
# - Rows of a matrix: how many numbers come in. Columns: how many come out.
# - {{d_model}} numbers of a token come in for every head. With three heads {{d_model}} / 3 = ... come out.
# - With d_model 10 and 2 heads: each W_i^Q is (10, 5), the one head's is (10, 10), and W^O is (10, 10).

# %% [markdown] part="why"
# **Why it works.** Every head reads the whole row, so each matrix has {{d_model}} rows. The columns are shared
# out among the heads. Three matrices with {{d_k}} columns each have as many numbers as one with
# {{one.d_k}}. In the same way a row of 512 numbers and 8 heads give matrices of 512 rows and 64 columns.

# %% part="right" name="as lists"
of_head_2 = [12, 4]
of_the_one_head = [12, 12]
of_w_o = [12, 12]

# %% part="wrong" name="a head reads a slice"
of_head_2 = (4, 4)
of_the_one_head = (12, 12)
of_w_o = (12, 12)

# %% part="wrong" name="turned"
of_head_2 = (4, 12)
of_the_one_head = (12, 12)
of_w_o = (12, 12)

# %% [markdown] exercise="9.2" kind="predict" title="All heads, and one head"
# Head 1 needs {{3 * d_model * d_k}} numbers. Complete: head 2 needs 3 × ... × ... . Then head 3, and W^O. How many
# learned numbers are there in all? And how many when the same matrices are kept as one head?

# %% part="work"
# TODO: type two whole numbers.
### BEGIN SOLUTION
with_three_heads = 576
with_one_head = 576
### END SOLUTION

# %% part="check"
check.numbers("9.2", {"parameters(12, 3)": with_three_heads, "parameters(12, 1)": with_one_head}, decimals=0)

# %% [markdown] part="hints"
# - Count four shapes: W^Q, W^K and W^V of all heads, and W^O once.
# - 3 heads × {{3 * d_model * d_k}} + {{d_model}} × ... . With one head: 1 × 3 × {{d_model}} × {{one.d_k}} + ... .
# - With d_model 10 and 2 heads: 2 × 3 × 10 × 5 = {{2 * 3 * 10 * 5}}, and 10 × 10 = {{10 * 10}} for W^O, which makes
#   {{parameters(10, 2)}}.

# %% [markdown] part="why"
# **Why it works.** h heads have matrices with d_model / h columns, and h times d_model / h is d_model. So the
# number is 4 d_model² for every h. For d_model = 512 that is {{parameters(512, 8)}}, with 8 heads, with 16 and
# with one.
#
# The comparison is fair only if the one head has a W^O too. Four bias vectors, where a model has them, add
# 4 d_model.

# %% part="right" name="as sums"
with_three_heads = 3 * 3 * 12 * 4 + 12 * 12
with_one_head = 4 * 12**2

# %% part="wrong" name="the wrong formula"
with_three_heads = 3 * 3 * 4 * 4 + 144
with_one_head = 576

# %% part="wrong" name="one head without W^O"
with_three_heads = 576
with_one_head = 432

# %% part="wrong" name="W^O forgotten"
with_three_heads = 432
with_one_head = 432

# %% [markdown] exercise="9.3" kind="implement" title="Count from shapes"
# Heads may share keys and values. Then there are fewer W^K and W^V than W^Q: `kv_heads` of each, and `heads`
# of W^Q. A head is d_model / heads wide, also a shared one. Write `learned_numbers`. It gets three whole
# numbers and returns how many learned numbers a layer has, without biases.


# %% part="work"
def learned_numbers(d_model, heads, kv_heads):
    width = d_model // heads
    # TODO: add the sizes of W^Q, W^K, W^V and W^O.
    ### BEGIN SOLUTION
    of_q = d_model * heads * width
    of_k = d_model * kv_heads * width
    of_v = d_model * kv_heads * width
    of_o = heads * width * d_model
    return of_q + of_k + of_v + of_o
    ### BLANK
    # of_q = d_model * heads * width
    # of_k = ...
    # of_v = ...
    # of_o = ...
    # return of_q + of_k + of_v + of_o
    ### END SOLUTION


# %% part="check"
check.function("9.3", learned_numbers, [(12, 3, 3), (12, 1, 1), (512, 8, 8), (512, 8, 1), (24, 6, 2)])

# %% [markdown] part="hints"
# - Each of W^Q, W^K and W^V has d_model rows. How many columns has each, over all its heads?
# - W^K has d_model rows and kv_heads × ... columns. W^O has one row for each number of concat, and ... columns.
# - With d_model 20, 4 heads and 2 key/value heads a head is 5 wide. W^Q is 20 × 20, W^K and W^V are 20 × 10, and
#   W^O is 20 × 20: 400 + 200 + 200 + 400 = {{parameters(20, 4, 2)}}.

# %% [markdown] part="why"
# **Why it works.** The number of learned numbers is the sum of the sizes of the matrices. With own keys and
# values for each head it is 4 d_model², whatever the number of heads. With shared ones W^K and W^V become
# smaller: for d_model = 512 and 8 heads it is {{parameters(512, 8)}}, and with one shared key/value head
# {{parameters(512, 8, 1)}}.
#
# GPT-3 has {{size("gpt3", "heads")}} heads of width {{size("gpt3", "d_k")}} in each of
# {{size("gpt3", "layers")}} layers, and rows of {{size("gpt3", "heads")}} × {{size("gpt3", "d_k")}} =
# {{size("gpt3", "d_model")}} numbers. Its attention has {{parameters("gpt3")}} learned numbers a layer,
# {{all_parameters("gpt3") : words}} in all layers. That is
# {{all_parameters("gpt3") / (figures.gpt3_total * 10 ** 9) : %}} of the whole model.


# %% part="right" name="in short"
def learned_numbers(d_model, heads, kv_heads):
    return 2 * d_model**2 + 2 * d_model * kv_heads * (d_model // heads)


# %% part="right" name="sizes of arrays"
def learned_numbers(d_model, heads, kv_heads):
    width = d_model // heads
    own, shared = np.empty((heads, d_model, width)), np.empty((kv_heads, d_model, width))
    return own.size + 2 * shared.size + np.empty((heads * width, d_model)).size


# %% part="wrong" name="slices" cause="each head's matrices have only d_model / heads rows, as if a head saw a slice of the row; every head reads all of it"
def learned_numbers(d_model, heads, kv_heads):
    width = d_model // heads
    return heads * width * width + 2 * kv_heads * width * width + d_model * d_model


# %% part="wrong" name="popular formula" cause="each head gets three small square matrices, d_model / heads on each side, or, which gives the same number, only one head is counted; there are several heads, and each reads all of the row"
def learned_numbers(d_model, heads, kv_heads):
    width = d_model // heads
    return heads * 3 * width * width + d_model * d_model


# %% part="wrong" name="nothing shared" cause="kv_heads is not used: every head has its own keys and values"
def learned_numbers(d_model, heads, kv_heads):
    return 4 * d_model**2


# %% part="wrong" name="without W^O" cause="W^O is missing"
def learned_numbers(d_model, heads, kv_heads):
    return d_model**2 + 2 * d_model * kv_heads * (d_model // heads)


# %% part="wrong" name="full width" cause="every head keeps the full width; heads share the columns among them"
def learned_numbers(d_model, heads, kv_heads):
    return heads * d_model**2 + 2 * kv_heads * d_model**2 + d_model**2


# %% part="wrong" name="W^O for each head" cause="W^O is counted once for each head; there is one W^O for all"
def learned_numbers(d_model, heads, kv_heads):
    return d_model**2 + 2 * d_model * kv_heads * (d_model // heads) + heads * d_model**2


# %% [markdown] exercise="9.4" kind="choose" title="Find the error in the formula"
# This formula can be found in explanations of multi-head attention:
#
# h × 3 × (d_model / h) × (d_model / h) + d_model × d_model
#
# Its author says that it comes to 4 d_model². For d_model = 512 and h = 8 it gives
# {{wrong_parameters(512, 8)}}, but 4 × 512² is {{parameters(512, 8)}}. What is wrong?

# %% [markdown] part="claims"
# - [ ] A. The 3 should be a 4, for W^O. => W^O is there already: it is the last term, d_model × d_model.
# - [x] B. The first (d_model / h) should be d_model. => Each head's matrix takes the whole row: d_model rows,
#   d_model / h columns. Then h × 3 × d_model × d_model / h + d_model² is 4 d_model².
# - [ ] C. The factor h does not belong there. => There are h heads, and each has its own three matrices.
# - [ ] D. The biases are missing. => They would add only 4 × 512 = {{4 * 512}} numbers. The gap is much larger.
# - [ ] E. Nothing: both are the same after simplifying. => The formula comes to d_model² (1 + 3 / h). That is
#   4 d_model² for h = 1 only.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
the_error = "B"
### END SOLUTION

# %% part="check"
check.choice("9.4", the_error)

# %% [markdown] part="hints"
# - Read the first part as a shape: rows × columns of one head's matrix. Which of the two is not what you gave in
#   exercise 9.1?
# - The robot's head 2 has the matrix W_2^Q with {{d_model}} rows. In the formula it would have {{d_model}} / 3 =
#   ... rows.
# - A cake for 4 guests is cut into quarters. A slip on the way gives each guest a quarter of a quarter, and most of the
#   cake is left. With one guest nobody notices. Try the formula with h = 1 and h = 2 in the same way.

# %% [markdown] part="why"
# **Why it matters.** The formula is right if each head sees only its own slice of the row. So it is the same
# mistake as "the row is cut into pieces, one for each head". What is cut is the query, the key and the value,
# after projecting. With h = 1 there is only one slice, and the two formulas agree. That is why one example is
# not a test. With more heads the wrong number is just what W^O and *one* real head need.

# %% part="right" name="small letter"
the_error = "b"

# %% part="wrong" name="A"
the_error = "A"

# %% part="wrong" name="C"
the_error = "C"

# %% part="wrong" name="D"
the_error = "D"

# %% part="wrong" name="E"
the_error = "E"

# %% [markdown]
# ## Work
#
# Work is counted in multiply-adds: one product, added to a sum. Rows (a × b) times a matrix (b × c) take
# a × b × c of them. One layer, n tokens, and heads that are d_k = d_model / h wide:
#
# | stage | for one head | all heads | robot |
# |---|---|---|---:|
# | project to Q, K, V | 3 n d_model d_k | 3 n d_model² | {{3 * n * d_model * d_model}} |
# | dots Q K^T | n² d_k | n² d_model | {{n ** 2 * d_model}} |
# | mix with V | n² d_k | n² d_model | {{n ** 2 * d_model}} |
# | output with W^O | | n d_model² | {{n * d_model * d_model}} |
#
# The number of heads has gone from the third column. Many narrow heads do as much work as few wide ones.
#
# Work with matrices grows with n, work with pairs of tokens grows with n². From n = 2 d_model on the pairs take
# as much as the matrices; for d_model = 512 that is {{even_tokens("transformer-base")}} tokens.
#
# Between dots and mix stands softmax. It makes one attention weight for each head and each pair of tokens:
# h n² of them. *Here* the number of heads does count. The robot's {{n}} tokens have
# {{heads}} × {{n}} × {{n}} = {{heads * n ** 2}} weights; the {{trophy.n}} tokens of the trophy sentence have
# {{trophy.heads * trophy.n ** 2}}.

# %% [markdown] exercise="9.5" kind="implement" title="Work by stage"
# This one may wait for another day. Write `work`. It gets three whole numbers and returns a list of four: the
# multiply-adds of all heads for projecting, for the dots, for mixing and for the output. Each head has its own
# keys and values.


# %% part="work"
def work(tokens, d_model, heads):
    width = d_model // heads
    # TODO: four whole numbers, one for each stage.
    ### BEGIN SOLUTION
    project = heads * 3 * tokens * d_model * width
    dots = heads * tokens * tokens * width
    mix = heads * tokens * tokens * width
    output = tokens * heads * width * d_model
    return [project, dots, mix, output]
    ### BLANK
    # project = heads * 3 * tokens * d_model * width
    # dots = ...
    # mix = ...
    # output = ...
    # return [project, dots, mix, output]
    ### END SOLUTION


# %% part="check"
check.function("9.5", work, [(9, 12, 3), (9, 12, 1), (5, 64, 8)])

# %% [markdown] part="hints"
# - Each stage is a product (a × b)(b × c). Write the two shapes down for one head, then take all heads.
# - The dots of one head: Q_i is n × d_k, K_i^T is d_k × n. So n × d_k × ..., and that h times.
# - With 10 tokens and 2 heads of width 3 (d_model 6): dots take 2 × 10 × 3 × 10 = {{2 * 10 * 3 * 10}}, and the output takes
#   10 × 6 × 6 = {{10 * 6 * 6}}.

# %% [markdown] part="why"
# **Why it works.** Count rows × inner width × columns for every product. heads × width is d_model everywhere, so
# the numbers for 3 heads and for 1 head are equal.
#
# The counts leave out scaling, softmax and everything that moves numbers about. Two programs with equal counts
# can differ a lot in time, as you will see below.


# %% part="right" name="in short"
def work(tokens, d_model, heads):
    matrices, pairs = tokens * d_model**2, tokens**2 * d_model
    return np.array([3 * matrices, pairs, pairs, matrices])


# %% part="wrong" name="full width for every head" cause="every head's dots and mixtures run over all of d_model; a head is only d_model / heads wide"
def work(tokens, d_model, heads):
    pairs = heads * tokens * tokens * d_model
    return [3 * tokens * d_model**2, pairs, pairs, tokens * d_model**2]


# %% part="wrong" name="one head" cause="dots and mixtures are counted for one head and not for all"
def work(tokens, d_model, heads):
    pairs = tokens * tokens * (d_model // heads)
    return [3 * tokens * d_model**2, pairs, pairs, tokens * d_model**2]


# %% part="wrong" name="one projection" cause="one projection is counted; there are three, to Q, K and V"
def work(tokens, d_model, heads):
    matrices, pairs = tokens * d_model**2, tokens**2 * d_model
    return [matrices, pairs, pairs, matrices]


# %% part="wrong" name="n in place of n squared" cause="dots and mixtures are counted once for each token; they are needed once for each pair"
def work(tokens, d_model, heads):
    matrices = tokens * d_model**2
    return [3 * matrices, tokens * d_model, tokens * d_model, matrices]


# %% part="wrong" name="multiplies with heads" cause="the full projection is counted for every head; each head makes only its own columns"
def work(tokens, d_model, heads):
    matrices, pairs = tokens * d_model**2, tokens**2 * d_model
    return [heads * 3 * matrices, pairs, pairs, matrices]


# %% [markdown] exercise="9.6" kind="choose" title="Twice as many heads"
# A layer with d_model = 512 gets 16 heads in place of 8, each with its own keys and values. It reads the same
# text. What is true? Several may be.

# %% [markdown] part="claims"
# - [ ] A. It has twice as many learned numbers. => {{parameters(512, 8)}} before, {{parameters(512, 16)}} after: the
#   heads are half as wide. It would be true if the width of a head were fixed, as it can be set in Keras with
#   `key_dim`.
# - [ ] B. The dot products take twice as many multiply-adds. => There are twice as many of them, and each is half
#   as long. 16 × 32 is 512, and so is 8 × 64.
# - [x] C. There are twice as many attention weights. => One n × n map for each head: h n².
# - [ ] D. While decoding, twice as many numbers are kept for each token. => Keys and values of all heads together
#   are 2 × 512 numbers for each token, with 8 heads and with 16.
# - [x] E. Each head is half as wide. => 512 / 16 = {{512 // 16}} in place of {{512 // 8}}.

# %% part="work"
# TODO: type the letters, as in "AC".
### BEGIN SOLUTION
twice_as_many_heads = "CE"
### END SOLUTION

# %% part="check"
check.choice("9.6", twice_as_many_heads)

# %% [markdown] part="hints"
# - For each claim, write the number once with h and the width, and see whether h times the width appears.
# - heads × width is 512 in both cases. Which claims count something that does not have the width in it?
# - A field is cut into 16 strips in place of 8. The area stays, each strip is half as wide, and there are
#   more fences.

# %% [markdown] part="why"
# **Why it matters.** "More heads, more parameters" is a common mistake about the cost. It is true only
# where somebody keeps the width of a head and lets the whole grow.

# %% part="right" name="small letters"
twice_as_many_heads = "ec"

# %% part="wrong" name="A"
twice_as_many_heads = "ACE"

# %% part="wrong" name="B"
twice_as_many_heads = "BCE"

# %% part="wrong" name="D"
twice_as_many_heads = "CDE"

# %% part="wrong" name="only one of two"
twice_as_many_heads = "E"

# %% [markdown] exercise="9.7" kind="predict" title="Attention weights"
# A layer with 8 heads reads 512 tokens. How many attention weights does its softmax make? And how many would one
# head make?

# %% part="work"
# TODO: type two whole numbers without commas, or products such as 2 * 3.
### BEGIN SOLUTION
of_eight_heads = 2097152
of_one_head = 262144
### END SOLUTION

# %% part="check"
check.numbers(
    "9.7", {"softmax_entries(8, 512)": of_eight_heads, "softmax_entries(1, 512)": of_one_head}, decimals=0
)

# %% [markdown] part="hints"
# - Every token asks every token: how many pairs is that?
# - 512 × 512 pairs, and for each pair one weight in each of ... heads.
# - 4 heads and 10 tokens: 4 × 10 × 10 = {{softmax_entries(4, 10)}} weights; one head: {{softmax_entries(1, 10)}}.

# %% [markdown] part="why"
# **Why it works.** One map of n × n for each head. The width of the heads does not appear. Twice as many tokens
# make four times as many weights: {{softmax_entries(8, 1024)}} for 1,024 tokens.

# %% part="right" name="as products"
of_eight_heads = 8 * 512 * 512
of_one_head = 512**2

# %% part="wrong" name="n in place of n squared"
of_eight_heads = 8 * 512
of_one_head = 512

# %% part="wrong" name="not times the heads"
of_eight_heads = 262144
of_one_head = 262144

# %% part="wrong" name="times the width"
of_eight_heads = 512 * 512 * 64
of_one_head = 262144

# %% [markdown]
# ## Narrow heads
#
# So why not hundreds of heads? Because each gets narrow. Vaswani and others (2017) tried several numbers of
# heads, with the amount of work kept the same. This is the quality of their translations from English to German,
# in BLEU (more is better):
#
# | heads | width of a head | BLEU |
# |---:|---:|---:|
# | 1 | {{512}} | {{figures.bleu_heads_1}} |
# | 4 | {{512 // 4}} | {{figures.bleu_heads_4}} |
# | 8 | {{512 // 8}} | {{figures.bleu_heads_8}} |
# | 16 | {{512 // 16}} | {{figures.bleu_heads_16}} |
# | 32 | {{512 // 32}} | {{figures.bleu_heads_32}} |
#
# A narrow head has few numbers to compare tokens by. Bhojanapalli and others (2020) proved one side of
# this: a head at least as wide as the text is long can make any map of weights above 0, and a narrower one in
# general cannot.

# %% [markdown] exercise="9.8" kind="choose" title="What the table says"
# Which claims does the table support? Several may be right.

# %% [markdown] part="claims"
# - [ ] A. The more heads, the better. => With 32 heads it is {{figures.bleu_heads_32}}, less than
#   {{figures.bleu_heads_8}} with 8. The heads are only {{512 // 32}} wide then.
# - [x] B. One head is worse than eight, by {{figures.bleu_heads_8 - figures.bleu_heads_1 : 1}} BLEU. => And it does
#   not fail: it still translates.
# - [ ] C. A model with one head does not work. => {{figures.bleu_heads_1}} against {{figures.bleu_heads_8}}: it
#   works, and a little worse.
# - [x] D. Too many heads can be worse than fewer. => {{figures.bleu_heads_32}} with 32 heads,
#   {{figures.bleu_heads_16}} with 16.
# - [ ] E. More heads are better because they do more work. => The work was kept the same in all rows of the table.

# %% part="work"
# TODO: type the letters, as in "AC".
### BEGIN SOLUTION
the_table_says = "BD"
### END SOLUTION

# %% part="check"
check.choice("9.8", the_table_says)

# %% [markdown] part="hints"
# - Read the last column from top to bottom. Where does it rise, where does it fall?
# - Compare the first row with the third, then the last with the one above it. One of the claims speaks of a
#   cause; look at the sentence above the table.
# - A table of plants: with 1 litre a week 5 cm, with 3 litres 9 cm, with 9 litres 7 cm. "The more the better" is
#   not in it, "too much can harm" is.

# %% [markdown] part="why"
# **Why it matters.** It is a trade: several budgets for each token against the width of each head. One table of one
# task does not say which number is best elsewhere.

# %% part="right" name="small letters"
the_table_says = "d, b"

# %% part="wrong" name="A"
the_table_says = "AB"

# %% part="wrong" name="C"
the_table_says = "CD"

# %% part="wrong" name="E"
the_table_says = "BDE"

# %% [markdown]
# ## Decoding, and the cache
#
# A model that writes makes one token after another. This is called *decoding*. With the causal mask a token asks
# only itself and those before it. So the keys and values of earlier tokens do not change when a new token comes,
# and they can be kept: the *KV cache*. Only the new token is projected.
#
# Here the robot sentence is decoded, token by token. "made" counts the numbers of the new query, key and value in
# all heads. "read" counts the keys and values taken from the cache, "kept" those in it afterwards.

# %%
robot = find("robot")
decoding = decode(robot)
for token, step in zip(robot.tokens, decoding.steps, strict=True):
    print(f"{token:<8} made {step.made:3}   read {step.read:3}   kept {step.kept:3}")
print("same output as one pass over the whole sentence:", decoding.difference < 1e-12)

# %% [markdown]
# The last token needs {{3 * d_model}} new numbers and reads {{2 * d_model * (n - 1)}} old ones. "made" stays the same,
# "read" grows with every token. All of this must come from memory, once for each new token. In a long text that can
# take longer than the arithmetic. So in decoding, what counts most is often not the work but the reading.

# %% [markdown] exercise="9.9" kind="implement" title="One step with a cache"
# Write `decode_step`, one step for all heads. It gets
#
# - `q_he`, `k_he`, `v_he`: query, key and value of the new token, each of shape (heads, e),
# - `keys_hse`, `values_hse`: the cache of the s earlier tokens, each of shape (heads, s, e).
#
# It returns what each head hands to the new token: the mixed rows, of shape (heads, e). The new token asks the
# earlier tokens and itself. The numbers are small enough for a plain exp.

# %% part="given"
draw = np.random.default_rng(9)


def a_step(heads, tokens, e):
    new = [draw.normal(size=(heads, e)).round(1) for _ in range(3)]
    return (*new, *(draw.normal(size=(heads, tokens, e)).round(1) for _ in range(2)))


some_steps = [a_step(2, 4, 3), a_step(3, 1, 2), a_step(1, 6, 4)]


# %% part="work"
def decode_step(q_he, k_he, v_he, keys_hse, values_hse):
    # TODO: put the new key and value into the cache, then ask all of it.
    ### BEGIN SOLUTION
    keys_hse = np.concatenate([keys_hse, k_he[:, None, :]], axis=1)
    values_hse = np.concatenate([values_hse, v_he[:, None, :]], axis=1)
    scores_hs = (keys_hse @ q_he[:, :, None])[:, :, 0] / np.sqrt(q_he.shape[1])
    exps_hs = np.exp(scores_hs)
    weights_hs = exps_hs / exps_hs.sum(axis=1, keepdims=True)
    return (weights_hs[:, None, :] @ values_hse)[:, 0]
    ### BLANK
    # keys_hse = np.concatenate([keys_hse, k_he[:, None, :]], axis=1)
    # values_hse = ...
    # scores_hs = (keys_hse @ q_he[:, :, None])[:, :, 0] / ...
    # exps_hs = np.exp(scores_hs)
    # weights_hs = ...
    # return (weights_hs[:, None, :] @ values_hse)[:, 0]
    ### END SOLUTION


# %% part="check"
check.function("9.9", decode_step, some_steps)

# %% [markdown] part="hints"
# - Think of one head. The new token has one row of s + 1 weights, and this row must sum to 1. Which axis of the
#   cache counts the tokens?
# - `v_he[:, None, :]` has the shape (heads, 1, e), so it can be put behind `values_hse` along axis ... . The scores
#   are divided by the square root of ..., the width of a head.
# - For `a` of shape (2, 3, 4) and `b` of shape (2, 4), `np.concatenate([a, b[:, None, :]], axis=1)` has the shape
#   (2, 4, 4): one more row for each of the two.

# %% [markdown] part="why"
# **Why it works.** The new token is the last one, so the causal mask hides nothing from it. It needs no mask at
# all, only the whole cache with its own key and value in it.
#
# **What else works.** The new key may also stand in front, if the new value does too. A mixture does not depend on
# the order of what is mixed.


# %% part="right" name="head by head, in front"
def decode_step(q_he, k_he, v_he, keys_hse, values_hse):
    rows = []
    for q, k, v, keys, values in zip(q_he, k_he, v_he, keys_hse, values_hse, strict=True):
        scores = np.vstack([k, keys]) @ q / np.sqrt(len(q))
        weights = np.exp(scores - scores.max())
        rows.append(weights / weights.sum() @ np.vstack([v, values]))
    return np.array(rows)


# %% part="right" name="with einsum"
def decode_step(q_he, k_he, v_he, keys_hse, values_hse):
    keys, values = (np.append(a, b[:, None], axis=1) for a, b in ((keys_hse, k_he), (values_hse, v_he)))
    exps = np.exp(np.einsum("he,hse->hs", q_he, keys) / q_he.shape[-1] ** 0.5)
    return np.einsum("hs,hse->he", exps, values) / exps.sum(axis=1)[:, None]


# %% part="wrong" name="without itself" cause="the new token asks only the earlier ones; its own key and value are not in the cache yet"
def decode_step(q_he, k_he, v_he, keys_hse, values_hse):
    exps = np.exp(np.einsum("he,hse->hs", q_he, keys_hse) / q_he.shape[-1] ** 0.5)
    return np.einsum("hs,hse->he", exps / exps.sum(axis=1, keepdims=True), values_hse)


# %% part="wrong" name="itself only" cause="the new token asks nobody but itself"
def decode_step(q_he, k_he, v_he, keys_hse, values_hse):
    return v_he


# %% part="wrong" name="B60" cause="a causal mask is laid on with its first row: the only row that asks then sees the first key alone"
def decode_step(q_he, k_he, v_he, keys_hse, values_hse):
    return values_hse[:, 0]


# %% part="wrong" name="no scale" cause="the scores are not divided by the square root of the width of a head"
def decode_step(q_he, k_he, v_he, keys_hse, values_hse):
    keys, values = (np.append(a, b[:, None], axis=1) for a, b in ((keys_hse, k_he), (values_hse, v_he)))
    exps = np.exp(np.einsum("he,hse->hs", q_he, keys))
    return np.einsum("hs,hse->he", exps / exps.sum(axis=1, keepdims=True), values)


# %% part="wrong" name="no sum" cause="the exps are not divided by their sum, so the weights of the row do not sum to 1"
def decode_step(q_he, k_he, v_he, keys_hse, values_hse):
    keys, values = (np.append(a, b[:, None], axis=1) for a, b in ((keys_hse, k_he), (values_hse, v_he)))
    exps = np.exp(np.einsum("he,hse->hs", q_he, keys) / q_he.shape[-1] ** 0.5)
    return np.einsum("hs,hse->he", exps, values)


# %% part="wrong" name="softmax over the heads" cause="the softmax runs over the heads (axis 0); each head has its own budget"
def decode_step(q_he, k_he, v_he, keys_hse, values_hse):
    keys, values = (np.append(a, b[:, None], axis=1) for a, b in ((keys_hse, k_he), (values_hse, v_he)))
    exps = np.exp(np.einsum("he,hse->hs", q_he, keys) / q_he.shape[-1] ** 0.5)
    return np.einsum("hs,hse->he", exps / exps.sum(axis=0), values)


# %% part="wrong" name="keys for values" cause="the keys are mixed; the values are what is handed on"
def decode_step(q_he, k_he, v_he, keys_hse, values_hse):
    keys = np.append(keys_hse, k_he[:, None], axis=1)
    exps = np.exp(np.einsum("he,hse->hs", q_he, keys) / q_he.shape[-1] ** 0.5)
    return np.einsum("hs,hse->he", exps / exps.sum(axis=1, keepdims=True), keys)


# %% [markdown] exercise="9.10" kind="implement" title="How large the cache gets"
# Write `cache_bytes`. It gets five whole numbers: the layers of the model, the key/value heads of a layer, the
# width of a head, the tokens written so far, and the bytes that one number takes. It returns the bytes of the whole
# cache.


# %% part="work"
def cache_bytes(layers, kv_heads, width, tokens, bytes_a_number):
    # TODO: count the numbers that are kept, then the bytes.
    ### BEGIN SOLUTION
    a_token_a_layer = 2 * kv_heads * width
    return a_token_a_layer * layers * tokens * bytes_a_number
    ### BLANK
    # a_token_a_layer = ...
    # return a_token_a_layer * ...
    ### END SOLUTION


# %% part="check"
check.function(
    "9.10", cache_bytes, [(1, 3, 4, 9, 8), (96, 96, 128, 1, 2), (80, 8, 128, 4096, 2), (6, 1, 64, 10, 4)]
)

# %% [markdown] part="hints"
# - Which of query, key and value does a later token still need? Those are kept, for every token and every layer.
# - In the robot example a token keeps 2 × {{heads}} × {{d_k}} = {{2 * d_model}} numbers in a layer. Times layers, times
#   tokens, times ... .
# - 2 layers, 4 key/value heads of width 5, 10 tokens, 2 bytes: 2 × 4 × 5 = 40 numbers for each token and layer; 40 × 2 × 10 =
#   800 numbers; 1,600 bytes.

# %% [markdown] part="why"
# **Why it works.** A key and a value for each token, each layer and each key/value head. The query is used once and
# forgotten.
#
# In the shape of GPT-3, with 2 bytes for each number (a choice made here), a text of {{2048}} tokens takes
# {{cache_bytes("gpt3") * 2048 : bytes}}. Every further token reads all of it. (GPT-3 alternates full layers with layers in
# which a token sees only a band of the text, so it can make do with less.)


# %% part="right" name="the shape of the arrays"
def cache_bytes(layers, kv_heads, width, tokens, bytes_a_number):
    one_array = (layers, kv_heads, tokens, width)
    return 2 * int(np.prod(one_array)) * bytes_a_number


# %% part="wrong" name="keys alone" cause="only one of keys and values is counted; both are kept"
def cache_bytes(layers, kv_heads, width, tokens, bytes_a_number):
    return layers * kv_heads * width * tokens * bytes_a_number


# %% part="wrong" name="queries too" cause="the queries are counted too; a query is used once and not kept"
def cache_bytes(layers, kv_heads, width, tokens, bytes_a_number):
    return 3 * layers * kv_heads * width * tokens * bytes_a_number


# %% part="wrong" name="one layer" cause="one layer is counted; every layer has its own keys and values"
def cache_bytes(layers, kv_heads, width, tokens, bytes_a_number):
    return 2 * kv_heads * width * tokens * bytes_a_number


# %% part="wrong" name="numbers" cause="numbers are counted, not bytes"
def cache_bytes(layers, kv_heads, width, tokens, bytes_a_number):
    return 2 * layers * kv_heads * width * tokens


# %% part="wrong" name="pairs of tokens" cause="pairs of tokens are counted; the cache has one entry for each token, not for each pair"
def cache_bytes(layers, kv_heads, width, tokens, bytes_a_number):
    return 2 * layers * kv_heads * width * tokens**2 * bytes_a_number


# %% part="wrong" name="one head" cause="one key/value head is counted, and the others are not"
def cache_bytes(layers, kv_heads, width, tokens, bytes_a_number):
    return 2 * layers * width * tokens * bytes_a_number


# %% [markdown]
# ## Sharing keys and values
#
# If reading the cache is what costs, make it smaller. Several heads can read the same keys and values:
#
# - **MHA**: every head has its own,
# - **GQA**, grouped-query attention: each group of heads shares one key/value head,
# - **MQA**, multi-query attention: all heads share one.
#
# Each head keeps its own queries, and so its own scores, weights and budget. Shazeer (2019) proposed MQA because
# loading keys and values from memory, again for every new token, is what makes decoding slow. Ainslie and others
# (2023) proposed GQA, between the two. Neither came out of studies in which heads are removed.
#
# | | measured | MHA | GQA, 8 groups | MQA |
# |---|---|---:|---:|---:|
# | Shazeer 2019 | BLEU, English to German | {{figures.mha_bleu}} | | {{figures.mqa_bleu}} |
# | Ainslie and others 2023 | seconds for a sample | {{figures.mha_seconds}} | {{figures.gqa_seconds}} | {{figures.mqa_seconds}} |
# | Ainslie and others 2023 | quality, average over tasks | {{figures.mha_average}} | {{figures.gqa_average}} | {{figures.mqa_average}} |
#
# Many recent models share. Llama 2 with 70 billion learned numbers has {{size("llama2-70b", "heads")}} heads and
# {{size("llama2-70b", "kv_heads")}} key/value heads.

# %% [markdown] exercise="9.11" kind="predict" title="GPT-3, and the same with one key/value head"
# This one may wait for another day. GPT-3 has {{size("gpt3", "layers")}} layers with {{size("gpt3", "heads")}} heads of
# width {{size("gpt3", "d_k")}}; a number takes 2 bytes. How many bytes does its cache need for one token? And how many
# would it need with one shared key/value head?

# %% part="work"
# TODO: type two whole numbers without commas, or products such as 2 * 3.
### BEGIN SOLUTION
own_keys_and_values = 4718592
one_shared_head = 49152
### END SOLUTION

# %% part="check"
check.numbers(
    "9.11",
    {'cache_bytes("gpt3")': own_keys_and_values, 'cache_bytes("gpt3", 1)': one_shared_head},
    decimals=0,
)

# %% [markdown] part="hints"
# - A key and a value, in every layer, for every key/value head, and 2 bytes for each number.
# - 2 × {{size("gpt3", "layers")}} × {{size("gpt3", "heads")}} × ... × 2 bytes. For one shared head, the third factor is ... .
# - 10 layers with 4 heads of width 8 and 2 bytes: 2 × 10 × 4 × 8 × 2 = {{2 * 10 * 4 * 8 * 2}} bytes for a token; with one
#   shared head {{2 * 10 * 8 * 2}}.

# %% [markdown] part="why"
# **Why it works.** The cache shrinks by the number of heads that share: here by {{size("gpt3", "heads")}}. The number of
# attention weights and the work of dots and mix stay as they were, since each head still asks on its own.

# %% part="right" name="as products"
own_keys_and_values = 2 * 96 * 12288 * 2
one_shared_head = 2 * 96 * 128 * 2

# %% part="wrong" name="keys alone"
own_keys_and_values = 2359296
one_shared_head = 24576

# %% part="wrong" name="numbers, not bytes"
own_keys_and_values = 2359296
one_shared_head = 49152

# %% part="wrong" name="half with sharing"
own_keys_and_values = 4718592
one_shared_head = 2359296

# %% [markdown] exercise="9.12" kind="shape" title="Shapes with one shared head"
# The robot example now has one shared key/value head; it still has {{heads}} heads. Complete the sentence: "The
# queries have the shape ..., the keys have the shape ..., the weights have the shape ..., and the output has the
# shape ... ."

# %% part="work"
# TODO: type four shapes, as in (2, 5).
### BEGIN SOLUTION
of_queries = (3, 9, 4)
of_shared_keys = (1, 9, 4)
of_their_weights = (3, 9, 9)
of_the_output = (9, 12)
### END SOLUTION

# %% part="check"
check.shapes(
    "9.12",
    {
        "shared.Q": of_queries,
        "shared.K": of_shared_keys,
        "shared.weights": of_their_weights,
        "shared.output": of_the_output,
    },
)

# %% [markdown] part="hints"
# - For each array: how many heads make it, how many tokens, how wide? Only one of the four has changed by sharing.
# - Queries: ({{heads}}, {{n}}, ...). Keys: (..., {{n}}, {{d_k}}). Each head still has a map of its own.
# - With 4 heads of width 2, 2 key/value heads and 6 tokens: queries (4, 6, 2), keys (2, 6, 2), weights (4, 6, 6), output
#   (6, 8).

# %% [markdown] part="why"
# **Why it works.** Sharing changes K and V and nothing else. Three heads with three queries ask the same keys, and get
# three different rows of weights.

# %% part="right" name="as lists"
of_queries = [3, 9, 4]
of_shared_keys = [1, 9, 4]
of_their_weights = [3, 9, 9]
of_the_output = [9, 12]

# %% part="wrong" name="one map for all"
of_queries = (3, 9, 4)
of_shared_keys = (1, 9, 4)
of_their_weights = (1, 9, 9)
of_the_output = (9, 12)

# %% part="wrong" name="keys of full width"
of_queries = (3, 9, 4)
of_shared_keys = (1, 9, 12)
of_their_weights = (3, 9, 9)
of_the_output = (9, 12)

# %% [markdown] exercise="9.13" kind="implement" title="Hand shared keys to the heads"
# In GQA the heads of a group are neighbours: with 4 heads and 2 key/value heads, heads 1 and 2 read the first
# key/value head, heads 3 and 4 the second. Write `for_each_head`. It gets the shared keys `k_gse`, of shape
# (kv_heads, s, e), and the number `heads`. It returns an array of shape (heads, s, e): for each head, the keys that it
# reads.

# %% part="given"
two_shared = np.arange(12.0).reshape(2, 3, 2)  # 2 key/value heads, 3 tokens, width 2
three_shared = np.arange(24.0).reshape(3, 4, 2)


# %% part="work"
def for_each_head(k_gse, heads):
    # TODO: each key/value head once for every head of its group.
    ### BEGIN SOLUTION
    return np.repeat(k_gse, heads // len(k_gse), axis=0)
    ### END SOLUTION


# %% part="check"
check.function(
    "9.13", for_each_head, [(two_shared, 4), (two_shared, 6), (three_shared, 6), (three_shared, 3)]
)

# %% [markdown] part="hints"
# - A group has heads / kv_heads members. Which key/value head does head 1 read, which head 2, which head 3?
# - With 6 heads and 2 key/value heads the order is k1 k1 k1 k2 k2 k2. In numpy: `np.repeat(k_gse, ..., axis=...)`.
# - `np.repeat([5, 7], 2)` is `[5, 5, 7, 7]`. `np.tile([5, 7], 2)` is `[5, 7, 5, 7]`.

# %% [markdown] part="why"
# **Why it works.** Head i, counted from 0, reads key/value head i // (heads / kv_heads). repeat puts the copies of one
# key/value head side by side. tile would deal them out in turn: the shape is the same, and a model that was trained
# with groups of neighbours then reads the wrong keys.
#
# With one key/value head, or with as many as heads, both give the same. So test with a number between. A good program
# does not copy at all: it lets several heads read the same place.


# %% part="right" name="a list of heads"
def for_each_head(k_gse, heads):
    group = heads // len(k_gse)
    return np.stack([k_gse[i // group] for i in range(heads)])


# %% part="right" name="a new axis"
def for_each_head(k_gse, heads):
    g, s, e = k_gse.shape
    return np.broadcast_to(k_gse[:, None], (g, heads // g, s, e)).reshape(heads, s, e)


# %% part="wrong" name="B58" cause="the key/value heads are dealt out in turn (tile), so neighbours read different ones; the heads of a group are neighbours"
def for_each_head(k_gse, heads):
    return np.tile(k_gse, (heads // len(k_gse), 1, 1))


# %% part="wrong" name="B59" cause="the tokens are repeated, not the heads"
def for_each_head(k_gse, heads):
    return np.repeat(k_gse, heads // len(k_gse), axis=1)


# %% part="wrong" name="flattened" cause="repeat runs without an axis, so the array becomes one long row"
def for_each_head(k_gse, heads):
    return np.repeat(k_gse, heads // len(k_gse))


# %% part="wrong" name="first for all" cause="all heads read the first key/value head"
def for_each_head(k_gse, heads):
    return np.stack([k_gse[0]] * heads)


# %% part="wrong" name="repeated too often" cause="each key/value head is repeated once for every head, not once for every head of its group"
def for_each_head(k_gse, heads):
    return np.repeat(k_gse, heads, axis=0)


# %% part="wrong" name="not handed out" cause="the shared keys are given back as they are"
def for_each_head(k_gse, heads):
    return k_gse


# %% [markdown] exercise="9.14" kind="choose" title="Where sharing comes from"
# Why were MQA and GQA invented?

# %% [markdown] part="claims"
# - [ ] A. Pruning had shown that half of the heads can go. => No head goes: all heads keep their queries, and so their
#   own weights. The reason given by Shazeer (2019) is the loading of keys and values while decoding.
# - [x] B. While decoding, keys and values of all earlier tokens must be loaded from memory for each new token. =>
#   Fewer key/value heads mean less to load.
# - [ ] C. The dot products take fewer multiply-adds. => They take as many as before: every head asks every token.
# - [ ] D. There are fewer attention weights. => There are as many as before: one n × n map for each head.
# - [ ] E. The quality gets better. => It gets a little worse or stays about the same: {{figures.mha_average}} with own
#   keys and values, {{figures.gqa_average}} with 8 groups, {{figures.mqa_average}} with one.

# %% part="work"
# TODO: type a letter, as in "A".
### BEGIN SOLUTION
why_share = "B"
### END SOLUTION

# %% part="check"
check.choice("9.14", why_share)

# %% [markdown] part="hints"
# - What do K and V of a layer have to do with each step of decoding? Look at the column "read" above.
# - Sharing makes ... smaller, and leaves queries, scores and weights as they are.
# - A library lends one book to a class and not one to each pupil. Every pupil still reads all of it. What is saved is
#   carrying.

# %% [markdown] part="why"
# **Why it matters.** Two true things are often joined by a wrong "therefore": some heads can be pruned, and many models
# share keys and values. The second was made for another reason.

# %% part="right" name="small letter"
why_share = "b"

# %% part="wrong" name="A"
why_share = "A"

# %% part="wrong" name="C"
why_share = "C"

# %% part="wrong" name="D"
why_share = "D"

# %% part="wrong" name="E"
why_share = "E"

# %% [markdown] exercise="9.15" kind="bug" title="One bug to find"
# This function makes a causal mask for decoding: `new` tokens ask, `kept` keys are in the cache, and the new tokens are
# the last of them. It was right as long as whole texts were read. With a cache the model writes nonsense. Run the
# cell: one new token asks five keys.


# %% part="given"
def strange_mask(new, kept):
    return np.tril(np.ones((new, kept), dtype=bool))


print(strange_mask(1, 5).astype(int).tolist())
print(strange_mask(4, 4).astype(int).tolist())

# %% [markdown] part="given"
# In the second line all four tokens are new, and the mask is right. In the first line, the new token should be
# allowed to ask all five. Write the function again. It returns booleans of shape (new, kept), True where the token
# may ask.


# %% part="work"
def repaired_mask(new, kept):
    # TODO: the last new token sees every key, the one before it one key less, and so on.
    ### BEGIN SOLUTION
    return np.tril(np.ones((new, kept), dtype=bool), k=kept - new)
    ### BLANK
    # return np.tril(np.ones((new, kept), dtype=bool), k=...)
    ### END SOLUTION


# %% part="check"
check.function("9.15", repaired_mask, [(1, 5), (2, 6), (4, 4), (3, 4)])

# %% [markdown] part="hints"
# - Look at the last row. Which columns may it see? And the row above it?
# - `np.tril(..., k=1)` moves the edge one column to the right. By how many columns must it move for 1 new token and
#   5 keys, and by how many for 4 and 4?
# - Three people join a queue in which 10 stand already. The first of them sees 11 people with himself, the last 13.

# %% [markdown] part="why"
# **Why it works.** The new tokens stand at the end. New token number t, counted from 0, stands at place kept - new + t,
# and may ask that place and all before it. The edge of the mask must meet the lower right corner, not the upper left.
# When all tokens are new, both corners give the same mask. That is why the fault stays hidden until a cache is used.


# %% part="right" name="by places"
def repaired_mask(new, kept):
    asks = np.arange(kept - new, kept)
    return np.arange(kept)[None, :] <= asks[:, None]


# %% part="right" name="last rows of the whole mask"
def repaired_mask(new, kept):
    return np.tri(kept, dtype=bool)[kept - new :]


# %% part="wrong" name="upper left" cause="the mask starts in the upper left corner, so the new tokens count as the first ones"
def repaired_mask(new, kept):
    return strange_mask(new, kept)


# %% part="wrong" name="inverted" cause="True and False have changed places; True means that the token may ask"
def repaired_mask(new, kept):
    return ~np.tril(np.ones((new, kept), dtype=bool), k=kept - new)


# %% part="wrong" name="no mask" cause="every new token sees everything, also the new tokens after it"
def repaired_mask(new, kept):
    return np.ones((new, kept), dtype=bool)


# %% part="wrong" name="one too far" cause="the edge lies one column too far to the right, so a token sees the one after it"
def repaired_mask(new, kept):
    return np.tril(np.ones((new, kept), dtype=bool), k=kept - new + 1)


# %% part="wrong" name="not itself" cause="the edge lies one column too far to the left, so a token does not see itself"
def repaired_mask(new, kept):
    return np.tril(np.ones((new, kept), dtype=bool), k=kept - new - 1)


# %% part="wrong" name="by the new tokens" cause="the edge is moved by the number of new tokens; it must move by the number of tokens that were there before"
def repaired_mask(new, kept):
    return np.tril(np.ones((new, kept), dtype=bool), k=new)


# %% [markdown] part="misconception"
# ## A common misconception
#
# *"More heads mean more parameters and more computation."*
#
# In the usual design more heads are narrower heads. Learned numbers and multiply-adds stay the same; the number of
# attention weights grows. It is true only where the width of each head is fixed. And "MQA exists because heads can be
# pruned" joins two things that have different reasons.

# %% [markdown] part="questions"
# ## Test yourself
#
# - A model with one head 512 wide has no W^O, another with 8 heads has one. Which has more learned numbers? => The one
#   with 8 heads: 4 × 512² against 3 × 512². The heads are not the reason, W^O is.
# - A text becomes twice as long. What doubles, and what becomes four times as large? => Learned numbers stay. Cache and
#   work with the matrices double. Attention weights and the work of dots and mix become four times as large.
# - Why is a query not kept in the cache? => Only its own token uses it, in its own step. Keys and values are needed by
#   every later token.
# - When would you accept fewer key/value heads? => When many tokens are written one by one, for many readers at once,
#   and a small loss of quality is all right. For reading a text once, as a whole, there is little to gain.
# - GPT-3 has {{size("gpt3", "layers")}} layers of {{size("gpt3", "heads")}} heads. Do they all see the whole text before
#   them? => No. Its layers alternate between full ones and ones in which a token sees only a band of the text.

# %% [markdown] part="card"
# ## Summary
#
# - Learned numbers: 4 d_model² for every number of heads, since each head is d_model / h wide and reads all d_model
#   numbers.
# - Work: n d_model² for each matrix, n² d_model for dots and for mixing. The number of heads does not appear.
# - Attention weights: h n². They do grow with the heads.
# - Too many heads are too narrow: {{figures.bleu_heads_1}} BLEU with 1, {{figures.bleu_heads_8}} with 8,
#   {{figures.bleu_heads_32}} with 32.
# - Cache: 2 × kv_heads × width numbers for each token and layer. Decoding reads all of it for every new token. MQA and
#   GQA make it smaller.
#
# In a Transformer the feed-forward part after attention has learned numbers too, in many models more than attention.
# The cache is attention's alone.

# %% [markdown] part="exit"
# ## Exit ticket
#
# - d_model is 64, with 4 heads. How many learned numbers has the layer, without biases?
# - A layer goes from 4 heads to 8, at the same d_model. What grows: A the matrices, B the attention weights, C both, D
#   neither?
# - MQA makes decoding faster, because ...

# %% [markdown] part="reading"
# ## Further reading
#
# - "Attention Is All You Need", Vaswani and others, 2017, arXiv:1706.03762, section 3.2.2 and Table 3 (A).
# - "Language Models are Few-Shot Learners", Brown and others, 2020, arXiv:2005.14165, section 2.1: the sizes of GPT-3.
# - "Low-Rank Bottleneck in Multi-head Attention Models", Bhojanapalli and others, 2020, arXiv:2002.07028.
# - "Fast Transformer Decoding: One Write-Head is All You Need", Shazeer, 2019, arXiv:1911.02150.
# - "GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints", Ainslie and others, 2023,
#   arXiv:2305.13245.
