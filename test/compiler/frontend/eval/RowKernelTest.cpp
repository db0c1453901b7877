// Kernels as people write them: rows, reductions, loops, atomics. Each evaluates without a diagnostic into
// what the tile stage promises (see Harness), and shows the ops that it lives from.
#include "test/compiler/frontend/Harness.h"

#include <fstream>
#include <sstream>

using namespace tegula;
using namespace tegula::test;

namespace {

std::string kernelIr(const std::string &source, const NamedArguments &arguments,
                     std::string_view kernel = "k") {
  Evaluated result = evaluate(source, arguments, false, kernel);
  EXPECT_EQ(result.errors, "");
  return result.ir;
}

std::string readKernel(const std::string &name) {
  std::ifstream in(std::string(TEGULA_SOURCE_DIR) + "/kernels/" + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace

TEST(EvalRowKernel, SoftmaxOfPersistentPrograms) {
  EXPECT_TRUE(holds(kernelIr(R"(
@triton.jit
def k(output_ptr, input_ptr, input_row_stride, output_row_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr,
      num_stages: tl.constexpr):
    row_start = tl.program_id(0)
    row_step = tl.num_programs(0)
    for row_idx in tl.range(row_start, n_rows, row_step, num_stages=num_stages):
        row_start_ptr = input_ptr + row_idx * input_row_stride
        col_offsets = tl.arange(0, BLOCK_SIZE)
        input_ptrs = row_start_ptr + col_offsets
        mask = col_offsets < n_cols
        row = tl.load(input_ptrs, mask=mask, other=-float('inf'))
        row_minus_max = row - tl.max(row, axis=0)
        numerator = tl.exp(row_minus_max)
        denominator = tl.sum(numerator, axis=0)
        softmax_output = numerator / denominator
        output_row_start_ptr = output_ptr + row_idx * output_row_stride
        tl.store(output_row_start_ptr + col_offsets, softmax_output, mask=mask)
)",
                             {{"output_ptr", "*fp32:16"},
                              {"input_ptr", "*fp32:16"},
                              {"input_row_stride", "i32:16"},
                              {"output_row_stride", "i32:16"},
                              {"n_rows", "i32"},
                              {"n_cols", "i32"},
                              {"BLOCK_SIZE", "#1024"},
                              {"num_stages", "#4"}}),
                    {"scf.for", "tile.load", "tile.reduce", "arith.maxnumf", "tile.reduce", "arith.addf",
                     "tile.store", "tile.loop = #tile.loop<stages = 4>"}));
}

TEST(EvalRowKernel, SoftmaxOfAnyLength) {
  EXPECT_TRUE(holds(
      kernelIr(R"(
@triton.jit
def k(x_ptr, y_ptr, stride, n, BLOCK: tl.constexpr):
    x_ptr += tl.program_id(0) * stride
    y_ptr += tl.program_id(0) * stride
    m_i = -float('inf')
    l_i = 0.0
    for start in range(0, n, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offs, mask=offs < n, other=-float('inf')).to(tl.float32)
        m_new = tl.maximum(m_i, tl.max(x, 0))
        l_i = l_i * tl.exp(m_i - m_new) + tl.sum(tl.exp(x - m_new), 0)
        m_i = m_new
    for start in range(0, n, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offs, mask=offs < n).to(tl.float32)
        tl.store(y_ptr + offs, (tl.exp(x - m_i) / l_i).to(y_ptr.dtype.element_ty), mask=offs < n)
)",
               {{"x_ptr", "*bf16"}, {"y_ptr", "*bf16"}, {"stride", "i32"}, {"n", "i32"}, {"BLOCK", "#1024"}}),
      {"0xFF800000", "scf.for", "-> (f32, f32)", "tile.reduce", "tile.reduce", "scf.for"}));
}

TEST(EvalRowKernel, LayerNormForward) {
  EXPECT_TRUE(holds(
      kernelIr(R"(
@triton.jit
def k(X, Y, W, B, Mean, Rstd, stride, N, eps, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    Y += row * stride
    X += row * stride
    mean = 0
    _mean = tl.zeros([BLOCK_SIZE], dtype=tl.float32)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        a = tl.load(X + cols, mask=cols < N, other=0.).to(tl.float32)
        _mean += a
    mean = tl.sum(_mean, axis=0) / N
    _var = tl.zeros([BLOCK_SIZE], dtype=tl.float32)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        x = tl.load(X + cols, mask=cols < N, other=0.).to(tl.float32)
        x = tl.where(cols < N, x - mean, 0.)
        _var += x * x
    var = tl.sum(_var, axis=0) / N
    rstd = 1 / tl.sqrt(var + eps)
    tl.store(Mean + row, mean)
    tl.store(Rstd + row, rstd)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        mask = cols < N
        w = tl.load(W + cols, mask=mask)
        b = tl.load(B + cols, mask=mask)
        x = tl.load(X + cols, mask=mask, other=0.).to(tl.float32)
        x_hat = (x - mean) * rstd
        y = x_hat * w + b
        tl.store(Y + cols, y, mask=mask)
)",
               {{"X", "*fp16"},
                {"Y", "*fp16"},
                {"W", "*fp16"},
                {"B", "*fp16"},
                {"Mean", "*fp32"},
                {"Rstd", "*fp32"},
                {"stride", "i32"},
                {"N", "i32"},
                {"eps", "fp32"},
                {"BLOCK_SIZE", "#1024"}}),
      {"scf.for", "tensor<1024xf32>", "tile.reduce", "scf.for", "tile.reduce", "scf.for", "tile.store"}));
}

TEST(EvalRowKernel, LayerNormBackwardWithALock) {
  EXPECT_TRUE(holds(kernelIr(R"(
@triton.jit
def k(DX, DY, DW, DB, X, W, Mean, Rstd, Lock, stride, N, GROUP_SIZE_M: tl.constexpr, BLOCK_SIZE_N: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_SIZE_N)
    mask = cols < N
    X += row * stride
    DY += row * stride
    DX += row * stride
    lock_id = row % GROUP_SIZE_M
    Lock += lock_id
    Count = Lock + GROUP_SIZE_M
    DW = DW + lock_id * N + cols
    DB = DB + lock_id * N + cols
    x = tl.load(X + cols, mask=mask, other=0).to(tl.float32)
    dy = tl.load(DY + cols, mask=mask, other=0).to(tl.float32)
    w = tl.load(W + cols, mask=mask).to(tl.float32)
    mean = tl.load(Mean + row)
    rstd = tl.load(Rstd + row)
    xhat = (x - mean) * rstd
    wdy = w * dy
    xhat = tl.where(mask, xhat, 0.)
    wdy = tl.where(mask, wdy, 0.)
    c1 = tl.sum(xhat * wdy, axis=0) / N
    c2 = tl.sum(wdy, axis=0) / N
    dx = (wdy - (xhat * c1 + c2)) * rstd
    tl.store(DX + cols, dx, mask=mask)
    partial_dw = (dy * xhat).to(w.dtype)
    partial_db = (dy).to(w.dtype)
    while tl.atomic_cas(Lock, 0, 1) == 1:
        pass
    count = tl.load(Count)
    if count == 0:
        tl.atomic_xchg(Count, 1)
    else:
        partial_dw += tl.load(DW, mask=mask)
        partial_db += tl.load(DB, mask=mask)
    tl.store(DW, partial_dw, mask=mask)
    tl.store(DB, partial_db, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(Lock, 0)
)",
                             {{"DX", "*fp16"},
                              {"DY", "*fp16"},
                              {"DW", "*fp16"},
                              {"DB", "*fp16"},
                              {"X", "*fp16"},
                              {"W", "*fp16"},
                              {"Mean", "*fp32"},
                              {"Rstd", "*fp32"},
                              {"Lock", "*i32"},
                              {"stride", "i32"},
                              {"N", "i32"},
                              {"GROUP_SIZE_M", "#64"},
                              {"BLOCK_SIZE_N", "#1024"}}),
                    {"scf.while : () -> ()", "tile.atomic_cas acq_rel, gpu", "arith.cmpi eq", "scf.condition",
                     "do {", "scf.if", "-> (tensor<1024xf32>, tensor<1024xf32>)", "tile.atomic_rmw xchg",
                     "tile.barrier", "tile.atomic_rmw xchg"}));
  EXPECT_TRUE(holds(
      kernelIr(R"(
@triton.jit
def k(DW, FINAL_DW, M, N, BLOCK_SIZE_M: tl.constexpr, BLOCK_SIZE_N: tl.constexpr):
    pid = tl.program_id(0)
    cols = pid * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
    dw = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), dtype=tl.float32)
    for i in range(0, M, BLOCK_SIZE_M):
        rows = i + tl.arange(0, BLOCK_SIZE_M)
        mask = (rows[:, None] < M) & (cols[None, :] < N)
        offs = rows[:, None] * N + cols[None, :]
        dw += tl.load(DW + offs, mask=mask, other=0.)
    sum_dw = tl.sum(dw, axis=0)
    tl.store(FINAL_DW + cols, sum_dw, mask=cols < N)
)",
               {{"DW", "*fp32"},
                {"FINAL_DW", "*fp32"},
                {"M", "i32"},
                {"N", "i32"},
                {"BLOCK_SIZE_M", "#32"},
                {"BLOCK_SIZE_N", "#128"}}),
      {"scf.for", "tensor<32x128xf32>", "tile.reduce", "axis 0 : tensor<32x128xf32> -> tensor<128xf32>"}));
}

