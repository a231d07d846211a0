"""What the run of the ledger keeps."""

import warnings
from types import SimpleNamespace

import pytest

from rfbook.lab import claims
from rfdev import ledger


def test_a_claim_that_warns_has_no_verdict(monkeypatch):
    """A notebook that judges it anew would fail by what it writes there."""
    monkeypatch.setattr(claims, "registry", lambda: [SimpleNamespace(name="loud")])
    monkeypatch.setattr(claims, "judge", lambda claim: warnings.warn("too small", UserWarning, stacklevel=1))
    with pytest.raises(UserWarning, match="too small"):
        ledger._judge("loud")
