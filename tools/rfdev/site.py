"""The built site: what the theme leaves out of its pages, and a search that finds statements."""

from __future__ import annotations

import html
import json
import re
import unicodedata

# What the theme and its extensions leave out for readers who listen, or who have no mouse (found by `make a11y`);
# scrolling boxes are seen to by reach.js, because whether a box scrolls depends on the width of the window.
_MENDS = [(re.compile(old), new) for old, new in [
    # the side bar holds the title of the book and the search button beside its list of pages
    (r'<div class="bd-sidebar-primary bd-sidebar([^"]*)">',
     r'<div class="bd-sidebar-primary bd-sidebar\1" role="complementary" aria-label="Book">'),
    # a name that is not the text to be seen is no name for those who speak to their machine
    (r'(<button class="btn search-button-field[^>]*?) aria-label="Search"', r"\1"),
    (r'<summary aria-label="Toggle hidden content">', "<summary>"),
    (r'<summary>(<span class="toctree-toggle")', r'<summary aria-label="Pages of this chapter">\1'),
    # the corner of a table heads nothing
    (r"<th\b[^>]*>\s*(?:<p>\s*</p>)?\s*</th>", "<td></td>"),
    # a list holds items; the role of a bibliography's entries was withdrawn
    (r'role="doc-biblioentry"', 'role="listitem"'),
    # the first page is called as the book is
    (r"<title>(.*?) &#8212; \1</title>", r"<title>\1</title>"),
    # identifiers that stand on a page many times
    (r'<div class="proof admonition" id="proof">', '<div class="proof admonition rf-proof">'),
    (r'(<section[^>]*) id="[a-z]+-content"', r"\1"),
    # a number and its error stay on one line of a narrow table
    (r"(<td\b[^>]*>(?:<p>)?[^<]*?\d) ± (?=\d)", "\\1\u00a0±\u00a0"),
    # a notebook is kept, not read as text
    (r'(<a href="[^"]+\.ipynb") target="_blank"(\s+class="btn btn-sm btn-download-source-button)', r"\1 download\2"),
    # no line begins with the comma after a formula
    (r'(?<!<span class="rf-glue">)(<span class="math notranslate nohighlight">[^<]*</span>[.,;:!?)\]’”]+)',
     r'<span class="rf-glue">\1</span>'),
]]


def mend_page(text: str) -> str:
    """A built page with names, landmarks and identifiers as they should be; a second time changes nothing."""
    for old, new in _MENDS:
        text = old.sub(new, text)
    return text


_LONG = 200  # characters of a description that is shown


def meta_tags(title: str, description: str, site: str, name: str, address: str = "") -> str:
    """What search engines and previews of links ask a page about.

    Parameters
    ----------
    title : str
        May hold markup, as titles of built pages do.
    description : str
        Cut after a word where it is long; no description where it is empty.
    site : str
        Name of the site.
    name : str
        The page, as in _toc.yml.
    address : str
        Where the site is; without it there is neither address nor picture, which must not be relative.
    """
    plain = html.unescape(re.sub("<[^>]*>", "", title)) or site
    if len(description) > _LONG:
        description = description[:_LONG].rpartition(" ")[0].rstrip(" ,;:.") + " ..."
    tags = {"og:type": "website", "og:site_name": site, "og:title": plain, "og:description": description}
    if address:
        base = address.rstrip("/")
        tags |= {"og:url": f"{base}/{name}.html", "og:image": f"{base}/_static/preview.png",
                 "twitter:card": "summary_large_image"}
    lines = [f'<meta name="description" content="{html.escape(description)}" />'] if description else []
    lines += [f'<meta property="{key}" content="{html.escape(value)}" />' for key, value in tags.items() if value]
    return "\n" + "\n".join(lines) + "\n"


