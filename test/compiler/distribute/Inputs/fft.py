# A Fourier transform through memory, stage by stage: neighbours lie 1, 2, 4, ... apart.
import triton
import triton.language as tl


@triton.jit
def fft(re, im, LOG: tl.constexpr):
    j = tl.arange(0, 1 << (LOG - 1))
    for s in tl.static_range(LOG):
        half = 1 << s
        k = j % half
        a = (j // half) * (2 * half) + k
        b = a + half
        angle = k.to(tl.float32) * (-3.14159265358979 / half)
        c = tl.cos(angle)
        d = tl.sin(angle)
        ar = tl.load(re + a)
        ai = tl.load(im + a)
        br = tl.load(re + b)
        bi = tl.load(im + b)
        tr = br * c - bi * d
        ti = br * d + bi * c
        tl.store(re + a, ar + tr)
        tl.store(im + a, ai + ti)
        tl.store(re + b, ar - tr)
        tl.store(im + b, ai - ti)
        tl.debug_barrier()


@triton.jit
def fft_table(re, im, table_re, table_im, LOG: tl.constexpr):
    j = tl.arange(0, 1 << (LOG - 1))
    for s in tl.static_range(LOG):
        half = 1 << s
        k = j % half
        a = (j // half) * (2 * half) + k
        b = a + half
        t = k * ((1 << (LOG - 1)) // half)
        c = tl.load(table_re + t)
        d = tl.load(table_im + t)
        ar = tl.load(re + a)
        ai = tl.load(im + a)
        br = tl.load(re + b)
        bi = tl.load(im + b)
        tr = br * c - bi * d
        ti = br * d + bi * c
        tl.store(re + a, ar + tr)
        tl.store(im + a, ai + ti)
        tl.store(re + b, ar - tr)
        tl.store(im + b, ai - ti)
        tl.debug_barrier()
