"""Data sets: converters on made-up raw samples, the way from an address to the cache, and what may go wrong.

No test needs a network.  Those that compare the real sets with what is recorded of them run only
where the environment variable RFBOOK_DATA is set.
"""

import gzip
import hashlib
import http.server
import io
import os
import struct
import subprocess
import sys
import threading
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

from rfbook import datasets
from rfbook.datasets import DatasetError, available, load, make_smooth_regression, read_idx, read_libsvm

DATA = os.environ.get("RFBOOK_DATA", "")
BUNDLED = {"digits": (1797, 64), "diabetes": (442, 10), "breast_cancer": (569, 30), "wine": (178, 13), "iris": (150, 4)}
FILES = sorted(set(datasets._CATALOGUE) - set(BUNDLED))
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
    arrays = datasets._convert_abalone({"abalone.data": ABALONE})
    raw = datasets._Raw(
        "abalone.data", (server.url + "gone", server.url + "abalone.data"), hashlib.sha256(ABALONE).hexdigest()
    )
    record = replace(
        datasets._CATALOGUE["abalone"],
        shape=(2, 0, 8),
        files=(raw,),
        content_sha256=datasets._content_sha256(arrays),
        means=(float(arrays["X"].mean(dtype=float)), 11.0),
    )
    monkeypatch.setitem(datasets._CATALOGUE, "abalone", record)
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


# --- converters


def test_libsvm():
    """Comments, CRLF, blanks at the end, empty rows; indices start at 1."""
    X, y = read_libsvm(b"# made up\r\n-1 3:1 11:0.5 \r\n\r\n+1\r\n1 123:1 # end\r\n", 123)
    assert scipy.sparse.isspmatrix_csr(X) and X.shape == (3, 123) and y.tolist() == [-1, 1, 1]
    assert X[0, 10] == 0.5 and X[2, 122] == 1 and X[1].nnz == 0


@pytest.mark.parametrize(
    "raw", [b"", b"# nothing\n", b"+1 0:1\n", b"+1 124:1\n", b"+1 a:b\n", b"<html>\n", b"1 2:1 2:1\n"]
)
def test_libsvm_refuses(raw):
    """Empty text, indices out of range, repeated, or no numbers."""
    with pytest.raises(ValueError):
        read_libsvm(raw, 123)


def test_a9a():
    """Binary values only; the width is 123 even when the last columns are empty."""
    out = datasets._convert_a9a({"a9a": b"-1 3:1 11:1 \n+1 5:1 \n", "a9a.t": b"-1 122:1 \r\n"})
    X, y, X_test, y_test = datasets._parts(out)
    assert X.shape == (2, 123) and X_test.shape == (1, 123) and X.dtype == np.float32
    assert y.tolist() == [-1, 1] and y_test.tolist() == [-1] and X_test[0, 121] == 1
    with pytest.raises(ValueError, match="other than 1"):
        datasets._convert_a9a({"a9a": b"-1 3:2\n", "a9a.t": b"-1 122:1\n"})


ADULT = "39, {}, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, {}, 2174, 0, 40, {}, {}"


def test_adult():
    """`?`, CRLF, the comment line, the full stop in the labels of the test file, empty lines."""
    train = "\n".join(
        [ADULT.format("State-gov", "Male", "Cuba", "<=50K"), ADULT.format("?", "Female", "?", ">50K"), "", ""]
    )
    test = "\r\n".join(["|1x3 Cross validator", ADULT.format("Private", "Male", "Peru", ">50K."), ""])
    out = datasets._convert_adult({"adult.data": train.encode(), "adult.test": test.encode()})
    names = out["feature_names"].tolist()
    assert out["X_train"].shape == (2, 14) and out["X_test"].shape == (1, 14) and out["X_train"].dtype == np.int32
    assert out["y_train"].tolist() == [0, 1] and out["y_test"].tolist() == [1]
    assert out["categories_native_country"].tolist() == ["Cuba", "Peru"]
    assert out["X_train"][:, names.index("native_country")].tolist() == [0, -1]
    assert out["X_train"][:, names.index("workclass")].tolist() == [1, -1]
    assert out["X_test"][0, names.index("capital_gain")] == 2174
    assert out["is_categorical"].sum() == 8
    extra = datasets._extra(out)
    assert extra["categories"]["sex"] == ("Female", "Male") and extra["is_categorical"].sum() == 8