TEST(EvalRowKernel, WelfordByReduce) {
  EXPECT_TRUE(
      holds(kernelIr(R"(
@triton.jit
def combine(mean_1, m2_1, weight_1, mean_2, m2_2, weight_2):
    delta = mean_2 - mean_1
    new_weight = weight_1 + weight_2
    w2_over_w = tl.where(new_weight == 0.0, 0.0, weight_2 / new_weight)
    return (
        mean_1 + delta * w2_over_w,
        m2_1 + m2_2 + delta * delta * weight_1 * w2_over_w,
        new_weight,
    )
@triton.jit
def update(value, mean, m2, weight, first_iteration):
    if first_iteration:
        new_weight = tl.full(weight.shape, 1, weight.dtype)
        new_mean = value
        new_m2 = tl.zeros_like(m2)
    else:
        delta = value - mean
        new_weight = weight + 1
        new_mean = mean + delta / new_weight
        new_m2 = m2 + delta * (value - new_mean)
    return new_mean, new_m2, new_weight
@triton.jit
def k(x, out, n, XBLOCK: tl.constexpr, RBLOCK: tl.constexpr):
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
    rbase = tl.arange(0, RBLOCK)[None, :]
    mean = tl.zeros([XBLOCK, RBLOCK], tl.float32)
    m2 = tl.zeros([XBLOCK, RBLOCK], tl.float32)
    weight = tl.zeros([XBLOCK, RBLOCK], tl.float32)
    for roffset in range(0, n, RBLOCK):
        rmask = roffset + rbase < n
        value = tl.load(x + xindex * n + roffset + rbase, rmask, other=0.0)
        mean_next, m2_next, weight_next = update(value, mean, m2, weight, roffset == 0)
        mean = tl.where(rmask, mean_next, mean)
        m2 = tl.where(rmask, m2_next, m2)
        weight = tl.where(rmask, weight_next, weight)
    a, b, c = tl.reduce((mean, m2, weight), 1, combine)
    tl.store(out + xindex, (b / c)[:, None])
)",
                     {{"x", "*fp32"}, {"out", "*fp32"}, {"n", "i32"}, {"XBLOCK", "#4"}, {"RBLOCK", "#256"}}),
            {"scf.for", "scf.if", "tile.reduce", "axis 1", "tile.yield %", "f32, f32, f32", "tile.store"}));
}

