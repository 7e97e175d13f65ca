"""Posting texts keep what a reader sees and nothing else (SEC-4, P034)."""

import time

import pytest

from jobsteward.discover.search_text import patterns, searchable
from jobsteward.discover.text import markdown, one_line, paragraphs


def test_structure_and_characters_survive() -> None:
    html = "<h2>A &amp; B</h2><ul><li>C#<ul><li>F#</li></ul></li></ul><p>50% $150k a_b café</p>"
    assert markdown(html) == "## A & B\n\n- C#\n  - F#\n\n50% $150k a_b café"


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>SECRET</script>", "<style>SECRET</style>", "<!-- SECRET -->",
        "<template>SECRET</template>", "<noscript>SECRET</noscript>", "<p hidden>SECRET</p>",
        "<iframe>SECRET</iframe>", "<svg><text>SECRET</text></svg>",
        "<p aria-hidden='true'>SECRET</p>", "<img alt='SECRET' src='x'>",
        "<p style='display: none'>SECRET</p>", "<p style='visibility:hidden'>SECRET</p>",
        "<p style='opacity: 0'>SECRET</p>", "<p style='opacity:0.0;'>SECRET</p>",
        "<p style='font-size:0px'>SECRET</p>", "<p style='top:0;left:-9999px'>SECRET</p>",
        "<p style='text-indent:-999em'>SECRET</p>", "<p style='color: #FFFFFF'>SECRET</p>",
        "<p style='color:white'>SECRET</p>", "<p style='clip: rect(0,0,0,0)'>SECRET</p>",
        "<div style='opacity:0'><p style='opacity:0'>SECRET</p></div>",
        "<a href='javascript:SECRET'></a>", "<a href='data:text/html,SECRET'></a>",
    ],
)  # fmt: skip
def test_p118_what_a_reader_does_not_see_is_dropped(hidden: str) -> None:
    assert markdown(f"<p>before</p>{hidden}<p>after</p>") == "before\n\nafter"


@pytest.mark.parametrize(
    "shown",
    [
        "<p style='color:#fff;background:#000'>SEEN</p>", "<p style='opacity:0.9'>SEEN</p>",
        "<p style='font-size:0.9em'>SEEN</p>", "<p style='left:-5px'>SEEN</p>",
        "<form><p>SEEN</p></form>", "<nav>SEEN</nav>", "<header>SEEN</header>",
    ],
)  # fmt: skip
def test_what_a_reader_sees_stays(shown: str) -> None:
    assert "SEEN" in (markdown(shown) or "")


@pytest.mark.parametrize(
    "html", [None, 7, "", "  ", "<p> </p>", "<script>x</script>", "x" * 1_000_001]
)
def test_no_text_is_none(html: object) -> None:
    assert markdown(html) is None


def test_hostile_fragments_end_soon() -> None:
    started = time.process_time()
    for html in ("<div>" * 20_000, "<p style='left:-999px'>" * 20_000, "<a href=x>y</a>" * 60_000):
        markdown(html + "x")
    assert time.process_time() - started < 10


def test_joiners_stay_only_where_they_shape_letters() -> None:
    assert one_line("no\u200cde \u0645\u06cc\u200c\u062e") == "node \u0645\u06cc\u200c\u062e"


def test_lines_are_short_and_single() -> None:
    assert one_line(" a\n\tb\u00a0c ") == "a b c"
    assert len(one_line("x" * 900) or "") == 500
    assert one_line("\u200b") is None and one_line(5) is None


def test_paragraphs_keep_their_breaks() -> None:
    assert paragraphs("a  \r\nb\n\n\n\nc\x00") == "a\nb\n\nc"


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [("cto", "Director", False), ("CTO", "CTO, Berlin", True), ("engin", "Engineer", True),
     ("c++ berlin", "Berlin: C++", True), ("100%", "100 percent", True), ("_", "a", False),
     ("straße", "STRASSE 1", True), ("java", "TypeScript/JavaScript", True),
     ("ios", "curiosity", False)],
)  # fmt: skip
def test_p121_words_match_from_their_beginning(query: str, text: str, found: bool) -> None:
    stored = searchable(text)
    wanted = [pattern.strip("%").replace("!", "") for pattern in patterns(query)]
    assert all(word in stored for word in wanted) == found