def front_door(page: str, path: str) -> str:
    """The page at the address of the site: it leads to `path` and says of itself what that page says."""
    title = re.search(r"<title>.*?</title>", page, flags=re.S)
    tags = re.findall(r'<meta (?:name="description"|property="og:[^"]*") [^>]*>', page)
    return "\n".join(['<!DOCTYPE html>', '<html lang="en"><head><meta charset="utf-8" />', title[0] if title else "",
                      *tags, f'<meta http-equiv="refresh" content="0; url={path}" />',
                      f'</head><body><p><a href="{path}">To the book</a></p></body></html>', ""])


_PAPER = re.compile(r'<(span|a) class="rf-on-paper"[^>]*>.*?</\1>', flags=re.S)


def offer_paper(page: str, link: str, pages: int, size: int) -> str:
    """The first page with a link to the printed book where it says how to print it; a second time changes nothing."""
    words = f"a PDF of {pages} pages, {size / 1e6:.0f} MB"
    return _PAPER.sub(f'<a class="rf-on-paper" href="{html.escape(link)}">{words}</a>', page)


_NUMBERED = re.compile(
    r'<div class="(?:proof|exercise)[^"]* admonition" id="([\w-]+)">\s*<p class="admonition-title">'
    r'<span class="caption-number">([A-Z][a-z]+ [\d.]+) </span>(.*?)</p>', flags=re.S)


def _typed(title: str) -> str:
    """A title as a reader types it: no markup, brackets (those of formulas too), curly apostrophe or stars."""
    text = re.sub(r"\\[()]", "", html.unescape(re.sub("<[^>]*>", "", title))).strip()
    return text.removeprefix("(").removesuffix(")").replace("\u2019", "'").rstrip(" \u2605")


def _read(index: str) -> tuple[str, dict]:
    """The call in ``searchindex.js``, and what it is given."""
    head, _, rest = index.partition("(")
    return head, json.loads(rest[: rest.rindex(")")])


def _written(head: str, data: dict) -> str:
    return head + "(" + json.dumps(data, ensure_ascii=False, separators=(",", ":")) + ")"


def index_statements(index: str, pages: dict[str, str]) -> str:
    """The search index with each statement and exercise under its name and under its number.

    Sphinx files them as ``(Hoeffding)``, without the number, and every proof and solution as an entry with no name.

    Parameters
    ----------
    index : str
        Text of ``searchindex.js``.
    pages : dict of str to str
        Built page of each document.
    """
    head, data = _read(index)
    found: dict[int, list[tuple[str, str, str]]] = {}
    for i, name in enumerate(data["docnames"]):
        found[i] = [(anchor, number, _typed(title)) for anchor, number, title in _NUMBERED.findall(pages.get(name, ""))]
    named = {(i, anchor) for i, statements in found.items() for anchor, _, _ in statements}
    titles: dict[str, list] = {}
    for title, places in data["alltitles"].items():
        kept = [p for p in places if title.strip() and (p[0], p[1]) not in named]
        if kept:
            titles[title] = kept
    for i, statements in found.items():
        for anchor, number, title in statements:
            # two entries: Sphinx finds a title only if half of it was typed
            for entry in filter(None, (title, number)):
                titles.setdefault(entry, []).append([i, anchor])
    data["alltitles"] = dict(sorted(titles.items()))
    return _written(head, data)


def _plain(word: str) -> str:
    """A word without its accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


def index_words(index: str, words: dict[str, list[str]]) -> str:
    """The search index with words of the field that lead to their pages, and accented words under plain spellings too.

    Parameters
    ----------
    index : str
        Text of ``searchindex.js``.
    words : dict of str to list of str
        Pages for each word or phrase, by document name, the best one first.

    Raises
    ------
    KeyError
        If a page is not in the index.
    """
    head, data = _read(index)
    place = {name: i for i, name in enumerate(data["docnames"])}
    entries = data.setdefault("indexentries", {})
    for word, pages in words.items():
        entries[word.lower()] = [[place[page], "", k == 0] for k, page in enumerate(pages)]
    for terms in (data.get("terms", {}), data.get("titleterms", {})):
        for term in [term for term in terms if not term.isascii()]:
            terms.setdefault(_plain(term), terms[term])
    return _written(head, data)
