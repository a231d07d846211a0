"""The store of data sets: the way from an address to the cache, files that are there, and what may go wrong.

No test needs a network.  Those that compare the real sets with what is recorded of them run only
where the environment variable RFBOOK_DATA is set.
"""

import hashlib
import http.server
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rfbook.datasets import Dataset, DatasetError, Provenance, available, catalogue, load, store
from rfbook.datasets.catalogue import CATALOGUE, Raw

DATA = os.environ.get("RFBOOK_DATA", "")
BUNDLED = {"digits": (1797, 64), "diabetes": (442, 10), "breast_cancer": (569, 30), "wine": (178, 13), "iris": (150, 4)}
FILES = sorted(set(CATALOGUE) - set(BUNDLED))
PARTIAL = [
    "amazon_finefood_subset",
    "buzz_twitter_subset",
    "covtype_subset",
    "higgs_subset",
    "online_news_subset",
    "w8a_train_only",
]
needs_data = pytest.mark.skipif(not DATA, reason="RFBOOK_DATA is not set")

ABALONE = b"M,0.455,0.365,0.095,0.514,0.2245,0.101,0.15,15\r\nI,0.33,0.255,0.08,0.205,0.0895,0.0395,0.055,7\r\n"


@pytest.fixture
def empty(monkeypatch, tmp_path):
    """No RFBOOK_DATA, an empty cache."""
    monkeypatch.delenv("RFBOOK_DATA", raising=False)
    monkeypatch.setenv("RFBOOK_CACHE", str(tmp_path / "cache"))
    for proxy in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(proxy, "127.0.0.1")
    return tmp_path


@pytest.fixture
def server():
    """A server of a dict of files on the loopback interface; its address is ``server.url``."""

    class Handler(http.server.BaseHTTPRequestHandler):
        """Answer with what the dict holds."""

        def do_GET(self):
            """Send a file, or 404, or less than was promised."""
            body = httpd.files.get(self.path[1:])
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Length", str(len(body or b"") + httpd.promise_more))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *args):
            """Be quiet."""

    httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    httpd.files, httpd.promise_more = {}, 0
    httpd.url = f"http://127.0.0.1:{httpd.server_port}/"
    threading.Thread(target=httpd.serve_forever, args=(0.02,), daemon=True).start()
    yield httpd
    httpd.shutdown()
    httpd.server_close()


@pytest.fixture
def small_abalone(monkeypatch, server, empty):
    """Abalone with two rows, served from the loopback interface."""
    server.files["abalone.data"] = ABALONE
    arrays = catalogue._convert_abalone({"abalone.data": ABALONE})
    raw = Raw(
        "abalone.data", (server.url + "gone", server.url + "abalone.data"), hashlib.sha256(ABALONE).hexdigest()
    )
    record = replace(
        CATALOGUE["abalone"],
        shape=(2, 0, 8),
        files=(raw,),
        content_sha256=store._content_sha256(arrays),
        means=(float(arrays["X"].mean(dtype=float)), 11.0),
    )
    monkeypatch.setitem(CATALOGUE, "abalone", record)
    return record


# --- import and the bundled sets


