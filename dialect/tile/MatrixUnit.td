//===- MatrixUnit.td - what multiplies matrices ------------------------------===//

#ifndef TEGULA_DIALECT_TILE_MATRIX_UNIT
#define TEGULA_DIALECT_TILE_MATRIX_UNIT

include "dialect/tile/TileBase.td"

def Tile_MatrixUnitKind : Tile_EnumOf<"MatrixUnitKind", "what multiplies matrices", [
    I32EnumAttrCase<"FMA", 0, "fma">, I32EnumAttrCase<"MmaSync", 1, "mma_sync">,
    I32EnumAttrCase<"Wgmma", 2, "wgmma">]>;

def Tile_MatrixUnitAttr : Tile_Attr<"MatrixUnit", "matrix_unit"> {
  let summary = "the unit that computes a dot, and what it does with one instruction";
  let description = [{
    `fma`: each thread multiplies by itself, one product an instruction. `mma_sync`: a warp's matrix unit
    multiplies fragments of `m` by `k` and `k` by `n` elements, each from the registers of all lanes. `wgmma`: the
    units of four warps do so together, and read `b`, and `a` unless it was computed, from shared memory by
    themselves. What kind of elements an instruction takes follows from the dot: f32 means tf32.

    `choose-matrix-units` writes it on `tile.dot`; later passes read it there.

    - (matrix_unit_c1) `fma` has no sides, that is 1 for each;
    - (matrix_unit_c2) `mma_sync` has `m` 8 or 16, `n` 8, and a power of two from 4 to 32 as `k`;
    - (matrix_unit_c3) `wgmma` has `m` 64 and powers of two, 8 to 256 as `n`, 8 to 32 as `k`.

    ```mlir
    #tile.matrix_unit<mma_sync, m16n8k16>
    ```
  }];
  let parameters = (ins EnumParameter<Tile_MatrixUnitKind>:$kind, DefaultValuedParameter<"uint32_t", "1">:$m,
                        DefaultValuedParameter<"uint32_t", "1">:$n, DefaultValuedParameter<"uint32_t", "1">:$k);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // TEGULA_DIALECT_TILE_MATRIX_UNIT
