"""`Config`: one way to compile and launch a kernel, for a tuner to try."""

from __future__ import annotations

from typing import Any, Callable


class Config:
    """Values for parameters of the kernel (`kwargs`) and options of the launch. `pre_hook` is called with all arguments
    by name before each launch with this config.

    Configs are equal when they launch the same; they can be keys.
    """

    def __init__(self, kwargs: dict[str, Any], num_warps: int = 4, num_stages: int = 3, num_ctas: int = 1,
                 maxnreg: int | None = None, pre_hook: Callable[[dict[str, Any]], Any] | None = None,
                 ir_override: str | None = None):
        self.kwargs = kwargs
        self.num_warps = num_warps
        self.num_stages = num_stages
        self.num_ctas = num_ctas
        self.maxnreg = maxnreg
        self.pre_hook = pre_hook
        self.ir_override = ir_override

    def __setstate__(self, state: dict[str, Any]) -> None:
        # A pickle of an older version lacks what came later.
        Config.__init__(self, {})
        self.__dict__.update(state)

    def _options(self) -> dict[str, Any]:
        return {"num_warps": self.num_warps, "num_ctas": self.num_ctas, "num_stages": self.num_stages,
                "maxnreg": self.maxnreg, "ir_override": self.ir_override}

    def all_kwargs(self) -> dict[str, Any]:
        """Returns the keyword arguments of a launch with this config."""
        return {**self.kwargs, **{name: value for name, value in self._options().items() if value is not None}}

    def __str__(self) -> str:
        return ", ".join(f"{name}: {value}" for name, value in {**self.kwargs, **self._options()}.items()
                         if value is not None or name == "maxnreg")

    def __repr__(self) -> str:
        return f"Config({self})"

    def _identity(self) -> tuple[Any, ...]:
        return (*self.all_kwargs().items(), self.pre_hook)

    def __hash__(self) -> int:
        return hash(self._identity())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Config) and self._identity() == other._identity()
