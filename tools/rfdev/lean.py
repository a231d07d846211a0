"""Pages that load what they use: icons as a small font, no script that nothing calls, drawings without idle digits."""

from __future__ import annotations

import re
from pathlib import Path

_AWESOME = "vendor/fontawesome"
_BASE = {"fa", "fas", "far", "fab", "fa-solid", "fa-regular", "fa-brands", "fa-classic"}
_NAMED = re.compile(r"(?<![\w-])fa-[a-z0-9-]+")
_PRIVATE = re.compile("[\ue000-\uf8ff]")  # where fonts of icons have their signs
_FACE = re.compile(r"@font-face\{[^}]*?font-family:Font Awesome\\ [56] (Free|Brands)[^}]*?font-weight:(\d+)[^}]*\}")
_FONTS = {("Free", "900"): "fa-solid-900", ("Free", "400"): "fa-regular-400", ("Brands", "400"): "fa-brands-400"}

# What pages need not ask for: the icons once more as a script of 1.5 MB, fonts before anybody needs them, and what
# would run cells on somebody's server.
_UNUSED = re.compile(r'''<script[^>]*src="[^"]*(?:/fontawesome/|sphinx-thebe\.js)[^"]*"[^>]*></script>
|<script>const[ ]THEBE_JS_URL[^<]*</script>
|<link[^>]*rel="preload"[^>]*href="[^"]*/fontawesome/[^"]*"[^>]*>
|<link[^>]*href="[^"]*sphinx-thebe\.css[^"]*"[^>]*>''', flags=re.X)
# cards, buttons and tabs stand on few pages
_DESIGN = re.compile(r'<link[^>]*sphinx-design[^>]*>|<script[^>]*/design-tabs[^>]*>\s*</script>')


def without_unused(text: str) -> str:
    """A page that does not ask for what it does not use, its sliders rounded; a second time changes nothing."""
    text = _without(_UNUSED, text)
    if not re.search(r'class="[^"]*\bsd-', text):
        text = _without(_DESIGN, text)
    return re.sub('<div class="rf-slider".*?</svg>', lambda found: rounded(found[0]), text, flags=re.S)


def _without(pattern: re.Pattern, text: str) -> str:
    """A text without what is found, and without the space before it, for which a pattern would look everywhere."""
    parts = re.split(pattern, text)
    return "".join([*map(str.rstrip, parts[:-1]), parts[-1]])


_PLACES = re.compile(r' (?:d|x|y|points)="[^"]*"')  # of paths and of letters, in points; not what scales glyphs
_DIGITS = re.compile(r"(\d\.\d\d)\d+")


def rounded(svg: str) -> str:
    """A drawing without indents, and with two decimals for Matplotlib's six: a hundredth of a point is not seen.

    Examples
    --------
    >>> rounded('<path d="M 1.234567 -0.5L2 3" transform="scale(0.015625)"/>')
    '<path d="M 1.23 -0.5L2 3" transform="scale(0.015625)"/>'
    """
    svg = re.sub(r"[ \t]*\n[ \t]*", "\n", svg)
    svg = re.sub(' style="[^"]*"', lambda found: found[0].replace(": ", ":").replace("; ", ";"), svg)
    return _PLACES.sub(lambda found: _DIGITS.sub(r"\1", found[0]), svg)


def icons_of(texts) -> set[str]:
    """Names of icons, and signs written out, in pages, scripts and style sheets.

    Examples
    --------
    >>> sorted(icons_of(['<i class="fas fa-bars"></i>', r'a::after { content: "\\f107" }']))
    ['\\uf107', 'fa-bars']
    """
    found: set[str] = set()
    for text in texts:
        found.update(_NAMED.findall(text), _PRIVATE.findall(text))
        found.update(chr(int(code, 16)) for code in re.findall(r"\\([ef][0-9a-f]{3})\b", text))
    return found


def few_icons(css: str, used: set[str]) -> tuple[str, set[str]]:
    """The style sheet of the icons with those that are used, and the signs that its fonts need.

    Parameters
    ----------
    css : str
        The whole one.
    used : set of str
        From `icons_of`.
    """
    head = re.match(r"/\*!.*?\*/", css, flags=re.S)
    flat = re.sub(r"@(?:(?:-webkit-)?keyframes|media)[^{]*\{(?:[^{}]*\{[^{}]*\})*\}", "", css)
    kept, signs, names = [], {sign for sign in used if len(sign) == 1}, _BASE | used
    for selectors, body in re.findall(r"([^{}@/]+)\{([^{}]*)\}", flat):
        those = [s for s in selectors.split(",") if set(re.findall(r"\.([\w-]+)", s)) <= names]
        if not those or selectors.startswith("font-face"):
            continue
        kept.append(",".join(those) + "{" + body + "}")
        signs |= {chr(int(code, 16)) for code in re.findall(r'content:"\\([0-9a-f]+)"', body)}
    faces = [re.sub(r"src:[^}]*", f"src:url(../webfonts/{font}.woff) format(\"woff\")", face[0])
             for face in _FACE.finditer(css) if (font := _FONTS.get((face[1], face[2])))]
    return "\n".join([head[0] if head else "", *faces, *kept, ""]), signs


def slim(site: Path, package: Path) -> None:
    """Round drawings; put a style sheet and fonts with the icons of a built site in the place of all two thousand.

    Parameters
    ----------
    site : Path
        Folder of the built site.
    package : Path
        Folder ``static`` of the theme, which has them whole.
    """
    from fontTools import subset
    from fontTools.ttLib import TTFont

    for path in site.glob("_images/*.svg"):
        path.write_text(rounded(path.read_text(encoding="utf-8")), encoding="utf-8")
    sheets = [*package.glob(f"{_AWESOME}/*/css/all.min.css")]
    scripts = [p for p in (site / "_static").rglob("*.[jc]s*") if _AWESOME not in p.as_posix() and p.suffix != ".map"]
    pages = (p.read_text(encoding="utf-8") for p in (*site.rglob("*.html"), *scripts))
    used = icons_of(pages)
    for sheet in sheets:
        css, signs = few_icons(sheet.read_text(encoding="utf-8"), used)
        home = site / "_static" / sheet.parents[1].relative_to(package)
        for gone in (*home.glob("js/*"), *home.glob("webfonts/*")):
            gone.unlink()
        (home / "css" / "all.min.css").write_text(css, encoding="utf-8")
        for name in _FONTS.values():
            font = TTFont(sheet.parents[1] / "webfonts" / f"{name}.ttf")
            options = subset.Options()
            options.drop_tables += ["GSUB", "GPOS"]
            chosen = subset.Subsetter(options)
            chosen.populate(unicodes=[ord(sign) for sign in signs])
            chosen.subset(font)
            font.flavor = "woff"
            font.save(home / "webfonts" / f"{name}.woff")
