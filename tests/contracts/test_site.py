"""The built book: search, reading order, how much is code, what a keyboard and axe-core find, paper, downloads.

These look at `_build`; without it, without Chromium or without npm they are skipped, and say why.
"""

import ast
import io
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup

from rfdev import ROOT, accessibility, browser, cells, downloads, lean, paper, plain, reference, shares, site, weight
from rfdev.lint.markdown import words
from rfdev.words import WORDS

SITE = ROOT / "_build" / "html"
PDF = ROOT / "_build" / "rfbook.pdf"
HOME = "nbs/index"
GAUSSIAN = "api/machines/rfbook.kernels.Gaussian"

CHAPTERS = paper.reading_order(ROOT / "_toc.yml")


def outdated(made):
    """Whether a file is missing, or older than a notebook of the book."""
    sources = [ROOT / f"{chapter.name}.ipynb" for chapter in CHAPTERS] + [ROOT / "_toc.yml"]
    return not made.exists() or made.stat().st_mtime < max(source.stat().st_mtime for source in sources)


built = pytest.mark.skipif(outdated(SITE / "searchindex.js"), reason="no book of these notebooks is built: make book")
chromium = pytest.mark.skipif(browser.find() is None, reason="Chromium is missing")


def stated():
    """Label and title of each numbered statement in the notebooks."""
    found = {}
    for chapter in CHAPTERS:
        for cell in nbformat.read(ROOT / f"{chapter.name}.ipynb", as_version=4).cells:
            pattern = r"\{prf:(theorem|lemma|proposition|corollary|definition)\} *(.*)\n:label: (\S+)"
            for _, title, label in re.findall(pattern, cell.source):
                found[label] = (chapter.name, re.sub(r"[`*]", "", title.strip()))
    return found


@pytest.fixture(scope="module")
def chrome():
    with browser.chromium() as running:
        yield running


def page(name):
    return SITE / f"{name}.html"


# ---- search

def test_index_names_statements():
    """What Sphinx files as "(Hoeffding)" is found as Hoeffding and by its number; nameless entries go."""
    index = {"docnames": ["a"], "alltitles": {" (Hoeffding)": [[0, "thm-h"]], "": [[0, None]], "Proof": [[0, "proof"]]}}
    box = ('<div class="proof theorem admonition" id="thm-h">\n<p class="admonition-title">'
           '<span class="caption-number">Theorem 9.2 </span> (Hoeffding’s <em>bound</em> ★)</p>')
    once = site.index_statements(f"Search.setIndex({json.dumps(index)})", {"a": box})
    titles = json.loads(once[once.index("(") + 1 : -1])["alltitles"]
    assert titles == {"Hoeffding's bound": [[0, "thm-h"]], "Theorem 9.2": [[0, "thm-h"]], "Proof": [[0, "proof"]]}
    assert site.index_statements(once, {"a": box}) == once
    formula = site.index_statements(once, {"a": box.replace("bound", r'bound <span class="math">\(-p/2\)</span>')})
    assert "Hoeffding's bound -p/2" in json.loads(formula[formula.index("(") + 1 : -1])["alltitles"]


def test_index_knows_the_words_of_the_field():
    """A word leads to its pages, the best one first, and an accent need not be typed."""
    index = {"docnames": ["a", "b"], "terms": {"nyström": 1, "kernel": [0, 1]}, "titleterms": {}}
    text = site.index_words(f"Search.setIndex({json.dumps(index)})", {"AGOP": ["b", "a"]})
    data = json.loads(text[text.index("(") + 1 : -1])
    assert data["indexentries"] == {"agop": [[1, "", True], [0, "", False]]}
    assert data["terms"] == {"nyström": 1, "kernel": [0, 1], "nystrom": 1}
    with pytest.raises(KeyError):
        site.index_words(text, {"gone": ["c"]})


def test_words_lead_to_pages_that_are_there():
    there = {chapter.name for chapter in CHAPTERS}
    assert len(WORDS) >= 60 and not {page for pages in WORDS.values() for page in pages} - there


@built
@chromium
def test_search_knows_the_words_of_the_field(chrome):
    """What somebody types who knows the field and not the book: its chapter is among the first two pages."""
    tab = browser.visit(chrome.new_page(), SITE / "search.html")
    ask = "queries => queries.map(q => Search._performSearch(...Search._parseQuery(q)).map(r => [r[0], r[4]]))"
    answers = tab.evaluate(ask, [*WORDS])
    lost = {}
    for (word, pages), hits in zip(WORDS.items(), answers, strict=True):
        first = [*dict.fromkeys(name for name, _ in reversed(hits))][:2]  # the last is shown first
        if pages[0] not in first:
            lost[word] = first
    tab.close()
    assert not lost, f"the search leads elsewhere: {lost}"