TEST(EvalRowKernel, Dropout) {
  EXPECT_TRUE(
      holds(kernelIr(R"(
@triton.jit
def k(x_ptr, output_ptr, n_elements, p, seed, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    block_start = pid * BLOCK_SIZE
    offsets = block_start + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    random = tl.rand(seed, offsets)
    x_keep = random > p
    output = tl.where(x_keep, x / (1 - p), 0.0)
    tl.store(output_ptr + offsets, output, mask=mask)
)",
                     {{"x_ptr", "*fp32"},
                      {"output_ptr", "*fp32"},
                      {"n_elements", "i32"},
                      {"p", "fp32"},
                      {"seed", "i32"},
                      {"BLOCK_SIZE", "#1024"}}),
            {"arith.extui", "arith.muli", "arith.trunci", "arith.cmpf ogt", "arith.select", "tile.store"}));
}

TEST(EvalRowKernel, CrossEntropyWithIgnoredRows) {
  EXPECT_TRUE(holds(kernelIr(R"(
@triton.jit
def k(X_ptr, X_stride, Y_ptr, loss_ptr, n_cols, ignore_index, softcap, BLOCK_SIZE: tl.constexpr,
      HAS_SOFTCAPPING: tl.constexpr, reduction: tl.constexpr, weight_ptr=None):
    program_id = tl.program_id(0).to(tl.int64)
    y = tl.load(Y_ptr + program_id)
    X_ptr += program_id * X_stride
    if y == ignore_index:
        for i in range(0, n_cols, BLOCK_SIZE):
            X_offsets = i + tl.arange(0, BLOCK_SIZE)
            tl.store(X_ptr + X_offsets, 0.0, mask=X_offsets < n_cols)
        return
    loss_ptr += program_id
    m = float("-inf")
    d = 0.0
    ori_X_y = tl.load(X_ptr + y).cast(tl.float32)
    if HAS_SOFTCAPPING:
        ori_X_y = softcap * tl.math.tanh(ori_X_y / softcap)
    for i in range(0, n_cols, BLOCK_SIZE):
        X_offsets = i + tl.arange(0, BLOCK_SIZE)
        X_block = tl.load(X_ptr + X_offsets, mask=X_offsets < n_cols, other=float("-inf")).cast(tl.float32)
        block_max = tl.max(X_block)
        m_new = tl.maximum(m, block_max)
        d = d * tl.exp(m - m_new) + tl.sum(tl.exp(X_block - m_new))
        m = m_new
    lse = m + tl.log(d)
    if reduction == "mean":
        scale = 1.0 / n_cols
    else:
        scale = 1.0
    if weight_ptr is not None:
        scale = tl.load(weight_ptr + y)
    tl.debug_barrier()
    tl.store(loss_ptr, (lse - ori_X_y) * scale)
)",
                             {{"X_ptr", "*bf16"},
                              {"X_stride", "i32"},
                              {"Y_ptr", "*i64"},
                              {"loss_ptr", "*fp32"},
                              {"n_cols", "i32"},
                              {"ignore_index", "i32"},
                              {"softcap", "fp32"},
                              {"BLOCK_SIZE", "#1024"},
                              {"HAS_SOFTCAPPING", "#true"},
                              {"reduction", "#'mean'"},
                              {"weight_ptr", "#none"}}),
                    {"arith.cmpi eq", "scf.if", "scf.for", "} else {", "math.tanh", "scf.for",
                     "-> (f32, f32)", "math.log", "arith.sitofp", "tile.barrier", "tile.store"}));
}

