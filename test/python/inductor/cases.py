"""Programs under torch.compile, each run by itself with Tegula as `triton`: `python -m tegula.as_triton cases.py NAME`.

A case gives a function and its arguments; what it computes compiled has to be what PyTorch computes.
"""

import sys

import torch
import torch.nn.functional as F

torch.manual_seed(0)


def cuda(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=dtype)


def pointwise():
    return lambda x, y: torch.sin(x) * y + torch.where(x > 0, x, y.exp()), (cuda(1000, 33), cuda(1000, 33))


def half():
    return lambda x: F.gelu(x) * torch.sigmoid(x), (cuda(512, 512, dtype=torch.bfloat16),)


def libdevice():
    return lambda x: torch.erf(x) + torch.log1p(x.abs()) + torch.tanh(x) + torch.lgamma(x.abs() + 1), (cuda(4096),)


def softmax():
    return lambda x: torch.softmax(x, -1), (cuda(64, 1111),)


def layer_norm():
    return lambda x, w, b: F.layer_norm(x, (768,), w, b), (cuda(128, 768), cuda(768), cuda(768))


def welford():
    return lambda x: torch.var_mean(x, dim=(0, 2)), (cuda(16, 64, 300),)


def arg_max():
    return lambda x: (x.argmax(-1), x.argmin(0), x.max(), x.amin(1)), (cuda(50, 1234),)


def outer_reduction():
    return lambda x: x.sum(0) + x.prod(0) * x.any(0), (cuda(777, 65),)


def embedding():
    return lambda i, w: F.embedding(i, w).sum(1), (torch.randint(0, 100, (32, 16), device="cuda"), cuda(100, 64))


def scans():
    return lambda x: (x.cumsum(-1), torch.logcumsumexp(x, 0)), (cuda(20, 300),)


def sorting():
    return lambda x: torch.sort(x, -1), (cuda(40, 100),)


def scatter():
    index = torch.randint(0, 64, (512,), device="cuda")
    return lambda x: torch.zeros(64, 8, device="cuda").index_add(0, index, x), (cuda(512, 8),)


def concatenation():
    return lambda x, y: torch.cat([x * 2, F.pad(y, (1, 3)) + 1], 1), (cuda(30, 17), cuda(30, 40))


def several_kernels():
    def attention(q, k, v):
        return torch.softmax(q @ k.transpose(-1, -2) / 8, -1) @ v
    return attention, tuple(cuda(2, 4, 128, 64) for _ in range(3))


def bucketize():
    return torch.bucketize, (cuda(3000), torch.linspace(-2, 2, 9, device="cuda"))


def doubles():
    return lambda x: torch.exp(x) / (1 + x * x), (cuda(501, dtype=torch.float64),)


def integers():
    return lambda x: (x // 7) * 3 + (x % 5) ^ (x >> 2), (torch.randint(-1000, 1000, (4097,), device="cuda"),)


CASES = (pointwise, half, libdevice, softmax, layer_norm, welford, arg_max, outer_reduction, embedding, scans, sorting, scatter,
         concatenation, several_kernels, bucketize, doubles, integers)


def run_case(case):
    function, arguments = case()
    got = torch.compile(function)(*arguments)
    torch.testing.assert_close(got, function(*arguments), rtol=2e-2 if arguments[0].dtype == torch.bfloat16 else 1e-4,
                               atol=2e-2 if arguments[0].dtype == torch.bfloat16 else 1e-4)


#--- programs of their own ---


def training():
    """Forwards, backwards, a step of the optimiser: the same as without compiling."""
    def trained(compiled):
        torch.manual_seed(1)
        model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.LayerNorm(128),
                                    torch.nn.Linear(128, 10)).cuda()
        optimiser = torch.optim.AdamW(model.parameters(), 1e-2)
        step = torch.compile(model) if compiled else model
        x, y = torch.randn(256, 64, device="cuda"), torch.randint(0, 10, (256,), device="cuda")
        for _ in range(3):
            optimiser.zero_grad()
            F.cross_entropy(step(x), y).backward()
            optimiser.step()
        return [parameter.detach() for parameter in model.parameters()]
    torch.testing.assert_close(trained(True), trained(False), rtol=1e-3, atol=1e-4)


def dropout():
    """The same random numbers as PyTorch's own, where Inductor is told to take them."""
    torch._inductor.config.fallback_random = True
    x = cuda(4096)
    torch.manual_seed(7)
    got = torch.compile(lambda x: F.dropout(x, 0.3))(x)
    torch.manual_seed(7)
    torch.testing.assert_close(got, F.dropout(x, 0.3))
    torch._inductor.config.fallback_random = False
    kept = (torch.compile(lambda x: F.dropout(x, 0.3) + 1)(x) != 1).float().mean()
    assert 0.6 < kept < 0.8, kept


