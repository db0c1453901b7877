"""Microscaling formats on the host, with NumPy's arrays."""

import numpy as np
import pytest

from tegula.tools import mxfp
from tegula.tools.mxfp import MXFP4Tensor, MXScaleTensor

MAGNITUDES = [0, 0.5, 1, 1.5, 2, 3, 4, 6]


@pytest.fixture(autouse=True)
def numpy_only(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)


def test_numbers_of_four_bits():
    every = np.arange(16, dtype=np.uint8)
    values = MXFP4Tensor._of_codes(every).to(np.float32)
    np.testing.assert_array_equal(values, MAGNITUDES + [-m for m in MAGNITUDES])
    np.testing.assert_array_equal(MXFP4Tensor(values).data, every)
    assert np.signbit(values[8])


def test_the_nearest_is_taken():
    numbers = np.array([0.2, 0.25, 0.26, 0.75, 1.25, 1.75, 2.5, 3.5, 5, 5.1, 100, -0.75, -1e9], np.float32)
    nearest = np.array([0, 0, 0.5, 1, 1, 2, 2, 4, 4, 6, 6, -1, -6], np.float32)
    np.testing.assert_array_equal(MXFP4Tensor(numbers).to(np.float32), nearest)
    # As far as any other number of the format, at most.
    some = np.random.default_rng(0).uniform(-6, 6, 500).astype(np.float32)
    given = MXFP4Tensor(some).to(np.float32)
    table = np.array(MAGNITUDES + [-m for m in MAGNITUDES])
    np.testing.assert_allclose(abs(given - some), abs(some[:, None] - table).min(1), atol=1e-6)


@pytest.mark.parametrize("dim", [0, 1, 2, -1])
@pytest.mark.parametrize("shape", [(4, 6, 8), (3, 5, 7)])
def test_two_in_a_byte(shape, dim):
    tensor = MXFP4Tensor(size=shape).random()
    packed = tensor.to_packed_tensor(dim)
    assert packed.shape[dim] == (shape[dim] + 1) // 2 and packed.dtype == np.uint8
    first = np.take(tensor.data, 0, dim) | np.take(tensor.data, 1, dim) << 4
    np.testing.assert_array_equal(np.take(packed, 0, dim), first)
    np.testing.assert_array_equal(MXFP4Tensor.unpack_packed_tensor(packed, dim, shape), tensor.data)


def test_scales():
    codes = np.array([0, 1, 127, 128, 254, 255], np.uint8)
    values = MXScaleTensor._of_codes(codes).to(np.float64)
    np.testing.assert_array_equal(values, [2.0**-127, 2.0**-126, 1, 2, 2.0**127, np.nan])
    np.testing.assert_array_equal(MXScaleTensor(values.astype(np.float32)).data, codes)
    np.testing.assert_array_equal(MXScaleTensor(np.array([3.9, 0.7, 0, -1, np.inf], np.float32)).data,
                                  [128, 126, 255, 255, 255])
    some = MXScaleTensor(size=(100,)).random(low=0.3, high=8).to(np.float32)
    assert set(some) <= {0.5, 1, 2, 4, 8} and len(set(some)) > 2
    assert MXScaleTensor(size=(200,)).random().data.max() < 255


def test_what_makes_no_tensor():
    with pytest.raises(ValueError, match="expected either `data` or `size`"):
        MXFP4Tensor()
    with pytest.raises(ValueError, match="expected `dim` of a tensor of rank 2, found 2"):
        MXFP4Tensor(size=(2, 2)).random().to_packed_tensor(2)
    with pytest.raises(ValueError, match="expected a power of two between 3 and 3.5"):
        MXScaleTensor(size=(1,)).random(low=3, high=3.5)
    assert mxfp.__doc__
