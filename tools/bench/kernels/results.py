"""Results of a run."""

from __future__ import annotations

from dataclasses import dataclass, field

from cases import Case, Config

#: All sides that a row may have, in the order of tables.
SIDES = ("Tegula", "Triton", "cuBLAS", "cuDNN", "torch", "copy")


@dataclass
class Times:
    """Milliseconds of a launch: the median and the quantiles 0.2 and 0.8."""
    median: float
    low: float
    high: float


@dataclass
class Side:
    name: str
    times: Times
    ratio: float | None = None  # the median over rounds of its time to ours: above 1 we are faster
    config: str = ""  # of what is compiled


@dataclass
class Resources:
    """Resources of a kernel's code: registers of a thread, bytes of it spilled, bytes of shared memory of a block."""
    registers: int = 0
    spilled: int = 0
    shared: int = 0


@dataclass
class Trial:
    """A config that was tried."""
    config: Config
    times: Times | None = None
    resources: Resources = field(default_factory=Resources)
    skipped: str = ""  # why it has no times


@dataclass
class Row:
    case: Case
    sides: list[Side] = field(default_factory=list)  # ours is the first; none on the emulator
    resources: Resources = field(default_factory=Resources)
    is_chosen_earlier: bool = False
    counts: dict[str, int] = field(default_factory=dict)  # on the emulator
    trials: list[Trial] = field(default_factory=list)  # of a sweep

    def side(self, name: str) -> Side | None:
        return next((side for side in self.sides if side.name == name), None)

    def rate(self, side: Side) -> float:
        return self.case.rate(side.times.median)


@dataclass
class Results:
    """All rows of a run."""
    device: str = ""
    versions: list[str] = field(default_factory=list)  # of peers: "Triton 3.6.0"
    rows: list[Row] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)  # labels of cases that could not be measured
    left: list[str] = field(default_factory=list)  # labels of cases that there was no time for
    wrong_peers: list[str] = field(default_factory=list)  # "cuBLAS at" labels of cases where its results are wrong
    seed: int | None = None  # of random shapes, which are told of together

    @property
    def head(self) -> str:
        return ", ".join([self.device, *self.versions])

    @property
    def is_counted(self) -> bool:
        return bool(self.rows and self.rows[0].counts)

    def rows_of(self, unit: str) -> list[Row]:
        return [row for row in self.rows if row.case.unit == unit]

    def sides_of(self, unit: str) -> list[str]:
        return [name for name in SIDES if any(row.side(name) for row in self.rows_of(unit))]


@dataclass
class ErrorRow:
    """The shapes of a kernel and type taken together. An error is in units of its row's typical magnitude."""
    kernel: str
    type: str
    shapes: int
    mean: float  # over all shapes, as PyTorch's
    pytorch_mean: float
    worst_mean_ratio: float  # of a shape's means to PyTorch's, and where
    worst_mean_at: str
    worst_largest_ratio: float  # of a shape's largest errors, and where
    worst_largest_at: str
    good: bool  # within the margins


@dataclass
class ErrorResults:
    device: str = ""
    versions: list[str] = field(default_factory=list)
    rows: list[ErrorRow] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    margins: str = ""  # what `good` means

    @property
    def head(self) -> str:
        return ", ".join([self.device, *self.versions])

    @property
    def is_good(self) -> bool:
        return bool(self.rows) and not self.failed and all(row.good for row in self.rows)