def out_of_bounds():
    """An index that is too large ends the kernel, as in Triton."""
    table = cuda(10, 4)
    index = torch.tensor([3, 11], device="cuda")
    try:
        torch.compile(lambda i: table[i] + 1)(index)
        torch.cuda.synchronize()
    except Exception as error:
        assert "assert" in str(error).lower(), error
        return
    raise SystemExit("nothing was noticed")


def dynamic_shapes():
    compiled = torch.compile(lambda x: torch.softmax(x * 2, -1).sum(0), dynamic=True)
    for rows, columns in ((3, 5), (64, 100), (1, 1), (129, 1025)):
        x = cuda(rows, columns)
        torch.testing.assert_close(compiled(x), torch.softmax(x * 2, -1).sum(0), rtol=1e-4, atol=1e-4)


def max_autotune():
    a, b = cuda(256, 512, dtype=torch.float16), cuda(512, 384, dtype=torch.float16)
    torch._inductor.config.max_autotune_gemm_backends = "TRITON"
    got = torch.compile(lambda a, b: torch.relu(a @ b), mode="max-autotune-no-cudagraphs")(a, b)
    torch.testing.assert_close(got, torch.relu(a @ b), rtol=1e-2, atol=1e-1)


def user_kernel():
    import triton
    import triton.language as tl

    @triton.jit
    def scaled(x_ptr, out_ptr, n, SCALE: tl.constexpr, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) * SCALE, mask=i < n)

    def function(x):
        out = torch.empty_like(x)
        scaled[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), SCALE=3, BLOCK=256)
        return out + 1

    x = cuda(1000)
    torch.testing.assert_close(torch.compile(function)(x), x * 3 + 1)


def written_by_user_kernels():
    """Only what a kernel writes is taken for changed: `x` of the second is what it was."""
    import triton
    import triton.language as tl
    from torch._higher_order_ops import triton_kernel_wrap

    @triton.jit
    def twice(p, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(p + i, tl.load(p + i, mask=i < n) * 2, mask=i < n)

    @triton.jit
    def both(x, y, out, total, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        p, sums = x + i, tl.zeros((BLOCK,), tl.float32)
        for _ in range(2):
            sums = tl.load(p, mask=i < n) + tl.load(y + i, mask=i < n)
            p = x + i
        tl.store(out + i, sums, mask=i < n)
        tl.atomic_add(total, tl.sum(tl.where(i < n, sums, 0.0)))

    seen = []
    plain = triton_kernel_wrap.identify_mutated_tensors

    def noted(*args, **kwargs):
        seen.append(tuple(plain(*args, **kwargs)))
        return list(seen[-1])
    triton_kernel_wrap.identify_mutated_tensors = noted

    def function(x, y):
        x = x.clone()
        twice[(4,)](x, x.numel(), BLOCK=256)
        out, total = torch.empty_like(x), torch.zeros(1, device="cuda")
        both[(4,)](x, y, out, total, x.numel(), BLOCK=256)
        return x + 1, out * 2, total

    x, y = cuda(1000), cuda(1000)
    got = torch.compile(function)(x, y)
    torch.testing.assert_close(got, (x * 2 + 1, (x * 2 + y) * 2, (x * 2 + y).sum()[None]), rtol=1e-4, atol=1e-3)
    assert set(seen) == {("p",), ("out", "total")}, seen


def tuned_user_kernel():
    import triton
    import triton.language as tl

    @triton.autotune([triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 512}, num_warps=8)], key=["n"])
    @triton.jit
    def added(x, y, out, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)

    def function(x, y):
        out = torch.empty_like(x)
        added[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, out, x.numel())
        return out.sin()

    x, y = cuda(3000), cuda(3000)
    torch.testing.assert_close(torch.compile(function)(x, y), (x + y).sin())


def operator_of_a_kernel():
    """`triton_op`: an operator of PyTorch that launches a kernel, with a gradient."""
    import triton
    import triton.language as tl
    from torch.library import triton_op, wrap_triton

    @triton.jit
    def squares(x, out, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        value = tl.load(x + i, mask=i < n)
        tl.store(out + i, value * value, mask=i < n)

    @triton_op("tegula_test::square", mutates_args={})
    def square(x: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        wrap_triton(squares)[(triton.cdiv(x.numel(), 128),)](x, out, x.numel(), BLOCK=128)
        return out

    square.register_autograd(lambda ctx, gradient: gradient * 2 * ctx.saved_tensors[0],
                             setup_context=lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]))
    x = cuda(1000).requires_grad_()
    loss = torch.compile(lambda x: (square(x) + 1).sum())(x)
    loss.backward()
    torch.testing.assert_close(loss, (x * x + 1).sum(), rtol=1e-4, atol=1e-3)
    torch.testing.assert_close(x.grad, 2 * x)