@built
@chromium
def test_excerpts_hold_no_code(chrome):
    tab = browser.visit(chrome.new_page(), SITE / "search.html")
    html = ('<div role="main"><p>Waves are drawn.</p><div class="cell"><div class="highlight">import numpy</div></div>'
            "</div>")
    said = tab.evaluate("page => Search.htmlToText(page, null)", html)
    tab.close()
    assert "Waves are drawn" in said and "import" not in said


@built
@chromium
def test_search_finds_every_statement(chrome):
    """The site's own search, asked for each title, leads to the statement itself."""
    tab = browser.visit(chrome.new_page(), SITE / "search.html")
    ask = "queries => queries.map(q => Search._performSearch(...Search._parseQuery(q)).map(r => [r[0], r[2]]))"
    wanted = {label: (name, title.replace("$", "")) for label, (name, title) in stated().items() if title}
    assert len(wanted) > 50
    answers = tab.evaluate(ask, [title for _, title in wanted.values()])
    lost = [title for (label, (name, title)), hits in zip(wanted.items(), answers, strict=True)
            if [name, "#" + label] not in hits]
    tab.close()
    assert not lost, f"search does not find {lost}"


# ---- reading order

@built
def test_previous_and_next_follow_the_contents():
    names = [c.name for c in paper.reading_order(ROOT / "_toc.yml", patterns=True)]
    for before, name, after in zip(["", *names], names, [*names[1:], ""], strict=False):
        text = page(name).read_text(encoding="utf-8")
        here = (SITE / name).parent
        for kind, wanted in (("left-prev", before), ("right-next", after)):
            link = re.search(rf'<a class="{kind}"\s+href="([^"]+)"', text)
            assert bool(link) == bool(wanted), f"{name} has {'a' if link else 'no'} {kind}"
            if link:
                assert (here / link[1]).resolve() == page(wanted).resolve(), f"{kind} of {name} is {link[1]}"


@built
def test_everything_public_has_its_page():
    """With the signature, an example, and the chapter."""
    text = page(GAUSSIAN).read_text(encoding="utf-8")
    assert 'id="rfbook.kernels.Gaussian"' in text and "14_spectral_pairs.html" in text and "&gt;&gt;&gt; " in text
    names = [page(f"{reference.FOLDER}/{e.shelf}/{e.full_name}") for e in reference.entries(ROOT)]
    assert len(names) > 200 and not [path for path in names if not path.exists()]


NUMBERED = [c.name for c in CHAPTERS if re.match(r"nbs/[1-7]_", c.name)]


def cells_of(name):
    return nbformat.read(ROOT / f"{name}.ipynb", as_version=4).cells


def named_before(name):
    """Numbers of the chapters that a card asks for."""
    text = "\n".join(c.source for c in cells_of(name) if c.cell_type == "markdown")
    before = re.search(r"\*\*Before this\.\*\*(.*?)\n\n", text, re.S)[1]
    return {int(n) for n in re.findall(r"[(/]([1-7]\d)_\w+\.ipynb", before)}


def test_the_line_of_the_reader_uses_nothing_before_its_place():
    text = cells_of("nbs/0_start/00_how_to_use")[0].source
    routes = re.findall(r"```\{route\}\n(.*?)```", text.split("(path-practitioner)=")[0], re.S)
    afternoon, line = ([int(n) for n in re.findall(r"^- .*?/(\d\d)_\w+\.ipynb", one, re.M)] for one in routes)
    names = {int(Path(name).name[:2]): name for name in NUMBERED}
    seen = {*afternoon}
    for number in line:
        assert not (missing := named_before(names[number]) - seen), f"{number} stands before {missing}"
        seen.add(number)
    assert {n for n in names if n < 70} <= seen, "the line leaves chapters out"


