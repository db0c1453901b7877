"""Models and steps of training in PyTorch alone, for torch.compile: `make(compiled, dtype)` gives a step, which computes the
same whenever it is made anew.

`compiled` is what a function is compiled by, the identity for the answers to compare with, which `dtype=torch.float64`
makes exact where PyTorch has the operators for doubles.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn

#--- parts ---


class Norm(nn.Module):
    """Divides by the root of the mean square."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        return (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * self.weight


def rotated(x):
    """Positions as rotations of pairs of a head's numbers: [batch, heads, length, width of a head]."""
    half = x.shape[-1] // 2
    rates = 10000.0 ** (-torch.arange(half, device=x.device, dtype=torch.float64) / half)
    angles = torch.arange(x.shape[-2], device=x.device, dtype=torch.float64)[:, None] * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


class GroupedAttention(nn.Module):
    """Causal attention whose keys and values several heads share."""

    def __init__(self, width, heads, shared):
        super().__init__()
        self.heads, self.shared, self.head = heads, shared, width // heads
        self.q, self.out = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.k, self.v = (nn.Linear(width, shared * self.head, bias=False) for _ in range(2))

    def forward(self, x):
        batch, length, width = x.shape
        q = rotated(self.q(x).view(batch, length, self.heads, self.head).transpose(1, 2))
        k = rotated(self.k(x).view(batch, length, self.shared, self.head).transpose(1, 2))
        v = self.v(x).view(batch, length, self.shared, self.head).transpose(1, 2)
        k, v = (t.repeat_interleave(self.heads // self.shared, 1) for t in (k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(batch, length, width))


class Gated(nn.Module):
    """Two projections, one of which gates the other."""

    def __init__(self, width, inner):
        super().__init__()
        self.gate, self.up = nn.Linear(width, inner, bias=False), nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Experts(nn.Module):
    """Each token goes to the two experts that a router likes best."""

    def __init__(self, width, count):
        super().__init__()
        self.router = nn.Linear(width, count, bias=False)
        self.up = nn.Parameter(torch.randn(count, width, 2 * width) / width**0.5)
        self.down = nn.Parameter(torch.randn(count, 2 * width, width) / (2 * width)**0.5)

    def forward(self, x):
        tokens = x.reshape(-1, x.shape[-1])
        weights, chosen = torch.topk(torch.softmax(self.router(tokens), -1), 2)
        weights = weights / weights.sum(-1, keepdim=True)
        share = torch.zeros(tokens.shape[0], self.router.out_features, device=x.device, dtype=x.dtype)
        share = share.scatter(1, chosen, weights)
        inner = F.gelu(torch.einsum("tw,ewi->eti", tokens, self.up))
        return torch.einsum("eti,eiw,te->tw", inner, self.down, share).view_as(x)


class Layer(nn.Module):
    def __init__(self, width, mixing, mapping):
        super().__init__()
        self.first, self.second = Norm(width), Norm(width)
        self.mixing, self.mapping = mixing, mapping

    def forward(self, x):
        x = x + self.mixing(self.first(x))
        return x + self.mapping(self.second(x))


class Stack(nn.Module):
    """Tokens in, logits out."""

    def __init__(self, layers, width, vocabulary):
        super().__init__()
        self.embedding, self.norm = nn.Embedding(vocabulary, width), Norm(width)
        self.layers, self.head = nn.ModuleList(layers), nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


class Residual(nn.Module):
    def __init__(self, inside, outside, stride):
        super().__init__()
        self.a = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.b = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
        self.norm_a, self.norm_b = nn.BatchNorm2d(outside), nn.BatchNorm2d(outside)
        self.skip = nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside)) \
            if stride != 1 or inside != outside else nn.Identity()

    def forward(self, x):
        y = F.relu(self.norm_a(self.a(x)))
        return F.relu(self.norm_b(self.b(y)) + self.skip(x))


