//===- NameOps.td - what debuggers and editors are told ---------------------===//

#ifndef TEGULA_DIALECT_TILE_NAME_OPS
#define TEGULA_DIALECT_TILE_NAME_OPS

include "dialect/tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_BindOp : Tile_Op<"bind", [Pure]> {
  let summary = "a name of the source gets a value";
  let description = [{
    From here on `name` has the value `value`, or the one whose text is `constant`, known when compiling. `type` is its type as
    messages of the front end name it, which knows more than the IR's: signs of integers. Parts of tuples, aggregates and block
    pointers are bound each by itself, as `t[0]`, `state.m` or `p.offsets[1]`. The location is that of the name where it was
    assigned, in a function that is inlined with the chain of calls. `kept` says that nothing is assigned here: the name has
    become another value of the IR because a loop or a branch carries it.

    Made by the front end where names are asked for, for the debugger, for editors and for reports, which erase the ops
    (`BoundNames.h`) before the program goes to another stage. Not for the code: it has no effect, and any canonicalization
    drops it.

    - (bind_c1) there is either a value or a constant.

    ```mlir
    tile.bind "acc" : "fp32[64]" = %acc : tensor<64xf32>
    tile.bind "acc" : "fp32[64]" = kept %arg5 : tensor<64xf32>
    tile.bind "BLOCK" : "int" = "64"
    ```
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$type, UnitAttr:$kept, OptionalAttr<StrAttr>:$constant,
      Optional<AnyType>:$value);
  let assemblyFormat = [{
    $name `:` $type `=` (`kept` $kept^)? ($constant^)? ($value^ `:` type($value))? attr-dict
  }];
  let hasVerifier = 1;
}

/// The tables of a debugger, for which no code may change.
def Tile_DebugTables : Resource<"::tegula::tile::DebugTables">;

def Tile_DebugValueOp : Tile_Op<"debug_value", [MemoryEffects<[MemAlloc<Tile_DebugTables>]>]> {
  let summary = "a debugger wants to know where a value is";
  let description = [{
    From here on value `number` of a table has these elements: a tensor or a number, and once tensors have become registers, those of
    a thread in the order of its layout. In LLVM each becomes a debug record, and in the PTX a note of the
    register that holds it, which is taken out again (`compiler/emit/debug/ValueNotes.h`).

    Made by the driver between stage `scheduled` and the next where values are asked for; allowed in no other stage.
    Has no effect: it claims to allocate, so that it stays and nothing else waits for it.

    ```mlir
    tile.debug_value 17 %acc : tensor<64x64xf32, #layout>
    tile.debug_value 17 %0, %1 : f32, f32
    ```
  }];
  let arguments = (ins I32Attr:$number, Variadic<AnyType>:$values);
  let assemblyFormat = "$number $values attr-dict `:` type($values)";
}

#endif // TEGULA_DIALECT_TILE_NAME_OPS
