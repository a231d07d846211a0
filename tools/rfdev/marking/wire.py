"""Messages between checks and answers: JSON and raw numbers, so that nothing an answer sends is ever unpickled.

This file is read on both sides of the wall and needs nothing but NumPy (and SciPy for sparse matrices).
"""

from __future__ import annotations

import json
import math
import numbers
import struct

import numpy as np

MAX_HEAD = 2**26  # bytes of JSON in one message
DEPTH = 8  # of lists in lists
KINDS = "biufc"  # of the arrays that may pass: truth values, integers, floats, complex numbers
_SMALL = 2**16  # bytes of arrays that are copied together and sent at once
_HEAD = struct.Struct(">QQ")


class Garbled(Exception):
    """What came is no message; the text is a sentence."""


class Closed(Exception):
    """The other side has gone."""


# ---- values ---------------------------------------------------------------------------------------------------------


def _array(value, buffers):
    value = np.ascontiguousarray(value).reshape(np.shape(value))
    buffers.append(value)
    return {"a": [value.dtype.str, list(value.shape)]}


def _plain(state):
    if isinstance(state, dict):
        return {name: _plain(part) for name, part in state.items()}
    return state.tolist() if isinstance(state, (np.ndarray, np.generic)) else state


def _generator(rng):
    bits = rng.bit_generator
    return {"g": [_plain(bits.state), int(getattr(bits.seed_seq, "n_children_spawned", 0))]}


def encode(value, buffers, depth=DEPTH):
    """A value as JSON, its arrays appended to `buffers`; of what cannot pass only the name of its type is left."""
    kind = type(value)
    if value is None or kind in (bool, str):
        return value
    if isinstance(value, (int, np.integer)) and kind is not np.bool_:
        return {"i": str(int(value))} if kind is int else {"n": _array(np.asarray(value), buffers)}
    if kind is float:
        return value if math.isfinite(value) else {"f": repr(value)}
    if kind is complex:
        return {"c": [repr(value.real), repr(value.imag)]}
    if isinstance(value, np.generic) and value.dtype.kind in KINDS:
        return {"n": _array(np.asarray(value), buffers)}
    if isinstance(value, np.ndarray) and value.dtype.kind in KINDS:
        return _array(np.asarray(value), buffers)
    if isinstance(value, np.random.Generator):
        return _generator(value)
    if hasattr(value, "tocsr") and hasattr(value, "nnz"):
        rows = value.tocsr()
        return {"s": [list(map(int, rows.shape)),
                      *(_array(np.asarray(part), buffers) for part in (rows.data, rows.indices, rows.indptr))]}
    if isinstance(value, numbers.Rational):
        return encode(value.numerator / value.denominator, buffers)
    if isinstance(value, numbers.Real):
        return encode(float(value), buffers)
    if depth and isinstance(value, (list, tuple)):
        return _sequence(value, buffers, depth)
    if depth and hasattr(value, "__array__"):
        return encode(np.asarray(value), buffers, depth - 1)
    if depth and isinstance(value, np.ndarray):  # of objects
        return encode(value.tolist(), buffers, depth - 1)
    if depth and hasattr(value, "__next__"):
        return _sequence(list(_first(value)), buffers, depth)
    return {"o": kind.__name__}


def _first(iterator, most=100_000):
    for _, item in zip(range(most), iterator, strict=False):
        yield item


def _sequence(value, buffers, depth):
    name = "t" if isinstance(value, tuple) else "l"
    if len(value) > 1000:  # many numbers, or many rows
        try:
            rows = np.asarray(value)
        except ValueError:
            rows = np.empty(0, dtype=object)
        if rows.dtype.kind in KINDS:
            return {"r": [name, _array(rows, buffers)]}
    return {name: [encode(item, buffers, depth - 1) for item in value]}


class Foreign:
    """Stands for something that did not pass."""


def decode(tree, buffers):
    """The value that `encode` made a tree of; `buffers` is an iterator over arrays.

    Raises
    ------
    Garbled
    """
    try:
        return _decode(tree, buffers, DEPTH + 4)
    except Garbled:
        raise
    except Exception as error:  # whatever a hostile tree may do
        raise Garbled(f"a value could not be read ({type(error).__name__})") from None


