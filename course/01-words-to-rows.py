# ---
# title: From words to rows
# summary: Attention sees one row of numbers for each token, and at the start a row holds only the word and its place.
# minutes: 20
# ---

# %% [markdown]
# ## What this lesson is for
#
# Attention works on numbers, not on words. This lesson shows which numbers it is given.
# After it you can say what X is, what its rows and columns are, and what a row cannot know.
#
# Plan 20 minutes for the text and the exercises with a letter or a shape. Those that write a function,
# exercises 1.3 and 1.5, take about five minutes more each. They may wait for another day.

# %% [markdown] part="recall"
# ## Three questions from the lesson before
#
# - In one sentence: what does attention do for a token? => It brings in something from other tokens,
#   more from some and less from others. The token's own numbers change by that.
# - People count from 1, arrays count from 0. Which index does numpy use for token 7? => Index 6. The
#   course's texts always count from 1.
# - You leave a blank as it is and run the check. What happens? => The check says that the exercise is
#   not started yet. It cannot pass.

# %% part="setup"
import numpy as np

from mha_tutor.course import check

# %% [markdown]
# ## Five minutes: what does `it` need?
#
# Read this sentence once:
#
# **The robot carried the patient because it was tired**
#
# Look at the word `it`. To understand it, a reader has to find out three things:
#
# - Who is meant? This is called the referent of `it`.
# - Which verb is `it` the subject of?
# - When was that? This is called the tense.
#
# For each of the three, write down the word in the sentence where you would look. Write down also
# whether you are sure. Then answer exercise 1.1, and only then read on.

# %% [markdown] exercise="1.1" kind="choose" title="Where should it look?"
# Which of these statements about the word `it` are right? More than one is.
# Set `needs_of_it` to the letters of all right ones, such as `"AC"`.

# %% [markdown] part="claims"
# - [ ] A. To find the verb it is the subject of, `it` should look at `carried`. => The subject of
#   `carried` is `robot`. `it` comes later, and it is the subject of `was`.
# - [x] B. To find the tense, `it` should look at `was`. => `was` is a past form: it says when.
# - [ ] C. The grammar of the sentence settles who is meant. => Two nouns fit: `robot` and `patient`.
#   Grammar allows both. Readers decide by what they know of robots and patients, and not all decide alike.
# - [ ] D. One look at one word gives `it` all that it needs. => There are three needs. Who is meant
#   stands at a noun, the verb and the tense stand at `was`.
# - [x] E. Two of the three needs are met by one and the same word. => `was` gives the verb and the tense.

# %% part="work"
# TODO: the letters of all right statements.
### BEGIN SOLUTION
needs_of_it = "BE"
### END SOLUTION

# %% part="check"
check.choice("1.1", needs_of_it)

# %% [markdown] part="hints"
# - Look at the part of the sentence after `because`. Which word there is a verb?
# - Put the referent in the place of `it`: "because the ... was tired". How many nouns fit the blank?
# - A parallel case: "Anna thanked Maria because she had helped." The verb of `she` is `had helped`,
#   and both the verb and the tense stand there. Two names fit `she`.

# %% [markdown] part="why"
# **Why it works.** One word needs several things from several places at once. Keep this in mind:
# it is the reason for having more than one head.
#
# **What else would work.** You may have named `because` or `tired` for one of the needs. They help a
# reader too. There is no single list that is the right one.

# %% part="right" name="the other order"
needs_of_it = "E, B"

# %% part="wrong" name="A"
needs_of_it = "AB"

# %% part="wrong" name="C"
needs_of_it = "BCE"

# %% part="wrong" name="D"
needs_of_it = "D"

