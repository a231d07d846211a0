"""The built book on paper: its pages in reading order as one document, with contents and page numbers."""

from __future__ import annotations

import ctypes
import hashlib
import html
import io
import os
import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import yaml
from bs4 import BeautifulSoup

from rfdev import ROOT
from rfdev.browser import chromium, visit

SITE = ROOT / "_build" / "html"
WIDTH = 658  # CSS pixels between the margins of paper.css: 174 mm
SHORT = 14  # lines of code that are kept on one page
STATEMENTS = ("theorem", "lemma", "proposition", "corollary", "definition")


@dataclass
class Chapter:
    """A page of the book."""

    name: str  # as in _toc.yml
    part: str
    depth: int = 0
    title: str = ""
    body: str = ""
    statements: list[tuple[str, str]] = field(default_factory=list)  # anchor, title

    @property
    def anchor(self) -> str:
        """Identifier of its first line."""
        return "p-" + re.sub(r"\W", "-", self.name)


def reading_order(toc: Path, patterns: bool = False) -> list[Chapter]:
    """Pages of the book as _toc.yml names them, and with `patterns` those of the reference, which are for screens."""
    spec = yaml.safe_load(toc.read_text(encoding="utf-8"))
    chapters = [Chapter(spec["root"], "")]

    def walk(entries, part, depth):
        for entry in entries:
            if "file" in entry:
                chapters.append(Chapter(entry["file"], part, depth))
                walk(entry.get("sections", []), part, depth + 1)
            elif patterns:
                found = (path.relative_to(toc.parent).as_posix() for path in toc.parent.glob(entry["glob"] + ".rst"))
                chapters.extend(Chapter(name.removesuffix(".rst"), part, depth) for name in sorted(found))

    for part in spec["parts"]:
        walk(part["chapters"], part["caption"], 0)
    return chapters


def _prefixed(chapter: Chapter, anchor: str) -> str:
    return f"{chapter.anchor}--{anchor}"


def read_chapter(chapter: Chapter, chapters: dict[str, Chapter], site: Path, prefix: str) -> str:
    """Fill in title, body and statements from the built page; return the scripts that set up MathJax.

    Identifiers get the chapter's name in front, because `proof` or `id3` is on many pages; links between pages
    become links inside the document; links to what is not printed become plain text.
    """
    page = site / (chapter.name + ".html")
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    setup = "".join(str(s) for s in soup.head.find_all("script") if "window.MathJax" in s.text)
    article = soup.find("article", class_="bd-article")
    _flatten(article)
    for element in article.find_all(True):
        _rename(element, chapter)
        _relink(element, chapter, chapters, prefix)
    heading = article.find("h1")
    chapter.title = " ".join(heading.get_text().split())
    heading["id"] = chapter.anchor
    for box in article.select("div.proof"):
        title = box.find("p", class_="admonition-title")
        if box.get("id") and title and set(STATEMENTS) & set(box["class"]):
            chapter.statements.append((box["id"], _plain(title)))
    chapter.body = article.decode_contents()
    return setup


def _flatten(article) -> None:
    """Take away what only a screen can do."""
    for gone in article.select("script, a.headerlink, .viewcode-link, .viewcode-back, button, .toctree-wrapper"):
        gone.decompose()
    _omit_folds(article)
    for fold in article.select("details.rf-quiz-answers"):
        fold.name, fold.summary.name = "div", "p"
    for gone in article.select(".rf-quiz :is(input, .rf-quiz-said, .rf-quiz-letter, .rf-quiz-number)"):
        gone.decompose()
    for fold in article.find_all("details"):
        # a box that opens: what is inside stands there, without the handle
        if fold.summary:
            fold.summary.decompose()
        fold.name, fold.attrs = "div", {"class": ["cell_input"]}
    for code in article.find_all("pre"):
        if code.get_text().count("\n") <= SHORT:
            code["class"] = [*code.get("class", []), "rf-short"]


def _omit_folds(article) -> None:
    """In the place of cells that the site folds a line in small type says what is there, one for those in a row."""
    for fold in article.select("details.hide"):
        cell = fold.find_parent("div", class_="cell")
        label = _plain(fold.select_one(".collapsed")).removeprefix("Show: ").rstrip(".")
        if (mark := cell.find_previous_sibling()) is not None and "rf-export-mark" in mark.get("class", []):
            mark.decompose()
        before = cell.find_previous_sibling()
        fold.decompose()
        if before is not None and "rf-folded" in before.get("class", []):
            before.string = f"{before.get_text().removesuffix('.')}; {label}."
        else:
            cell.insert_before(BeautifulSoup(f'<p class="rf-folded">On the site: {html.escape(label)}.</p>',
                                             "html.parser"))
        if not cell.find(True):
            cell.decompose()


def _rename(element, chapter: Chapter) -> None:
    """Put the chapter's name before identifiers and before what refers to them."""
    for key in ("id", "for", "aria-labelledby", "aria-describedby"):
        if value := element.get(key):
            names = value if isinstance(value, list) else value.split()  # the output of a slider has a list
            element[key] = " ".join(_prefixed(chapter, v) for v in names)
    for key, value in element.attrs.items():
        if isinstance(value, str) and "url(#" in value:
            element[key] = re.sub(r"url\(#", f"url(#{chapter.anchor}--", value)