TEST(EvalRowKernel, HistogramByAtomics) {
  EXPECT_TRUE(holds(kernelIr(R"(
@triton.jit
def k(x, counts, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    bins = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(counts + bins, 1, mask=i < n, sem='relaxed')
)",
                             {{"x", "*u8"}, {"counts", "*i32"}, {"n", "i32"}, {"BLOCK", "#1024"}}),
                    {"arith.extui", "tile.atomic_rmw add, relaxed, gpu"}));
}

TEST(EvalRowKernel, SplitReductionWhoseLastProgramFinishes) {
  EXPECT_TRUE(holds(kernelIr(R"(
@triton.jit
def k(x, partial, counter, out, n, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    pid = tl.program_id(0)
    total = 0.0
    for start in tl.range(pid * BLOCK, n, BLOCK * PROGRAMS, loop_unroll_factor=2, flatten=True):
        i = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x + i, mask=i < n, other=0.0), axis=0)
    tl.store(partial + pid, total)
    done = tl.atomic_add(counter, 1, sem='acq_rel')
    if done == PROGRAMS - 1:
        values = tl.load(partial + tl.arange(0, PROGRAMS), volatile=True)
        tl.store(out, tl.sum(values))
        tl.atomic_xchg(counter, 0)
)",
                             {{"x", "*fp32"},
                              {"partial", "*fp32"},
                              {"counter", "*i32"},
                              {"out", "*fp32"},
                              {"n", "i32"},
                              {"BLOCK", "#1024"},
                              {"PROGRAMS", "#128"}}),
                    {"scf.for", "tile.loop = #tile.loop<unroll = 2, flatten>", "tile.atomic_rmw add",
                     "scf.if", "tile.reduce"}));
}

