"""A door has the name and the words of the method it is, and refuses what the function behind it refuses."""

import inspect

import pytest

from multiloop.model.lazy_methods import lazy_method


class House:
    """Something with doors."""

    shout = lazy_method("textwrap", "shorten", "Cut a text short.\n\n    width: most letters")
    plain = lazy_method("textwrap", "dedent")


def test_method_is_called_as_its_attribute():
    assert House.shout.__name__ == "shout"
    assert House.shout.__qualname__ == "House.shout"
    assert House.shout.__module__ == __name__


def test_help_shows_the_words_given():
    assert inspect.getdoc(House.shout).startswith("Cut a text short.")
    assert "See `textwrap.shorten`." in House.shout.__doc__
    assert House.plain.__doc__ == "See `textwrap.dedent`."


def test_door_calls_the_function_with_the_object_first():
    assert House.shout("one two three", width=8) == "[...]"
    assert House.plain("  a") == "a"


def test_misspelt_keyword_is_refused_in_words_about_the_door(texts):
    with pytest.raises(TypeError) as caught:
        House().shout(widht=3)
    texts(caught.value, "House.shout()", "'widht'", "'width'")


def test_too_many_arguments_name_what_can_be_given(texts):
    with pytest.raises(TypeError) as caught:
        House().shout(1, 2, 3)
    texts(caught.value, "House.shout()", "width", hide=[r"(?<=\(\): ).*?(?=\.)"])