def _relink(element, chapter: Chapter, chapters: dict[str, Chapter], prefix: str) -> None:
    """Lead sources to the site and links to places in the document."""
    here = posixpath.dirname(chapter.name)
    for key in ("src", "data"):
        value = element.get(key)
        if value and element.name in {"img", "object", "source"} and not urlsplit(value).scheme:
            element[key] = prefix + posixpath.normpath(posixpath.join(here, value))
    for key in ("href", "xlink:href"):
        value = element.get(key)
        if not value or urlsplit(value).scheme:
            continue
        path, anchor = urldefrag(value)
        to: Chapter | None = chapter
        if path:
            to = chapters.get(posixpath.normpath(posixpath.join(here, unquote(path))).removesuffix(".html"))
        if to is not None:
            element[key] = "#" + (_prefixed(to, unquote(anchor)) if anchor else to.anchor)
        elif element.name == "a":
            del element[key]


def _plain(element) -> str:
    return " ".join(element.get_text().split())


def _entry(anchor: str, title: str, kind: str = "") -> str:
    return (f'<li class="{kind}"><a href="#{anchor}"><span class="rf-toc-title">{html.escape(title)}</span>'
            f'<span class="rf-toc-page"></span></a></li>')


def document(chapters: list[Chapter], setup: str, title: str, author: str, version: str, prefix: str) -> str:
    """The whole book as one page."""
    sample = (SITE / (chapters[1].name + ".html")).read_text(encoding="utf-8")
    styles = re.findall(r'<link[^>]*?href="[./]*(_static/[^"?]+\.css)[^"]*"', sample)
    sheets = [prefix + s for s in styles if not re.search("thebe|copybutton|togglebutton", s)]
    sheets += [os.path.relpath(ROOT / "_assets" / "paper.css", SITE.parent / "pdf")]
    links = "\n".join(f'<link rel="stylesheet" href="{html.escape(s)}">' for s in sheets)
    # a kind of page for each chapter, so that its title stands over its pages
    heads = "\n".join(f".{c.anchor} {{ page: {c.anchor}; }}\n"
                      f"@page {c.anchor} {{ @top-center {{ content: {_css(c.title)}; }} }}" for c in chapters[1:])
    contents, part = [], ""
    for c in chapters[1:]:
        if c.part != part:
            part = c.part
            contents.append(f'<li class="rf-toc-part">{html.escape(part)}</li>')
        contents.append(_entry(c.anchor, c.title, f"rf-toc-depth-{c.depth}"))
    stated = [_entry(anchor, text) for c in chapters for anchor, text in c.statements]
    bodies, part = [], ""
    for c in chapters:
        if c.part != part:
            part = c.part
            bodies.append(f'<section class="rf-part"><p>{html.escape(part)}</p></section>')
        bodies.append(f'<article class="bd-article {c.anchor}">{c.body}</article>')
    mathjax = SITE / "mathjax" / "startup.js"
    if mathjax.exists():
        script = f'<script defer src="{prefix}mathjax/startup.js"></script>'
    else:
        script = next(iter(re.findall(r'<script[^>]*src="https:[^"]*mathjax[^"]*"[^>]*></script>', sample)), "")
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8"><title>{html.escape(title)}</title>
{links}
<style>{heads}</style>
{setup}{script}</head>
<body class="rf-paper"><main class="bd-main"><div class="bd-content"><div class="bd-article-container">
<section class="rf-title-page"><p class="rf-book-title">{html.escape(title)}</p><p>{html.escape(author)}</p>
<p>Version {html.escape(version)}</p>
<p class="rf-folded">Code that nobody would type, such as that of the figures, is folded on the site and left out here:
lines that begin with “On the site” say what it is. The results and figures that it makes are here.</p></section>
<nav class="rf-contents"><p class="rf-contents-title">Contents</p>
<ol>{"".join(contents)}</ol></nav>
<nav class="rf-contents"><p class="rf-contents-title">Theorems, lemmas, propositions, corollaries and definitions</p>
<ol>{"".join(stated)}</ol></nav>
{"".join(bodies)}
</div></div></main></body></html>"""


def _css(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# What is wider than the column is set smaller, as a compositor would; what still sticks out is named.
_FIT = """() => {
  const column = document.querySelector(".bd-article-container").getBoundingClientRect();
  // the number of an equation needs its room beside the formula
  for (const math of document.querySelectorAll("div.math")) {
    const formula = math.querySelector("mjx-container"), number = math.querySelector(".eqno");
    if (!formula) continue;
    const inner = formula.querySelector("mjx-math"), need = inner.getBoundingClientRect().width;
    const room = math.clientWidth - (number ? 2 * number.getBoundingClientRect().width + 12 : 0);
    const size = e => parseFloat(getComputedStyle(e).fontSize);
    if (need > room) formula.style.fontSize =
      Math.max(55, Math.floor(size(formula) / size(math) * 100 * room / need)) + "%";
  }
  for (const math of document.querySelectorAll("mjx-container:not([display])")) {
    const box = math.closest("p, li, td, dd, figcaption, div"), need = math.getBoundingClientRect().width;
    if (need > box.clientWidth && !math.closest("table"))
      math.style.fontSize = Math.floor(100 * box.clientWidth / need) + "%";
  }
  for (const table of document.querySelectorAll("table")) {
    for (let i = 0; i < 4; i++) {
      const need = table.getBoundingClientRect().width, room = table.parentElement.clientWidth;
      if (need > room + 0.5) table.style.fontSize =
        parseFloat(getComputedStyle(table).fontSize) * Math.max(0.75, room / need) * 0.98 + "px";
    }
  }
  const out = [];
  const kinds = ".bd-article :is(p, pre, table, img, svg, mjx-math, figure, li, dt, code)";
  for (const e of document.querySelectorAll(kinds)) {
    if (e.closest("mjx-assistive-mml") || e.closest("svg") !== (e.tagName === "svg" ? e : null)) continue;
    const box = e.getBoundingClientRect();
    if (box.width && (box.right > column.right + 2 || box.left < column.left - 2))
      out.push(e.tagName.toLowerCase() + " in " + (e.closest("[id]") || document.body).id + ": " +
        e.textContent.trim().slice(0, 60));
  }
  return out;
}"""


_NUMBER = """pages => document.querySelectorAll(".rf-contents a").forEach(a => {
  a.querySelector(".rf-toc-page").textContent = pages[decodeURIComponent(a.hash.slice(1))] ?? "";
})"""


def destinations(pdf: bytes) -> tuple[int, dict[str, int]]:
    """Number of pages, and the page (counted from 1) of each anchor that something links to."""
    import pypdfium2
    import pypdfium2.raw as raw

    document = pypdfium2.PdfDocument(pdf)
    where = {}
    for i in range(raw.FPDF_CountNamedDests(document)):
        size = ctypes.c_long(0)
        raw.FPDF_GetNamedDest(document, i, None, size)
        name = ctypes.create_string_buffer(size.value)
        dest = raw.FPDF_GetNamedDest(document, i, name, size)
        where[name.raw.decode("utf-16-le").rstrip("\0")] = raw.FPDFDest_GetDestPageIndex(document, dest) + 1
    count = len(document)
    document.close()
    return count, where


def typeset(page: Path) -> tuple[bytes, list[str]]:
    """Set a page on paper, with page numbers in its contents; return the PDF and what sticks out of the column."""
    with chromium() as browser:
        tab = browser.new_page()
        tab.set_default_timeout(0)
        tab.emulate_media(media="print")
        visit(tab, page, width=WIDTH)
        tab.evaluate("Promise.all([...document.images].map(i => i.decode().catch(() => 0))).then(() => true)")
        out = tab.evaluate(_FIT)
        # the entries have room for their numbers, so that these move nothing; a third round is a safeguard
        pages: dict[str, int] = {}
        for _ in range(3):
            pdf = tab.pdf(prefer_css_page_size=True, print_background=True, tagged=True, outline=True)
            if (where := destinations(pdf)[1]) == pages:
                break
            pages = where
            tab.evaluate(_NUMBER, pages)
    return pdf, out


def small(pdf: bytes) -> bytes:
    """The same document in fewer bytes: equal streams are kept once, and small objects packed together and compressed.

    Chromium writes each object of the tree of tags, of which a book has some hundred thousand, in plain letters.
    """
    import pikepdf

    with pikepdf.open(io.BytesIO(pdf)) as document:
        _share_streams(document)
        document.remove_unreferenced_resources()
        out = io.BytesIO()
        document.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, compress_streams=True,
                      recompress_flate=True)
    return out.getvalue()


def _share_streams(document) -> None:
    """Let references to equal streams (fonts, pictures, forms) lead to the first of them."""
    import pikepdf

    first: dict[bytes, pikepdf.Object] = {}
    same: dict[tuple[int, int], pikepdf.Object] = {}
    for thing in document.objects:
        if isinstance(thing, pikepdf.Stream):
            said = hashlib.sha256(thing.read_raw_bytes() + bytes(repr(sorted(thing.stream_dict.items())), "utf-8"))
            kept = first.setdefault(said.digest(), thing)
            if kept.objgen != thing.objgen:
                same[thing.objgen] = kept
    if not same:
        return
    for thing in document.objects:
        parts = thing.stream_dict if isinstance(thing, pikepdf.Stream) else thing
        _lead(parts, same)


def _lead(thing, same) -> None:
    import pikepdf

    if isinstance(thing, pikepdf.Dictionary):
        entries = [(key, thing[key]) for key in thing.keys()]
    elif isinstance(thing, pikepdf.Array):
        entries = list(enumerate(thing))
    else:
        return
    for key, value in entries:
        if not isinstance(value, pikepdf.Object):
            continue
        if value.is_indirect:
            if value.objgen in same:
                thing[key] = same[value.objgen]
        else:
            _lead(value, same)
