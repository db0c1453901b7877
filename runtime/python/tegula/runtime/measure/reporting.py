"""`perf_report`: a function measured over values of its arguments, as a table, a CSV file and a plot."""

from __future__ import annotations

import csv
import os
from typing import Any, Callable, Sequence, Union


class Benchmark:
    """A benchmark to run: `x_vals` of the arguments `x_names` along the x axis, a line for each of `line_vals` of the
    argument `line_arg`, and the other arguments `args`."""

    def __init__(self, x_names: Sequence[str], x_vals: Sequence[Any], line_arg: str, line_vals: Sequence[Any],
                 line_names: Sequence[str], plot_name: str, args: dict[str, Any], xlabel: str = "", ylabel: str = "",
                 x_log: bool = False, y_log: bool = False, styles: Sequence[tuple[str, str]] | None = None):
        self.x_names = x_names
        self.x_vals = x_vals
        self.x_log = x_log
        self.line_arg = line_arg
        self.line_vals = line_vals
        self.line_names = line_names
        self.y_log = y_log
        self.styles = styles
        self.xlabel = xlabel
        self.ylabel = ylabel
        self.plot_name = plot_name
        self.args = args

    def points(self) -> list[dict[str, Any]]:
        """The arguments of each place on the x axis."""
        rows = []
        for values in self.x_vals:
            many = values if isinstance(values, (list, tuple)) else [values] * len(self.x_names)
            if len(many) != len(self.x_names):
                raise ValueError(f"expected {len(self.x_names)} values for {list(self.x_names)}, found {values!r}")
            rows.append(dict(zip(self.x_names, many)))
        return rows


class Report:
    """Results of a benchmark: columns by name and rows of numbers. With `low` and `high` of each line."""

    def __init__(self, benchmark: Benchmark, rows: list[list[Any]]):
        self.benchmark = benchmark
        self.rows = rows

    @property
    def columns(self) -> list[str]:
        return [*self.benchmark.x_names, *self.benchmark.line_names]

    def shown(self) -> list[list[Any]]:
        """The rows without lows and highs."""
        places = len(self.benchmark.x_names)
        return [row[:places] + [value[0] for value in row[places:]] for row in self.rows]

    def text(self) -> str:
        """A table; the first column counts the rows."""
        unit = f" ({self.benchmark.ylabel})" if self.benchmark.ylabel else ""
        heads = ["", *self.benchmark.x_names, *(name + unit for name in self.benchmark.line_names)]
        cells = [[str(i), *(f"{cell:.6f}" if isinstance(cell, float) else str(cell) for cell in row)]
                 for i, row in enumerate(self.shown())]
        widths = [max(map(len, column)) for column in zip(heads, *cells)]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in [heads, *cells])

    def write_csv(self, path: str) -> None:
        with open(path, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(self.columns)
            table.writerows(self.shown())

    def frame(self) -> Any:
        """As a pandas.DataFrame; ImportError without pandas."""
        import pandas

        return pandas.DataFrame(self.shown(), columns=self.columns)

    def plot(self, path: str | None, show: bool) -> bool:
        """Draws the lines with the room between their lows and highs; False where Matplotlib is missing."""
        try:
            from matplotlib import pyplot
        except ImportError:
            return False
        bench = self.benchmark
        figure, axes = pyplot.subplots()
        places = len(bench.x_names)
        x = [row[0] for row in self.rows]
        for i, name in enumerate(bench.line_names):
            colour, style = bench.styles[i] if bench.styles else (None, None)
            middle, low, high = zip(*(row[places + i] for row in self.rows))
            axes.plot(x, middle, label=name, color=colour, ls=style)
            if None not in low and None not in high:
                axes.fill_between(x, low, high, alpha=0.15, color=colour)
        axes.legend()
        axes.set_xlabel(bench.xlabel or bench.x_names[0])
        axes.set_ylabel(bench.ylabel)
        axes.set_xscale("log" if bench.x_log else "linear")
        axes.set_yscale("log" if bench.y_log else "linear")
        if path:
            figure.savefig(path)
        if show:
            pyplot.show()
        pyplot.close(figure)
        return True


class Mark:
    """A function with the benchmarks that it is measured by."""

    def __init__(self, fn: Callable[..., Any], benchmarks: Union[Benchmark, Sequence[Benchmark]]):
        self.fn = fn
        self.benchmarks = benchmarks

    def measure(self, benchmark: Benchmark, **kwargs: Any) -> Report:
        rows = []
        for point in benchmark.points():
            row: list[Any] = list(point.values())
            for value in benchmark.line_vals:
                found = self.fn(**point, **{benchmark.line_arg: value}, **benchmark.args, **kwargs)
                row.append(tuple(found) if isinstance(found, (list, tuple)) else (found, None, None))
            rows.append(row)
        return Report(benchmark, rows)

    def run(self, show_plots: bool = False, print_data: bool = False, save_path: str = "", return_df: bool = False,
            **kwargs: Any) -> Any:
        """Measures; prints tables, shows plots, writes both into the folder `save_path`, returns tables of pandas.
        Without Matplotlib plots are left out, which is said once."""
        many = not isinstance(self.benchmarks, Benchmark)
        reports = []
        drawn = True
        for benchmark in self.benchmarks if many else [self.benchmarks]:  # type: ignore[union-attr, list-item]
            report = self.measure(benchmark, **kwargs)
            reports.append(report)
            stem = os.path.join(save_path, benchmark.plot_name) if save_path else None
            if stem:
                os.makedirs(save_path, exist_ok=True)
                report.write_csv(stem + ".csv")
            if (stem or show_plots) and benchmark.plot_name:
                drawn = report.plot(stem + ".png" if stem else None, show_plots) and drawn
            if print_data:
                print(benchmark.plot_name + ":")
                print(report.text())
        if not drawn:
            print("no plot was drawn: Matplotlib is not installed")
        if not return_df:
            return None
        frames = [report.frame() for report in reports]
        return frames if many else frames[0]


def perf_report(benchmarks: Union[Benchmark, Sequence[Benchmark]]) -> Callable[[Callable[..., Any]], Mark]:
    """Decorates a function that measures: it is called for each point and line of `benchmarks`, and returns a number,
    or one with a lower and an upper bound."""
    return lambda fn: Mark(fn, benchmarks)
