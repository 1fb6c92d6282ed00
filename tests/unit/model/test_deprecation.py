"""Are earlier names of arguments accepted with a warning that refers to the line of the caller?"""

import warnings

import pytest

from multiloop.model.deprecation import MultiloopDeprecationWarning, accept_earlier_arguments


@accept_earlier_arguments("width", "height", outputs="samples")
def plotted(result, *, width=1.0, height=2.0, samples=501):
    return result, width, height, samples


def test_a_renamed_argument():
    with pytest.warns(MultiloopDeprecationWarning, match="'outputs' is called 'samples'") as caught:
        assert plotted("run", outputs=3) == ("run", 1.0, 2.0, 3)
    assert caught[0].filename == __file__
    assert plotted.earlier_arguments == {"outputs": "samples"}


def test_arguments_by_position():
    with pytest.warns(MultiloopDeprecationWarning, match="width=, height= as keywords"):
        assert plotted("run", 4.0, 5.0) == ("run", 4.0, 5.0, 501)


def test_present_arguments_give_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plotted("run", width=4.0, samples=3) == ("run", 4.0, 2.0, 3)


@pytest.mark.parametrize(
    ("given", "options"),
    [
        (("run",), {"outputs": 3, "samples": 3}),
        (("run", 4.0), {"width": 4.0}),
        (("run", 4.0, 5.0, 6.0), {}),
    ],
)
def test_arguments_given_twice_or_too_many_are_refused(given, options):
    with pytest.raises(TypeError):
        plotted(*given, **options)