@pytest.mark.parametrize(
    "line, message",
    [
        ("1, 2", "line 1: number of fields 2, not 15"),
        ("", "no line"),
        (ADULT.format("a", "b", "c", "rich"), "rich"),
        (ADULT.format("a", "b", "c", ">50K").replace("39", "old"), "old"),
    ],
)
def test_adult_refuses(line, message):
    """A short line, nothing at all, an unknown label, a word for a number."""
    with pytest.raises((ValueError, KeyError), match=message):
        datasets._convert_adult(
            {"adult.data": line.encode(), "adult.test": ADULT.format("a", "b", "c", ">50K.").encode()}
        )


def test_abalone():
    """Sex by LIBSVM's code, CRLF."""
    out = datasets._convert_abalone({"abalone.data": ABALONE})
    assert out["X"].dtype == np.float32 and out["X"][1].tolist() == pytest.approx(
        [3, 0.33, 0.255, 0.08, 0.205, 0.0895, 0.0395, 0.055]
    )
    assert out["y"].tolist() == [15, 7]


LETTER = [
    "T,2,8,3,5,1,8,13,0,6,6,10,8,0,8,0,8",
    "I,5,12,3,7,2,10,5,5,4,13,3,9,2,8,4,10",
    "T,2,8,3,5,1,8,13,0,6,6,10,8,0,8,0,8",
]


def scaled(row):
    """A row as LIBSVM writes it."""
    label, *values = row.split(",")
    return f"{ord(label) - 64} " + " ".join(f"{j}:{int(v) / 7.5 - 1:.6g}" for j, v in enumerate(values, 1)) + " \n"


def test_letter():
    """LIBSVM's order, UCI's integers; repeats are matched in order."""
    raw = {
        "letter-recognition.data": "\n".join(LETTER).encode(),
        "letter.scale": (scaled(LETTER[1]) + scaled(LETTER[0])).encode(),
        "letter.scale.t": scaled(LETTER[2]).encode(),
    }
    out = datasets._convert_letter(raw)
    assert out["uci_row_train"].tolist() == [1, 0] and out["uci_row_test"].tolist() == [2]
    assert out["y_train"].tolist() == [8, 19] and out["X_test"][0].tolist() == [
        int(v) for v in LETTER[0].split(",")[1:]
    ]
    with pytest.raises(ValueError, match="row 1 of letter.scale.t"):
        datasets._convert_letter(raw | {"letter.scale.t": scaled(LETTER[1]).encode()})


def idx(*shape, values=None):
    """Bytes of an idx file."""
    body = bytes(values) if values is not None else bytes(i % 256 for i in range(int(np.prod(shape))))
    return bytes([0, 0, 8, len(shape)]) + struct.pack(f">{len(shape)}I", *shape) + body


def test_idx():
    """Headers are big-endian; gzipped or not; 1 to 3 axes."""
    assert read_idx(idx(2, 3, 4))[1, 2, 3] == 23 and read_idx(gzip.compress(idx(5))).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "raw", [b"", b"\0\0", b"<html>", idx(2, 3)[:-1], idx(2, 3) + b"x", b"\0\0\x09\x01\0\0\0\0", idx(300)[:6]]
)
def test_idx_refuses(raw):
    """Cut short, too long, another type, no idx file."""
    with pytest.raises(ValueError):
        read_idx(raw)


def test_mnist():
    """Four files, images in rows of 784."""
    images, labels = gzip.compress(idx(2, 28, 28)), gzip.compress(idx(2, values=[5, 0]))
    raw = {
        "train-images-idx3-ubyte.gz": images,
        "train-labels-idx1-ubyte.gz": labels,
        "t10k-images-idx3-ubyte.gz": images,
        "t10k-labels-idx1-ubyte.gz": labels,
    }
    out = datasets._convert_mnist(raw)
    assert out["X_train"].shape == (2, 784) and out["X_test"][0, 29] == 29 and out["y_test"].tolist() == [5, 0]
    with pytest.raises(ValueError, match="go with"):
        datasets._convert_mnist(raw | {"t10k-labels-idx1-ubyte.gz": gzip.compress(idx(3))})


