# Kernels whose programs change the same memory.
import triton
import triton.language as tl


@triton.jit
def count_values(x_ptr, counts_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    value = tl.load(x_ptr + i, mask=inside, other=0)
    tl.atomic_add(counts_ptr + value, 1, mask=inside, sem="relaxed")


# Changes elements of an array, some of which many programs have in common. What is left out is at no address of the array.
@triton.jit
def change_elements(places_ptr, values_ptr, out_ptr, first, n, KIND: tl.constexpr, SEM: tl.constexpr,
                    BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    out = out_ptr + first
    place = tl.load(places_ptr + i, mask=inside, other=-1)
    value = tl.load(values_ptr + i, mask=inside, other=0)
    mask = inside & (place != -1)
    if KIND == "add":
        tl.atomic_add(out + place, value, mask=mask, sem=SEM)
    elif KIND == "max":
        tl.atomic_max(out + place, value, mask=mask, sem=SEM)
    elif KIND == "min":
        tl.atomic_min(out + place, value, mask=mask, sem=SEM)
    elif KIND == "and":
        tl.atomic_and(out + place, value, mask=mask, sem=SEM)
    elif KIND == "or":
        tl.atomic_or(out + place, value, mask=mask, sem=SEM)
    else:
        tl.atomic_xor(out + place, value, mask=mask, sem=SEM)


@triton.jit
def largest(x_ptr, high_ptr, low_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    x = tl.load(x_ptr + i, mask=inside, other=0.0)
    one = high_ptr + tl.zeros([BLOCK], tl.int32)
    other = low_ptr + tl.zeros([BLOCK], tl.int32)
    tl.atomic_max(one, x, mask=inside)
    tl.atomic_min(other, x, mask=inside)


# Each program takes a number; with many threads to a program it reaches all of them.
@triton.jit
def tickets(next_ptr, out_ptr, BLOCK: tl.constexpr):
    ticket = tl.atomic_add(next_ptr, 1)
    tl.store(out_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), ticket)


# What each element found is its own; elements have copies in several threads.
@triton.jit
def claim(slots_ptr, old_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    found = tl.atomic_xchg(slots_ptr + i, tl.program_id(0) + 1)
    tl.store(old_ptr + tl.program_id(0) * BLOCK + i, found)


@triton.jit
def locked_sum(lock_ptr, total_ptr, x_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * BLOCK + i)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    tl.store(total_ptr + i, tl.load(total_ptr + i) + x)
    tl.atomic_xchg(lock_ptr, 0)


# The first program writes, then raises a flag for each element; the others wait for all flags, then read, and write over
# what the first left for them: of a program that writes and another that reads, the emulator finds no race.
@triton.jit
def hand_over(data_ptr, flags_ptr, out_ptr, FLAGS: tl.constexpr, STORE: tl.constexpr, LOAD: tl.constexpr,
              BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    flags = flags_ptr if FLAGS == 0 else flags_ptr + tl.arange(0, FLAGS)
    if tl.program_id(0) == 0:
        tl.store(data_ptr + i, i + 5)
        for other in range(1, tl.num_programs(0)):
            tl.store(out_ptr + other * BLOCK + i, -1)
        tl.atomic_store(flags, 1, sem=STORE)
    else:
        raised = 0
        while raised == 0:
            seen = tl.atomic_load(flags, sem=LOAD)
            raised = seen if FLAGS == 0 else tl.min(seen, axis=0)
        tl.store(out_ptr + tl.program_id(0) * BLOCK + i, tl.load(data_ptr + (BLOCK - 1 - i)))


# One program stores elements and loads them in another order, by threads that have not stored them.
@triton.jit
def turn_round(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.atomic_store(x_ptr + i, i * 3, sem="relaxed", scope="cta")
    turned = tl.atomic_load(x_ptr + (BLOCK - 1 - i), sem="relaxed", scope="cta")
    tl.atomic_add(x_ptr + i, 1)
    tl.store(out_ptr + i, turned + tl.atomic_load(x_ptr + (i ^ 37), mask=i >= 0))


# Elements of an address all take part, neighbours together where they may.
@triton.jit
def add_rows(x_ptr, sum_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.atomic_add(sum_ptr + i, tl.load(x_ptr + tl.program_id(0) * BLOCK + i))


# The programs share out K, and add their sums to those of the others.
@triton.jit
def split_k(a_ptr, b_ptr, c_ptr, K, PART: tl.constexpr, SIDE: tl.constexpr):
    m = tl.arange(0, SIDE)
    n = tl.arange(0, SIDE)
    k = tl.program_id(0) * PART + tl.arange(0, PART)
    a = tl.load(a_ptr + m[:, None] * K + k[None, :])
    b = tl.load(b_ptr + k[:, None] * SIDE + n[None, :])
    tl.atomic_add(c_ptr + m[:, None] * SIDE + n[None, :], tl.dot(a, b))
