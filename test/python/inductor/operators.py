"""PyTorch's operators one by one under torch.compile, each against eager PyTorch; as wide as Inductor's generated code.

    python -m tegula.as_triton operators.py [PART OF PARTS] [NAME...]
    python -m tegula.as_triton operators.py --errors [PART OF PARTS]

With `--errors` each has a line with its errors compared with doubles, compiled and without compiling.
"""

import sys
import traceback

import torch
import torch.nn.functional as F

torch.manual_seed(0)


def made(*shape, dtype=torch.float32, low=None, high=None):
    """Normally distributed numbers, or, with limits, evenly distributed ones."""
    if dtype in (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64):
        return torch.randint(-100 if low is None and dtype != torch.uint8 else low or 0, high or 100, shape, dtype=dtype).cuda()
    if dtype == torch.bool:
        return (torch.rand(shape) < 0.5).cuda()
    x = torch.randn(shape, dtype=torch.float64) if low is None else torch.rand(shape, dtype=torch.float64) * (high - low) + low
    return x.to("cuda", dtype)


def gradient_of(function):
    """The gradient of the sum of squares of what it gives."""
    return lambda x: torch.autograd.grad(function(x).square().sum(), x)[0]


X = (made(37, 129),)
POSITIVE = (made(37, 129, low=0.01, high=8.0),)
UNIT = (made(37, 129, low=-0.99, high=0.99),)
TWO = (made(37, 129), made(37, 129))
WHOLE = (made(37, 129, dtype=torch.int32), made(37, 129, dtype=torch.int32, low=1, high=50))
LONG = (made(300, dtype=torch.int64), made(300, dtype=torch.int64, low=1, high=50))
BYTES = (made(300, dtype=torch.uint8), made(300, dtype=torch.uint8, low=1, high=50))
BF16 = (made(33, 65, dtype=torch.bfloat16),)
F16 = (made(33, 65, dtype=torch.float16),)
F64 = (made(33, 65, dtype=torch.float64),)
IMAGE = (made(2, 3, 17, 23),)
special = torch.special