def _decode(tree, buffers, depth):
    if tree is None or type(tree) in (bool, str, float):
        return tree
    if not (isinstance(tree, dict) and len(tree) == 1 and depth):
        raise Garbled("a value could not be read")
    (kind, of), = tree.items()
    if kind == "a":
        return next(buffers)
    if kind == "n":
        return _decode(of, buffers, 1)[()]
    if kind == "i":
        return int(of)
    if kind == "f":
        return float(of)
    if kind == "c":
        return complex(float(of[0]), float(of[1]))
    if kind in "lt":
        items = [_decode(item, buffers, depth - 1) for item in of]
        return items if kind == "l" else tuple(items)
    if kind == "r":
        rows = _decode(of[1], buffers, 1)
        return tuple(rows) if of[0] == "t" else list(rows)
    if kind == "s":
        return _sparse(of, buffers)
    if kind == "g":
        return _own_generator(*of)
    if kind == "o":
        name = "".join(c for c in str(of) if c.isalnum() or c == "_")[:40]
        return type(name or "object", (Foreign,), {})()
    raise Garbled("a value could not be read")


def _sparse(of, buffers):
    from scipy import sparse

    shape = tuple(int(n) for n in of[0])
    data, indices, indptr = (_decode(part, buffers, 1) for part in of[1:])
    found = sparse.csr_matrix((data, indices, indptr), shape=shape)
    found.check_format(full_check=True)  # places outside would be read by compiled code
    return found


_BITS = {name: getattr(np.random, name) for name in ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")}


def _own_generator(state, spawned):
    bits = _BITS[state["bit_generator"]](0)
    rng = np.random.Generator(bits)
    set_state(rng, state, spawned)
    return rng


def set_state(rng, state, spawned):
    """Put a generator where another one is, its children included."""
    bits = rng.bit_generator
    if state.get("bit_generator") != bits.state["bit_generator"]:
        raise Garbled("a generator came back as another one")
    bits.state = state
    seeds = bits.seed_seq
    more = int(spawned) - int(getattr(seeds, "n_children_spawned", 0))
    if 0 < more < 10_000:
        seeds.spawn(more)


# ---- messages -------------------------------------------------------------------------------------------------------


def send(socket, tree, buffers=()):
    """Send a tree of JSON, and arrays."""
    head = json.dumps([tree, [[b.dtype.str, list(b.shape)] for b in buffers]]).encode()
    size = sum(b.nbytes for b in buffers)
    head = _HEAD.pack(len(head), size) + head
    if size <= _SMALL:
        socket.sendall(b"".join([head, *(b.tobytes() for b in buffers)]))
        return
    socket.sendall(head)
    for b in buffers:
        if b.nbytes:
            socket.sendall(b.reshape(-1).view(np.uint8))


def _read(socket, size):
    out = bytearray(size)
    view, at = memoryview(out), 0
    while at < size:
        got = socket.recv_into(view[at:], min(size - at, 2**22))
        if not got:
            raise Closed
        at += got
    return out


def receive(socket, most=2**33):
    """The next tree, and an iterator over its arrays, which have `most` bytes together.

    Raises
    ------
    Garbled, Closed
    """
    head, body = _HEAD.unpack(bytes(_read(socket, _HEAD.size)))
    if head > MAX_HEAD or body > most:
        raise Garbled(f"it sent {(head + body) / 2**20:.0f} MB at once")
    try:
        tree, forms = json.loads(_read(socket, head))
        types = [(np.dtype(str(name)), tuple(int(n) for n in shape)) for name, shape in forms]
        sizes = [kind.itemsize * math.prod(shape) for kind, shape in types]
        sound = all(kind.kind in KINDS and not kind.hasobject and min(shape, default=0) >= 0 for kind, shape in types)
    except (ValueError, TypeError, RecursionError, KeyError, OverflowError):
        raise Garbled("it sent something that is no message") from None
    if not sound or sum(sizes) != body:
        raise Garbled("it sent something that is no message")
    return tree, iter([np.frombuffer(_read(socket, size), dtype=kind).reshape(shape) if size else np.empty(shape, kind)
                       for (kind, shape), size in zip(types, sizes, strict=True)])
