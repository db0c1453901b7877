"""o = softmax(scale q kT) v for one query of each sequence: attention while a model writes, token by token.

There is next to nothing to compute: every key and every value is read once, for a query of each head that
shares them. So the time is that of their bytes, and what matters is that enough of them are under way all the
time, on all multiprocessors, whatever the batch and the lengths.

    keys of a sequence ->
    | chunk 0          | chunk 1          | chunk 2   |      a program each, for each head of keys
      . . . . . . . .    . . . . . . . .    . . . . #        #  the one block with keys beyond the length

- The query heads that share a head of keys are the rows of one `tl.dot`, filled up to 16.
- A sequence is cut into chunks of as many keys as the launch says (`chunk_of`). A chunk is as long in a short
  sequence as in a long one, so that programs have the same to do; those beyond a length end at once.
- Each program leaves its greatest scores, sums and weighted values in fp32. The one of a sequence and head
  that comes last, which a counter tells, merges them. A sequence of one chunk needs none of that.
- One loop has both whole blocks and the rest: a loop for the rest alone would begin with nothing under way.

q and o have the shape [batch, heads, D], contiguous. k and v have the same strides, with D contiguous: either
[batch, key heads, capacity, D], or [pages, key heads, PAGE, D], of which row b of `table`, [batch, most pages],
says which hold the keys of sequence b; PAGE is a power of 2 from 16 on, and chunks a multiple of 128. `lengths` is int32; a sequence of none
has zeros as its result. D is 16, 32, 64, 128 or 256. `arrivals`, [batch, key heads], is zero before a launch and
after it.

    tegula run kernels/decode.py --config=0 --grid=2,2,1 -D D=64 -D GROUP=4 -D ROWS=16 -D PAGE=128 --report \\
        --arg q_ptr=randn:fp16[1,8,64] --arg k_ptr=randn:fp16[2,2,128,64] --arg v_ptr=randn:fp16[2,2,128,64] \\
        --arg o_ptr=zeros:fp16[1,8,64] --arg parts_ptr=zeros:fp32[2,2,4,64] --arg tops_ptr=zeros:fp32[2,2,4] \\
        --arg sums_ptr=zeros:fp32[2,2,4] --arg arrivals_ptr=zeros:i32[2] --arg lengths_ptr='full(200):i32[1]' \\
        --arg table_ptr=arange:i32[2] --arg stride_page=16384 --arg stride_head=8192 --arg stride_row=64 \\
        --arg max_pages=2 --arg chunk=128 --arg scale=0.125
"""

import triton
import triton.language as tl

# Keys a step, warps and stages; the first is what the host sides take without tuning.
CONFIGS = [
    triton.Config({"BLOCK_N": 64}, num_stages=3, num_warps=4),
    triton.Config({"BLOCK_N": 32}, num_stages=4, num_warps=4),
    triton.Config({"BLOCK_N": 64}, num_stages=2, num_warps=4),
    triton.Config({"BLOCK_N": 128}, num_stages=2, num_warps=4),
]

LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit
def merge(o_ptr, parts_ptr, tops_ptr, sums_ptr, splits, GROUP: tl.constexpr, D: tl.constexpr):
    """Adds up what the programs of a sequence and head have left, each `GROUP` rows behind the one before. Several at a time:
    each waits for memory as long as one."""
    MEMBERS: tl.constexpr = triton.next_power_of_2(GROUP)
    AT_A_TIME: tl.constexpr = 4096 // (MEMBERS * D) if MEMBERS * D < 4096 else 1
    row = tl.arange(0, MEMBERS)
    d = tl.arange(0, D)
    in_group = row < GROUP
    tops = tl.where(in_group, -float("inf"), 0.0)
    sums = tl.zeros((MEMBERS,), tl.float32)
    values = tl.zeros((MEMBERS, D), tl.float32)
    for first in range(0, splits, AT_A_TIME):
        split = first + tl.arange(0, AT_A_TIME)
        at = split[:, None] * GROUP + row[None, :]
        is_there = (split < splits)[:, None] & in_group[None, :]
        top = tl.load(tops_ptr + at, mask=is_there, other=-float("inf"))
        sum = tl.load(sums_ptr + at, mask=is_there, other=0.0)
        part = tl.load(parts_ptr + at[:, :, None] * D + d[None, None, :], mask=is_there[:, :, None], other=0.0)
        higher = tl.maximum(tops, tl.max(top, axis=0))
        weight, shrink = tl.exp2(top - higher[None, :]), tl.exp2(tops - higher)
        sums = sums * shrink + tl.sum(sum * weight, axis=0)
        values = values * shrink[:, None] + tl.sum(part * weight[:, :, None], axis=0)
        tops = higher
    o = (values / sums[:, None]).to(o_ptr.dtype.element_ty)
    tl.store(o_ptr + row[:, None] * D + d[None, :], o, mask=in_group[:, None])