# %% [markdown]
# ## Then look
#
# The example of this course has three heads. A **head** is one of several attentions that run side by
# side. Each head gives `it` one budget of 1, shared out among all tokens. The shares are the
# **attention weights**. Lessons 2 to 4 make them step by step. Here you only look.
#
# Head 1, from `it`:
#
# {{table: weights[head 1] rows=it}}
#
# Head 2, from `it`:
#
# {{table: weights[head 2] rows=it}}
#
# Head 3, from `it`:
#
# {{table: weights[head 3] rows=it}}
#
# - Head 1 gives {{weights[head 1, it, because]}} to `because`, the token before `it`.
# - Head 2 gives {{weights[head 2, it, robot]}} to `robot`.
# - Head 3 gives {{weights[head 3, it, patient]}} to `patient` and {{weights[head 3, it, tired]}} to `tired`.
#
# Compare this with your list. The token `was` gets {{weights[head 1, it, was]}},
# {{weights[head 2, it, was]}} and {{weights[head 3, it, was]}}. No head here looks for the verb of `it`.
#
# Is that a mistake? No. A head finds only what its numbers make it find. The numbers of this example
# were built by hand, so that each head shows a pattern that you can read. **The patterns are invented.**
# In a trained model nobody chooses them.
#
# To see the whole picture in the terminal: `mha-tutor step --heads 3 --stage softmax --token it`

# %% [markdown]
# ## One row for each token
#
# A **token** is here one word or one punctuation mark. Attention does not see the word. It sees a
# **row** of numbers. All rows below one another are the table X. Three rows of X:
#
# {{table: X rows=robot|patient|it}}
#
# - The sentence has n = {{n}} tokens, so X has {{n}} rows.
# - Each row has d_model = {{d_model}} numbers, so X has {{d_model}} columns. A column is called a
#   **feature**.
# - `robot` has {{X[robot, noun]}} in the column noun and {{X[robot, alive]}} in the column alive.
#   `patient` has {{X[patient, noun]}} and {{X[patient, alive]}}.
#
# Here every column has a name, because someone chose the names. In a trained model the numbers of a
# row are learned, and the columns have no names. A fact about a word is then usually spread over many
# columns.

# %% [markdown] exercise="1.2" kind="shape" title="How large is X?"
# Complete the sentence of shapes: "X has the shape (..., ...), and the row of `it` alone has the
# shape (...,)."
#
# Set `shape_of_x` and `shape_of_row` to these shapes. A shape with two sizes is written like `(2, 5)`,
# a shape with one size like `(5,)`.

# %% part="work"
# TODO: both shapes.
### BEGIN SOLUTION
shape_of_x = (9, 12)
shape_of_row = (12,)
### END SOLUTION

# %% part="check"
check.shapes("1.2", {"X": shape_of_x, "X[it]": shape_of_row})

# %% [markdown] part="hints"
# - Look at the table above. Does one token stand in a row or in a column? How many tokens has the sentence?
# - X has as many rows as there are tokens: X is ({{n}}, ...). What is counted in the blank?
# - "Cats chase mice" has three tokens. With 8 features each, its X has the shape (3, 8) and one row has
#   the shape (8,).

# %% [markdown] part="why"
# **Why it works.** One row for each token, one column for each feature. The number of rows changes with
# the sentence. The number of columns, d_model, is the same for every sentence.
#
# **What else would work.** Some books put one token into each column. Then their table is ours with rows
# and columns exchanged.

# %% part="right" name="lists"
shape_of_x = [9, 12]
shape_of_row = [12]

# %% part="wrong" name="one token in each column" cause="tokens are put into columns; here they are rows"
shape_of_x = (12, 9)
shape_of_row = (9,)

# %% part="wrong" name="a row with two axes" cause="the row is kept as a table with one row"
shape_of_x = (9, 12)
shape_of_row = (1, 12)

# %% part="wrong" name="a square of tokens" cause="the columns are counted as tokens; they are features"
shape_of_x = (9, 9)
shape_of_row = (9,)

# %% [markdown] exercise="1.3" kind="implement" title="Look up the rows"
# Write `rows_of`. It gets `tokens`, a tuple of n words. It returns an array of shape (n, 4): for each
# token, in the order of the sentence, the row that `word_table` has for it.
#
# The table is written in small letters. `The` and `the` must find the same row.

# %% part="given"
# determiner, noun, verb, alive
word_table = {
    "the": [1, 0, 0, 0],
    "robot": [0, 1, 0, 0],
    "patient": [0, 1, 0, 1],
    "carried": [0, 0, 1, 0],
}