def test_map_leads_to_every_chapter():
    """Each chapter is a box with its title, and each arrow comes from a chapter that the card names or leads to."""
    code = next(c.source for c in cells_of("nbs/8_appendix/83_map") if "CHAPTERS = {" in c.source)
    tree = ast.parse("\n".join(line for line in code.split("\n") if not line.startswith("#|")))
    drawn = next(ast.literal_eval(node.value) for node in tree.body
                 if isinstance(node, ast.Assign) and node.targets[0].id == "CHAPTERS")
    assert [f"nbs/{file}" for file in drawn] == NUMBERED
    places = [(column, row) for _, column, row, _ in drawn.values()]
    assert len({*places}) == len(places), "two boxes lie on each other"
    for file, (title, *_) in drawn.items():
        assert re.search("^# (.*)", cells_of(f"nbs/{file}")[0].source, re.M)[1] == title
    known = {int(Path(file).name[:2]): named_before(f"nbs/{file}") for file in drawn}
    for file, (_, _, _, after) in drawn.items():
        cited = seen = known[int(Path(file).name[:2])]
        while seen:  # what the card names, what the cards of these name, and so on
            seen = set().union(*(known[n] for n in seen)) - cited
            cited = cited | seen
        assert {*after} <= cited, f"an arrow to {file} comes from a chapter that its card does not know"


# ---- what a newcomer sees

FIRST = "nbs/0_start/00_ten_minutes"


def test_first_chapter_shows_before_it_imports():
    """A picture stands before any visible import; ten minutes of words; no theorem, nothing exported."""
    assert CHAPTERS[1].name == FIRST
    seen = [c for c in cells_of(FIRST) if not re.match(r"#\| *hide\b", c.source)]
    pictures = [i for i, c in enumerate(seen) if "figure" in c.metadata.get("mystnb", {})]
    for cell in seen[: pictures[0] + 1]:
        assert cell.cell_type == "markdown" or "import" not in cell.source
    text = "\n".join(c.source for c in seen)
    assert "{prf:" not in text and "#| export" not in text and len(pictures) >= 4
    assert 1000 < sum(words(c.source) for c in seen if c.cell_type == "markdown") <= 1500


def test_parts_are_named():
    """Parts I to VII are numbered, what is before and after them is not; the engine is folded under one page."""
    parts = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    roman = dict(zip("1234567", ["I.", "II.", "III.", "IV.", "V.", "VI.", "VII."], strict=True))
    for part in parts:
        digits = {m[1] if (m := re.match(r"nbs/([1-7])_", entry["file"])) else "" for entry in part["chapters"]
                  if not entry["file"].startswith("nbs/parts/")}
        assert len(digits) == 1, f"{part['caption']} mixes parts"
        digit = digits.pop()
        assert bool(digit) == bool(part.get("numbered")) and part["caption"].startswith(roman.get(digit, ""))
    captions = [part["caption"] for part in parts]
    assert captions[0] == "Start here" and captions[-1] == "For developers"
    assert len(parts[-1]["chapters"]) == 1 and len(parts[-1]["chapters"][0]["sections"]) > 30


def test_engine_room_leads_to_every_module():
    linked = set(re.findall(r"\((\w+)\.ipynb\)", cells_of("nbs/9_engine/00_engine_room")[0].source))
    there = {path.stem for path in (ROOT / "nbs" / "9_engine").glob("*.ipynb")} - {"00_engine_room"}
    assert linked == there


def test_first_page_says_what_it_is():
    """A picture, six lines with their output, three paths, how to print and to cite."""
    cells = cells_of(HOME)
    text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
    typed = [c.source for c in cells if c.cell_type == "code" and "#| hide" not in c.source]
    assert len(typed) == 1 and len(typed[0].split("\n")) == 6 and typed[0].split("\n")[-1].startswith("print(")
    assert all(f":link: path-{who}" in text for who in ("reader", "practitioner", "teacher"))
    assert any("census" in str(c.metadata.get("mystnb", {})) for c in cells)
    assert 'class="rf-on-paper"' in text and "@software" in "".join(c.source for c in cells)


@built
@pytest.mark.parametrize("name", [HOME, FIRST, "nbs/2_features/21_fourier", GAUSSIAN])
def test_pages_describe_themselves(name):
    text = page(name).read_text(encoding="utf-8")
    [said] = re.findall(r'<meta name="description" content="([^"]{20,})"', text)
    for key, value in ("og:description", re.escape(said)), ("og:title", ".+"), ("og:site_name", "Random features.*"):
        assert re.search(f'<meta property="{key}" content="{value}"', text), key
    assert "favicon.svg" in text and "logo.svg" in text


