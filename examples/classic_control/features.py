"""What an agent sees of an observation.

Every encoder answers two questions: ``active(observation)``, the indices of the binary features that are
on (for the agents that learn weights step by step), and ``basis(observation)``, a short dense vector (for
the agents that search a whole policy at once).
"""

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement

import numpy as np


class OneHot:
    """A discrete state is its own only feature."""

    def __init__(self, n_states: int) -> None:
        self.n_active, self.n_features, self.n_basis = 1, n_states, n_states
        self._active = np.arange(n_states)[:, None]
        self._basis = np.eye(n_states)

    def active(self, state: int) -> np.ndarray:
        """Index of the state, shape (1,)."""
        return self._active[state]

    def basis(self, state: int) -> np.ndarray:
        """The state as a unit vector, shape (n_states,)."""
        return self._basis[state]


class Tiles:
    """Tile coding (Sutton & Barto 2018, §9.5.4): several shifted grids over a box, one tile on in each.

    Tiling i of n is shifted by i/n of a tile times the displacement vector (1, 3, 5, ...).
    """

    def __init__(
        self,
        low: Sequence[float],
        high: Sequence[float],
        *,
        bins: int,
        tilings: int = 8,
        degree: int = 1,
        view: Callable[[np.ndarray], Sequence[float]] | None = None,
    ) -> None:
        n_dims = len(low)
        self._low, self._span = np.array(low), np.array(high) - np.array(low)
        self._bins, self._view, self._degree = bins, view, degree
        odd = 2 * np.arange(n_dims) + 1
        self._shift = np.arange(tilings)[:, None] * odd % tilings / tilings
        self._stride = (bins + 1) ** np.arange(n_dims)
        self._first = np.arange(tilings) * (bins + 1) ** n_dims
        self._monomials = _monomials(n_dims, degree)
        self.n_active, self.n_features = tilings, tilings * (bins + 1) ** n_dims
        self.n_basis = len(self._monomials)

    def active(self, observation: np.ndarray) -> np.ndarray:
        """Index of the tile that is on in each tiling, shape (tilings,)."""
        tile = (self._unit(observation) * self._bins + self._shift).astype(np.int64)
        return tile @ self._stride + self._first

    def basis(self, observation: np.ndarray) -> np.ndarray:
        """All monomials of the coordinates, scaled to [-1, 1], up to the degree; shape (n_basis,)."""
        padded = np.append(2 * self._unit(observation) - 1, 1.0)
        return padded[self._monomials].prod(axis=1)

    def _unit(self, observation: np.ndarray) -> np.ndarray:
        """The coordinates scaled to [0, 1); what lies outside the box is moved to its edge."""
        x = observation if self._view is None else self._view(observation)
        return np.minimum(np.maximum((x - self._low) / self._span, 0.0), 1.0 - 1e-9)


def _monomials(n_dims: int, degree: int) -> np.ndarray:
    """Coordinates that each monomial multiplies, shape (n_basis, degree); index n_dims is the constant 1."""
    return np.array(list(combinations_with_replacement(range(n_dims + 1), degree)))