# %% part="work"
def rows_of(tokens):
    # TODO: one row of the table for each token, in order.
    ### BEGIN SOLUTION
    return np.array([word_table[token.lower()] for token in tokens])
    ### END SOLUTION


# %% part="check"
check.function(
    "1.3",
    rows_of,
    [
        (("the", "robot"),),
        (("The", "robot", "carried", "the", "patient"),),
        (("patient", "patient", "robot"),),
    ],
)

# %% [markdown] part="hints"
# - Go through the tokens from left to right. Each one gives one row of the result, also when the same word
#   stands twice.
# - For one token: `word_table[...]`. The blank is the token in small letters; `"The".lower()` is `"the"`.
# - A parallel problem: `lengths = {"a": [1], "an": [2]}`. For the tokens `("an", "a", "an")` the list
#   `[lengths[token] for token in tokens]` is `[[2], [1], [2]]`, and `np.array` makes a (3, 1) array of it.

# %% [markdown] part="why"
# **Why it works.** A row depends on the word alone. The same word gives the same row, wherever it stands.
# This table is called the embedding. In a trained model its numbers are learned.
#
# **What else would work.** Models number their words first. Then the table is one large array and looking
# up is `table[numbers]`.


# %% part="right" name="a loop"
def rows_of(tokens):
    rows = np.zeros((len(tokens), 4))
    for i in range(len(tokens)):
        rows[i] = word_table[str.lower(tokens[i])]
    return rows


# %% part="wrong" name="each word once" cause="a word that stands twice gets only one row"
def rows_of(tokens):
    return np.array([word_table[word] for word in dict.fromkeys(token.lower() for token in tokens)])


# %% part="wrong" name="columns" cause="each token fills a column in place of a row"
def rows_of(tokens):
    return np.array([word_table[token.lower()] for token in tokens]).T


# %% part="wrong" name="the table itself" cause="the whole table is returned, whatever the tokens are"
def rows_of(tokens):
    return np.array(list(word_table.values()))


# %% part="wrong" name="capital letters are not found"
def rows_of(tokens):
    return np.array([word_table[token] for token in tokens])


# %% part="wrong" name="one row for the whole sentence"
def rows_of(tokens):
    return np.array([word_table[token.lower()] for token in tokens]).sum(axis=0)


# %% [markdown]
# ## A word alone does not say where it stands
#
# The sentence has `The` and `the`, the same word twice:
#
# {{table: X rows=The|the}}
#
# The first eight columns come from the word, and they are equal. The last four come from the **position**,
# and they differ. Without them the two rows would be the same, and nothing could tell which came first.
#
# How does a place become numbers? Think of the hand of a clock. At the first place it points to the start.
# With each place it turns by the same angle. The cosine and the sine of its angle are two numbers. The
# example uses two clocks:
#
# - the **slow** clock needs 20 places for a full turn;
# - the **fast** clock needs 4 places for a full turn.
#
# The first token stands at place 0, since its hand has not moved yet. So for both clocks it has cosine 1 and
# sine 0. `robot` stands at place 1. Its fast clock has made a quarter turn:
# cosine {{X[robot, fast cos]}}, sine {{X[robot, fast sin]}}. The numbers are rounded to one decimal.
#
# Position and word are **added**: a row of X is the word's row plus the place's row. Here they use different
# columns, so you can still read both. In a trained model they share columns.
#
# Two clocks are enough for sixteen places. The original Transformer uses many more, from very fast to very
# slow. There are other ways, too. Some models learn a row for each place. Some turn the queries and keys
# in place of adding to X.

# %% [markdown] exercise="1.4" kind="predict" title="The fast clock of token 10"
# In the sentence "The trophy did not fit in the suitcase because it was too big" the word `it` is token 10.
# The fast clock needs 4 places for a full turn.
#
# Which pair of fast cos and fast sin does this `it` have? Work it out by hand, then set `fast_clock` to a
# letter.

