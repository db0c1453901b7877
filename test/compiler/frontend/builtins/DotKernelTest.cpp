// Whole kernels around `tl.dot`: what programs of matrix products and of attention are written with.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

constexpr std::string_view matmul = R"(
@triton.jit
def leaky_relu(x):
    return tl.where(x >= 0, x, 0.01 * x)

@triton.jit
def relu(x):
    return tl.maximum(x, 0.0)

@triton.jit
def activate(x, ACTIVATION: tl.constexpr):
    if ACTIVATION == "leaky_relu":
        return leaky_relu(x)
    elif ACTIVATION == "relu":
        return relu(x)
    return x

@triton.jit
def group(pid, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP_M: tl.constexpr):
    num_pid_m = tl.cdiv(M, BLOCK_M)
    num_pid_n = tl.cdiv(N, BLOCK_N)
    num_pid_in_group = GROUP_M * num_pid_n
    group_id = pid // num_pid_in_group
    first_pid_m = group_id * GROUP_M
    group_size_m = min(num_pid_m - first_pid_m, GROUP_M)
    pid_m = first_pid_m + ((pid % num_pid_in_group) % group_size_m)
    pid_n = (pid % num_pid_in_group) // group_size_m
    return pid_m, pid_n

@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
           BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
           ACTIVATION: tl.constexpr, EVEN_K: tl.constexpr):
    pid_m, pid_n = group(tl.program_id(axis=0), M, N, BLOCK_M, BLOCK_N, GROUP_M)
    tl.assume(pid_m >= 0)
    tl.assume(stride_am > 0)
    offs_am = (pid_m * BLOCK_M + tl.arange(0, BLOCK_M)) % M
    offs_bn = (pid_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    offs_am = tl.max_contiguous(tl.multiple_of(offs_am, BLOCK_M), BLOCK_M)
    offs_bn = tl.max_contiguous(tl.multiple_of(offs_bn, BLOCK_N), BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + (offs_am[:, None] * stride_am + offs_k[None, :] * stride_ak)
    b_ptrs = b_ptr + (offs_k[:, None] * stride_bk + offs_bn[None, :] * stride_bn)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        if EVEN_K:
            a = tl.load(a_ptrs)
            b = tl.load(b_ptrs)
        else:
            a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BLOCK_K, other=0.0)
            b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BLOCK_K, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    if ACTIVATION:
        accumulator = activate(accumulator, ACTIVATION)
    c = accumulator.to(c_ptr.dtype.element_ty)
    offs_cm = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_cn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    c_ptrs = c_ptr + stride_cm * offs_cm[:, None] + stride_cn * offs_cn[None, :]
    tl.store(c_ptrs, c, mask=(offs_cm[:, None] < M) & (offs_cn[None, :] < N))
)";

constexpr std::string_view attention = R"(
@triton.jit
def inner(acc, l_i, m_i, q, k_ptrs, v_ptrs, stride_kn, stride_vn, start_m, scale, offs_m, offs_n, N_CTX,
          BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, STAGE: tl.constexpr):
    if STAGE == 1:
        lo, hi = 0, start_m * BLOCK_M
    elif STAGE == 2:
        lo, hi = start_m * BLOCK_M, (start_m + 1) * BLOCK_M
        lo = tl.multiple_of(lo, BLOCK_M)
    else:
        lo, hi = 0, N_CTX
    k_ptrs += lo * stride_kn
    v_ptrs += lo * stride_vn
    for start_n in tl.range(lo, hi, BLOCK_N, num_stages=2, flatten=True, disallow_acc_multi_buffer=True):
        start_n = tl.multiple_of(start_n, BLOCK_N)
        k = tl.load(k_ptrs)
        qk = tl.dot(q, tl.trans(k))
        if STAGE == 2:
            mask = offs_m[:, None] >= (start_n + offs_n[None, :])
            qk = qk * scale + tl.where(mask, 0, -1.0e6)
            m_ij = tl.maximum(m_i, tl.max(qk, 1))
            qk -= m_ij[:, None]
        else:
            m_ij = tl.maximum(m_i, tl.max(qk, 1) * scale)
            qk = qk * scale - m_ij[:, None]
        p = tl.math.exp2(qk)
        alpha = tl.math.exp2(m_i - m_ij)
        l_ij = tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(v_ptrs)
        acc = tl.dot(p.to(v.dtype), v, acc)
        l_i = l_i * alpha + l_ij
        m_i = m_ij
        k_ptrs += BLOCK_N * stride_kn
        v_ptrs += BLOCK_N * stride_vn
    return acc, l_i, m_i