def user_kernel_with_descriptors():
    import triton
    import triton.language as tl
    from triton.tools.tensor_descriptor import TensorDescriptor

    @triton.jit
    def tripled(x, out, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK
        out.store([at, 0], x.load([at, 0]) * 3)

    def function(x):
        out = torch.zeros_like(x)
        tripled[(4,)](TensorDescriptor.from_tensor(x, [16, 32]), TensorDescriptor.from_tensor(out, [16, 32]), BLOCK=16)
        return out + 1

    x = cuda(64, 32)
    torch.testing.assert_close(torch.compile(function)(x), x * 3 + 1)


#: What Inductor can be told to write instead, by names of its settings.
SETTINGS = (
    {"triton.use_block_ptr": True}, {"triton.use_tensor_descriptor": True, "assume_aligned_inputs": True},
    {"triton.multi_kernel": 1}, {"coordinate_descent_tuning": True}, {"triton.prefer_nd_tiling": True, "triton.max_tiles": 3},
    {"triton.tile_reductions": True, "triton.prefer_nd_tiling": True}, {"triton.persistent_reductions": False},
    {"triton.enable_pdl": True}, {"use_fast_math": True}, {"emulate_precision_casts": True}, {"deterministic": True},
    {"max_autotune_pointwise": True}, {"benchmark_fusion": True}, {"triton.dense_indexing": True}, {"triton.store_cubin": True},
    {"triton.divisible_by_16": False}, {"online_softmax": False}, {"assert_indirect_indexing": False})


def settings():
    def function(x, w, i):
        return (F.layer_norm(torch.sin(x) * 2, (768,), w, w), x.T.contiguous() + 1, torch.softmax(x, -1).sum(0), x.cumsum(1),
                x[i] * 2, (x.unsqueeze(1) + x[:16]).amax(-1))

    arguments = cuda(96, 768), cuda(768), torch.randint(0, 96, (33,), device="cuda")
    failed = []
    for changed in SETTINGS:
        torch._dynamo.reset()
        try:
            with torch._inductor.config.patch(changed):
                got = torch.compile(function)(*arguments)
            torch.testing.assert_close(got, function(*arguments), rtol=1e-4, atol=1e-4)
        except Exception as error:
            failed.append(f"{changed}: {type(error).__name__}: {error}")
    assert not failed, "\n".join(failed)


def launched_from_cpp():
    """Wrappers in C++, which load the machine code from files and launch it through the driver."""
    x, w = cuda(64, 768), cuda(768)
    with torch._inductor.config.patch(cpp_wrapper=True):
        got = torch.compile(lambda x, w: F.layer_norm(torch.sin(x), (768,), w, w) + x.sum(0))(x, w)
    torch.testing.assert_close(got, F.layer_norm(torch.sin(x), (768,), w, w) + x.sum(0), rtol=1e-4, atol=1e-4)


def ahead_of_time():
    """A library that is compiled once, and loaded without a compiler."""
    import tempfile

    class Model(torch.nn.Module):
        def forward(self, x):
            return torch.softmax(x * 2, -1) + x.sum(0)

    x = cuda(64, 500)
    with tempfile.TemporaryDirectory() as folder:
        package = torch._inductor.aoti_compile_and_package(torch.export.export(Model(), (x,)),
                                                           package_path=f"{folder}/model.pt2")
        got = torch._inductor.aoti_load_package(package)(x)
    torch.testing.assert_close(got, Model()(x), rtol=1e-4, atol=1e-4)


PROGRAMS = (training, dropout, out_of_bounds, dynamic_shapes, max_autotune, user_kernel, written_by_user_kernels,
            tuned_user_kernel, operator_of_a_kernel, user_kernel_with_descriptors, settings, launched_from_cpp, ahead_of_time)
#: Those with kernels that PyTorch does not launch statically.
OTHERWISE_LAUNCHED = (user_kernel, max_autotune, written_by_user_kernels, tuned_user_kernel, operator_of_a_kernel,
                      user_kernel_with_descriptors, settings, launched_from_cpp, ahead_of_time)


def main(name):
    import triton

    import tegula
    assert triton.jit is tegula.jit, "another Triton is there"
    from torch._inductor import config
    # What cannot be launched statically is an error.
    if hasattr(config, "strict_static_triton_launcher") and not any(name == program.__name__ for program in OTHERWISE_LAUNCHED):
        config.strict_static_triton_launcher = True
    found = {function.__name__: function for function in (*CASES, *PROGRAMS)}[name]
    if found in CASES:
        run_case(found)
    else:
        found()
    torch.cuda.synchronize() if name != "out_of_bounds" else None
    print("compiled", tegula.compiled_kernels())


if __name__ == "__main__":
    main(sys.argv[1])
