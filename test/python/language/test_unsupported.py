"""What the language does not have: the kernel's author is told so, at the place of use."""

import pytest
from harness import empty, launch

import tegula as triton
import tegula.language as tl


@triton.jit
def uses_nothing_known(out):
    tl.store(out, tl.no_such_function(1))


def test_a_name_that_is_nobody_s():
    with pytest.raises(triton.CompilationError, match="no_such_function") as failure:
        launch(uses_nothing_known, empty("float32", 1))
    found = failure.value.diagnostics[0]
    assert found.file == __file__
    assert "tl.no_such_function" in found.source_line
    assert found.severity == "error"