@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, o_ptr, lse_ptr, sm_scale, stride_m, stride_kn, stride_vn, N_CTX,
           HEAD: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, STAGE: tl.constexpr):
    tl.static_assert(BLOCK_N <= HEAD)
    start_m = tl.program_id(0)
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_d = tl.arange(0, HEAD)
    q = tl.load(q_ptr + offs_m[:, None] * stride_m + offs_d[None, :])
    k_ptrs = k_ptr + offs_n[:, None] * stride_kn + offs_d[None, :]
    v_ptrs = v_ptr + offs_n[:, None] * stride_vn + offs_d[None, :]
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32) + 1.0
    acc = tl.zeros([BLOCK_M, HEAD], dtype=tl.float32)
    scale = sm_scale * 1.44269504
    if STAGE & 1:
        acc, l_i, m_i = inner(acc, l_i, m_i, q, k_ptrs, v_ptrs, stride_kn, stride_vn, start_m, scale, offs_m, offs_n,
                              N_CTX, BLOCK_M, BLOCK_N, 4 - STAGE)
    if STAGE & 2:
        acc, l_i, m_i = inner(acc, l_i, m_i, q, k_ptrs, v_ptrs, stride_kn, stride_vn, start_m, scale, offs_m, offs_n,
                              N_CTX, BLOCK_M, BLOCK_N, 2)
    m_i += tl.math.log2(l_i)
    acc = acc / l_i[:, None]
    tl.store(lse_ptr + offs_m, m_i)
    tl.store(o_ptr + offs_m[:, None] * stride_m + offs_d[None, :], acc.to(o_ptr.type.element_ty))
)";

} // namespace

TEST(EvalDotKernel, MatmulOfEveryType) {
  for (auto [element, result] :
       {std::pair("fp16", "fp16"), std::pair("bf16", "bf16"), std::pair("fp32", "fp32"),
        std::pair("fp8e4nv", "fp16"), std::pair("fp8e5", "fp8e5")})
    for (const char *activation : {"#none", "#'leaky_relu'", "#'relu'"}) {
      NamedArguments arguments = {{"a_ptr", "*" + std::string(element) + ":16"},
                                  {"b_ptr", "*" + std::string(element) + ":16"},
                                  {"c_ptr", "*" + std::string(result) + ":16"},
                                  {"M", "i32"},
                                  {"N", "i32"},
                                  {"K", "i32:16"},
                                  {"stride_am", "i32:16"},
                                  {"stride_ak", "i32=1"},
                                  {"stride_bk", "i32:16"},
                                  {"stride_bn", "i32=1"},
                                  {"stride_cm", "i32:16"},
                                  {"stride_cn", "i32=1"},
                                  {"BLOCK_M", "#64"},
                                  {"BLOCK_N", "#128"},
                                  {"BLOCK_K", "#32"},
                                  {"GROUP_M", "#8"},
                                  {"ACTIVATION", activation},
                                  {"EVEN_K", "#false"}};
      Evaluated evaluated = evaluate(matmul, arguments, false, "kernel");
      EXPECT_EQ(evaluated.errors, "");
      EXPECT_TRUE(holds(evaluated.ir, {"tile.assume", "tile.hint", "scf.for", "tile.load", "tile.load",
                                       "tile.dot", "-> tensor<64x128xf32>", "scf.yield", "tile.store"}))
          << evaluated.ir;
    }
}

TEST(EvalDotKernel, AttentionCausalAndFull) {
  for (const char *element : {"*fp16:16", "*bf16:16"})
    for (const char *stage : {"#1", "#3"}) {
      NamedArguments arguments = {{"q_ptr", element},     {"k_ptr", element},      {"v_ptr", element},
                                  {"o_ptr", element},     {"lse_ptr", "*fp32:16"}, {"sm_scale", "fp32"},
                                  {"stride_m", "i32:16"}, {"stride_kn", "i32:16"}, {"stride_vn", "i32:16"},
                                  {"N_CTX", "i32:16"},    {"HEAD", "#64"},         {"BLOCK_M", "#128"},
                                  {"BLOCK_N", "#64"},     {"STAGE", stage}};
      Evaluated evaluated = evaluate(attention, arguments, false, "kernel");
      EXPECT_EQ(evaluated.errors, "");
      EXPECT_TRUE(
          holds(evaluated.ir, {"dense<0xFF800000>", "scf.for", "tile.trans", "tile.dot", "tile.reduce",
                               "math.exp2", "tile.reduce", "tile.broadcast", "arith.truncf", "tile.dot",
                               "tile.loop = #tile.loop<", "math.log2", "arith.divf"}))
          << evaluated.ir;
    }
}
