//===- ExternOps.td - functions of linked libraries ------------------------===//

#ifndef TEGULA_DIALECT_TILE_EXTERN_OPS
#define TEGULA_DIALECT_TILE_EXTERN_OPS

include "dialect/tile/Effects.td"
include "dialect/tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ExternCallOp : Tile_Op<"extern_call",
    [Tile_SameShapeAndLayout, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<Tile_InteractionOpInterface>]> {
  let summary = "a function of a linked library, for every element";
  let description = [{
    Calls `symbol`, which one of the module's libraries defines, once for each element that a thread holds, and of scalars once
    in each thread. Pointers are handed over as generic addresses. Unless `isPure`, memory may be read and written, and the op
    keeps its place. From `tl.core.extern_elementwise`; emit links the libraries and compares the types. Not an op whose meaning
    is known before: the interpreter refuses it.

    A module names its libraries in the order in which they are searched, each with its file and a digest of the file's bytes,
    which is empty where the file could not be read: (libraries_c1) `tile.libraries = [["nvshmem", "/opt/nvshmem.bc", "0f"]]`.
    In the `llvm` form their functions are declared, (extern_c1) with `tile.extern`.

    - (extern_call_c1) `symbol` is a name of letters, digits, `_`, `$` and `.`.

    ```mlir
    %y = tile.extern_call "scaled" pure (%x, %f) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    ```
  }];
  let arguments = (ins StrAttr:$symbol, UnitAttr:$isPure, Variadic<Tile_Value>:$operands);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $symbol (`pure` $isPure^)? `(` $operands `)` attr-dict `:` functional-type($operands, $result)
  }];
  let hasVerifier = 1;
}

#endif // TEGULA_DIALECT_TILE_EXTERN_OPS
