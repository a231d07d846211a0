"""Blocks on threads: the same bits for every caller, and BLAS gets its threads back."""

import multiprocessing
import threading

import numpy as np
import pytest

from rfbook import RandomFourierFeatures, _parallel


def _bits(seed):
    X = np.random.default_rng(seed).standard_normal((2000, 6))
    return RandomFourierFeatures(length_scale=1.0, n_components=64, random_state=0).fit_transform(X).tobytes()


def test_another_thread_that_set_the_threads_of_blas_is_no_obstacle():
    """threadpoolctl listens to the thread that came first, as long as it lives."""
    def counts():
        return {lib.num_threads for lib in _parallel.ThreadpoolController().select(user_api="blas").lib_controllers}

    before, held, done = counts(), threading.Event(), threading.Event()

    def first():
        with _parallel.ThreadpoolController().limit(limits=3, user_api="blas"):
            held.set()
            done.wait()

    thread = threading.Thread(target=first)
    thread.start()
    try:
        held.wait()
        limited = counts()
        with _parallel.one_blas_thread() as threads:
            assert counts() == {1} and {threads} == limited
            with _parallel.one_blas_thread(anew=True):
                assert counts() == {1}
        assert counts() == limited
    finally:
        done.set()
        thread.join()
    assert counts() == before


def test_concurrent_callers_agree_and_give_blas_back(many_threads):
    before = [lib.num_threads for lib in _parallel.ThreadpoolController().select(user_api="blas").lib_controllers]
    want, got = [_bits(s) for s in range(8)], [None] * 8

    def call(s):
        got[s] = _bits(s)

    threads = [threading.Thread(target=call, args=(s,)) for s in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == want
    after = [lib.num_threads for lib in _parallel.ThreadpoolController().select(user_api="blas").lib_controllers]
    assert after == before


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_works(many_threads):
    want = _bits(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_bits, [0, 0, 0]).get(timeout=1800) == [want] * 3


def test_an_interrupt_reaches_the_caller():
    def stop(i):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _parallel.run_blocks(lambda: stop, 4, n_jobs=2)
