"""The shape of the runs of one cell.

cell        moments, normality and bimodality of a cell
fits        families fitted by maximum likelihood, and whether a cell falls into two groups
components  variance of tasks, runs and episodes
"""

from runoff._inference.shape.cell import LEAST_DAGOSTINO, Shape, flat, shape_of
from runoff._inference.shape.components import Components, nested_components
from runoff._inference.shape.fits import Fitted, best_fit, density, two_humped

__all__ = [
    "Components",
    "Fitted",
    "LEAST_DAGOSTINO",
    "Shape",
    "best_fit",
    "density",
    "flat",
    "nested_components",
    "shape_of",
    "two_humped",
]