# %% [markdown] part="claims"
# - [ ] A. fast cos -1, fast sin 0 => That is half a turn. It is what you get when the first token is at
#   place 1. The first token is at place 0, so token 10 is at place 9.
# - [x] B. fast cos 0, fast sin 1 => Token 10 is at place 9. Nine places are two full turns and a quarter.
# - [ ] C. fast cos 1, fast sin 0 => That is a whole number of turns. Place 8 has it, token 9.
# - [ ] D. fast cos 0, fast sin -1 => That is three quarters of a turn. Place 11 has it, or a clock that turns
#   the other way.
# - [ ] E. fast cos 1, fast sin 1 => A hand cannot point both ways: when the cosine is 1, the sine is 0.

# %% part="work"
# TODO: a letter.
### BEGIN SOLUTION
fast_clock = "B"
### END SOLUTION

# %% part="check"
check.choice("1.4", fast_clock)

# %% [markdown] part="hints"
# - The place of a token is its number less 1. Which place has token 10?
# - Turns = place / period = ... / 4. Only what is left after the full turns counts.
# - A parallel problem: in the robot sentence `it` is token 7, at place 6. 6 / 4 is one full turn and a half.
#   After half a turn the cosine is {{X[it, fast cos]}} and the sine is {{X[it, fast sin]}}.

# %% [markdown] part="why"
# **Why it works.** A quarter turn takes (1, 0) to (0, 1), then to (-1, 0), then to (0, -1), then back.
# The fast clock repeats after four places, so it cannot tell place 1 from place 5. The slow clock can:
# {{X[robot, slow cos]}} against {{X[because, slow cos]}} in the column slow cos.
#
# **What else would work.** You may compute cos(2 pi 9 / 4) and sin(2 pi 9 / 4).

# %% part="right" name="a small letter"
fast_clock = "b"

# %% part="wrong" name="A"
fast_clock = "A"

# %% part="wrong" name="C"
fast_clock = "C"

# %% part="wrong" name="D"
fast_clock = "D"

# %% part="wrong" name="E"
fast_clock = "E"

# %% [markdown] exercise="1.5" kind="implement" title="A row for every place"
# Complete `place_rows`. It gets `count`, the number of tokens, and `periods`, such as `(20, 4)`. It returns an
# array of shape (count, 2 x number of periods): row by row the places 0, 1, 2 and so on. In each row stand, for
# the first period, the cosine and the sine of the angle, then the same for the next period. Do not round.


# %% part="work"
def place_rows(count, periods):
    rows = []
    for place in range(count):
        row = []
        for period in periods:
            # TODO: add cosine and sine of the angle. A full turn is 2 pi.
            ### BEGIN SOLUTION
            angle = 2 * np.pi * place / period
            row += [np.cos(angle), np.sin(angle)]
            ### BLANK
            # row += ...
            ### END SOLUTION
        rows.append(row)
    return np.array(rows)


# %% part="check"
check.function("1.5", place_rows, [(5, (4,)), (9, (20, 4)), (16, (20, 4, 7)), (1, (3,))])

# %% [markdown] part="hints"
# - Work on one place and one period at a time. After `place` places the hand has made `place / period` turns.
# - angle = 2 pi x ... / ..., and `row += [np.cos(angle), np.sin(angle)]` adds two numbers to the row.
# - A parallel problem: a clock with 12 hours, at 3 o'clock. The angle is 2 pi x 3 / 12, a quarter turn. Its
#   cosine is 0 and its sine is 1.

# %% [markdown] part="why"
# **Why it works.** Each period gives two columns, so a place becomes a point on a circle for each clock.
# Two places near each other have points near each other.
#
# **What else would work.** All places at once: `np.arange(count)[:, None] / np.array(periods)` is a table of
# turns with one row for each place.


# %% part="right" name="all places at once"
def place_rows(count, periods):
    angles = 2 * np.pi * np.arange(count)[:, None] / np.array(periods)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(count, 2 * len(periods))


# %% part="wrong" name="counted from 1" cause="the first place is counted as 1, not as 0"
def place_rows(count, periods):
    angles = 2 * np.pi * np.arange(1, count + 1)[:, None] / np.array(periods)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(count, -1)


# %% part="wrong" name="no full turn" cause="the turns are not multiplied by 2 pi"
def place_rows(count, periods):
    angles = np.arange(count)[:, None] / np.array(periods)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(count, -1)