TEST(EvalRowKernel, Bundled) {
  struct Case {
    const char *file, *kernel;
    NamedArguments arguments;
  };
  for (const Case &c : {
           Case{"softmax.py",
                "softmax_kernel",
                {{"x_ptr", "*fp32:16"},
                 {"y_ptr", "*fp32:16"},
                 {"stride", "i32"},
                 {"n", "i32"},
                 {"BLOCK", "#1024"}}},
           Case{"softmax.py",
                "softmax_persistent_kernel",
                {{"x_ptr", "*bf16"},
                 {"y_ptr", "*bf16"},
                 {"stride", "i32"},
                 {"n_rows", "i32"},
                 {"n", "i32"},
                 {"BLOCK", "#256"},
                 {"STAGES", "#2"}}},
           Case{"softmax.py",
                "softmax_online_kernel",
                {{"x_ptr", "*fp16"}, {"y_ptr", "*fp16"}, {"stride", "i32"}, {"n", "i32"}, {"BLOCK", "#256"}}},
           Case{"rmsnorm.py",
                "rmsnorm_kernel",
                {{"x_ptr", "*fp16"},
                 {"y_ptr", "*fp16"},
                 {"weight_ptr", "*fp16"},
                 {"stride", "i32"},
                 {"n", "i32"},
                 {"eps", "fp32"},
                 {"BLOCK", "#256"}}},
           Case{"layernorm.py",
                "layernorm_any_kernel",
                {{"x_ptr", "*fp16"},
                 {"y_ptr", "*fp16"},
                 {"weight_ptr", "*fp16"},
                 {"bias_ptr", "*fp16"},
                 {"mean_ptr", "*fp32"},
                 {"rstd_ptr", "*fp32"},
                 {"stride", "i32"},
                 {"n", "i32"},
                 {"eps", "fp32"},
                 {"BLOCK", "#256"}}},
           Case{"matrix_sums.py",
                "column_sums_kernel",
                {{"x_ptr", "*fp32"},
                 {"sums_ptr", "*fp32"},
                 {"M", "i32"},
                 {"N", "i32"},
                 {"stride", "i32"},
                 {"rows_each", "i32"},
                 {"BLOCK_M", "#32"},
                 {"BLOCK_N", "#128"}}},
           Case{"cross_entropy.py",
                "cross_entropy_kernel",
                {{"logits_ptr", "*bf16"},
                 {"targets_ptr", "*i64"},
                 {"losses_ptr", "*fp32"},
                 {"stride", "i32"},
                 {"V", "i32"},
                 {"ignore_index", "i32"},
                 {"BLOCK", "#1024"}}},
           Case{"histogram.py",
                "histogram_kernel",
                {{"x_ptr", "*i32"},
                 {"counts_ptr", "*i32"},
                 {"n", "i32"},
                 {"bins", "i32"},
                 {"BLOCK", "#1024"}}},
       })
    EXPECT_EQ(evaluate(readKernel(c.file), c.arguments, false, c.kernel).errors, "")
        << c.file << " " << c.kernel;
}