@built
def test_the_address_of_the_site_leads_to_the_first_page():
    text = (SITE / "index.html").read_text(encoding="utf-8")
    assert f'content="0; url={HOME}.html"' in text and 'property="og:description"' in text


@built
def test_chapters_are_numbered_as_their_files():
    for name in NUMBERED:
        number = Path(name).name[:2]
        assert f'<h1><span class="section-number">{number}. </span>' in page(name).read_text(encoding="utf-8")
    assert "Theorem 21.2" in page("nbs/2_features/21_fourier").read_text(encoding="utf-8")
    assert '<h1>Random features in ten minutes' in page(FIRST).read_text(encoding="utf-8")


@built
def test_figures_count_from_one_on_every_page():
    """Fig. 21.1, Fig. 21.2 in a chapter, Fig. 1, Fig. 2 on a page without a number."""
    for chapter in CHAPTERS:
        part = f"{Path(chapter.name).name[:2]}." if chapter.name in NUMBERED else ""
        found = re.findall(r'<span class="caption-number">Fig\. ([\d.]+) </span>',
                           page(chapter.name).read_text(encoding="utf-8"))
        assert found == [f"{part}{i}" for i in range(1, len(found) + 1)], chapter.name


@built
def test_links_of_the_map_lead_somewhere():
    text = page("nbs/8_appendix/83_map").read_text(encoding="utf-8")
    links = re.findall(r'<a class="rf-p\d" [^>]*href="([^"]+)"', text)
    assert len(links) == len(NUMBERED)
    assert all((SITE / "nbs" / "0_start" / link).resolve().exists() for link in links)


@built
def test_the_map_lists_every_statement():
    text = page("nbs/8_appendix/83_map").read_text(encoding="utf-8")
    assert not [label for label, (name, _) in stated().items() if name in NUMBERED and f'#{label}"' not in text]


def test_tags_hold_what_they_are_given():
    tags = site.meta_tags("<em>A</em> &amp; B", 'the "first"  ' + "word " * 60, "The book", "nbs/a")
    assert 'content="A &amp; B"' in tags and "&quot;first&quot;" in tags and "og:url" not in tags and " ...\"" in tags
    placed = site.meta_tags("A", "", "The book", "nbs/a", "https://book.example/x/")
    assert 'content="https://book.example/x/nbs/a.html"' in placed and "preview.png" in placed
    assert "description" not in placed and (ROOT / "_assets" / "preview.png").exists()


def test_paper_is_offered_once_it_is_there():
    before = 'On paper: <span class="rf-on-paper">run <code>make pdf</code></span>.'
    after = site.offer_paper(before, "../rfbook.pdf", 12, 3_400_000)
    assert after == ('On paper: <a class="rf-on-paper" href="../rfbook.pdf">a PDF of 12 pages, 3 MB</a>.')
    assert site.offer_paper(after, "../rfbook.pdf", 12, 3_400_000) == after


# ---- what is loaded

LOADS = """<script src="../_static/vendor/fontawesome/6/js/all.min.js?digest=1"></script>
<link rel="preload" as="font" crossorigin href="_static/vendor/fontawesome/6/webfonts/fa-solid-900.woff2">
<link href="_static/vendor/fontawesome/6/css/all.min.css?digest=1" rel="stylesheet" />
<script>const THEBE_JS_URL = "https://unpkg.com/thebe"; const thebe_selector = ".cell"</script>
<script async="async" src="_static/sphinx-thebe.js?v=1"></script><script src="_static/scripts/bootstrap.js"></script>"""


def test_a_page_asks_for_no_script_that_it_does_not_use():
    once = lean.without_unused(LOADS)
    assert "all.min.css" in once and "bootstrap.js" in once and lean.without_unused(once) == once
    assert not re.search("all.min.js|preload|THEBE|thebe", once)


def test_drawings_are_rounded_where_they_have_places_only():
    drawn = '<path d="M 1.234567 -10.5L-2.999999 3" transform="scale(0.015625)"/><use x="7.654321" y="1"/>'
    once = lean.rounded(drawn)
    assert once == '<path d="M 1.23 -10.5L-2.99 3" transform="scale(0.015625)"/><use x="7.65" y="1"/>'
    assert lean.rounded(once) == once
    page = f'<div class="rf-slider"><svg>{drawn}</svg></div>{drawn}'
    assert lean.without_unused(page) == f'<div class="rf-slider"><svg>{once}</svg></div>{drawn}'


