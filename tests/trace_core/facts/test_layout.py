"""What of a text is layout: no labeler reads it as a claim."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_core.facts.layout import Part, parts, plain

CLAIM = "It sells glazes in 14 colours."
MARKS = """[1]|[1, 2]|[3-5]|[1][2]|[doc2]|[Doc 1, Doc 2]|[^2]|[S1]|[0a]|[ID:2]|[citation:1]|[chunk_3]|[Source 1, p. 4]
[shop.html#page=2]|[user manual.pdf, page 4]|[1†source]|【12:3†shop.pdf】|(Source: shop.html)|(see document 2)|(p. 3)
(https://studio.example/glazes)|<sup>2</sup>|[Data: Entities (3, 12); Relationships (7)]"""
MARKS = MARKS.replace("\n", "|").split("|")


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_of_a_source_is_not_read(mark):
    assert plain(f"It sells glazes in 14 colours {mark}.") == CLAIM
    assert plain(f"{CLAIM}{mark}") == CLAIM
    assert not parts([CLAIM, mark])[1].claims


@pytest.mark.parametrize(
    "text",
    [
        "It covers 5 m² or 10 km².",
        "Use [3 cups] of flour [sic].",
        "Smith (2020) and the kiln (the document of 1998) agree.",
        "A. Novak says that a<b and c>d, and P(A|B) is 0.5.",
        "Go to page 4 of it, or to www.studio.example now.",
    ],
)
def test_what_looks_like_a_mark_and_says_something_stays(text):
    assert parts([text]) == [Part(text)]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("It sells [glazes](https://a.example/b) here.", "It sells glazes here."),
        ("- **The owner** is `Lind`.", "The owner is Lind."),
        ('<li>The <b>kiln</b> is <a href="x">hot</a>.</li></ul>', "The kiln is hot."),
        ("## The kiln\nis hot", "The kiln is hot"),
        ("[1]", ""),
    ],
)
def test_links_tags_and_emphasis_are_read_as_their_words(text, read):
    assert plain(text) == read


@pytest.mark.parametrize(
    "sources",
    [
        ["Source: shop.html, page 3"],
        ["Sources:", "[1] Kiln manual, 2020", "2. shop.html"],
        ["**References**", "- Kiln manual", "- https://a.example/b"],
        ["[^1]: Shop page"],
        ["See page 4."],
    ],
)
def test_a_closing_list_of_sources_claims_nothing(sources):
    assert [part.claims for part in parts([CLAIM, *sources])] == [True, *(False for _ in sources)]


@pytest.mark.parametrize("text", ["Sources of heat: gas and wood.", "https://a.example/b", "Page 4"])
def test_a_statement_about_sources_and_one_that_is_the_whole_answer_are_claims(text):
    assert parts([text])[0].claims


def test_a_statement_after_a_source_is_a_claim():
    assert parts(["Source: shop.html", "The kiln is cold."])[1].claims


TITLES = ["# Glazes", "**Opening hours**", "**Steps:**", "<h2>Glazes</h2>"]


@pytest.mark.parametrize("title", [*TITLES, "# The kiln is hot", "**It costs 80 euros**", "**The owner came.**"])
def test_a_title_claims_nothing_before_its_text_unless_it_says_something(title):
    assert parts([title, CLAIM])[0].claims is (title not in TITLES)
    assert parts([CLAIM, title])[1].claims


@pytest.mark.parametrize(
    "rows",
    [
        ["| course | price | weeks |\n|---|:-:|---|", "| basic | 80 | 3 |", "| master | 200 | 8 |"],
        ["course | price | weeks\n--- | --- | ---", "basic | 80 | 3", "master | 200 | 8"],
        ["course\tprice\tweeks", "basic\t80\t3", "master\t200\t8"],
        [
            "<table><tr><th>course</th><th>price</th><th>weeks</th></tr>",
            "<tr><td>basic</td><td>80</td><td>3</td></tr>",
            "<tr><td>master</td><td>200</td><td>8</td></tr></table>",
        ],
    ],
)
def test_a_row_of_a_table_is_read_with_its_head_which_claims_nothing(rows):
    head = ("course", "price", "weeks")
    assert parts(rows) == [
        Part("course price weeks", False, (), head),
        Part("basic: price 80, weeks 3", True, ("basic", "80", "3"), head),
        Part("master: price 200, weeks 8", True, ("master", "200", "8"), head),
    ]


@pytest.mark.parametrize(
    ("rows", "texts"),
    [
        (["| cooling | six hours |"], ["cooling: six hours"]),
        (["Monday\tclosed", "Tuesday\topen"], ["Monday: closed", "Tuesday: open"]),
        (["| item | value |\n|---|---|", "| cooling | nine hours |"], ["item value", "cooling: nine hours"]),
    ],
)
def test_a_row_of_two_cells_is_read_as_a_name_and_its_value(rows, texts):
    assert [part.text for part in parts(rows)] == texts


FRAGMENTS = st.sampled_from(
    "[ ( 【 ] ) 】 1 , ^ | \t <td> <b </p> ** __ ` # > - : . Source a.pdf http:// ² page \n".split(" ")
)


@given(st.lists(st.text() | st.lists(FRAGMENTS, max_size=20).map("".join), max_size=5))
def test_every_sentence_of_any_text_is_one_part(sentences):
    assert len(parts(sentences)) == len(sentences)
