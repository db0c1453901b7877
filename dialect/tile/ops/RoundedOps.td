//===- RoundedOps.td - arithmetic that says how it rounds ------------------===//

#ifndef TEGULA_DIALECT_TILE_ROUNDED_OPS
#define TEGULA_DIALECT_TILE_ROUNDED_OPS

include "dialect/tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_RoundedKind : Tile_EnumOf<"RoundedKind", "what an op computes that says how it rounds", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Mul", 1, "mul">, I32EnumAttrCase<"Div", 2, "div">,
    I32EnumAttrCase<"Fma", 3, "fma">, I32EnumAttrCase<"Rcp", 4, "rcp">, I32EnumAttrCase<"Sqrt", 5, "sqrt">,
    I32EnumAttrCase<"Cast", 6, "cast">, I32EnumAttrCase<"CastUnsigned", 7, "cast_unsigned">]>;
def Tile_RoundedKindAttr : EnumAttr<Tile_Dialect, Tile_RoundedKind, "rounded_kind"> {
  let description = [{
    A sum, product, quotient, fused product and sum, reciprocal or square root; or a conversion, where
    `cast_unsigned` takes the integer as one without a sign.
  }];
}

def Tile_RoundingMode : Tile_EnumOf<"RoundingMode", "in which direction a result is rounded, PTX's `.rn` and so on", [
    I32EnumAttrCase<"Nearest", 0, "rn">, I32EnumAttrCase<"Zero", 1, "rz">, I32EnumAttrCase<"Down", 2, "rm">,
    I32EnumAttrCase<"Up", 3, "rp">]>;
def Tile_RoundingModeAttr : EnumAttr<Tile_Dialect, Tile_RoundingMode, "rounding_mode"> {
  let description = [{
    To nearest, ties to even (`rn`), towards zero (`rz`), towards minus infinity (`rm`), towards plus infinity (`rp`).
  }];
}

def Tile_RoundedOp : Tile_Op<"rounded", [Pure, Elementwise, Tile_SameShapeAndLayout]> {
  let summary = "arithmetic or a conversion, rounded once in a given direction";
  let description = [{
    The exact result, rounded as IEEE 754 says for the direction: overflow towards zero is the largest number, and an
    exact sum of zero is -0 only downwards. Never fused with another op. A conversion to an integer that cannot
    hold the value gives the nearest that it holds; of a NaN 0, or the integer whose highest bit alone is set where 64 bits
    are on either side. From `libdevice`, whose functions say their direction by suffixes; lowered to one instruction.

    - (rounded_c1) `fma` has three operands, `add`, `mul` and `div` two, all others one;
    - (rounded_c2) arithmetic is done in f32 or f64, the type of all operands and of the result;
    - (rounded_c3) conversions lead from f32 or f64 to i32 or i64, back, or by `cast` from f64 to f32.

    ```mlir
    %y = tile.rounded add rm %a, %b : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
    %n = tile.rounded cast_unsigned rz %x : f64 -> i32
    ```
  }];
  let arguments = (ins Tile_RoundedKindAttr:$kind, Tile_RoundingModeAttr:$mode, Variadic<Tile_Value>:$operands);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$kind $mode $operands attr-dict `:` type($operands) `->` type($result)";
  let hasVerifier = 1;
}

#endif // TEGULA_DIALECT_TILE_ROUNDED_OPS