def test_usps():
    """Digit first, then 256 values."""
    row = "6.0000 " + "-1.0000 " * 255 + "0.6310 \r\n"
    out = datasets._convert_usps({"zip.train.gz": gzip.compress((row * 2).encode()), "zip.test.gz": row.encode()})
    assert (
        out["X_train"].shape == (2, 256)
        and out["y_train"].tolist() == [6, 6]
        and out["X_test"][0, -1] == np.float32(0.631)
    )
    with pytest.raises(ValueError, match="257"):
        datasets._convert_usps({"zip.train.gz": b"1 2 3\n", "zip.test.gz": b"1 2 3\n"})


def workbook(sheets, head=("AT", "V", "AP", "RH", "PE")):
    """An archive with a workbook: relations out of order, shared strings in two runs, inline strings on sheet 2."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    n = len(sheets)
    book, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("[Content_Types].xml", "<Types/>")
        z.writestr(
            "xl/sharedStrings.xml",
            f'<sst xmlns="{main}">'
            + "".join(f"<si><r><t>{h[0]}</t></r><r><t>{h[1:]}</t></r></si>" for h in head)
            + "</sst>",
        )
        z.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{rel}"><sheets>'
            + "".join(f'<sheet name="Sheet{k + 1}" sheetId="{k + 1}" r:id="rId{k + 7}"/>' for k in range(n))
            + "</sheets></workbook>",
        )
        z.writestr(
            "xl/_rels/workbook.xml.rels",
            "<Relationships>"
            + "".join(
                f'<Relationship Id="rId{k + 7}" Target="{"/xl/" * (k % 2)}worksheets/s{n - k}.xml"/>'
                for k in reversed(range(n))
            )
            + "</Relationships>",
        )
        for k, rows in enumerate(sheets):
            top = "".join(
                f'<c t="inlineStr"><is><t>{h}</t></is></c>' if k == 1 else f'<c t="s"><v>{i}</v></c>'
                for i, h in enumerate(head)
            )
            body = "".join("<row>" + "".join(f"<c><v>{v!r}</v></c>" for v in row) + "</row>" for row in rows)
            z.writestr(
                f"xl/worksheets/s{n - k}.xml",
                f'<worksheet xmlns="{main}"><sheetData><row>{top}</row>{body}</sheetData></worksheet>',
            )
    with zipfile.ZipFile(outer, "w") as z:
        z.writestr("CCPP/Folds5x2_pp.xlsx", book.getvalue())
    return {"CCPP.zip": outer.getvalue()}


def test_ccpp():
    """Order of the sheets by relation, shared and inline strings, repeats matched in order."""
    a, b = [14.96, 41.76, 1024.07, 73.17, 463.26], [25.18, 62.96, 1020.04, 59.08, 444.37]
    out = datasets._convert_ccpp(workbook([[a, b, a], [b, a, a], [a, a, b]]))
    assert out["sheet_perm"].tolist() == [[0, 1, 2], [1, 0, 2], [0, 2, 1]]
    assert out["X"].tolist() == np.float32([a, b, a])[:, :4].tolist() and out["y"][0] == np.float32(463.26)
    with pytest.raises(ValueError, match="same rows"):
        datasets._convert_ccpp(workbook([[a, b], [a, a]]))
    with pytest.raises(ValueError, match="columns"):
        datasets._convert_ccpp(workbook([[a]], head=("V", "AT", "AP", "RH", "PE")))


def connection(service, label, duration=0, rate="0.07"):
    """A line of KDD Cup 99."""
    values = {n: rate if n in datasets._KDD_RATE else "181" for n in datasets._KDD}
    values |= {"protocol_type": "tcp", "service": service, "flag": "SF", "duration": str(duration)}
    return ",".join(values[n] for n in datasets._KDD) + f",{label}.\r\n"


def test_kdd():
    """Codes over both files, classes of the test file at the end, rates exact to the hundredth."""
    train = connection("http", "smurf", 693375640) + connection("auth", "normal", rate="1.00")
    test = connection("icmp", "apache2", rate="0.29")
    out = datasets._convert_kdd(
        {"kddcup.data_10_percent.gz": gzip.compress(train.encode()), "corrected.gz": test.encode()}
    )
    X, y, X_test, y_test = datasets._parts(out)
    assert X.shape == (2, 41) and X[0, 0] == 693375640 and X[1, 24] == 1 and X_test[0, 40] == 0.29
    assert (
        out["class_names"].tolist() == ["normal", "smurf", "apache2"]
        and y.tolist() == [1, 0]
        and y_test.tolist() == [2]
    )
    assert out["categories_service"].tolist() == ["auth", "http", "icmp"] and X[:, 2].tolist() == [1, 0]
    assert datasets._extra(out)["is_categorical"].sum() == 3
    assert (len(datasets._KDD), len(datasets._KDD_INT), len(datasets._KDD_RATE)) == (41, 23, 15)


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


def test_format_changed(small_abalone, server, empty, monkeypatch):
    """Without a known checksum the conversion is the check, then shape, means and values are."""
    raw = datasets._Raw("abalone.data", (server.url + "abalone.data",))
    for text, word in (
        (b"<html>", "could not be converted"),
        (ABALONE * 2, r"\(4, 8\)"),
        (ABALONE.replace(b",15", b",16"), "mean of y"),
        (ABALONE.replace(b"0.455", b"0.365").replace(b"M,0.365,0.365", b"M,0.365,0.455"), "values are not"),
    ):
        server.files["abalone.data"] = text
        monkeypatch.setitem(datasets._CATALOGUE, "abalone", replace(small_abalone, files=(raw,)))
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
    np.savez_compressed(folder / "abalone.npz", **datasets._convert_abalone({"abalone.data": ABALONE}) | changes)
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
    assert list(listing) == list(datasets._CATALOGUE) and len(listing) == 21
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
    for word in (name, f"{name}.npz", datasets._CATALOGUE[name].source, "RFBOOK_DATA"):
        assert word in str(e.value)


def test_partial_sets_say_so():
    """Status, notes and what is printed."""
    for name in PARTIAL:
        record = datasets._CATALOGUE[name]
        p = datasets.Provenance(
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
        d = datasets.Dataset(name, np.zeros((1, 1)), np.zeros(1), None, None, (), "", record.task, record.split, p)
        assert "*** PARTIAL ***" in str(p) and "*** PARTIAL" in repr(d) and "never" in repr(d)
        assert not record.files


def test_records():
    """Checksums are whole or empty; nothing but official raw files is fetched, and each has an address."""
    for name, r in datasets._CATALOGUE.items():
        assert r.task in ("regression", "classification") and r.source and r.url.startswith("http"), name
        for f in r.files:
            assert f.urls and (f.sha256 == "" or len(bytes.fromhex(f.sha256)) == 32), f.name


# --- the synthetic problem


def test_smooth_regression():
    """Mean 0, variance 1 (within 5 standard errors), the noise as asked, the seed decides all."""
    for d in (1, 2, 5):
        X, y = make_smooth_regression(20_000, d, noise=0, random_state=0)
        assert (
            X.shape == (20_000, d)
            and np.abs(X).max() <= 1
            and np.array_equal(y, datasets.smooth_regression_function(X))
        )
        assert abs(y.mean()) < 5 * y.std() / 20_000**0.5 and abs(y.var() - 1) < 5 * np.std(y**2) / 20_000**0.5
    a, b = (make_smooth_regression(50, 2, noise=0.3, random_state=np.random.RandomState(1)) for _ in range(2))
    assert np.array_equal(a[1], b[1])
    assert np.array_equal(
        make_smooth_regression(5, 2, random_state=np.random.default_rng(3))[0],
        make_smooth_regression(5, 2, noise=2, random_state=3)[0],
    )


@pytest.mark.parametrize("arguments, name", [((0, 2), "n"), ((True, 2), "n"), ((5, 2.0), "d"), ((5, "2"), "d")])
def test_smooth_regression_refuses(arguments, name):
    """Sizes are integers of at least 1, noise is finite, the seed is a seed."""
    with pytest.raises(ValueError, match=f"{name} is"):
        make_smooth_regression(*arguments)
    for key, bad in (("noise", -1), ("noise", np.nan), ("noise", "1"), ("random_state", "x"), ("random_state", -1)):
        with pytest.raises(ValueError, match=f"{key} is"):
            make_smooth_regression(5, 2, **{key: bad})


# --- the real sets, where they are


@needs_data
@pytest.mark.parametrize("name", FILES)
def test_real_sets(name, tmp_path):
    """Every set loads, passes its checks, and has the parts that it says."""
    if not (Path(DATA).expanduser() / f"{name}.npz").is_file():
        pytest.skip(f"RFBOOK_DATA holds no {name}.npz")
    d = load(name, cache=tmp_path, download=False)
    n_train, n_test, width = datasets._CATALOGUE[name].shape
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


@needs_data
def test_real_mnist_idx():
    """Written out as idx files, MNIST has the MD5 of the original uncompressed files, and is read back."""
    d = load("mnist")
    for X, y, md5 in (
        (d.X_train, d.y_train, ("6bbc9ace898e44ae57da46a324031adb", "a25bea736e30d166cdddb491f175f624")),
        (d.X_test, d.y_test, ("2646ac647ad5339dbf082846283269ea", "27ae3e4e09519cfbb04c329615203637")),
    ):
        images, labels = idx(len(X), 28, 28, values=X.tobytes()), idx(len(y), values=y.astype(np.uint8).tobytes())
        assert (hashlib.md5(images).hexdigest(), hashlib.md5(labels).hexdigest()) == md5
        assert np.array_equal(read_idx(images).reshape(len(X), 784), X)


@needs_data
def test_real_files_written_out_again():
    """UCI's and LIBSVM's files, written out from the arrays, have the recorded checksums and convert back."""
    known = {f.name: f.sha256 for r in datasets._CATALOGUE.values() for f in r.files}
    raw = {}
    for part, name in (("train", "a9a"), ("test", "a9a.t")):
        d = load("a9a")
        X, y = getattr(d, f"X_{part}"), getattr(d, f"y_{part}")
        rows = np.split(X.indices + 1, X.indptr[1:-1])
        raw[name] = "".join(
            f"{label:+d} " + "".join(f"{j}:1 " for j in row.tolist()) + "\n"
            for label, row in zip(y.tolist(), rows, strict=True)
        ).encode()
    d = load("abalone")
    raw["abalone.data"] = "".join(
        ",".join(["MFI"[int(x[0]) - 1], *(np.format_float_positional(v, trim="-") for v in x[1:]), f"{y:.0f}"]) + "\n"
        for x, y in zip(d.X_train, d.y_train, strict=True)
    ).encode()
    d = load("letter")
    order = np.argsort(np.concatenate([d.extra["uci_row_train"], d.extra["uci_row_test"]]))
    X, y = np.concatenate([d.X_train, d.X_test])[order], np.concatenate([d.y_train, d.y_test])[order]
    uci = [
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[c] + "," + ",".join(map(str, x))
        for x, c in zip(X.tolist(), y.tolist(), strict=True)
    ]
    raw["letter-recognition.data"] = ("\n".join(uci) + "\n").encode()
    raw["letter.scale"] = "".join(scaled(uci[i]) for i in d.extra["uci_row_train"].tolist()).encode()
    raw["letter.scale.t"] = "".join(scaled(uci[i]) for i in d.extra["uci_row_test"].tolist()).encode()
    d = load("adult")
    words = [(*d.extra["categories"].get(n, ()), "?") for n in d.feature_names]
    for part, name, stop in (("train", "adult.data", ""), ("test", "adult.test", ".")):
        rows = zip(getattr(d, f"X_{part}").tolist(), getattr(d, f"y_{part}").tolist(), strict=True)
        lines = [
            ", ".join(
                [w[c] if len(w) > 1 else str(c) for w, c in zip(words, x, strict=True)] + [("<=50K", ">50K")[y] + stop]
            )
            for x, y in rows
        ]
        raw[name] = ("\n".join(["|1x3 Cross validator"] * bool(stop) + lines) + "\n\n").encode()
    for name, text in raw.items():
        assert known[name] in ("", hashlib.sha256(text).hexdigest()), name
    for name in ("a9a", "abalone", "letter", "adult"):
        record = datasets._CATALOGUE[name]
        assert record.convert is not None
        assert datasets._content_sha256(record.convert(raw)) == record.content_sha256
