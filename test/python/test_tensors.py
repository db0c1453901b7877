"""What stands for tensors: reinterpretations, descriptions, promises of a dtype."""

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from tegula.runtime.program.tensors import MockTensor, TensorWrapper
from tegula.tools.tensor_descriptor import TensorDescriptor


class Tensor:
    """As much of a tensor of PyTorch as is asked for."""

    def __init__(self, shape, strides=None, address=256, dtype=np.dtype(np.float16)):
        self.shape, self.address, self.dtype = shape, address, dtype
        self.strides = strides or tuple(int(np.prod(shape[i + 1:])) for i in range(len(shape)))

    def data_ptr(self):
        return self.address

    def stride(self, *dim):
        return self.strides[dim[0]] if dim else self.strides

    def element_size(self):
        return self.dtype.itemsize

    def clone(self):
        return Tensor(self.shape, self.strides, self.address + 4096, self.dtype)


def test_reinterpret():
    base = Tensor((4, 8))
    wrapped = triton.reinterpret(base, tl.float8e5)
    assert isinstance(wrapped, TensorWrapper) and wrapped.dtype == tl.float8e5 and wrapped.base is base
    assert wrapped.data_ptr() == 256 and wrapped.stride(0) == 8 and wrapped.element_size() == 2
    assert wrapped.shape == (4, 8) and wrapped.clone().data_ptr() == 256 + 4096 and wrapped.clone().dtype == tl.float8e5
    assert triton.reinterpret(wrapped, tl.int8).base is base
    assert triton.reinterpret(wrapped, base.dtype) is base
    assert "TensorWrapper[fp8e5]" in str(wrapped)


def test_reinterpret_an_array():
    array = np.zeros(4, np.uint8)
    wrapped = triton.reinterpret(array, tl.float8e4nv)
    assert wrapped.data_ptr() == array.ctypes.data and wrapped.element_size() == 1


def test_reinterpret_refuses_what_is_no_tensor():
    with pytest.raises(TypeError, match="expected a tensor or an array, found int"):
        triton.reinterpret(3, tl.int8)


def test_mock_tensor():
    mock = MockTensor(tl.float16, [4, 8, 2])
    assert mock.stride() == (16, 2, 1) and mock.data_ptr() % 16 == 0
    assert MockTensor.wrap_dtype(3) == 3


def test_descriptor():
    tensor = Tensor((64, 32))
    found = TensorDescriptor.from_tensor(tensor, [tl.constexpr(16), 32])
    assert (found.base, found.shape, found.strides, found.block_shape) == (tensor, [64, 32], [32, 1], [16, 32])
    assert found.padding == "zero"
    assert TensorDescriptor(tensor, [64, 32], [32, 1], [8, 8], padding="nan").padding == "nan"


@pytest.mark.parametrize("arguments, message", [
    ((Tensor(()), [], [], []), "one to five dimensions, found 0"),
    ((Tensor((8,)), [8], [1], [4, 4]), "expected 1 strides and sides of a block, as the shape has, found 1 and 2"),
    ((Tensor((8,), address=8), [8], [1], [4]), "aligned to 16 bytes"),
    ((Tensor((8, 8)), [8, 8], [9, 1], [4, 4]), "strides must be 16-byte aligned, found 9 elements of 2"),
    ((Tensor((8, 8)), [8, 8], [8, 2], [4, 4]), "last dimension to be contiguous, found stride 2"),
    ((Tensor((8,)), [8], [1], [4], "one"), "expected `padding` to be \"zero\" or \"nan\", found 'one'"),
])
def test_descriptors_of_what_cannot_be_described(arguments, message):
    with pytest.raises(ValueError, match=message):
        TensorDescriptor(*arguments)