def test_import_is_light():
    """Importing the module pulls in neither scikit-learn nor pooch."""
    code = (
        "import sys, rfbook.datasets; print([m for m in ('sklearn', 'pooch', 'requests', 'tqdm') if m in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled(name, empty):
    """Bundled sets load without files, raw, without a split, and say so."""
    d = load(name, download=False)
    assert d.X_train.shape == BUNDLED[name] and d.y_train.shape == BUNDLED[name][:1]
    assert d.X_test is None and d.y_test is None and "none published" in d.split
    assert len(d.feature_names) == BUNDLED[name][1] and d.target_name
    assert d.y_train.dtype == (np.float64 if d.task == "regression" else np.int64)
    assert d.provenance.loaded_from.startswith("scikit-learn") and d.provenance.sha256 == ""
    assert not (empty / "cache").exists()


def test_bundled_sets_are_deterministic(empty):
    """Twice the same, and independent objects."""
    a, b = load("wine"), load("wine")
    assert np.array_equal(a.X_train, b.X_train) and a.X_train is not b.X_train


# --- the way from an address to the cache


def test_download_convert_cache(small_abalone, server, empty):
    """The second address serves; the cache holds one file, which the second load uses."""
    d = load("abalone")
    assert d.X_train.shape == (2, 8) and d.y_train.tolist() == [15, 7] and d.y_train.dtype == np.float64
    assert [p.name for p in (empty / "cache").iterdir()] == ["abalone.npz"]
    server.files.clear()
    again = load("abalone", download=False)
    assert np.array_equal(again.X_train, d.X_train) and again.provenance.loaded_from == str(
        empty / "cache" / "abalone.npz"
    )
    assert again.provenance.raw_sha256["abalone.data"] == hashlib.sha256(ABALONE).hexdigest()


def test_cache_argument(small_abalone, empty):
    """The argument comes before RFBOOK_CACHE."""
    load("abalone", cache=empty / "elsewhere")
    assert (empty / "elsewhere" / "abalone.npz").is_file() and not (empty / "cache").exists()
    assert {s.name: s.present for s in available(cache=empty / "elsewhere")}["abalone"] == "cache"
    assert {s.name: s.present for s in available()}["abalone"] == "needs download"


@pytest.mark.parametrize(
    "break_it, words",
    [
        (lambda s: s.files.update({"abalone.data": b"<html>sorry</html>"}), ["SHA-256", "HTTP status 404"]),
        (lambda s: s.files.clear(), ["HTTP status 404"]),
        (lambda s: setattr(s, "promise_more", 7), ["ChunkedEncodingError"]),
        (lambda s: s.server_close(), ["Connect"]),
    ],
)
def test_broken_download(small_abalone, server, empty, break_it, words):
    """Wrong bytes, missing file, broken transfer, nobody there: one sentence, nothing in the cache."""
    break_it(server)
    with pytest.raises(DatasetError) as e:
        load("abalone")
    for word in ["abalone.data", server.url, "RFBOOK_DATA", *words]:
        assert word in str(e.value)
    assert "\n" not in str(e.value) and not list((empty / "cache").iterdir())


def test_a_file_that_goes_on_and_on(small_abalone, server, empty, monkeypatch):
    """A transfer ends where the file is larger than it may be, and says so; nothing of it is kept."""
    raw = Raw("abalone.data", (server.url + "abalone.data",), most=len(ABALONE))
    monkeypatch.setitem(CATALOGUE, "abalone", replace(small_abalone, files=(raw,)))
    server.files["abalone.data"] = ABALONE + bytes(10**6)
    with pytest.raises(DatasetError, match=rf"more than {len(ABALONE)} bytes"):
        load("abalone")
    assert not list((empty / "cache").iterdir())
    server.files["abalone.data"] = ABALONE
    assert "not verified, but for size and the numbers in it" in str(load("abalone").provenance)


def test_files_without_a_checksum_have_a_size_and_numbers_to_agree_with():
    for record in CATALOGUE.values():
        for file in record.files:
            assert file.sha256 or (file.most < 2**26 and record.content_sha256 and record.means), file.name


def test_format_changed(small_abalone, server, empty, monkeypatch):
    """Without a known checksum the conversion is the check, then shape, means and values are."""
    raw = Raw("abalone.data", (server.url + "abalone.data",))
    for text, word in (
        (b"<html>", "could not be converted"),
        (ABALONE * 2, r"\(4, 8\)"),
        (ABALONE.replace(b",15", b",16"), "mean of y"),
        (ABALONE.replace(b"0.455", b"0.365").replace(b"M,0.365,0.365", b"M,0.365,0.455"), "values are not"),
    ):
        server.files["abalone.data"] = text
        monkeypatch.setitem(CATALOGUE, "abalone", replace(small_abalone, files=(raw,)))
        with pytest.raises(DatasetError, match=word):
            load("abalone")
        assert not list((empty / "cache").iterdir())


def test_unwritable_cache(small_abalone, empty):
    """A cache below a file."""
    (empty / "file").write_text("")
    with pytest.raises(DatasetError, match="RFBOOK_CACHE"):
        load("abalone", cache=empty / "file" / "cache")


def test_interrupt_leaves_nothing(small_abalone, empty, monkeypatch):
    """Neither an interrupt nor a full disk while writing leaves a file in the cache."""
    for error, raised in (
        (KeyboardInterrupt(), KeyboardInterrupt),
        (OSError(28, "No space left on device"), DatasetError),
    ):

        def stop(file, error=error, **arrays):
            """Write a little, then stop."""
            file.write(b"PK half")
            raise error

        monkeypatch.setattr(np, "savez_compressed", stop)
        with pytest.raises(raised):
            load("abalone")
        assert not list((empty / "cache").iterdir())


def test_two_at_once(small_abalone, empty):
    """Two threads fetch the same set; both get it."""
    out = []
    threads = [threading.Thread(target=lambda: out.append(load("abalone").X_train.shape)) for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert out == [(2, 8), (2, 8)] and [p.name for p in (empty / "cache").iterdir()] == ["abalone.npz"]


# --- files that are there


def put(folder, monkeypatch, **changes):
    """Write the small abalone into a directory and let RFBOOK_DATA name it."""
    folder.mkdir(exist_ok=True)
    monkeypatch.setenv("RFBOOK_DATA", str(folder))
    np.savez_compressed(folder / "abalone.npz", **catalogue._convert_abalone({"abalone.data": ABALONE}) | changes)
    return folder / "abalone.npz"


def test_data_directory_comes_first(small_abalone, empty, monkeypatch):
    """RFBOOK_DATA before the cache; the listed checksum is verified, or is said not to be."""
    load("abalone")
    path = put(empty / "data", monkeypatch)
    d = load("abalone", download=False)
    assert (
        d.provenance.loaded_from == str(path) and d.provenance.sha256 == "" and "not verified" in d.provenance.checked
    )
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_name("SHA256SUMS").write_text(f"{'0' * 64}  other.npz\n\n{sha256} *abalone.npz\n")
    assert load("abalone").provenance.sha256 == sha256
    path.with_name("SHA256SUMS").write_text(f"{'0' * 64}  abalone.npz\n")
    with pytest.raises(DatasetError, match="SHA256SUMS"):
        load("abalone")


def test_every_damage_is_found(small_abalone, empty, monkeypatch):
    """Cut at any length or with any byte changed, a file is refused with one error, or its values are unhurt."""
    path = put(empty / "data", monkeypatch)
    whole, X = path.read_bytes(), load("abalone").X_train
    rng = np.random.default_rng(0)
    damaged = [whole[:n] for n in rng.integers(len(whole), size=60)] + [b"", b"\x93NUMPY", b"<html>"]
    for i in rng.integers(len(whole), size=200):
        damaged.append(whole[:i] + bytes([whole[i] ^ (1 << rng.integers(8))]) + whole[i + 1 :])
    refused = 0
    for content in damaged:
        path.write_bytes(content)
        try:
            assert np.array_equal(load("abalone").X_train, X)
        except DatasetError as e:
            assert "abalone.npz" in str(e)
            refused += 1
    assert refused > 150


def test_no_pickles(small_abalone, empty, monkeypatch):
    """An object array is refused, not run."""
    put(empty / "data", monkeypatch, sex_codes=np.array([print], dtype=object))
    with pytest.raises(DatasetError, match="allow_pickle"):
        load("abalone")


def test_wrong_arrays(small_abalone, empty, monkeypatch):
    """Another type, other values, missing arrays, another file under this name."""
    path = put(empty / "data", monkeypatch, y=np.array([15.0, 7.0]))
    with pytest.raises(DatasetError, match="values are not"):
        load("abalone")
    put(empty / "data", monkeypatch, y=np.array([14, 7], dtype=np.int16))
    with pytest.raises(DatasetError, match="mean of y_train is 10.5"):
        load("abalone")
    np.savez(path, X=np.zeros((2, 8)))
    with pytest.raises(DatasetError, match="does not have the arrays"):
        load("abalone")
    np.savez(
        path,
        X_train_data=np.ones(3),
        X_train_indices=np.array([0, 99, 1]),
        X_train_indptr=np.array([0, 1, 3]),
        X_train_shape=np.array([2, 8]),
        y_train=np.zeros(2),
    )
    with pytest.raises(DatasetError):
        load("abalone")


def test_wrong_directory(empty, monkeypatch):
    """RFBOOK_DATA that is no directory is an error, for load and for available."""
    monkeypatch.setenv("RFBOOK_DATA", str(empty / "nowhere"))
    for call in (available, lambda: load("iris")):
        with pytest.raises(DatasetError, match="RFBOOK_DATA is .*nowhere"):
            call()
    monkeypatch.setenv("RFBOOK_DATA", "")
    assert load("iris").task == "classification"


# --- names and arguments


def test_available(empty):
    """All sets, with where they come from."""
    listing = {s.name: s for s in available()}
    assert list(listing) == list(CATALOGUE) and len(listing) == 21
    assert all(listing[n].present == "bundled" for n in BUNDLED)
    assert all(listing[n].present == "cannot be downloaded" and listing[n].status == "PARTIAL" for n in PARTIAL)
    assert [n for n, s in listing.items() if s.status == "PARTIAL"] == sorted(PARTIAL, key=list(listing).index)
    assert listing["a9a"].present == "needs download" and listing["a9a"].n == 48842 and listing["a9a"].d == 123
    assert all(s.n == s.n_train + s.n_test for s in listing.values())


@pytest.mark.parametrize(
    "name, near",
    [
        ("minst", "mnist"),
        ("covtype", "covtype_subset"),
        ("w8a", "w8a_train_only"),
        ("MNIST", "mnist"),
        ("kddcup99", "kddcup99_10pct"),
        ("", "a9a"),
        (None, "a9a"),
        (["mnist"], "mnist"),
    ],
)
def test_unknown_name(name, near):
    """Near names are listed; without any, all are."""
    with pytest.raises(ValueError, match=f"name is .*{near}"):
        load(name)


@pytest.mark.parametrize("arguments", [{"download": "no"}, {"download": None}, {"cache": 3}])
def test_wrong_arguments(arguments, empty):
    """The sentence names the argument and its value."""
    with pytest.raises(ValueError, match="download is|cache is"):
        load("mnist", **arguments)


@pytest.mark.parametrize("name", FILES)
def test_missing_without_network(name, empty):
    """The sentence names the set, the file, the source and the variable."""
    with pytest.raises(DatasetError) as e:
        load(name, download=False)
    for word in (name, f"{name}.npz", CATALOGUE[name].source, "RFBOOK_DATA"):
        assert word in str(e.value)


def test_partial_sets_say_so():
    """Status, notes and what is printed."""
    for name in PARTIAL:
        record = CATALOGUE[name]
        p = Provenance(
            name,
            record.status,
            record.source,
            record.url,
            record.licence,
            record.citation,
            record.notes,
            "",
            record.content_sha256,
            {},
            "",
            "",
        )
        d = Dataset(name, np.zeros((1, 1)), np.zeros(1), None, None, (), "", record.task, record.split, p)
        assert "*** PARTIAL ***" in str(p) and "*** PARTIAL" in repr(d) and "never" in repr(d)
        assert not record.files


# --- the real sets, where they are


@needs_data
@pytest.mark.parametrize("name", FILES)
def test_real_sets(name, tmp_path):
    """Every set loads, passes its checks, and has the parts that it says."""
    if not (Path(DATA).expanduser() / f"{name}.npz").is_file():
        pytest.skip(f"RFBOOK_DATA holds no {name}.npz")
    d = load(name, cache=tmp_path, download=False)
    n_train, n_test, width = CATALOGUE[name].shape
    assert d.X_train.shape[0] == len(d.y_train) == n_train and (len(d.y_test) if n_test else d.y_test) == (
        n_test or None
    )
    assert len(d.feature_names) == width and d.target_name and d.provenance.content_sha256
    assert ("PARTIAL" in repr(d)) == (name in PARTIAL) and not list(tmp_path.iterdir())


@needs_data
def test_real_invariants():
    """Counts and moments that the papers and the original sites give."""
    a9a, adult = load("a9a"), load("adult")
    assert (a9a.X_train.nnz, a9a.X_test.nnz) == (451592, 225731) and a9a.X_train.dtype == np.float32
    assert np.array_equal(a9a.y_train > 0, adult.y_train == 1) and (adult.y_train.sum(), adult.y_test.sum()) == (
        7841,
        3846,
    )
    assert (adult.X_train == -1).sum() == 4262 and (adult.X_train == -1).any(axis=1).sum() == 2399
    assert adult.extra["is_categorical"].sum() == 8 and adult.extra["categories"]["sex"] == ("Female", "Male")
    abalone, ccpp, cpu = load("abalone"), load("ccpp"), load("cpu_act")
    assert round(abalone.y_train.mean(), 4) == 9.9337 and (abalone.y_train.min(), abalone.y_train.max()) == (1, 29)
    assert round(ccpp.y_train.mean(), 3) == 454.365
    for perm in ccpp.extra["sheet_perm"]:
        assert np.array_equal(np.sort(perm), np.arange(9568))
    assert cpu.X_train.shape == (6554, 21) and cpu.X_test.shape == (819, 21) and cpu.extra["X_all"].shape == (8192, 21)
    assert round(cpu.extra["y_all"].mean(), 3) == 83.969 and (cpu.extra["y_all"] == 0).sum() == 283
    assert np.array_equal(cpu.X_test, cpu.extra["X_all"][9::10])
    usps = load("usps")
    assert np.bincount(usps.y_train).tolist() == [1194, 1005, 731, 658, 652, 556, 664, 645, 542, 644]
    assert np.bincount(usps.y_test).tolist() == [359, 264, 198, 166, 200, 160, 170, 147, 166, 177]
    letter = load("letter")
    train = set(map(bytes, np.column_stack([letter.X_train, letter.y_train]).astype(np.uint8)))
    assert sum(bytes(r) in train for r in np.column_stack([letter.X_test, letter.y_test]).astype(np.uint8)) == 458
    assert letter.extra["class_names"][letter.y_test[0]] == "Q"
    w8a, reviews = load("w8a_train_only"), load("amazon_finefood_subset")
    assert (w8a.y_train == 1).sum() == 1479 and w8a.X_train.nnz == 579586
    assert reviews.X_train[0].startswith("I ha") and reviews.extra["rffnet_keep"].sum() == 4592