def test_icons_that_are_used_stay():
    css = ("/*! licence */.fa,.fa-solid,.fas{display:inline}"
           "@font-face{font-family:Font Awesome\\ 6 Free;font-weight:900;src:url(a.woff2) format('woff2'),url(a.ttf)}"
           "@keyframes turn{0%{top:0}to{top:1px}}"
           '.fa-cat:before,.fa-puss:before{content:"\\f6be"}.fa-dog:before{content:"\\f6d3"}')
    used = lean.icons_of(['<i class="fa-solid fa-cat">', 'summary::before { content: "\\f107" }', "\uf0c9"])
    kept, signs = lean.few_icons(css, used)
    assert used == {"fa-solid", "fa-cat", "\uf107", "\uf0c9"} and signs == {"\uf6be", "\uf107", "\uf0c9"}
    assert kept.startswith("/*! licence */") and "fa-dog" not in kept and "puss" not in kept and "turn" not in kept
    assert ".fa-cat:before{" in kept and 'src:url(../webfonts/fa-solid-900.woff) format("woff")}' in kept


def test_too_heavy_is_told_and_so_is_what_comes_from_elsewhere():
    light, heavy = {"file:///a": weight.MOST}, {"file:///a": weight.MOST + 1}
    assert not weight.faults({**{str(i): light for i in range(9)}, "x": heavy})
    assert "2 of 10" in weight.faults({**{str(i): light for i in range(8)}, "x": heavy, "y": heavy})[0]
    assert weight.size("https://example.org/a.js") == -1
    assert weight.faults({"x": {"https://example.org/a.js": -1}}) == ["x asks https://example.org/a.js"]
    assert "loads" in weight.faults({"x": {"file:///a": weight.HEAVIEST + 1}, **{str(i): light for i in range(9)}})[0]


@built
def test_the_pictures_of_a_slider_are_light():
    sizes = {name: [len(drawn.encode()) for drawn in re.findall('<div class="rf-slider".*?</script>', text, re.S)]
             for name in NUMBERED if (text := page(name).read_text(encoding="utf-8"))}
    assert sum(map(len, sizes.values())) > 10
    assert not {name: found for name, found in sizes.items() if max(found, default=0) > 1_000_000}


# ---- what is read

@chromium
def test_shares_are_those_of_what_is_open(chrome, tmp_path):
    """300 of 1000 pixels are code, 500 read; what is in a closed fold does not count, open it would."""
    page = tmp_path / "page.html"
    box = "<div class='{}' style='height: {}px'></div>"
    cell = box.format("cell_input", 300)
    page.write_text(f"""<!DOCTYPE html><html><body><article class="bd-article" style="height: 1000px">
        <p style="height: 400px; margin: 0"></p><div class="proof" style="height: 100px"><p>in a proof</p></div>{cell}
        <details><summary>Show: more</summary>{cell}<p>folded</p></details></article></body></html>""")
    tab = chrome.new_page()
    found = shares.shares(tab, page)
    assert found == pytest.approx({"code": 0.3, "read": 0.5, "wide": 0, "blocks": 0}) and not shares.faults(found)
    page.write_text(page.read_text().replace("<details>", "<details open>"))
    assert shares.shares(tab, page)["code"] == pytest.approx(0.6)
    tab.close()


@chromium
def test_what_a_telephone_cuts_is_told(chrome, tmp_path):
    page = tmp_path / "page.html"
    formula = ("<div class='math' id='{}'><mjx-container style='display: block; overflow: auto'>"
               "<mjx-math style='display: inline-block; width: {}px'></mjx-math></mjx-container></div>")
    page.write_text("<!DOCTYPE html><html><body style='margin: 0'><article id='top'>" + formula.format("short", 380)
                    + formula.format("long", 700) + "<p style='width: {}px'>x</p></article></body></html>")
    tab = chrome.new_page()
    browser.visit(tab, page)
    assert shares.narrow_faults(tab) == ["the formula long is 1.79 wide"]
    page.write_text(page.read_text().replace("{}", "400"))
    browser.visit(tab, page)
    assert shares.narrow_faults(tab)[0] == "the page is 400 pixels wide"
    tab.close()


