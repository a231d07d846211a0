"""The catalogue of data sets: converters on made-up raw samples, and records that are whole.

The last two write the real files out again, where the environment variable RFBOOK_DATA is set.
"""

import gzip
import hashlib
import io
import os
import struct
import zipfile

import numpy as np
import pytest
import scipy.sparse

from rfbook.datasets import catalogue, load, read_idx, read_libsvm, store
from rfbook.datasets.catalogue import CATALOGUE

needs_data = pytest.mark.skipif(not os.environ.get("RFBOOK_DATA", ""), reason="RFBOOK_DATA is not set")
ABALONE = b"M,0.455,0.365,0.095,0.514,0.2245,0.101,0.15,15\r\nI,0.33,0.255,0.08,0.205,0.0895,0.0395,0.055,7\r\n"



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
    out = catalogue._convert_a9a({"a9a": b"-1 3:1 11:1 \n+1 5:1 \n", "a9a.t": b"-1 122:1 \r\n"})
    X, y, X_test, y_test = store._parts(out)
    assert X.shape == (2, 123) and X_test.shape == (1, 123) and X.dtype == np.float32
    assert y.tolist() == [-1, 1] and y_test.tolist() == [-1] and X_test[0, 121] == 1
    with pytest.raises(ValueError, match="other than 1"):
        catalogue._convert_a9a({"a9a": b"-1 3:2\n", "a9a.t": b"-1 122:1\n"})


ADULT = "39, {}, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, {}, 2174, 0, 40, {}, {}"


def test_adult():
    """`?`, CRLF, the comment line, the full stop in the labels of the test file, empty lines."""
    train = "\n".join(
        [ADULT.format("State-gov", "Male", "Cuba", "<=50K"), ADULT.format("?", "Female", "?", ">50K"), "", ""]
    )
    test = "\r\n".join(["|1x3 Cross validator", ADULT.format("Private", "Male", "Peru", ">50K."), ""])
    out = catalogue._convert_adult({"adult.data": train.encode(), "adult.test": test.encode()})
    names = out["feature_names"].tolist()
    assert out["X_train"].shape == (2, 14) and out["X_test"].shape == (1, 14) and out["X_train"].dtype == np.int32
    assert out["y_train"].tolist() == [0, 1] and out["y_test"].tolist() == [1]
    assert out["categories_native_country"].tolist() == ["Cuba", "Peru"]
    assert out["X_train"][:, names.index("native_country")].tolist() == [0, -1]
    assert out["X_train"][:, names.index("workclass")].tolist() == [1, -1]
    assert out["X_test"][0, names.index("capital_gain")] == 2174
    assert out["is_categorical"].sum() == 8
    extra = store._extra(out)
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
        catalogue._convert_adult(
            {"adult.data": line.encode(), "adult.test": ADULT.format("a", "b", "c", ">50K.").encode()}
        )


def test_abalone():
    """Sex by LIBSVM's code, CRLF."""
    out = catalogue._convert_abalone({"abalone.data": ABALONE})
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
    out = catalogue._convert_letter(raw)
    assert out["uci_row_train"].tolist() == [1, 0] and out["uci_row_test"].tolist() == [2]
    assert out["y_train"].tolist() == [8, 19] and out["X_test"][0].tolist() == [
        int(v) for v in LETTER[0].split(",")[1:]
    ]
    with pytest.raises(ValueError, match="row 1 of letter.scale.t"):
        catalogue._convert_letter(raw | {"letter.scale.t": scaled(LETTER[1]).encode()})


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
    out = catalogue._convert_mnist(raw)
    assert out["X_train"].shape == (2, 784) and out["X_test"][0, 29] == 29 and out["y_test"].tolist() == [5, 0]
    with pytest.raises(ValueError, match="go with"):
        catalogue._convert_mnist(raw | {"t10k-labels-idx1-ubyte.gz": gzip.compress(idx(3))})


def test_usps():
    """Digit first, then 256 values."""
    row = "6.0000 " + "-1.0000 " * 255 + "0.6310 \r\n"
    out = catalogue._convert_usps({"zip.train.gz": gzip.compress((row * 2).encode()), "zip.test.gz": row.encode()})
    assert (
        out["X_train"].shape == (2, 256)
        and out["y_train"].tolist() == [6, 6]
        and out["X_test"][0, -1] == np.float32(0.631)
    )
    with pytest.raises(ValueError, match="257"):
        catalogue._convert_usps({"zip.train.gz": b"1 2 3\n", "zip.test.gz": b"1 2 3\n"})


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
    out = catalogue._convert_ccpp(workbook([[a, b, a], [b, a, a], [a, a, b]]))
    assert out["sheet_perm"].tolist() == [[0, 1, 2], [1, 0, 2], [0, 2, 1]]
    assert out["X"].tolist() == np.float32([a, b, a])[:, :4].tolist() and out["y"][0] == np.float32(463.26)
    with pytest.raises(ValueError, match="same rows"):
        catalogue._convert_ccpp(workbook([[a, b], [a, a]]))
    with pytest.raises(ValueError, match="columns"):
        catalogue._convert_ccpp(workbook([[a]], head=("V", "AT", "AP", "RH", "PE")))


def connection(service, label, duration=0, rate="0.07"):
    """A line of KDD Cup 99."""
    values = {n: rate if n in catalogue._KDD_RATE else "181" for n in catalogue._KDD}
    values |= {"protocol_type": "tcp", "service": service, "flag": "SF", "duration": str(duration)}
    return ",".join(values[n] for n in catalogue._KDD) + f",{label}.\r\n"


def test_kdd():
    """Codes over both files, classes of the test file at the end, rates exact to the hundredth."""
    train = connection("http", "smurf", 693375640) + connection("auth", "normal", rate="1.00")
    test = connection("icmp", "apache2", rate="0.29")
    out = catalogue._convert_kdd(
        {"kddcup.data_10_percent.gz": gzip.compress(train.encode()), "corrected.gz": test.encode()}
    )
    X, y, X_test, y_test = store._parts(out)
    assert X.shape == (2, 41) and X[0, 0] == 693375640 and X[1, 24] == 1 and X_test[0, 40] == 0.29
    assert (
        out["class_names"].tolist() == ["normal", "smurf", "apache2"]
        and y.tolist() == [1, 0]
        and y_test.tolist() == [2]
    )
    assert out["categories_service"].tolist() == ["auth", "http", "icmp"] and X[:, 2].tolist() == [1, 0]
    assert store._extra(out)["is_categorical"].sum() == 3
    assert (len(catalogue._KDD), len(catalogue._KDD_INT), len(catalogue._KDD_RATE)) == (41, 23, 15)


def test_records():
    """Checksums are whole or empty; only official raw files are fetched; each has an address and an author."""
    for name, r in CATALOGUE.items():
        assert r.task in ("regression", "classification") and r.source and r.url.startswith("http") and r.citation, name
        for f in r.files:
            assert f.urls and (f.sha256 == "" or len(bytes.fromhex(f.sha256)) == 32), f.name


# --- the real files, where the sets are


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
    known = {f.name: f.sha256 for r in CATALOGUE.values() for f in r.files}
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
        record = CATALOGUE[name]
        assert record.convert is not None
        assert store._content_sha256(record.convert(raw)) == record.content_sha256
