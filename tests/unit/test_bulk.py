from __future__ import annotations

import gc

import pytest

from experience_pack.model import without_collector


def test_the_collector_rests_inside_and_works_again_after_an_error() -> None:
    resting = []

    @without_collector()
    def fail() -> None:
        resting.append(not gc.isenabled())
        raise ValueError

    with pytest.raises(ValueError):
        fail()

    assert resting == [True]
    assert gc.isenabled()


def test_a_block_inside_a_block_does_not_wake_the_collector() -> None:
    with without_collector():
        with without_collector():
            pass

        assert not gc.isenabled()