@built
@chromium
@pytest.mark.parametrize("half", [pytest.param(0, marks=pytest.mark.first), 1])  # for two processes
def test_chapters_are_read_more_than_they_are_code_and_light(chrome, half):
    """Of parts 1 to 6 at most a third is code, at least half read, no code overflows; all fit a telephone.

    A page loads files of the site only, and nine of ten less than two and a half megabytes.
    """
    loaded, told = {}, {}
    for name in NUMBERED[half::2]:
        tab = chrome.new_context().new_page()
        addresses = weight.asked(tab)
        found = shares.shares(tab, page(name))
        loaded[name] = weight.loaded(tab, addresses)
        told[name] = [*(shares.faults(found) if name[4] in "123456" else ()), *shares.narrow_faults(tab)]
        tab.context.close()
    assert not {name: faults for name, faults in told.items() if faults}
    if (SITE / "mathjax" / "startup.js").exists():  # a book that was built without npm asks for it elsewhere
        assert not weight.faults(loaded)


# ---- accessibility

MENDED = """<div class="bd-sidebar-primary bd-sidebar"></div><th class="head"><p></p></th>
<summary aria-label="Toggle hidden content"><p>Show</p></summary><div class="proof admonition" id="proof">
<section class="x" id="proof-content"></section></div><title>The book &#8212; The book</title>
<td><p>16.16 ± 0.02</p></td><td class="text-right">1 ± 2</td><pre>1 ± 2</pre>
<p>as <span class="math notranslate nohighlight">\\(x\\)</span>,
or <span class="math notranslate nohighlight">\\(y\\)</span> is</p>"""


def test_mending_is_done_once():
    once = site.mend_page(MENDED)
    assert 'role="complementary"' in once and "<td></td>" in once
    assert 'aria-label="Toggle' not in once and "id=" not in once and "<title>The book</title>" in once
    assert "<p>16.16\u00a0±\u00a00.02</p>" in once and ">1\u00a0±\u00a02</td>" in once and "<pre>1 ± 2</pre>" in once
    assert once.count("rf-glue") == 1 and "\\(x\\)</span>,</span>\nor" in once
    assert site.mend_page(once) == once


def test_of_pages_from_one_template_some_are_examined(tmp_path):
    chapters, made = ["index.html", "nbs/a.html"], [f"api/machines/{i:02d}.html" for i in range(25)]
    sources, engine = ([f"{folder}/{i:02d}.html" for i in range(11)] for folder in ("_modules", "nbs/9_engine"))
    left = accessibility.of_a_kind([tmp_path / name for name in (*sources, *made, *engine, *chapters)], tmp_path)
    assert left == [tmp_path / name for name in (*sources[::10], *made[::10], *engine[::3], *chapters)]


@built
def test_axe_does_not_look_at_a_page_that_sends_readers_on():
    left = accessibility.pages(SITE)
    assert SITE / "index.html" not in left and SITE / f"{HOME}.html" in left


@chromium
def test_axe_sees_what_is_wrong(chrome, tmp_path):
    """A page with a pale text, a nameless button and a picture without words: all three are found, dark ones too."""
    axe, missing = accessibility.axe_source()
    if axe is None:
        pytest.skip(missing)
    bad = tmp_path / "bad.html"
    bad.write_text("""<!DOCTYPE html><html lang="en"><head><title>Bad</title><style>
        html[data-theme="dark"] p { color: #222; background: #333 } div { color: #bbb; background: #fff }
        </style></head><body><main><h1>Bad</h1><p>dark</p><div>pale</div><button></button><img src="x.png">
        </main></body></html>""", encoding="utf-8")
    tab = chrome.new_page()
    found = accessibility.examine(tab, bad, axe)
    tab.close()
    assert {"button-name", "image-alt", "color-contrast"} <= {v["rule"] for v in found}
    assert ("dark", "p") in {(v["theme"], v["target"]) for v in found}
    assert ("light", "p") not in {(v["theme"], v["target"]) for v in found}


@built
@chromium
@pytest.mark.parametrize("name", [HOME, "nbs/2_features/22_how_many", "search", GAUSSIAN])
def test_axe_finds_nothing(chrome, name):
    """Four kinds of page; `make a11y` does all."""
    axe, missing = accessibility.axe_source()
    if axe is None:
        pytest.skip(missing)
    tab = chrome.new_page()
    found = accessibility.examine(tab, page(name), axe)
    tab.close()
    assert not found, [(v["theme"], v["width"], v["rule"], v["target"]) for v in found]