# %% part="wrong" name="half a turn" cause="a full turn is taken to be pi in place of 2 pi"
def place_rows(count, periods):
    angles = np.pi * np.arange(count)[:, None] / np.array(periods)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(count, -1)


# %% part="wrong" name="degrees" cause="the angle is given in degrees; numpy wants a full turn to be 2 pi"
def place_rows(count, periods):
    angles = 360 * np.arange(count)[:, None] / np.array(periods)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(count, -1)


# %% part="wrong" name="sine first" cause="the sine stands before the cosine"
def place_rows(count, periods):
    angles = 2 * np.pi * np.arange(count)[:, None] / np.array(periods)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(count, -1)


# %% part="wrong" name="all cosines first" cause="all cosines come first and all sines after them"
def place_rows(count, periods):
    angles = 2 * np.pi * np.arange(count)[:, None] / np.array(periods)
    return np.concatenate([np.cos(angles), np.sin(angles)], axis=1)


# %% part="wrong" name="rounded" cause="the numbers are rounded to one decimal"
def place_rows(count, periods):
    angles = 2 * np.pi * np.arange(count)[:, None] / np.array(periods)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(count, -1).round(1)


# %% [markdown]
# ## Predict, observe, explain: the swapped sentence
#
# You saw that head 2 gives {{weights[head 2, it, robot]}} from `it` to `robot`. `robot` is the subject of the
# sentence. Now two words change places:
#
# **The patient carried the robot because it was tired**
#
# Now `patient` is the subject, and `robot` is token 5.

# %% [markdown] exercise="1.6" kind="predict" title="Where does head 2 look now?"
# Predict: in the swapped sentence, to which token does head 2 give most from `it`? Say to yourself whether you
# are sure. Then set `swapped_look` to a letter.

# %% [markdown] part="claims"
# - [ ] A. To `patient`, the new subject. => That is what one would wish. But head 2 cannot see who the subject is.
#   It gives {{swapped.weights[head 2, it, patient]}} to `patient`.
# - [x] B. To `robot`, as before. => Head 2 gives {{swapped.weights[head 2, it, robot]}} to `robot`, as it did before
#   the swap.
# - [ ] C. To token 2, as before, whoever stands there. => That is what a head that looks at places would do. Head 2
#   is not one: token 2 gets {{swapped.weights[head 2, it, 2]}}.
# - [ ] D. To both nouns alike, since both could be meant. => Both could be meant, but this head does not weigh that.
#   It gives {{swapped.weights[head 2, it, robot]}} to one and {{swapped.weights[head 2, it, patient]}} to the other.

# %% part="work"
# TODO: a letter.
### BEGIN SOLUTION
swapped_look = "B"
### END SOLUTION

# %% part="check"
check.choice("1.6", swapped_look)

# %% [markdown] part="hints"
# - Look at the rows of `robot` and `patient` in X, above. Which columns differ between the two words?
# - In the swapped sentence the row of `robot` is: its word's columns, plus the columns of place ... . Which of
#   these two parts has changed?
# - A parallel case: a red ball and a blue ball change places on a table. Someone who looks for "red" still looks
#   at the same ball. Someone who looks for "left" does not.

# %% [markdown] part="why"
# **Why it works.** The head follows what stands in the rows, and nothing else. The next section shows the rows,
# and exercise 1.7 asks for the reason.
#
# **What else would work.** Ask the program:
# `mha-tutor step --sentence "The patient carried the robot because it was tired" --stage softmax --head 2`

# %% part="right" name="a small letter"
swapped_look = "b"

# %% part="wrong" name="A"
swapped_look = "A"

# %% part="wrong" name="C"
swapped_look = "C"

# %% part="wrong" name="D"
swapped_look = "D"

# %% [markdown]
# ## Observe
#
# Head 2 in the swapped sentence, from `it`:
#
# {{table: swapped.weights[head 2] rows=it}}
#
# The weight moved with the word `robot`, from token 2 to token 5. Now look at the rows. These are the two nouns before the swap:
#
# {{table: X rows=robot|patient}}
#
# And these are the same two nouns after the swap:
#
# {{table: swapped.X rows=patient|robot}}