class Denoiser(nn.Module):
    """A small U: down, attention in the middle, up, with the time of each image added on the way."""

    def __init__(self, width):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(32, width), nn.SiLU(), nn.Linear(width, width))
        self.into, self.down = nn.Conv2d(3, width, 3, 1, 1), nn.Conv2d(width, width, 3, 2, 1)
        self.middle, self.q_k_v = nn.Conv2d(width, width, 3, 1, 1), nn.Conv2d(width, 3 * width, 1)
        self.up, self.out = nn.Conv2d(2 * width, width, 3, 1, 1), nn.Conv2d(width, 3, 3, 1, 1)
        self.norms = nn.ModuleList(nn.GroupNorm(8, width) for _ in range(4))

    def forward(self, image, time):
        rates = torch.exp(-math.log(10000.0) * torch.arange(16, device=image.device, dtype=image.dtype) / 16)
        angles = time[:, None] * rates
        told = self.time(torch.cat([angles.sin(), angles.cos()], -1))[:, :, None, None]
        x = self.into(image)
        y = self.down(F.silu(self.norms[0](x))) + told
        y = y + self.middle(F.silu(self.norms[1](y)))
        q, k, v = self.q_k_v(self.norms[2](y)).flatten(2).transpose(1, 2).chunk(3, -1)
        y = y + F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(y.shape)
        y = F.interpolate(y, scale_factor=2, mode="nearest")
        return self.out(F.silu(self.norms[3](self.up(torch.cat([x, y], 1)))))


#--- how they are run ---


def seeded(make, dtype):
    """A model whose weights are the same in every type."""
    torch.manual_seed(0)
    return make().to("cuda").to(dtype)


def random(*shape, dtype, scale=1.0):
    return (torch.randn(*shape, dtype=torch.float64) * scale).to("cuda", dtype)


def training(model, loss_of, compiled, steps_apart=1e-3):
    """A step: the loss, its gradients, and what the optimiser makes of them, all compiled."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, eps=steps_apart)
    forward, update = compiled(loss_of), compiled(lambda: optimiser.step())

    def step():
        optimiser.zero_grad(set_to_none=True)
        loss = forward()
        loss.backward()
        gradients = [parameter.grad.detach().clone() for parameter in model.parameters()]
        update()
        return [loss.detach(), *gradients, *(parameter.detach().clone() for parameter in model.parameters())]
    return step


#--- models: each gives a step ---


def llama(compiled, dtype, layers=8, width=512):
    model = seeded(lambda: Stack([Layer(width, GroupedAttention(width, 8, 4), Gated(width, 3 * width))
                                  for _ in range(layers)], width, 2000), dtype)
    tokens = torch.randint(0, 2000, (2, 257)).cuda()

    def loss():
        return F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
    return training(model, loss, compiled)


def transformer(compiled, dtype):
    model = seeded(lambda: nn.TransformerEncoderLayer(256, 8, 1024, dropout=0.0, activation="gelu", batch_first=True,
                                                      norm_first=True), dtype)
    x = random(4, 200, 256, dtype=dtype)
    return training(model, lambda: model(x).square().mean(), compiled)


def mixture(compiled, dtype):
    model = seeded(lambda: Stack([Layer(128, GroupedAttention(128, 4, 2), Experts(128, 8)) for _ in range(2)], 128, 500),
                   dtype)
    tokens = torch.randint(0, 500, (2, 129)).cuda()

    def loss():
        return F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
    return training(model, loss, compiled)


def convolutional(compiled, dtype):
    model = seeded(lambda: nn.Sequential(
        nn.Conv2d(3, 32, 7, 2, 3, bias=False), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(3, 2, 1),
        Residual(32, 32, 1), Residual(32, 64, 2), Residual(64, 128, 2), Residual(128, 128, 1),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, 10)), dtype)
    images, labels = random(16, 3, 96, 96, dtype=dtype), torch.randint(0, 10, (16,)).cuda()
    return training(model, lambda: F.cross_entropy(model(images), labels, label_smoothing=0.1), compiled)


def diffusion(compiled, dtype):
    model = seeded(lambda: Denoiser(64), dtype)
    images, noise = random(4, 3, 32, 32, dtype=dtype), random(4, 3, 32, 32, dtype=dtype)
    time = torch.tensor([1.0, 50.0, 300.0, 999.0], dtype=dtype, device="cuda")
    return training(model, lambda: F.mse_loss(model(images + noise, time), noise), compiled)


def half_precision(compiled, dtype):
    """Bfloat16 where operators take it, by autocast; the exact answer has none."""
    model = seeded(lambda: Stack([Layer(256, GroupedAttention(256, 4, 4), Gated(256, 512)) for _ in range(2)], 256, 1000),
                   dtype)
    tokens = torch.randint(0, 1000, (2, 129)).cuda()

    def loss():
        with torch.autocast("cuda", torch.bfloat16, enabled=dtype != torch.float64):
            return F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
    return training(model, loss, compiled)


half_precision.tolerance = 3e-2


def dynamic(compiled, dtype):
    """Lengths that differ from call to call."""
    model = seeded(lambda: Stack([Layer(128, GroupedAttention(128, 4, 2), Gated(128, 256))], 128, 300), dtype)
    run = compiled(lambda tokens: F.log_softmax(model(tokens), -1).amax(1), dynamic=True)
    batches = [torch.randint(0, 300, (rows, length)).cuda() for rows, length in ((2, 33), (3, 64), (5, 100), (1, 257))]
    return lambda: [run(tokens).detach() for tokens in batches]


def inference(compiled, dtype):
    """A stack of layers without gradients, captured as a graph of launches."""
    model = seeded(lambda: Stack([Layer(256, GroupedAttention(256, 4, 2), Gated(256, 512)) for _ in range(2)], 256, 1000),
                   dtype).eval()
    run = compiled(model, mode="reduce-overhead")
    tokens = torch.randint(0, 1000, (1, 128)).cuda()

    def step():
        with torch.no_grad():
            return [run(tokens).clone() for _ in range(3)]
    return step


def flex(compiled, dtype, **how):
    """Attention with a score of one's own, forwards and backwards."""
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    torch.manual_seed(0)
    slopes = random(4, dtype=dtype, scale=0.1)

    def score(s, b, h, i, j):
        return s + slopes[h] * (i - j)
    mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, 256, 256, device="cuda")
    q, k, v = (random(2, 4, 256, 64, dtype=dtype).requires_grad_() for _ in range(3))
    run = compiled(lambda q, k, v: flex_attention(q, k, v, score_mod=score, block_mask=mask), **how)

    def step():
        out = run(q, k, v)
        return [out.detach(), *torch.autograd.grad(out.square().sum(), (q, k, v))]
    return step


