//===- BlockOps.td - which of the launch's blocks this is -------------------===//

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

#endif // TEGULA_DIALECT_TGPU_BLOCK_OPS
