"""The files of `kernels`, loaded over Tegula by its own name: other tests have a `triton` of their own."""

import importlib.util
import pathlib

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"


def load(name, folder):
    """The module `kernels/NAME.py`, from a copy in `folder`."""
    copy = folder / f"{name}.py"
    text = (KERNELS / copy.name).read_text()
    copy.write_text(text.replace("import triton\nimport triton.", "import tegula as triton\nimport tegula."))
    spec = importlib.util.spec_from_file_location(f"bundled_{name}", copy)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
