"""Models whose functions are methods of the objects that own them."""

import copy
import gc
import weakref
from typing import Any

import numpy as np
import pytest
from support import bouncing_ball

import saltus as sl


class Owner:
    """Something whose model calls it."""

    def __init__(self) -> None:
        self.other: Any = None
        self.model = bouncing_ball(force=self.pull, gap=sl.Function(self.height, jacobian=self.slope))

    def pull(self, q: np.ndarray) -> np.ndarray:
        return -9.81 + 0 * q

    def height(self, q: np.ndarray) -> np.ndarray:
        return q

    def slope(self, q: np.ndarray) -> np.ndarray:
        return np.eye(1)


@pytest.mark.parametrize("use", ["alone", "copied", "simulated", "simulation", "failed"])
def test_a_model_whose_functions_are_methods_of_its_owner_is_freed(use: str) -> None:
    owner = Owner()
    if use == "copied":
        owner.other = copy.deepcopy(owner.model)
    if use == "simulated":
        owner.other = sl.simulate(owner.model, 1.0, 1e-2)
    if use == "simulation":
        owner.other = sl.Simulation(owner.model, step=1e-2)
        owner.other.step(10)
    if use == "failed":
        with pytest.raises(ValueError):
            owner.model.lagrangian("ball", q=[1.0], mass=1.0, force=owner.pull)
    alive = weakref.ref(owner)
    del owner
    gc.collect()
    assert alive() is None


def test_what_is_alive_is_not_collected() -> None:
    owner = Owner()
    model, simulation = owner.model, sl.Simulation(owner.model, step=1e-2)
    del owner
    for _ in range(3):
        gc.collect()
        simulation.step(10)
    assert sl.simulate(model, 0.2, 1e-2).success
    documents = [type(model._document).__new__(type(model._document)) for _ in range(3)]  # never initialised
    gc.collect()
    assert len(documents) == 3


def test_collections_may_come_while_a_run_is_under_way() -> None:
    def force(q: np.ndarray) -> np.ndarray:
        gc.collect()
        return -9.81 + 0 * q

    assert sl.simulate(bouncing_ball(force=force), 0.05, 1e-2).success
