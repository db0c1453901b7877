"""`driver`: which driver is used. `driver.active` is made when it is first asked for."""

from __future__ import annotations

import os

from ..backends import backends
from ..backends.driver import DriverBase


def _chosen() -> DriverBase:
    """The driver of the backend that TRITON_DEFAULT_BACKEND names. RuntimeError where there is none of that name."""
    name = os.environ.get("TRITON_DEFAULT_BACKEND") or "nvidia"
    if name not in backends:
        raise RuntimeError(f"Unknown backend device {name!r}: TRITON_DEFAULT_BACKEND may be {', '.join(backends)}")
    return backends[name].driver()


class DriverConfig:
    """The driver in use and the one used by default."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Has a driver chosen anew when it is asked for the next time."""
        self._default: DriverBase | None = None
        self._active: DriverBase | None = None

    @property
    def default(self) -> DriverBase:
        if self._default is None:
            self._default = _chosen()
        return self._default

    @property
    def active(self) -> DriverBase:
        if self._active is None:
            self._active = self.default
        return self._active

    def set_active(self, driver: DriverBase) -> None:
        self._active = driver

    def reset_active(self) -> None:
        self._active = self.default


# Loaded again, as programs do to have one chosen anew, the module keeps the object that others hold.
driver: DriverConfig = globals().get("driver") or DriverConfig()
driver.forget()


def __getattr__(name: str) -> object:
    # `triton.runtime.driver` is this module for some programs and the object for others: both have the same names.
    if name in ("active", "default", "set_active", "reset_active", "_active", "_default"):
        return getattr(driver, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
