"""What a browser loads to show a page of the built site, in bytes as they lie on the disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

MOST = 2_500_000  # bytes that nine pages of ten may load
HEAVIEST = 4_000_000  # bytes that no page exceeds


def asked(tab: Any) -> list[str]:
    """Addresses that a page asks for from now on, in a list that grows; nothing is in the cache of a new context."""
    addresses: list[str] = []
    tab.on("request", lambda request: addresses.append(request.url))
    return addresses


def loaded(tab: Any, addresses: list[str]) -> dict[str, int]:
    """Bytes of each file that a page loads, itself among them, by address; read to its end.

    Parameters
    ----------
    tab : playwright Page
        Shows the page.
    addresses : list of str
        Those of `asked`, from before the page was opened.

    Returns
    -------
    dict of str to int
        What does not lie on this disk, and would come from a network, has -1.
    """
    # pictures that wait until they are seen
    tab.evaluate("document.querySelectorAll('[loading=lazy]').forEach(e => e.loading = 'eager')")
    tab.wait_for_load_state("networkidle")
    return {address: size(address) for address in dict.fromkeys(addresses) if not address.startswith("data:")}


def size(address: str) -> int:
    """Bytes of the file behind an address, 0 if it is missing, -1 if it is elsewhere."""
    parts = urlsplit(address)
    if parts.scheme != "file":
        return -1
    path = Path(url2pathname(unquote(parts.path)))
    return path.stat().st_size if path.exists() else 0


def faults(weights: dict[str, dict[str, int]]) -> list[str]:
    """What is too heavy, or fetched from elsewhere, in words; `weights` has what each page loads."""
    told = [f"{name} asks {address}" for name, files in weights.items() for address, n in files.items() if n < 0]
    totals = {name: sum(files.values()) for name, files in weights.items()}
    told += [f"{name} loads {total / 1e6:.2f} MB" for name, total in totals.items() if total > HEAVIEST]
    heavy = sorted(name for name, total in totals.items() if total > MOST)
    if 10 * len(heavy) > len(totals):
        told.append(f"{len(heavy)} of {len(totals)} pages load more than {MOST / 1e6:.1f} MB: " + ", ".join(heavy))
    return told