# %% [markdown] exercise="1.7" kind="choose" title="Why does head 2 not move to the new subject?"
# Compare the two tables above. Choose the reason, and set `reason` to its letter.

# %% [markdown] part="claims"
# - [ ] A. Head 2 worked out the grammar, and `robot` is still the subject. => In the swapped sentence `patient` is the
#   subject. Nothing here works out grammar.
# - [x] B. The feature `subject*` was put in by hand. It belongs to the word `robot` and goes with it into every sentence. =>
#   In the column `subject*` `robot` has {{swapped.X[robot, subject*]}} after the swap, too. A word alone cannot know its role.
# - [ ] C. The position of `robot` went with it. => The position stays with the place. After the swap the row of `robot` has
#   fast cos {{swapped.X[robot, fast cos]}}; before it was {{X[robot, fast cos]}}.
# - [ ] D. Head 2 looks for the noun that is not alive. => A good guess from these two sentences. But head 2 does not read the
#   column alive. In "The chef, who trained in Paris, cooked the meal quickly" the chef is alive, and head 2 gives
#   {{chef.weights[head 2, cooked, chef]}} from `cooked` to `chef`.
# - [ ] E. The attention weights are fixed and do not depend on the sentence. => They are computed from X each time. From `it`,
#   token 2 got {{weights[head 2, it, 2]}} before the swap and {{swapped.weights[head 2, it, 2]}} after it.

# %% part="work"
# TODO: a letter.
### BEGIN SOLUTION
reason = "B"
### END SOLUTION

# %% part="check"
check.choice("1.7", reason)

# %% [markdown] part="hints"
# - Read the two rows of `robot`, before and after. Go through the columns one by one: which stayed, which changed?
# - Before: `subject*` is {{X[robot, subject*]}} for `robot` and {{X[patient, subject*]}} for `patient`. After: ... and ... .
# - A parallel case: in a word list someone wrote "winner" beside the name Kim. Kim loses the next game. The list still
#   says "winner" beside Kim, since nobody looked at the game.

# %% [markdown] part="why"
# **Why it works.** The table of words gives `robot` its `subject*` before any sentence is read. That is why the star is
# there: it reminds you that somebody put this feature in.
#
# **What else would work.** In a trained model nobody puts roles in. The rows that go into the first layer know the word
# and the place. If later rows carry something like a role, then earlier layers have worked it out, by looking at
# other tokens.

# %% part="right" name="a small letter"
reason = "b"

# %% part="wrong" name="A"
reason = "A"

# %% part="wrong" name="C"
reason = "C"

# %% part="wrong" name="D"
reason = "D"

# %% part="wrong" name="E"
reason = "E"

# %% [markdown]
# ## The trophy and the chef
#
# Two more sentences, walked with the same matrices. Their patterns are invented, too.
#
# **The trophy did not fit in the suitcase because it was too big.** Readers take `it` for the trophy. With `small` in
# place of `big` they take it for the suitcase. One word at the end decides. Head 2 gives `trophy`
# {{trophy.weights[head 2, it, trophy]}} in the first sentence and {{trophy_small.weights[head 2, it, trophy]}} in the
# second. It does not notice the difference: `trophy` has `subject*` in both.
#
# **The chef, who trained in Paris, cooked the meal quickly.** `chef` is token 2 and `cooked` is token 9. Head 2 gives
# {{chef.weights[head 2, cooked, chef]}} from `cooked` to `chef`. Distance costs this head nothing: it does not read the
# position.

# %% [markdown] exercise="1.8" kind="bug" title="One bug to find: the place of each token"
# `places` gives the place of every token. `places_broken` should do the same, and it looks right: for
# "The robot ran" both give `[0, 1, 2]`. For some sentences it is wrong.
#
# Find a sentence on which the two differ, as short as you can. Set `sentence` to it, as text in quotes.


# %% part="given"
def places(sentence):
    return list(range(len(sentence.split())))


def places_broken(sentence):
    tokens = sentence.lower().split()
    return [tokens.index(token) for token in tokens]


print(places("The robot ran"), places_broken("The robot ran"))

