"""The exact variance of random Fourier features."""

import re

import numpy as np
import pytest

from rfbook import kernels
from rfbook.bounds import fourier_variance


def test_fourier_variance():
    assert fourier_variance(1.0, 1.0, 10, "paired") == 0 and fourier_variance(1.0, 1.0, 10, "offset") == 0.05
    assert fourier_variance(0.0, 1.0, 10, "paired") == 0.2 and fourier_variance(0.0, 1.0, 10, "offset") == 0.15
    assert fourier_variance(0.0, 0.0, 7, "paired") == fourier_variance(0.0, 0.0, 8, "paired") == 1 / 8
    assert isinstance(fourier_variance(0.5, 0.0, 4, "paired"), float)
    K = kernels.Gaussian()(np.zeros((3, 2)), np.ones((4, 2)))
    assert fourier_variance(K, K**4, 4, "offset").shape == (3, 4)
    for arguments, sentence in (
        ((1.1, 1.0, 4, "paired"), "k_delta is 1.1; it may hold values"),
        ((0.5, np.nan, 4, "paired"), "k_2delta is nan; it may hold values"),
        ((0.9, 0.0, 4, "paired"), "k_2delta is 0.0 at k_delta 0.9; for every kernel it is at least"),
        ((0.5, 0.0, 0, "paired"), "n_components is 0"),
        ((0.5, 0.0, 4, "both"), "phase is 'both'"),
    ):
        with pytest.raises(ValueError, match=re.escape(sentence)):
            fourier_variance(*arguments)
