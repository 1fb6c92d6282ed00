"""Small mechanisms are solved with one BLAS thread, and the setting of the process is restored."""

from threading import Event, Thread

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import multiloop as ml
from multiloop.model.public_functions import MAX_BODIES_SINGLE_THREAD, one_blas_thread, public_function


def threads() -> set[int]:
    np.linalg.svd(np.eye(2))
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


@public_function
def look(mechanism):
    """A question that answers how many threads it has."""
    return threads()


def test_a_question_has_one_thread_and_restores_the_others():
    with threadpool_limits(limits=2, user_api="blas"):
        if threads() != {2}:
            pytest.skip("this BLAS has one thread only")
        assert look(ml.examples.four_bar()) == {1}
        assert threads() == {2}


def test_large_mechanisms_keep_their_threads():
    with threadpool_limits(limits=2, user_api="blas"):
        before = threads()
        with one_blas_thread(MAX_BODIES_SINGLE_THREAD + 1):
            assert threads() == before
        with one_blas_thread(MAX_BODIES_SINGLE_THREAD):
            assert threads() == {1}


def test_several_threads_at_once_leave_the_setting_as_it_was():
    """The first thread that begins ends first, while the other is still running."""
    first_in, second_in, first_out = Event(), Event(), Event()

    def first():
        with one_blas_thread(1):
            first_in.set()
            second_in.wait(10)
        first_out.set()

    def second():
        first_in.wait(10)
        with one_blas_thread(1):
            seen.append(threads())
            second_in.set()
            first_out.wait(10)

    seen: list[set[int]] = []
    before = threads()
    both = [Thread(target=first), Thread(target=second)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert seen == [{1}]
    assert threads() == before