@built
@chromium
def test_keyboard(chrome):
    """The first Tab offers to skip to the text; each stop can be seen; solutions open; wide boxes are stops."""
    tab = browser.visit(chrome.new_page(), page("nbs/2_features/21_fourier"), width=390)
    tab.wait_for_timeout(500)
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.getAttribute('href')") == "#main-content"
    tab.keyboard.press("Enter")
    assert tab.evaluate("location.hash") == "#main-content"
    for _ in range(8):
        tab.keyboard.press("Tab")
        style = "(s => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== 'none')"
        seen = tab.evaluate(f"{style}(getComputedStyle(document.activeElement))")
        assert seen, tab.evaluate("document.activeElement.outerHTML")
    tab.evaluate("document.querySelector('.solution .toggle-button').focus()")
    closed = "document.querySelector('.solution').classList.contains('toggle-hidden')"
    assert tab.evaluate(closed)
    tab.keyboard.press("Enter")
    assert not tab.evaluate(closed)
    for box in ("pre", "mjx-container[display=true]"):
        wide, unreachable = tab.evaluate("""box => {
          const wide = [...document.querySelectorAll(`article ${box}`)].filter(e => e.scrollWidth > e.clientWidth + 1);
          return [wide.length, wide.filter(e => e.tabIndex < 0).length];}""", box)
        assert wide > 0 and unreachable == 0, box
    tab.close()


@chromium
def test_links_into_closed_boxes_open_them(chrome, tmp_path):
    """At load, by a link, and a second time; a box that is open stays so."""
    script = (ROOT / "_assets" / "open.js").read_text(encoding="utf-8")
    (tmp_path / "page.html").write_text(f"""<!DOCTYPE html><title>Boxes</title><a href="#thm">thm</a>
        <div class="admonition toggle-hidden" id="box"><p class="admonition-title"
          onclick="this.parentElement.classList.toggle('toggle-hidden')">Fine print</p><div id="thm">All.</div></div>
        <details><summary>More</summary><p id="more">More.</p></details><script>{script}</script>""", encoding="utf-8")
    tab = chrome.new_page()
    address = (tmp_path / "page.html").as_uri()
    closed = "document.getElementById('box').classList.contains('toggle-hidden')"
    tab.goto(address + "#more")
    assert tab.evaluate("document.querySelector('details').open") and tab.evaluate(closed)
    for _ in range(2):
        tab.click("a")
        tab.wait_for_function("!" + closed)
        tab.click("a")
        tab.wait_for_timeout(50)
        assert not tab.evaluate(closed)
        tab.evaluate("document.getElementById('box').classList.add('toggle-hidden')")
    tab.close()


# ---- paper

def test_paper_keeps_identifiers_apart(tmp_path):
    """An input and its output, whose `for` is a list, a fold, and a link to itself: all carry the chapter's name."""
    page = tmp_path / "nbs" / "one.html"
    page.parent.mkdir()
    page.write_text("""<html><head></head><body><article class="bd-article"><h1>One</h1>
        <input id="at"><output for="at and">2</output><span id="and"></span><a href="#at">up</a>
        <details><summary>more</summary><p>inside</p></details></article></body></html>""")
    chapter = paper.Chapter("nbs/one", "Part")
    paper.read_chapter(chapter, {"nbs/one": chapter}, tmp_path, "")
    assert 'for="p-nbs-one--at p-nbs-one--and"' in chapter.body and 'id="p-nbs-one--at"' in chapter.body
    assert 'href="#p-nbs-one--at"' in chapter.body and "inside" in chapter.body and "more" not in chapter.body
    assert chapter.title == "One"


def test_paper_says_what_is_folded_and_leaves_it_out():
    """Folded cells in a row share a line; a box that opens, and what a folded cell shows, are printed."""
    def cell(label, inside, after=""):
        return (f'<div class="cell docutils container"><details class="admonition hide above-input"><summary><p '
                f'class="collapsed admonition-title">Show: {label}</p><p class="expanded admonition-title">Hide</p>'
                f'</summary><div class="cell_input"><pre>{inside}</pre></div></details>{after}</div>')

    article = BeautifulSoup('<article><p>text</p>' + cell("imports", "import a") + '<p class="rf-export-mark">exported'
                            '</p>' + cell("the class &amp; more", "class A") + "<p>then</p>" +
                            cell("the code of the figure", "plot()", '<figure>picture</figure>') +
                            "<details><summary>more</summary><p>printed</p></details></article>", "html.parser")
    paper._flatten(article)
    assert [p.get_text() for p in article.select(".rf-folded")] == [
        "On the site: imports; the class & more.", "On the site: the code of the figure."]
    assert article.get_text() == ("textOn the site: imports; the class & more.thenOn the site: the code of the figure."
                                  "pictureprinted")


