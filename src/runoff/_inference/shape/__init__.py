"""The shape of the runs of one cell.

cell        moments, normality and bimodality of a cell
fits        families fitted by maximum likelihood, and whether a cell falls into two groups
symmetry    whether a cell is skewed
together    whether runs of one label move together over tasks
components  variance of tasks, runs and episodes
"""

from runoff._inference.shape.cell import LEAST_DAGOSTINO, Shape, flat, shape_of, tied
from runoff._inference.shape.components import Components, nested_components
from runoff._inference.shape.fits import Fitted, best_fit, density, two_humped
from runoff._inference.shape.symmetry import symmetry_pvalue
from runoff._inference.shape.together import Together, together
