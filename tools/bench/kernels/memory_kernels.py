"""The kernels whose time is that of their memory: element by element, by rows, sums."""

from __future__ import annotations

from enum import Enum
from typing import Any

from cases import SIZES, Case, Config, Entry, Setting, Shape, Tensor, UsageError, ceildiv, power_of_two

FLOATS, FEW_FLOATS = ("fp32", "bf16", "fp16"), ("fp32", "bf16")
ROW_WARPS = (4, 8, 16)
#: From this length on a row keeps 32 warps busy, and below this one a warp or two.
LONG_ROW, SHORT_ROW = 32768, 2048
#: A persistent kernel fills a quarter of a multiprocessor's warps at least, and no more than all.
WARPS_OF_MULTIPROCESSOR = range(16, 65)


def vector_of(n: int, is_small: bool) -> Shape:
    return (n,)


def rows_of(n: int, is_small: bool) -> Shape:
    """Rows of n, as many as make 64 Mi elements."""
    return (4 if is_small else max(1, (1 << 26) // n), n)


def square_of(n: int, is_small: bool) -> Shape:
    return (n, n)


def elementwise(name: str, kernel: str, shapes: tuple[Shape, ...], inputs: tuple[str, ...], output: str,
                torch: str) -> Entry:
    def fill(case: Case, setting: Setting) -> None:
        n, = case.shape
        case.arguments = {**{each: case.tensor(n) for each in inputs}, output: case.written(n), "n": n}
        case.output = output
        case.work = (len(inputs) + 1) * n * SIZES[case.dtype]
        case.expected = f"host.reference({', '.join(inputs)})"
        case.torch = torch
        case.tolerance = ({"fp32": 2e-6, "fp16": 2e-3, "bf16": 2e-2}[case.dtype],) * 2
        case.configs = [Config({"BLOCK_SIZE": block}, warps).at(ceildiv(n, block))
                        for block, warps in ((1024, 4), (2048, 4), (2048, 8), (4096, 8))]

    return Entry(name, name, kernel, "N", FLOATS, shapes, (4096,), vector_of, fill)


def fill_strided_copy(case: Case, setting: Setting) -> None:
    """Every other element of a vector."""
    n, = case.shape
    case.arguments = {"x_ptr": case.tensor(2 * n), "y_ptr": case.written(n), "n": n, "x_stride": 2, "y_stride": 1}
    case.output = "y_ptr"
    case.work = 3 * n * SIZES[case.dtype]  # what is skipped is in the same sectors
    case.expected = "host.reference(x_ptr, 2)"
    case.torch = "x_ptr[::2].contiguous()"
    case.configs = [Config({"BLOCK_SIZE": block}).at(ceildiv(n, block)) for block in (1024, 2048)]


def fill_transpose(case: Case, setting: Setting) -> None:
    m, n = case.shape
    case.arguments = {"x_ptr": case.tensor(m, n), "y_ptr": case.written(n, m), "M": m, "N": n, "x_stride": n,
                      "y_stride": m}
    case.output = "y_ptr"
    case.work = 2 * m * n * SIZES[case.dtype]
    case.expected = "host.reference(x_ptr)"
    case.torch = "x_ptr.t().contiguous()"
    case.configs = [Config({"BLOCK_M": block, "BLOCK_N": block}, warps).at(ceildiv(m, block), ceildiv(n, block))
                    for block in (64, 128) for warps in (4, 8)]


class RowLaunch(Enum):
    """Ways to launch a kernel over rows."""
    WHOLE = 1
    PERSISTENT = 2
    PIECES = 3
    COLUMNS = 4  # pieces of several elements a column


def row_configs(launch: RowLaunch, rows: int, n: int, multiprocessors: int) -> list[Config]:
    whole_warps = ROW_WARPS if n < LONG_ROW else (*ROW_WARPS, 32)
    if launch == RowLaunch.WHOLE:
        return [Config({"BLOCK": power_of_two(n)}, warps).at(rows) for warps in whole_warps]
    if launch == RowLaunch.PIECES:
        return [Config({"BLOCK": block}, warps).at(rows) for block in (4096, 16384) for warps in ROW_WARPS]
    if launch == RowLaunch.COLUMNS:
        return [Config({"BLOCK": block, "DEPTH": depth}, warps).at(rows)
                for block in (4096, 8192, 16384) for depth in (4, 8, 16) for warps in (8, 16)]
    return [Config({"BLOCK": power_of_two(n), "STAGES": 2}, warps).at(min(multiprocessors * each, rows))
            for warps in ((1, 2, *ROW_WARPS) if n < SHORT_ROW else whole_warps) for each in (2, 4, 8, 16, 32)
            if warps * each in WARPS_OF_MULTIPROCESSOR]


def rows(name: str, file: str, kernel: str, torch: str, expected: str, shapes: tuple[Shape, ...], *,
         weights: tuple[str, ...] = (), statistics: tuple[str, ...] = (), eps: float | None = None,
         launch: RowLaunch = RowLaunch.WHOLE, typed_shapes: tuple[tuple[Shape, str], ...] = ()) -> Entry:
    """A kernel from rows of x to rows of y. Behind y stand `weights`, vectors as long as a row, and `statistics`, fp32
    outputs of a number for each row."""

    def fill(case: Case, setting: Setting) -> None:
        rows, n = case.shape
        arguments: dict[str, Any] = {"x_ptr": case.tensor(rows, n), "y_ptr": case.written(rows, n)}
        arguments |= {each: case.tensor(n) for each in weights}
        arguments |= {each: case.written(rows, dtype="fp32") for each in statistics}
        arguments |= {"stride": n, **({"n_rows": rows} if launch == RowLaunch.PERSISTENT else {}), "n": n}
        arguments |= {} if eps is None else {"eps": eps}
        case.arguments = arguments
        case.output = "y_ptr"
        case.work = 2 * rows * n * SIZES[case.dtype]
        case.expected, case.torch = expected, torch
        if case.dtype == "fp32":
            case.tolerance = (1e-4, 1e-5) if weights else (5e-5, 1e-6)
        else:
            case.tolerance = (2e-2, 2e-2 if weights else 1e-4)
        case.configs = row_configs(launch, rows, n, setting.multiprocessors)

    return Entry(name, file, kernel, "ROWSxN", FEW_FLOATS, shapes, (4, 1000), rows_of, fill, typed_shapes=typed_shapes)


def fill_row_sums(case: Case, setting: Setting) -> None:
    m, n = case.shape
    case.arguments = {"x_ptr": case.tensor(m, n), "sums_ptr": case.written(m, dtype="fp32"), "M": m, "N": n, "stride": n}
    case.output = "sums_ptr"
    case.work = m * n * SIZES[case.dtype]
    case.expected = "host.reference(x_ptr, 1)"
    case.torch = "x_ptr.sum(1, dtype=torch.float32)"
    case.tolerance = (1e-4, 1e-2)
    case.configs = [Config({"BLOCK_M": 4, "BLOCK_N": 1024}, warps).at(ceildiv(m, 4)) for warps in (4, 8)]


def fill_column_sums(case: Case, setting: Setting) -> None:
    """The first of two launches, which reads everything: sums of parts of the rows."""
    m, n = case.shape
    each = 512
    parts = ceildiv(m, each)
    case.arguments = {"x_ptr": case.tensor(m, n), "sums_ptr": case.written(parts, n, dtype="fp32"), "M": m, "N": n,
                      "stride": n, "rows_each": each}
    case.output = "sums_ptr"
    case.work = m * n * SIZES[case.dtype]
    case.expected = "torch.stack([host.reference(part, 0) for part in x_ptr.split(rows_each)])"
    case.torch = "x_ptr.sum(0, dtype=torch.float32)"
    case.tolerance = (1e-4, 1e-2)
    case.configs = [Config({"BLOCK_M": 16, "BLOCK_N": 128}, warps).at(ceildiv(n, 128), parts) for warps in (4, 8)]


def fill_cross_entropy(case: Case, setting: Setting) -> None:
    rows, v = case.shape
    case.arguments = {"logits_ptr": case.tensor(rows, v), "targets_ptr": case.tensor(rows, dtype="i64", below=v),
                      "losses_ptr": case.written(rows, dtype="fp32"), "stride": v, "V": v, "ignore_index": -100}
    case.output = "losses_ptr"
    case.work = rows * v * SIZES[case.dtype]
    case.expected = "host.reference(logits_ptr, targets_ptr)"
    case.torch = "torch.nn.functional.cross_entropy(logits_ptr, targets_ptr, reduction='none')"
    case.tolerance = (1e-4 if case.dtype == "fp32" else 2e-2,) * 2
    case.configs = row_configs(RowLaunch.COLUMNS, rows, v, 1)


def fill_histogram(case: Case, setting: Setting) -> None:
    n, = case.shape
    bins = 256
    case.arguments = {"x_ptr": case.tensor(n, below=bins), "counts_ptr": case.tensor(bins, dtype="i32", fill="zeros"),
                      "n": n, "bins": bins}
    case.output = "counts_ptr"
    case.work = n * SIZES[case.dtype]
    case.expected = "host.reference(x_ptr, bins)"
    case.torch = "torch.bincount(x_ptr, minlength=bins)"
    case.configs = [Config({"BLOCK": block}).at(ceildiv(n, block)) for block in (1024, 4096)]


SOFTMAX = "torch.softmax(x_ptr, 1)", "host.reference(x_ptr)"
LAYERNORM = ("torch.nn.functional.layer_norm(x_ptr, (n,), weight_ptr, bias_ptr, eps)",
             "host.reference(x_ptr, weight_ptr, bias_ptr, eps)")
ROW_SHAPES = (65536, 256), (32768, 1024), (16384, 4096), (8192, 16384), (4096, 32768)
# A row that no vector of bytes divides: of bf16 one whose rows are at least whole words.
ODD_SHAPES = ((4096, 12345), "fp32"), ((4096, 12346), "bf16")
NORMS = (32768, 1024), (16384, 4096), (8192, 16384)
OF_LAYERNORM: dict[str, Any] = {"weights": ("weight_ptr", "bias_ptr"), "statistics": ("mean_ptr", "rstd_ptr"), "eps": 1e-5}


#: Batch, heads of queries and of keys, and keys of each sequence: one sequence of 1 Ki to 128 Ki keys, more and more of
#: them, lengths that no block divides, a head of keys for each of queries, and one for all.
DECODED = ((1, 32, 8, 1024), (1, 32, 8, 8192), (1, 32, 8, 32768), (1, 32, 8, 131072), (4, 32, 8, 4096), (4, 32, 8, 32768),
           (4, 32, 8, 131072), (8, 64, 8, 16384), (16, 32, 8, 1000), (16, 32, 8, 8192), (32, 32, 8, 4096), (32, 32, 8, 5000),
           (64, 32, 8, 2048), (64, 64, 8, 8192), (128, 32, 8, 1024), (16, 32, 32, 4096), (8, 8, 1, 32768))
#: Numbers of a head, as most models have them.
DECODED_SIZE = 128
#: The chunk that is taken where no host side is there to choose one is a multiple of this.
DECODED_BLOCK = 128


def fill_decode(case: Case, setting: Setting, page: int) -> None:
    """All sequences have as many keys. The work is that of reading keys and values once."""
    batch, heads, key_heads, n = case.shape
    if heads % key_heads:
        raise UsageError(f"expected a multiple of {key_heads} as the heads of `{case.name}`, found {heads}")
    size, group = DECODED_SIZE, heads // key_heads
    chunk = setting.host_of("decode").chunk_of([n] * batch, key_heads, setting.multiprocessors) if setting.host_of else \
        ceildiv(n, DECODED_BLOCK) * DECODED_BLOCK
    splits = ceildiv(n, chunk)
    pages = ceildiv(n, page) if page else 0
    cache = (batch * pages, key_heads, page, size) if page else (batch, key_heads, n, size)
    parts = (batch, key_heads, splits, group)
    case.arguments = {
        "q_ptr": case.tensor(batch, heads, size), "k_ptr": case.tensor(*cache), "v_ptr": case.tensor(*cache),
        "o_ptr": case.written(batch, heads, size), "parts_ptr": case.written(*parts, size, dtype="fp32"),
        "tops_ptr": case.written(*parts, dtype="fp32"), "sums_ptr": case.written(*parts, dtype="fp32"),
        "arrivals_ptr": case.tensor(batch, key_heads, dtype="i32", fill="zeros"),
        "lengths_ptr": Tensor("i32", (batch,), "full", value=n),
        "table_ptr": case.tensor(batch, pages, dtype="i32", fill="arange") if page else None,
        "stride_page": key_heads * cache[2] * size, "stride_head": cache[2] * size, "stride_row": size, "max_pages": pages,
        "chunk": chunk, "scale": size ** -0.5}
    case.output = "o_ptr"
    case.work = 2 * batch * key_heads * n * size * SIZES[case.dtype]
    case.expected = "host.reference(q_ptr, k_ptr, v_ptr, lengths_ptr, table_ptr)"
    case.torch = "" if page else ("torch.nn.functional.scaled_dot_product_attention(q_ptr[:, :, None], k_ptr, v_ptr, "
                                  "enable_gqa=True)")
    case.tolerance = (2e-2, 5e-3)
    case.configs = [config.at(splits, key_heads, batch, D=size, GROUP=group, ROWS=max(16, power_of_two(group)), PAGE=page)
                    for config in setting.configs_of(case.file, case.kernel)]


def decode(name: str, shapes: tuple[Shape, ...], page: int) -> Entry:
    return Entry(name, "decode", "decode_kernel", "BATCHxHEADSxKEYHEADSxN", ("bf16",), shapes, (2, 8, 2, 200),
                 lambda n, is_small: (2, 8, 2, n) if is_small else (16, 32, 8, n),
                 lambda case, setting: fill_decode(case, setting, page), other_dtypes=("fp16",))


def memory_kernels() -> list[Entry]:
    return [
        rows("softmax", "softmax", "softmax_kernel", *SOFTMAX, ROW_SHAPES, typed_shapes=ODD_SHAPES),
        rows("layernorm", "layernorm", "layernorm_kernel", *LAYERNORM, NORMS, **OF_LAYERNORM),
        elementwise("vector_add", "add_kernel", ((1 << 24,), (1 << 27,)), ("x_ptr", "y_ptr"), "out_ptr",
                    "torch.add(x_ptr, y_ptr, out=out_ptr)"),
        elementwise("gelu", "gelu_kernel", ((1 << 27,),), ("x_ptr",), "y_ptr",
                    "torch.nn.functional.gelu(x_ptr, approximate='tanh')"),
        rows("softmax_persistent", "softmax", "softmax_persistent_kernel", *SOFTMAX, ROW_SHAPES, typed_shapes=ODD_SHAPES,
             launch=RowLaunch.PERSISTENT),
        rows("softmax_online", "softmax", "softmax_online_kernel", *SOFTMAX, ((4096, 32768),), launch=RowLaunch.COLUMNS),
        rows("layernorm_any", "layernorm", "layernorm_any_kernel", *LAYERNORM, ((8192, 16384),), launch=RowLaunch.PIECES,
             **OF_LAYERNORM),
        rows("rmsnorm", "rmsnorm", "rmsnorm_kernel", "torch.nn.functional.rms_norm(x_ptr, (n,), weight_ptr, eps)",
             "host.reference(x_ptr, weight_ptr, eps)", ((16384, 4096),), weights=("weight_ptr",), eps=1e-6),
        Entry("row_sums", "matrix_sums", "row_sums_kernel", "MxN", FLOATS, ((16384, 4096),), (8, 1000), rows_of,
              fill_row_sums),
        Entry("column_sums", "matrix_sums", "column_sums_kernel", "MxN", FLOATS, ((16384, 4096),), (32, 256), rows_of,
              fill_column_sums),
        Entry("cross_entropy", "cross_entropy", "cross_entropy_kernel", "ROWSxN", FEW_FLOATS, ((4096, 50257),), (4, 1000),
              rows_of, fill_cross_entropy),
        Entry("histogram", "histogram", "histogram_kernel", "N", ("i32",), ((1 << 24,),), (4096,), vector_of,
              fill_histogram),
        Entry("transpose", "transpose", "transpose_kernel", "MxN", FEW_FLOATS, ((8192, 8192),), (128, 128), square_of,
              fill_transpose),
        Entry("strided_copy", "strided_copy", "strided_copy_kernel", "N", FEW_FLOATS, ((1 << 26,),), (4096,), vector_of,
              fill_strided_copy),
        decode("decode", DECODED, page=0),
        decode("decode_paged", DECODED[3::5], page=64),
    ]