# %% part="work"
# TODO: a sentence that shows the bug.
### BEGIN SOLUTION
sentence = "tired tired"
### END SOLUTION

# %% part="check"
check.exposes("1.8", sentence, places_broken, places)

# %% [markdown] part="hints"
# - Look at the line with `tokens.index(token)`. Which place does `index` give when it finds the token?
# - `["a", "b", ...].index("a")` is always 0. What must stand in the blank for the last token to get a wrong place?
# - A parallel problem: a list of guests, and each one is asked "at which line does your name stand first?" With two
#   guests called Kim, the second Kim gets the wrong line.

# %% [markdown] part="why"
# **Why it works.** `index` finds the first place of a word. The second time the word stands there, it gets the place of
# the first. In the robot sentence `the` would get the position of `The`, and their two rows would be equal.
#
# **What else would work.** Any sentence in which a word stands twice. Repair: count places with `range` or `enumerate`, do not
# search for them.

# %% part="right" name="the robot's sentence"
sentence = "The robot carried the patient because it was tired"

# %% part="wrong" name="no word stands twice"
sentence = "The robot carried a patient"

# %% part="wrong" name="one word"
sentence = "tired"

# %% [markdown] part="misconception"
# ## A common misconception
#
# **"The row of a word holds what the word means in this sentence."** Not at the start. The row in X holds the word and
# its place. `it` does not know who is meant, and `robot` does not know that it was carrying someone. Attention is
# what brings such things in, layer by layer.

# %% [markdown]
# ## Where it fits in a Transformer
#
# This is the very first step. A table of learned numbers has one row for each token of the vocabulary. Tokens are often
# parts of words. The position is added, and the first layer begins: attention, then a small network for each row
# alone. The output of a layer has the shape of X again, so the next layer can take it as its own X.

# %% [markdown] part="questions"
# ## Test yourself
#
# - A sentence has 5 tokens and d_model is 512. What is the shape of X? => (5, 512): one row for each token.
# - What would be lost without the position columns? => The order. `The` and `the` would have equal rows, and "the robot
#   carried the patient" would bring the same rows as "the patient carried the robot".
# - Who decided that one column is called `subject*`? => A person, for this example. In a trained model the columns have no names.
# - Swap `robot` and `patient`. Which columns of which rows change? => Rows 2 and 5 exchange the columns of the word. The
#   position columns of row 2 and row 5 stay.
# - Why is it not a mistake that no head looks from `it` to `was`? => A head finds only what its numbers make it find. These
#   heads were built to show three other patterns.

# %% [markdown] part="card"
# ## Summary card
#
# - **In one sentence:** attention sees one row of numbers for each token, and at the start a row holds only the word and
#   its place.
# - X has the shape (n, d_model): here ({{n}}, {{d_model}}). Rows are tokens, columns are features.
# - A row of X = the word's numbers + the place's numbers.
# - A place becomes a cosine and a sine for each period.
# - `subject*` was put in by hand. It belongs to the word, so head 2 follows `robot` wherever it stands.
# - One token can need several things from several places.

# %% [markdown] part="exit"
# ## Before you go
#
# - One number: in a sentence of 12 tokens with d_model = 6, how many numbers does X hold?
# - One choice. The sentence "The robot carried the robot" has `robot` twice. Their rows are (A) equal, (B) equal in the
#   word's columns only, (C) equal in the position columns only, (D) different in all columns.
# - One because: "A row of X cannot know who is meant by `it`, because ..."

# %% [markdown] part="reading"
# ## Further reading
#
# - Attention Is All You Need. Vaswani and others, 2017, arXiv:1706.03762. Section 3.4 and section 3.5: rows and positions.
# - Neural Machine Translation of Rare Words with Subword Units. Sennrich, Haddow, Birch, 2015, arXiv:1508.07909. Tokens that
#   are parts of words.
# - RoFormer: Enhanced Transformer with Rotary Position Embedding. Su and others, 2021, arXiv:2104.09864. Position by turning.
# - The Winograd Schema Challenge. Levesque, Davis, Morgenstern, 2012. No arXiv number. Sentences such as the trophy's.