flex.tolerance = 1e-2


def flex_half(compiled, dtype):
    """The same of bfloat16."""
    return flex(compiled, torch.bfloat16 if dtype == torch.float32 else dtype)


flex_half.tolerance = 3e-2


def flex_tuned(compiled, dtype):
    """The same with every config tried."""
    return flex(compiled, dtype, mode="max-autotune-no-cudagraphs")


flex_tuned.tolerance = 1e-2


def decoding(compiled, dtype):
    """One new token's attention to all before it."""
    from torch.nn.attention.flex_attention import flex_attention

    torch.manual_seed(0)
    q, k, v = random(2, 8, 1, 64, dtype=dtype), random(2, 2, 1000, 64, dtype=dtype), random(2, 2, 1000, 64, dtype=dtype)
    run = compiled(lambda q, k, v: flex_attention(q, k, v, enable_gqa=True))
    return lambda: [run(q, k, v)]


decoding.tolerance = 1e-2


def products(compiled, dtype):
    """Products with what follows them, by Inductor's own templates."""
    torch.manual_seed(0)
    small = torch.float16 if dtype == torch.float32 else dtype
    a, b, bias = random(256, 512, dtype=small), random(512, 384, dtype=small, scale=0.05), random(384, dtype=small)
    x, y = random(4, 96, 160, dtype=dtype), random(4, 160, 64, dtype=dtype, scale=0.05)

    def run():
        return torch.relu(a @ b), F.gelu(torch.addmm(bias, a, b)), torch.bmm(x, y) * 2, a @ b + torch.mm(a * 2, b)
    return _tuned(compiled, run)


def convolutions(compiled, dtype):
    torch.manual_seed(0)
    x, w, p = random(4, 32, 28, 28, dtype=dtype), random(64, 32, 3, 3, dtype=dtype, scale=0.05), \
        random(64, 32, 1, 1, dtype=dtype, scale=0.1)
    return _tuned(compiled, lambda: (F.relu(F.conv2d(x, w, padding=1)), F.conv2d(x, p, stride=2)))


def _tuned(compiled, run):
    from torch._inductor import config

    tuned = compiled(run, mode="max-autotune-no-cudagraphs")

    def step():
        with config.patch(max_autotune_gemm_backends="TRITON", max_autotune_conv_backends="TRITON"):
            return list(tuned())
    return step


products.tolerance = convolutions.tolerance = 1e-2


