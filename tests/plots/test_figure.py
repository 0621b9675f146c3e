"""The options that all figures share are spelt out where users look for them, and no others are taken."""

import inspect
import re

import pytest
from matplotlib.figure import Figure

import runoff as ro
from runoff import plots

RESULT = ro.aggregate(ro.Scores.from_dict({"A": [[1.0], [2.0], [4.0]], "B": [[2.0], [3.0], [3.5]]}), n_resamples=100)


@pytest.mark.parametrize("name", plots.PLOTS)
def test_every_parameter_of_a_figure_has_a_type_and_is_in_its_docstring(name):
    parameters = inspect.signature(getattr(plots, name)).parameters
    assert {"title"} <= parameters.keys()
    assert all(p.annotation is not p.empty for p in parameters.values())
    words = inspect.getdoc(getattr(plots, name)).split("Returns\n---")[0]
    described = [name for line in re.findall(r"(?m)^([\w, ]+?)(?: :.*)?$", words) for name in line.split(", ")]
    assert [p for p in parameters if p not in described] == []
    assert [p.name for p in parameters.values() if p.kind is p.VAR_KEYWORD] == []


def test_a_figure_of_one_panel_is_as_wide_as_a_column_and_one_of_several_as_a_page():
    widths = {
        name: inspect.signature(getattr(plots, name)).parameters["width"].default for name in ("improvement", "tasks")
    }
    assert widths == {"improvement": 3.3, "tasks": 6.8}
    assert plots.aggregates(RESULT)[0].figure.get_figwidth() == 6.8


def test_a_misspelt_option_is_refused_by_name():
    with pytest.raises(TypeError, match=r"aggregates\(\) got an unexpected keyword argument 'widht'"):
        plots.aggregates(RESULT, widht=3.0)


@pytest.mark.parametrize("option", ["ax", "axes"])
def test_panels_are_drawn_on_the_array_of_axes_that_subplots_gives(option):
    given = Figure().subplots(2, 2)
    result = ro.aggregate(
        ro.Scores.from_dict({"A": [[1.0], [2.0], [4.0]]}), measure=["mean", "median", "iqm", "trimmed_mean_10"]
    )
    assert list(plots.aggregates(result, **{option: given})) == list(given.ravel())


def test_a_width_of_none_is_the_usual_width():
    assert plots.aggregates(RESULT, width=None)[0].figure.get_figwidth() == 6.8


def test_a_width_that_is_no_length_is_refused_in_words():
    with pytest.raises(ro.OptionError, match="width must be inches"):
        plots.aggregates(RESULT, width=True)