@chromium
def test_paper_is_small_and_loses_no_place(tmp_path):
    """Objects are packed and equal streams kept once; pages, places, tags and outline are those of the print."""
    import pikepdf

    page = tmp_path / "page.html"
    page.write_text('<body lang="en"><article class="bd-article-container bd-article"><a href="#x19">to the end</a>'
                    + "".join(f'<h2 id="x{i}">Head {i}</h2><p>{"words <b>and</b> " * 60}</p>' for i in range(20)))
    with ThreadPoolExecutor(1) as alone:  # where no other test has a browser open
        printed, _ = alone.submit(paper.typeset, page).result()
    packed = paper.small(printed)
    assert len(packed) < len(printed) / 2 and paper.destinations(packed) == paper.destinations(printed)
    with pikepdf.open(io.BytesIO(packed)) as document:
        assert {"/StructTreeRoot", "/Outlines", "/Lang"} <= {*document.Root.keys()}


@pytest.mark.skipif(outdated(PDF), reason="no book of these notebooks is printed: make pdf")
def test_pdf_is_small():
    assert PDF.stat().st_size < 25_000_000


@pytest.mark.skipif(outdated(PDF), reason="no book of these notebooks is printed: make pdf")
def test_pdf_holds_every_statement():
    pypdfium2 = pytest.importorskip("pypdfium2")
    book = pypdfium2.PdfDocument(PDF)
    pages = [" ".join(p.get_textpage().get_text_bounded().split()) for p in book]
    assert len(pages) > 3 * len(CHAPTERS)
    _, where = paper.destinations(PDF.read_bytes())
    assert {c.anchor for c in CHAPTERS[1:]} <= set(where), "a chapter cannot be reached from the contents"
    starts = [where[c.anchor] for c in CHAPTERS[1:]]
    assert starts == sorted(set(starts)), "chapters are out of order, or share a page"
    plain = re.compile(r"[^a-z0-9]")
    texts = [plain.sub("", p.lower()) for p in pages]
    named = {c.name: c for c in CHAPTERS}
    lost = []
    for label, (name, title) in stated().items():
        at = where.get(f"{named[name].anchor}--{label}")
        # the box begins on the page that the contents name
        if at is None or plain.sub("", re.sub(r"\$.*?\$", "", title).lower()) not in texts[at - 1]:
            lost.append((label, title, at))
    assert not lost


# ---- downloads

@built
def test_downloads_hold_no_solution():
    for path in [*SITE.glob("_sources/**/*.ipynb"), *SITE.glob("notebooks/**/*.ipynb")]:
        for cell in nbformat.read(path, as_version=4).cells:
            shown = cells.SOLUTION.search(cell.source) or cells.HIDDEN.search(cell.source)
            assert not shown, f"{path.name} is offered with its solution"


@built
def test_every_page_offers_its_plain_copy():
    for chapter in CHAPTERS:
        text = page(chapter.name).read_text(encoding="utf-8")
        link = re.search(r'href="([^"]+\.ipynb)" download\s+class="[^"]*btn-download-source-button', text)
        assert link, f"{chapter.name} has no download"
        copy = ((SITE / chapter.name).parent / link[1]).resolve()
        assert copy.is_relative_to(SITE / "notebooks") and copy.exists()
        assert not plain.left_raw(nbformat.read(copy, as_version=4))
        assert ("colab-button" in text) == bool(plain.repository()[0])


def test_a_copy_runs_alone(tmp_path):
    """One that reads committed results; `make notebooks EXECUTE=all` runs all, with the wheel alone."""
    copy, = plain.write_copies(tmp_path, plain.Edition(), paths=["nbs/8_appendix/80_notation.ipynb"])
    ok, said = downloads.run_alone(copy, sys.executable)
    assert ok, said


def test_committed_results_are_found_from_anywhere(tmp_path, monkeypatch):
    from rfbook.records import book_file, read_records

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RFBOOK_RESULTS", raising=False)
    _, rows = read_records(book_file("results/first_machine.jsonl"))
    assert rows
    own = tmp_path / "first_machine.jsonl"
    own.write_text("mine")
    assert book_file("results/first_machine.jsonl") == own
    with pytest.raises(FileNotFoundError, match="no data file 'papers/none.csv'"):
        book_file("papers/none.csv")