@triton.autotune(configs=CONFIGS, key=["D", "GROUP", "PAGE"])
@triton.jit
def decode_kernel(q_ptr, k_ptr, v_ptr, o_ptr, parts_ptr, tops_ptr, sums_ptr, arrivals_ptr, lengths_ptr, table_ptr,
                  stride_page, stride_head, stride_row, max_pages, chunk, scale, D: tl.constexpr, GROUP: tl.constexpr,
                  ROWS: tl.constexpr, PAGE: tl.constexpr, BLOCK_N: tl.constexpr):
    BLOCK: tl.constexpr = PAGE if PAGE != 0 and PAGE < BLOCK_N else BLOCK_N  # of keys that lie in one page
    split, head, sequence = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    row = tl.arange(0, ROWS)
    d = tl.arange(0, D)
    in_group = row < GROUP
    member = sequence * tl.num_programs(1) + head
    in_q = (member * GROUP + row)[:, None] * D + d[None, :]
    length = tl.load(lengths_ptr + sequence)
    q = tl.load(q_ptr + in_q, mask=in_group[:, None], other=0.0)  # here, to be under way while the length is
    first = split * chunk
    last = min(first + chunk, length)
    if first >= length:
        if split == 0:
            tl.store(o_ptr + in_q, tl.zeros((ROWS, D), o_ptr.dtype.element_ty), mask=in_group[:, None])
        return

    in_block = tl.arange(0, BLOCK)[:, None] * stride_row + d[None, :]
    k_ptrs = k_ptr + head.to(tl.int64) * stride_head + in_block
    v_ptrs = v_ptr + head.to(tl.int64) * stride_head + in_block
    tops = tl.full((ROWS,), -float("inf"), tl.float32)
    sums = tl.zeros((ROWS,), tl.float32)
    values = tl.zeros((ROWS, D), tl.float32)
    for start in range(first, last, BLOCK):
        n = start + tl.arange(0, BLOCK)
        if PAGE == 0:
            block = sequence.to(tl.int64) * stride_page + start * stride_row
        else:
            page = tl.load(table_ptr + sequence * max_pages + start // PAGE)
            block = page.to(tl.int64) * stride_page + start % PAGE * stride_row
        k = tl.load(k_ptrs + block, mask=n[:, None] < last, other=0.0)
        scores = tl.where(n[None, :] < last, tl.dot(q, k.T), -float("inf"))
        # The first key of a block is always below `last`, so that tops are finite from the first step on.
        higher = tl.maximum(tops, tl.max(scores, axis=1) * (scale * LOG2_E))
        weights = tl.exp2(scores * (scale * LOG2_E) - higher[:, None])
        shrink = tl.exp2(tops - higher)
        sums = sums * shrink + tl.sum(weights, axis=1)
        tops = higher
        v = tl.load(v_ptrs + block, mask=n[:, None] < last, other=0.0)
        values = tl.dot(weights.to(v.dtype), v, values * shrink[:, None])

    splits = tl.cdiv(length, chunk)
    if splits == 1:
        tl.store(o_ptr + in_q, (values / sums[:, None]).to(o_ptr.dtype.element_ty), mask=in_group[:, None])
    else:
        mine = (member * tl.num_programs(0) + split) * GROUP + row
        tl.store(tops_ptr + mine, tops, mask=in_group)
        tl.store(sums_ptr + mine, sums, mask=in_group)
        tl.store(parts_ptr + mine[:, None] * D + d[None, :], values, mask=in_group[:, None])
        tl.debug_barrier()  # all threads have stored before the one that counts says so
        if tl.atomic_add(arrivals_ptr + member, 1, sem="acq_rel") == splits - 1:
            tl.store(arrivals_ptr + member, 0)
            parts = member * tl.num_programs(0) * GROUP
            merge(o_ptr + member * GROUP * D, parts_ptr + parts * D, tops_ptr + parts, sums_ptr + parts, splits, GROUP, D)


def chunk_of(lengths, key_heads, multiprocessors, block=128):
    """Keys of a chunk, such that the programs of all sequences and heads fill the chip: of every number of chunks of the
    longest sequence the one with the least time, in keys, as the programs come in turns that take a chunk each."""
    at_a_time = 2 * multiprocessors  # as many blocks as the buffers of one leave room for
    cost_of_program = 64  # what it does besides its keys, in keys: it begins with nothing under way, and is merged
    blocks = max(1, triton.cdiv(max(lengths), block))
    best = None
    for splits in range(1, min(blocks, 2 * at_a_time) + 1):
        chunk = triton.cdiv(blocks, splits) * block
        programs = key_heads * sum(triton.cdiv(length, chunk) for length in lengths)
        time = triton.cdiv(programs, at_a_time) * (chunk + cost_of_program)
        if best is None or time < best[0]:
            best = time, chunk
    return best[1]


def decode(q, k, v, lengths, table=None, scale=None, chunk=None):
    """The host side, for q of [batch, heads, D] and caches as described above. Waits for the lengths, to choose a chunk
    that suits them, unless `chunk`, a multiple of 128, is given."""
    import torch

    batch, heads, D = q.shape
    pages, key_heads, rows, _ = k.shape
    assert k.shape == v.shape and k.stride() == v.stride() and k.stride(-1) == 1 and k.shape[-1] == D and q.is_contiguous()
    assert heads % key_heads == 0 and D in (16, 32, 64, 128, 256)
    assert lengths.shape == (batch,) and lengths.dtype == torch.int32
    if table is None:
        assert pages == batch
        capacity = rows
    else:
        assert table.dtype == torch.int32 and table.shape[0] == batch and table.is_contiguous()
        assert rows >= 16 and rows & (rows - 1) == 0, "a page has 16, 32, 64, ... rows"
        capacity = table.shape[1] * rows
    if chunk is None:
        known = lengths.tolist()
        assert 0 <= min(known) and max(known) <= capacity
        multiprocessors = torch.cuda.get_device_properties(q.device).multi_processor_count
        chunk, capacity = chunk_of(known, key_heads, multiprocessors), max(known)
    assert chunk > 0 and chunk % 128 == 0
    group = heads // key_heads
    splits = max(1, triton.cdiv(capacity, chunk))
    o = torch.empty_like(q)
    parts = torch.empty(batch, key_heads, splits, group, D, dtype=torch.float32, device=q.device)
    tops, sums = (torch.empty(parts.shape[:-1], dtype=torch.float32, device=q.device) for _ in range(2))
    arrivals = torch.zeros(batch, key_heads, dtype=torch.int32, device=q.device)
    decode_kernel[(splits, key_heads, batch)](
        q, k, v, o, parts, tops, sums, arrivals, lengths, table, k.stride(0), k.stride(1), k.stride(2),
        0 if table is None else table.shape[1], chunk, scale or D ** -0.5, D=D, GROUP=group,
        ROWS=max(16, triton.next_power_of_2(group)), PAGE=0 if table is None else rows)
    return o


def reference(q, k, v, lengths, table=None, scale=None):
    """In double precision."""
    import torch

    batch, heads, D = q.shape
    group = heads // k.shape[1]
    o = torch.zeros_like(q)
    for sequence, length in enumerate(lengths.tolist()):
        if length == 0:
            continue
        if table is None:
            keys, values = k[sequence, :, :length], v[sequence, :, :length]
        else:
            pages = table[sequence, :triton.cdiv(length, k.shape[2])].long()
            keys, values = (x[pages].transpose(0, 1).flatten(1, 2)[:, :length] for x in (k, v))
        scores = (scale or D ** -0.5) * (q[sequence].view(-1, group, D).double() @ keys.double().transpose(1, 2))
        o[sequence] = (torch.softmax(scores, -1) @ values.double()).reshape(heads, D).to(q.dtype)
    return o


def paged(x, page, most_pages):
    """Returns a cache in pages that lie in any order, and their table, for a contiguous one of `most_pages * page` rows."""
    import torch

    batch, key_heads, _, D = x.shape
    order = torch.randperm(batch * most_pages, device=x.device)
    pages = torch.empty(batch * most_pages, key_heads, page, D, dtype=x.dtype, device=x.device)
    pages[order] = x.view(batch, key_heads, most_pages, page, D).transpose(1, 2).flatten(0, 1)
    return pages, order.view(batch, most_pages).int(), order


if __name__ == "__main__":
    import torch

    for dtype in (torch.float16, torch.bfloat16):
        for D in (64, 128):
            for key_heads, group in ((8, 1), (2, 4), (1, 8)):
                lengths = torch.tensor([1, 0, 15, 17, 64, 129, 1000, 2048], dtype=torch.int32, device="cuda")
                q = torch.randn(8, key_heads * group, D, device="cuda", dtype=dtype)
                k, v = (torch.randn(8, key_heads, 2048, D, device="cuda", dtype=dtype) for _ in range(2))
                expected = reference(q, k, v, lengths)
                for chunk in (None, 128, 2048):
                    torch.testing.assert_close(decode(q, k, v, lengths, chunk=chunk), expected, rtol=2e-2, atol=1e-2)
                    for page in (16, 64, 128):
                        in_pages, table, order = paged(torch.cat((k, v), -1), page, 2048 // page)
                        torch.testing.assert_close(
                            decode(q, *(x.contiguous() for x in in_pages.split(D, -1)), lengths, table, chunk=chunk),
                            expected, rtol=2e-2, atol=1e-2)
    print("decode agrees with the reference")
