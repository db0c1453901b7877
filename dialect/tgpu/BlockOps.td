//===- BlockOps.td - which of the launch's blocks this is, and its cluster ---===//

#ifndef TEGULA_DIALECT_TGPU_BLOCK_OPS
#define TEGULA_DIALECT_TGPU_BLOCK_OPS

include "dialect/tgpu/TgpuBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tgpu_BlockIdOp : Tgpu_Op<"block_id", [Pure]> {
  let summary = "number of this block among those of the launch";
  let description = [{
    From 0 to one less than `tgpu.num_blocks`. Blocks of a persistent kernel (`tile.persistent`) run programs by it; it
    is no program's, that is `tile.program_id`.

    - (block_id_c1) is in a persistent kernel.

    ```mlir
    %b = tgpu.block_id
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tgpu_NumBlocksOp : Tgpu_Op<"num_blocks", [Pure]> {
  let summary = "the number of blocks of the launch";
  let description = [{
    At least 1; no more than there are programs. The launch chooses.

    - (num_blocks_c1) is in a persistent kernel.

    ```mlir
    %b = tgpu.num_blocks
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tgpu_ClusterRankOp : Tgpu_Op<"cluster_rank", [Pure]> {
  let summary = "number of this block among those of its cluster";
  let description = [{
    From 0 to one less than `tgpu.cluster_size`. The blocks of a cluster run one program together, or those of a pair
    neighbouring programs at one time.

    - (cluster_rank_c1) is in a kernel whose `tile.splits` says by how many, or one with `tile.cluster` or `tile.pairs`.

    ```mlir
    %r = tgpu.cluster_rank
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tgpu_ClusterSizeOp : Tgpu_Op<"cluster_size", [Pure]> {
  let summary = "the number of blocks of a cluster";
  let description = [{
    From 1 to what `tile.splits` of the kernel says, 1 or 2 with `tile.pairs`; the launch chooses. With `tile.cluster`
    that number.

    - (cluster_size_c1) is in a kernel whose `tile.splits` says by how many, or one with `tile.cluster` or `tile.pairs`.

    ```mlir
    %n = tgpu.cluster_size
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tgpu_ClusterBarrierOp : Tgpu_Op<"cluster_barrier", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_InteractionOpInterface>]> {
  let summary = "the blocks of a cluster wait for each other";
  let description = [{
    All threads of all blocks of the cluster wait for each other, except those that have ended, and see what the others
    wrote to shared memory, and to global memory.

    - (cluster_barrier_c1) is in a kernel with `tile.pairs` or `tile.cluster`.

    ```mlir
    tgpu.cluster_barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tgpu_ClusterSumOp : Tgpu_Op<"cluster_sum", [AllTypesMatch<["source", "result"]>, Tile_SameShapeAndLayout,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the sum of a tensor over the blocks of a cluster";
  let description = [{
    In the block of rank 0 `result` is the sum of `source` in all blocks of the cluster, added up in the order of their
    ranks; in the others it is undefined. All their threads wait for each other. Every block of the cluster must come
    here as often. Where the cluster is one block `result` is `source`.

    - (cluster_sum_c1) is in a kernel whose `tile.splits` says by how many;
    - (cluster_sum_c2) elements are f32, f64 or i32.

    ```mlir
    %s = tgpu.cluster_sum %x : tensor<128x64xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$source);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasVerifier = 1;
}

class Tgpu_ClusterHalfBarrierOp<string mnemonic> : Tgpu_Op<mnemonic,
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<Tile_InteractionOpInterface>]> {
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tgpu_ClusterArriveOp : Tgpu_ClusterHalfBarrierOp<"cluster_arrive"> {
  let summary = "tell the blocks of a cluster that this one has come here";
  let description = [{
    The first half of a barrier of the cluster: nothing waits here. `tgpu.cluster_wait` follows on every way through the
    kernel, without another op of the cluster between.

    - (cluster_arrive_c1) is in a kernel with `tile.cluster`.

    ```mlir
    tgpu.cluster_arrive
    ```
  }];
}

def Tgpu_ClusterWaitOp : Tgpu_ClusterHalfBarrierOp<"cluster_wait"> {
  let summary = "wait until all blocks of a cluster have come to its `tgpu.cluster_arrive`";
  let description = [{
    - (cluster_wait_c1) is in a kernel with `tile.cluster`.

    ```mlir
    tgpu.cluster_wait
    ```
  }];
}

def Tgpu_ClusterGatherOp : Tgpu_Op<"cluster_gather", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_InteractionOpInterface>]> {
  let summary = "numbers of all blocks of a cluster, as tensors";
  let description = [{
    Element r of a result is the source in the block of rank r. Every block of the cluster must come here as often. All
    their threads wait for each other, once for all sources, as at `tgpu.cluster_barrier`.

    Blocks write into each other's shared memory, so that all have begun: a `tgpu.cluster_wait` precedes. And before a block
    comes here again it passes another op at which the cluster waits: until then others may read what it would overwrite.

    - (cluster_gather_c1) is in a kernel with `tile.cluster`, and results have as many elements;
    - (cluster_gather_c2) there is a result for each source, of its type.

    ```mlir
    %a, %b = tgpu.cluster_gather %x, %y : (f32, i32) -> (tensor<4xf32>, tensor<4xi32>)
    ```
  }];
  let arguments = (ins Variadic<AnyTypeOf<[Tile_Int, Tile_Float]>>:$sources);
  let results = (outs Variadic<Tile_AnyTensor>:$gathered);
  let assemblyFormat = "$sources attr-dict `:` functional-type($sources, $gathered)";
  let hasVerifier = 1;
}

#endif // TEGULA_DIALECT_TGPU_BLOCK_OPS