#: {name: (function, arguments)}
OPERATORS = {
    **{f"unary_{name}": (getattr(torch, name), X) for name in (
        "abs sin cos tan sinh cosh tanh exp exp2 expm1 erf erfc sigmoid floor ceil round trunc frac sign sgn signbit "
        "asinh atan neg square relu isnan isinf isfinite isposinf isneginf logical_not reciprocal deg2rad rad2deg sinc "
        "nan_to_num positive").split()},
    **{f"positive_{name}": (getattr(torch, name), POSITIVE) for name in (
        "log log2 log10 log1p sqrt rsqrt lgamma digamma").split()},
    **{f"unit_{name}": (getattr(torch, name), UNIT) for name in "asin acos atanh erfinv".split()},
    **{f"special_{name}": (getattr(special, name), POSITIVE) for name in (
        "bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 "
        "modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1 spherical_bessel_j0 i0 i0e i1 i1e erfcx "
        "ndtr log_ndtr entr psi gammaln airy_ai").split()},
    "special_ndtri": (special.ndtri, (made(300, low=0.01, high=0.99),)),
    "special_zeta": (special.zeta, (made(300, low=1.5, high=8.0), made(300, low=0.5, high=4.0))),
    "special_polynomial": (special.chebyshev_polynomial_t, (made(300, low=-1.0, high=1.0), made(300, low=0.0, high=6.0).floor())),
    "acosh": (torch.acosh, (made(300, low=1.0, high=9.0),)),
    "logit": (torch.logit, (made(300, low=0.01, high=0.99),)),
    "polygamma": (lambda x: torch.polygamma(1, x), POSITIVE),
    **{f"double_{name}": (getattr(torch, name), F64) for name in (
        "sin cos tan exp exp2 expm1 erf erfc tanh sigmoid asinh atan sinh cosh round frac").split()},
    **{f"double_positive_{name}": (getattr(torch, name), (F64[0].abs() + 0.1,)) for name in "log log2 sqrt rsqrt lgamma".split()},
    **{f"binary_{name}": (getattr(torch, name), TWO) for name in (
        "add sub mul div maximum minimum fmax fmin atan2 hypot copysign fmod remainder eq lt ge logaddexp logaddexp2 "
        "nextafter heaviside logical_and logical_xor xlogy").split()},
    "pow": (torch.pow, (POSITIVE[0], TWO[0])), "pow_negative_base": (lambda x: x**3 + x**-2, X),
    "pow_integers": (lambda x, y: torch.pow(x, y % 4), LONG),
    "ldexp": (torch.ldexp, (X[0], made(37, 129, dtype=torch.int32, low=-5, high=5))),
    "frexp": (torch.frexp, X), "addcdiv": (lambda x, y: torch.addcdiv(x, x, y.abs() + 1, value=0.5), TWO),
    "lerp": (lambda x, y: torch.lerp(x, y, 0.3), TWO), "clamp": (lambda x: x.clamp(-0.5, 0.7), X),
    "where": (lambda x, y: torch.where(x > y, x, -y), TWO), "threshold": (lambda x: F.threshold(x, 0.1, 20.0), X),
    "divide_floor": (lambda x, y: torch.div(x, y, rounding_mode="floor"), TWO),
    "divide_trunc": (lambda x, y: torch.div(x, y, rounding_mode="trunc"), TWO),
    **{f"activation_{name}": (getattr(F, name), X) for name in (
        "gelu silu elu selu celu leaky_relu softplus softsign mish hardtanh hardswish hardsigmoid logsigmoid "
        "relu6 tanhshrink hardshrink softshrink").split()},
    "glu": (lambda x: F.glu(x[:, :128], -1), X), "gelu_tanh": (lambda x: F.gelu(x, approximate="tanh"), X),
    # whole numbers
    **{f"int_{name}": (getattr(torch, name), WHOLE) for name in (
        "add mul floor_divide remainder fmod bitwise_and bitwise_or bitwise_xor gcd maximum div").split()},
    **{f"long_{name}": (getattr(torch, name), LONG) for name in "add mul floor_divide remainder div gcd".split()},
    **{f"byte_{name}": (getattr(torch, name), BYTES) for name in "add mul floor_divide remainder bitwise_xor".split()},
    "shifts": (lambda x, y: (x << (y % 8), x >> (y % 8)), WHOLE), "bitwise_not": (lambda x, y: ~x, WHOLE),
    "int8": (lambda x: (x * 3 + 1, x // 5, -x), (made(300, dtype=torch.int8),)),
    "int16": (lambda x: (x * 3 + 1, x.float() / 7, x.abs()), (made(300, dtype=torch.int16),)),
    "booleans": (lambda x: (~x, x & x.roll(1), x.sum(), x.int() * 3), (made(300, dtype=torch.bool),)),
    "shift_by_python": (lambda x, y: (x // 3, x % 7, x * -5, x - 2**20), LONG),
    # types
    **{f"cast_{str(kind)[6:]}": (lambda x, kind=kind: (x * 9).to(kind).to(torch.float32) + 1, X) for kind in (
        torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool,
        torch.float8_e4m3fn, torch.float8_e5m2)},
    "cast_to_unsigned": (lambda x: (x.abs() * 9).to(torch.uint8) + 1, X),
    "bitcast": (lambda x: x.view(torch.int32) ^ 1, X), "bitcast_half": (lambda x: x.view(torch.int16) + 1, BF16),
    "bfloat16": (lambda x: (x.exp() + x.sum(1, keepdim=True)).tanh(), BF16),
    "float16": (lambda x: (x.exp() + x.sum(1, keepdim=True)).tanh(), F16),
    "complex_parts": (lambda x, y: (torch.complex(x, y) * 2).abs(), TWO),
    # reductions
    **{f"reduce_{name}_{axis}": (lambda x, name=name, axis=axis: getattr(torch, name)(x, axis), X) for name in (
        "sum mean prod amax amin argmax argmin var std logsumexp all any norm median").split() for axis in (0, 1)
       if name not in ("norm",)},
    "reduce_to_one": (lambda x: (x.sum(), x.mean(), x.max(), x.min(), x.argmax(), x.std(), x.norm()), X),
    "reduce_long_row": (lambda x: (x.sum(1), x.amax(1), x.argmin(1), x.var(1)), (made(3, 70000),)),
    "reduce_all_of_many": (lambda x: (x.sum(), x.abs().max(), x.var()), (made(1_000_003),)),
    "reduce_outer": (lambda x: (x.sum(0), x.amax(0), x.argmax(0), x.mean(0)), (made(5000, 70),)),
    "reduce_middle": (lambda x: (x.sum(1), x.var(1), x.prod(1)), (made(7, 50, 33, low=0.5, high=1.4),)),
    "reduce_longs": (lambda x: (x.sum(), x.amax(), x.prod(), x.argmin()), (made(50, dtype=torch.int64, low=1, high=3),)),
    "reduce_halves": (lambda x: (x.sum(1), x.amax(0), x.argmax(1), x.var(1)), BF16),
    "reduce_bools": (lambda x: (x.any(), x.all(0), x.sum(1)), (made(20, 70, dtype=torch.bool),)),
    "max_with_index": (lambda x: (*torch.max(x, 1), *torch.min(x, 0)), X),
    "xor_sum": (lambda x, y: x.sum(0) ^ y.sum(0), WHOLE),
    "nan_reductions": (lambda x: (x.nansum(1), x.amax(1), x.argmax(1)), (torch.where(made(20, 33) > 2, torch.nan, made(20, 33)),)),
    "softmax": (lambda x: F.softmax(x, 1), X), "log_softmax": (lambda x: F.log_softmax(x, 0), X),
    "softmax_of_long_rows": (lambda x: F.softmax(x, 1), (made(4, 40000),)),
    "layer_norm": (lambda x: F.layer_norm(x, (129,)), X), "group_norm": (lambda x: F.group_norm(x, 3), IMAGE),
    "batch_norm": (lambda x: F.batch_norm(x, None, None, training=True), IMAGE),
    "rms_norm": (lambda x: F.rms_norm(x, (129,)), X),
    "instance_norm": (F.instance_norm, IMAGE), "local_response_norm": (lambda x: F.local_response_norm(x, 2), IMAGE),
    "cosine_similarity": (lambda x, y: F.cosine_similarity(x, y, 1), TWO),
    "pairwise": (lambda x, y: torch.cdist(x, y), TWO),
    "cross_entropy": (lambda x: F.cross_entropy(x, torch.arange(37, device="cuda")), X),
    "huber": (lambda x, y: (F.huber_loss(x, y), F.smooth_l1_loss(x, y), F.mse_loss(x, y)), TWO),
    "kl": (lambda x, y: F.kl_div(F.log_softmax(x, 1), F.softmax(y, 1), reduction="batchmean"), TWO),
    # scans and sorts
    **{f"scan_{name}_{axis}": (lambda x, name=name, axis=axis: getattr(torch, name)(x, axis), (made(30, 70),))
       for name in "cumsum cumprod logcumsumexp cummax cummin".split() for axis in (0, 1)},
    "scan_of_many": (lambda x: x.cumsum(0), (made(200_000),)),
    "scan_of_longs": (lambda x: x.cumsum(0), (made(100_000, dtype=torch.int64),)),
    "scan_of_halves": (lambda x: x.cumsum(1), BF16), "scan_of_doubles": (lambda x: x.cumsum(1), F64),
    "sort": (lambda x: torch.sort(x, 1), (made(30, 70),)),
    "sort_down_stable": (lambda x: torch.sort(x, dim=0, descending=True, stable=True), (made(30, 70),)),
    "sort_of_ints": (lambda x: torch.sort(x, dim=0, stable=True), (made(300, dtype=torch.int32),)),
    "argsort": (lambda x: torch.argsort(x, 1), (made(30, 70),)),
    "topk": (lambda x: torch.topk(x, 5), X),
    "kthvalue": (lambda x: torch.kthvalue(x, 3), X),
    "unique": (lambda x: torch.unique(x), (made(300, dtype=torch.int64, low=0, high=40),)),
    "searchsorted": (lambda x: torch.searchsorted(torch.linspace(-2, 2, 17, device="cuda"), x), X),
    "bucketize_right": (lambda x: torch.bucketize(x, torch.linspace(-2, 2, 17, device="cuda"), right=True), X),
    "histc": (lambda x: torch.histc(x, 16, -2, 2), X),
    "bincount": (lambda x: torch.bincount(x, minlength=50), (made(300, dtype=torch.int64, low=0, high=40),)),
    # indexing
    "gather": (lambda x: x.gather(1, (x * 10).long().abs() % 129), X),
    "index": (lambda x: x[[3, 1, 2], [0, 128, -1]], X),
    "take": (lambda x: x.take(torch.tensor([5, 1000, 4772], device="cuda")), X),
    "index_select": (lambda x: x.index_select(0, torch.tensor([1, 1, 36], device="cuda")), X),
    "embedding": (lambda x: F.embedding(torch.tensor([[1, 5], [36, 0]], device="cuda"), x), X),
    "embedding_bag": (lambda x: F.embedding_bag(torch.tensor([[1, 5], [36, 0]], device="cuda"), x, mode="mean"), X),
    "scatter": (lambda x: torch.zeros_like(x).scatter(1, torch.arange(128, -1, -1, device="cuda").expand(37, 129), x), X),
    "scatter_add": (lambda x: torch.zeros_like(x).scatter_add(1, (x * 10).long().abs() % 129, x), X),
    "scatter_amax": (lambda x: torch.zeros(37, 129, device="cuda", dtype=x.dtype).scatter_reduce(1, (x * 10).long().abs() % 129, x, "amax"), X),
    "scatter_mean": (lambda x: torch.zeros(37, 129, device="cuda", dtype=x.dtype).scatter_reduce(1, (x * 10).long().abs() % 129, x, "mean"), X),
    "index_put": (lambda x: x.clone().index_put((torch.tensor([1, 1, 2], device="cuda"),), x[:3], accumulate=True), X),
    "index_add_halves": (lambda x: torch.zeros(4, 65, device="cuda", dtype=x.dtype).index_add(0, torch.arange(33, device="cuda") % 4, x), BF16),
    "masked_fill": (lambda x: x.masked_fill(x > 0, -1.0), X),
    "masked_select": (lambda x: x[x > 1], X),
    "nonzero": (lambda x: (x > 1).nonzero(), X),
    "masked_scatter": (lambda x, y: x.masked_scatter(x > 0, y), TWO),
    "one_hot": (lambda x: F.one_hot((x[:, 0] * 3).long().abs() % 7, 7), X),
    "tril": (lambda x: (x.tril(3), x.triu(-1)), X), "diagonal": (lambda x: (x.diagonal(), torch.diag_embed(x[0])), X),
    # shapes
    "cat": (lambda x, y: torch.cat([x * 2, y[:, :50], x + y], 1), TWO),
    "stack": (lambda x, y: torch.stack([x, y, x + y], 2), TWO),
    "pad": (lambda x: F.pad(x, (1, 2, 3, 0), value=3.0), IMAGE),
    "reflect": (lambda x: F.pad(x, (3, 2, 1, 4), mode="reflect"), IMAGE),
    "replicate": (lambda x: F.pad(x, (3, 2, 1, 4), mode="replicate"), IMAGE),
    "circular": (lambda x: F.pad(x, (3, 2, 1, 4), mode="circular"), IMAGE),
    "transposed": (lambda x, y: (x.T + y.T).contiguous(), TWO),
    "permuted": (lambda x: x.permute(2, 0, 3, 1).contiguous() * 2, IMAGE),
    "flip_roll": (lambda x: (x.flip(1), x.roll((3, -5), (0, 1))), X),
    "repeat": (lambda x: (x.repeat(2, 3), x.repeat_interleave(3, 1)), X),
    "unfold": (lambda x: (F.unfold(x, 3, padding=1), x.unfold(2, 5, 2)), IMAGE),
    "fold": (lambda x: F.fold(F.unfold(x, 3), (17, 23), 3), IMAGE),
    "meshgrid": (lambda x: torch.meshgrid(x[0], x[1], indexing="ij")[0] * 2, X),
    "pixel_shuffle": (lambda x: F.pixel_shuffle(x.repeat(1, 4, 1, 1), 2), IMAGE),
    "strided": (lambda x: x[::3, 5:100:7] * 2, X),
    "broadcast": (lambda x: x[:, :1] * x[:1] + x.sum(), X),
    "empty": (lambda x: x[:0].sum() + x[:, :0].exp().sum(), X),
    "one_element": (lambda x: x[0, 0].sin() + 1, X),
    "arange": (lambda x: torch.arange(129, device="cuda") * x[0], X),
    "linspace": (lambda x: torch.linspace(0, 1, 129, device="cuda", dtype=x.dtype) + x[0], X),
    # images
    "max_pool": (lambda x: F.max_pool2d(x, 3, 2, 1), IMAGE),
    "max_pool_index": (lambda x: F.max_pool2d(x, 2, return_indices=True), IMAGE),
    "avg_pool": (lambda x: F.avg_pool2d(x, 3, 2, 1), IMAGE),
    "adaptive_pool": (lambda x: F.adaptive_avg_pool2d(x, (5, 4)), IMAGE),
    "adaptive_max": (lambda x: F.adaptive_max_pool2d(x, (5, 4)), IMAGE),
    "lp_pool": (lambda x: F.lp_pool2d(x.abs() + 0.1, 2.0, 3), IMAGE),
    **{f"interpolate_{mode}": (lambda x, mode=mode: F.interpolate(x, size=(31, 40), mode=mode), IMAGE) for mode in ("nearest", "bilinear", "bicubic", "area", "nearest-exact")},
    "grid_sample": (lambda x: F.grid_sample(x, torch.linspace(-1.2, 1.2, 2 * 5 * 7 * 2, device="cuda", dtype=x.dtype).view(2, 5, 7, 2), align_corners=False), IMAGE),
    "affine_grid": (lambda x: F.affine_grid(x[:, 0, :2, :3].contiguous(), (2, 3, 4, 5), align_corners=False), IMAGE),
    # products that Inductor writes itself
    "small_product": (lambda x, y: x[:5, :3] @ y[:3, :4], TWO),
    "matrix_vector": (lambda x, y: x @ y[0], TWO),
    "outer": (lambda x, y: torch.outer(x[0], y[1]), TWO),
    "einsum": (lambda x, y: torch.einsum("ij,ij->i", x, y), TWO),
    "baddbmm": (lambda x: torch.baddbmm(x[:, :, :17, :17][0], x[0, :, :, :5], x[0, :, :5, :17]), IMAGE),
    "product_of_ints": (lambda x, y: (x[:, :, None] * y[:, None, :5]).sum(0), WHOLE),
    # gradients
    **{f"gradient_{name}": (gradient_of(function), (made(2, 6, 18, 22).requires_grad_(),)) for name, function in {
        "layer_norm": lambda x: F.layer_norm(x, (22,)),
        "softmax": lambda x: F.softmax(x, -1),
        "gelu": F.gelu,
        "max_pool": lambda x: F.max_pool2d(x, 2),
        "cumsum": lambda x: x.cumsum(-1),
        "group_norm": lambda x: F.group_norm(x, 3),
        "batch_norm": lambda x: F.batch_norm(x, None, None, training=True),
        "bilinear": lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"),
        "amax": lambda x: x.amax(-1),
        "prod": lambda x: x.prod(-1),
        "avg_pool": lambda x: F.avg_pool2d(x, 3, 2),
        "sort": lambda x: x.sort(-1)[0],
        "index": lambda x: x[:, [0, 0, 3]],
        "log_softmax": lambda x: F.log_softmax(x, 1)}.items()},
}

#: Those of random numbers: {name: (function, what has to hold of its result)}.
RANDOM = {
    "rand": (lambda: torch.rand(10000, device="cuda"), lambda x: 0 <= x.min() and x.max() < 1 and abs(x.mean() - 0.5) < 0.02),
    "randn": (lambda: torch.randn(10000, device="cuda"), lambda x: abs(x.mean()) < 0.05 and abs(x.std() - 1) < 0.05),
    "randint": (lambda: torch.randint(-3, 5, (10000,), device="cuda"), lambda x: x.min() == -3 and x.max() == 4),
    "randint_wide": (lambda: torch.randint(0, 2**40, (10000,), device="cuda"), lambda x: 0 <= x.min() and x.max() > 2**38),
    "bernoulli": (lambda: torch.bernoulli(torch.full((10000,), 0.2, device="cuda")), lambda x: abs(x.mean() - 0.2) < 0.02),
    "dropout": (lambda: F.dropout(torch.ones(10000, device="cuda"), 0.3), lambda x: abs((x == 0).float().mean() - 0.3) < 0.03),
    "exponential": (lambda: torch.empty(10000, device="cuda").exponential_(), lambda x: abs(x.mean() - 1) < 0.1),
    "randperm": (lambda: torch.randperm(100, device="cuda"), lambda x: x.sort()[0].eq(torch.arange(100, device="cuda")).all()),
}


def flat(value):
    return [value] if isinstance(value, torch.Tensor) else [leaf for part in value for leaf in flat(part)]


def doubled(arguments):
    return tuple(x.detach().double().requires_grad_(x.requires_grad) if x.dtype == torch.float32 else x for x in arguments)


def off(found, exact, share=1e-3):
    """The largest difference of an element, relative to it where it is larger than a share of the largest."""
    if found.is_complex() or found.dtype == torch.bool:
        return float((found != exact).any())
    found, exact = found.double(), exact.double()
    same = (found == exact) | (found.isnan() & exact.isnan())
    scale = torch.maximum(exact.abs(), exact[exact.isfinite()].abs().amax() * share if exact.isfinite().any() else exact.abs()) + 1e-30
    return torch.where(same, 0.0, (found - exact).abs() / scale).nan_to_num(torch.inf).amax().item() if found.numel() else 0.0


def results(name):
    """What an operator gives: compiled, without compiling, and in doubles where there is such an operator."""
    function, arguments = OPERATORS[name]
    found, plain = flat(torch.compile(function)(*arguments)), flat(function(*arguments))
    exact = plain
    if any(x.dtype == torch.float32 for x in arguments) and all(x.dtype.is_floating_point for x in plain):
        try:
            exact = flat(function(*doubled(arguments)))
        except RuntimeError:  # no such operator of doubles
            pass
    return found, plain, exact


def is_short(name):
    """Whether it passes through 16 bits, where it is rounded or not, as Inductor likes."""
    return any(kind in name for kind in ("float16", "bfloat16", "halves", "half")) or \
        any(x.dtype in (torch.float16, torch.bfloat16) for x in OPERATORS[name][1])


def wrong_with(name):
    """None, or what is wrong with an operator."""
    if name in RANDOM:
        function, holds = RANDOM[name]
        result = torch.compile(function)()
        return None if bool(holds(result)) else f"distributed differently: {result}"
    share = 1.0 if is_short(name) else 1e-3
    for place, (ours, theirs, right) in enumerate(zip(*results(name), strict=True)):
        if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
            return f"output {place} is {ours.dtype} {tuple(ours.shape)}, expected {theirs.dtype} {tuple(theirs.shape)}"
        least = 2e-2 if is_short(name) else 1e-11 if ours.dtype == torch.float64 else 2e-5
        if not ours.dtype.is_floating_point:
            least = 0.0
        found, without = off(ours, right, share), off(theirs, right, share)
        if not found <= max(4 * without, least):
            return f"output {place} is off by {found:.3g}, without compiling by {without:.3g}"
    return None


def errors(name):
    """How far an operator's fp32 is from doubles at most, compiled and without compiling, in units of 2**-24; None where that
    says nothing."""
    found, plain, exact = results(name)
    if exact is plain or any(x.dtype != torch.float32 for x in found):
        return None
    return [max(off(ours, right) * 2**24 for ours, right in zip(outputs, exact)) for outputs in (found, plain)]


def main(words):
    shows_errors, words = "--errors" in words, [word for word in words if word != "--errors"]
    names = [*OPERATORS] if shows_errors else [*OPERATORS, *RANDOM]
    if len(words) >= 2 and words[0].isdigit():
        names, words = names[int(words[0])::int(words[1])], words[2:]
    names, bad = [name for name in names if not words or name in words], 0
    for name in names:
        torch._dynamo.reset()
        try:
            wrong = None
            if shows_errors:
                print("error", name, *errors(name) or (), flush=True)
            else:
                wrong = wrong_with(name)
        except Exception:
            wrong = traceback.format_exc()
        if wrong:
            bad += 1
            print(f"FAILED {name}: {wrong}", flush=True)
    print(f"{len(names) - bad} of {len(names)} operators are right", flush=True)
    return bad


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