def shared_scales(compiled, dtype):
    """A product of 8-bit floats that have a scale a row."""
    torch.manual_seed(0)
    a, b = random(128, 256, dtype=torch.float32).to(torch.float8_e4m3fn), random(64, 256, dtype=torch.float32)\
        .to(torch.float8_e4m3fn)
    rows, columns = torch.rand(128, 1).cuda() + 0.5, torch.rand(1, 64).cuda() + 0.5
    if dtype == torch.float64:
        return lambda: [torch.relu((a.double() @ b.double().T) * rows * columns)]
    return _tuned(compiled, lambda: (torch.relu(torch._scaled_mm(a, b.T, rows, columns, out_dtype=torch.bfloat16)),))


shared_scales.tolerance = 1e-2


def by_descriptor(compiled, dtype):
    """Products whose blocks stay for several tiles and read them by tensor maps."""
    from torch._inductor import config

    torch.manual_seed(0)
    small = torch.float16 if dtype == torch.float32 else dtype
    a, b = random(512, 256, dtype=small), random(256, 768, dtype=small, scale=0.05)
    tuned = _tuned(compiled, lambda: (torch.relu(a @ b),))

    def step():
        with config.patch({"triton.enable_persistent_tma_matmul": True}):
            return tuned()
    return step


by_descriptor.tolerance = 1e-2


def cooperative(compiled, dtype):
    """Reductions that several blocks share."""
    from torch._inductor import config

    torch.manual_seed(0)
    x = random(4, 100_000, dtype=dtype)
    run = compiled(lambda: (x.sum(1), x.var(1), torch.softmax(x, 1), x.argmax(1)))

    def step():
        with config.patch({"triton.cooperative_reductions": True, "triton.force_cooperative_reductions": True}):
            return list(run())
    return step


def combined(compiled, dtype):
    """Kernels of different sizes in one launch."""
    from torch._inductor import config

    torch.manual_seed(0)
    parts = [random(rows, 64, dtype=dtype) for rows in (10, 200, 33)]
    run = compiled(lambda: [*torch._foreach_add(parts, 2.0), *(torch.softmax(x, 0) for x in parts)])

    def step():
        with config.patch(combo_kernels=True, benchmark_combo_kernel=False):
            return list(run())
    return step


def compiled_products(compiled, dtype):
    """`tl.dot` in generated code, fused with what stands around it."""
    from torch._inductor import config

    torch.manual_seed(0)
    a, b = random(128, 64, dtype=dtype), random(64, 96, dtype=dtype)
    run = compiled(lambda: (torch.mm(a, b).relu() + 1,))

    def step():
        with config.patch({"triton.native_matmul": True} if hasattr(config.triton, "native_matmul") else {}):
            return list(run())
    return step


compiled_products.tolerance = 1e-2


MODELS = (llama, transformer, mixture, convolutional, diffusion, half_precision, dynamic, inference, flex, flex_half,
          flex_tuned, decoding, products, convolutions, shared_scales, by_descriptor, cooperative, combined, compiled_products)


#--- what is right ---


def distance(found, exact):
    """How far apart they are, relative to the length of `exact`."""
    exact = exact.double()
    return ((found.double() - exact).norm() / (exact.norm() + 1e-30)).item()


def differences(found, plain, exact, tolerance):
    """What is further from `exact` than four times PyTorch's own answer and than `tolerance`, as texts."""
    wrong = []
    for place, (ours, theirs, right) in enumerate(zip(found, plain, exact, strict=True)):
        if not ours.dtype.is_floating_point:
            if not torch.equal(ours, theirs):
                wrong.append(f"output {place} differs in {(ours != theirs).sum().item()} of {ours.numel()} places")
            continue
        ours_off, theirs_off = distance(ours, right), distance(theirs, right)
        if not ours_off <= max(4 * theirs_off, tolerance):
            wrong.append(f"output {place} is off by {ours_off:.3g}, without compiling by {theirs_off:.3g}")
    return wrong


def check(make):
    """Runs a model compiled, uncompiled, and in doubles; texts of what is wrong."""
    found = make(torch.compile, torch.float32)()
    plain = make(lambda function, **_: function, torch.float32)()
    exact = make(lambda function, **_: function, torch.float64)()
    return differences(found, plain, exact, getattr(make, "tolerance", 1e-5))


if __name__ == "__main__":
    import sys

    import tegula

    wrong = check({make.__name__: make for make in MODELS}[sys.argv[1]])
    print("compiled", tegula.compiled_kernels())
    sys.exit("; ".join(wrong) or 0)
