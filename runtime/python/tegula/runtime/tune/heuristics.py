"""`heuristics`: values of parameters that are computed from the arguments of each launch."""

from __future__ import annotations

from typing import Any, Callable

from ..program.kernel_interface import KernelInterface


class Heuristics(KernelInterface):
    """A kernel whose parameters `values` are functions of its other arguments by name."""

    def __init__(self, fn: Any, arg_names: list[str], values: dict[str, Callable[[dict[str, Any]], Any]]):
        self.fn = fn
        self.values = values
        self.arg_names = arg_names

    def _computed(self, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
        """`kwargs` with the values that are computed."""
        known = dict(zip(self.arg_names, args))
        known.update(kwargs)
        for name, compute in self.values.items():
            known[name] = kwargs[name] = compute(known)  # each sees what those before it gave
        return kwargs

    def run(self, *args: Any, **kwargs: Any) -> Any:
        return self.fn.run(*args, **self._computed(args, kwargs))

    def estimate(self, *args: Any, **kwargs: Any) -> tuple[float, str]:
        """Returns what the model says of a launch, see `tune/ranking`."""
        return self.fn.estimate(*args, **self._computed(args, kwargs))


def heuristics(values: dict[str, Callable[[dict[str, Any]], Any]]) -> Callable[[Any], Heuristics]:
    """Decorates a kernel: `values` gives functions from the arguments by name to parameters, which launches leave out.

        @triton.heuristics({"BLOCK": lambda args: triton.next_power_of_2(args["n"])})
    """
    return lambda fn: Heuristics(fn, fn.arg_names, values)
