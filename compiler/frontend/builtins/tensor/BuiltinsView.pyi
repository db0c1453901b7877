"""Arrays in memory that are read and written by blocks: block pointers and tensor descriptors."""

found_in("tl", section="Block pointers")

def _descriptor_padding(desc): ...
def _descriptor_base(desc): ...
def _descriptor_rounding(desc): ...
def _descriptor_rounded(desc, value): ...

def make_block_ptr(base: tensor, shape: Sequence[Value], strides: Sequence[Value], offsets: Sequence[Value],
                   block_shape: Sequence[int], order: Sequence[int]) -> tensor:
    """A pointer to a block of `block_shape` at `offsets` within a tensor of `shape` and `strides`, in elements.
    `order` lists the dimensions from the one whose elements lie next to each other."""

found_in("tl", "tensor", section="Block pointers")

def advance(base: tensor, offsets: Sequence[Value]) -> tensor:
    """A block pointer moved by `offsets` elements; `base` stays where it was."""

found_in("tl", section="Tensor descriptors")

@differs("needs no allocator; the last stride has to be 1 when compiling")
def make_tensor_descriptor(base: tensor, shape: Sequence[Value], strides: Sequence[Value],
                           block_shape: Sequence[int], padding_option: str = "zero") -> tensor_descriptor:
    """A descriptor of a tensor at `base` (aligned to 16 bytes) of one to five dimensions, the last of stride 1, that
    is read and written by blocks of `block_shape`, on GPUs that have it by their copy unit."""

@handler("makeTensorDescriptor")
def _experimental_make_tensor_descriptor(base, shape, strides, block_shape, padding_option="zero"): ...

def load_tensor_descriptor(desc: tensor_descriptor, offsets: Sequence[Value]) -> tensor: """As `desc.load(offsets)`."""

def store_tensor_descriptor(desc: tensor_descriptor, offsets: Sequence[Value], value: tensor) -> None:
    """As `desc.store(offsets, value)`."""

found_in("tensor_descriptor")

@handler("loadTensorDescriptor")
def load(desc, offsets: Sequence[Value]) -> tensor:
    """The block that begins at `offsets`; what lies outside of the tensor is the padding."""

@handler("storeTensorDescriptor")
def store(desc, offsets: Sequence[Value], value: tensor) -> None:
    """Writes the block that begins at `offsets`; what lies outside of the tensor is dropped."""
