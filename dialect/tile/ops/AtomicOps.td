//===- AtomicOps.td - memory that several programs change ------------------===//

#ifndef TEGULA_DIALECT_TILE_ATOMIC_OPS
#define TEGULA_DIALECT_TILE_ATOMIC_OPS

include "dialect/tile/Effects.td"
include "dialect/tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_MemoryOrder : Tile_EnumOf<"MemoryOrder", "what an atomic op orders, PTX's `.sem`", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcquireRelease", 3, "acq_rel">]>;
def Tile_MemoryOrderAttr : EnumAttr<Tile_Dialect, Tile_MemoryOrder, "order"> {
  let description = [{
    `relaxed` orders nothing else; `acquire` keeps what the program does afterwards after it, `release` what
    it did before in front, `acq_rel` both.
  }];
}

def Tile_MemoryScope : Tile_EnumOf<"MemoryScope", "who sees an atomic op as one step, PTX's `.scope`", [
    I32EnumAttrCase<"Block", 0, "cta">, I32EnumAttrCase<"Device", 1, "gpu">, I32EnumAttrCase<"System", 2, "sys">]>;
def Tile_MemoryScopeAttr : EnumAttr<Tile_Dialect, Tile_MemoryScope, "scope"> {
  let description = [{`cta`: the program itself; `gpu`: all programs on the device; `sys`: the host too.}];
}

def Tile_AtomicLoadOp : Tile_Op<"atomic_load",
    [Tile_SameShapeAndLayout, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<Tile_GlobalAccessOpInterface>]> {
  let summary = "read memory in one step";
  let description = [{
    `result[i] = *pointer[i]` where `mask[i]` holds, everywhere without a mask, each element once and as one
    step that no other access comes between. Under a false mask memory is not accessed and the result
    undefined. Not a `load`: it stays where it is, and all threads of the program learn one value. From
    `tl.atomic_load`.

    - (atomic_load_c1) the result's elements are of the pointee's type
    - (atomic_load_c2) of 8, 16, 32 or 64 bits;
    - (atomic_load_c3) the order is `relaxed` or `acquire`.

    ```mlir
    %flag = tile.atomic_load acquire, gpu, %p : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope, Tile_PtrLike:$pointer,
                       Optional<Tile_BoolLike>:$mask);
  let results = (outs Tile_Value:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "MemoryOrder":$order, "MemoryScope":$scope, "::mlir::Value":$pointer,
      CArg<"::mlir::Value", "{}">:$mask)>];
}

def Tile_AtomicStoreOp : Tile_Op<"atomic_store",
    [Tile_SameShapeAndLayout, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<Tile_GlobalAccessOpInterface>]> {
  let summary = "write memory in one step";
  let description = [{
    `*pointer[i] = value[i]` where `mask[i]` holds, everywhere without a mask, each element once and as one
    step that no other access comes between. Of elements with one address one remains, which one is
    undefined. From `tl.atomic_store`.

    - (atomic_store_c1) the value's elements are of the pointee's type
    - (atomic_store_c2) of 8, 16, 32 or 64 bits;
    - (atomic_store_c3) the order is `relaxed` or `release`.

    ```mlir
    tile.atomic_store release, gpu, %p, %one : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope, Tile_PtrLike:$pointer,
                       Tile_Value:$value, Optional<Tile_BoolLike>:$mask);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_AtomicRMWOp : Tile_Op<"atomic_rmw",
    [Tile_SameShapeAndLayout, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<Tile_GlobalAccessOpInterface>]> {
  let summary = "read memory, change it and write it back in one step";
  let description = [{
    `result[i] = *pointer[i]; *pointer[i] = kind(*pointer[i], value[i])` where `mask[i]` holds, everywhere
    without a mask, each element once and as one step that no other access comes between. Elements of one
    address all take part, in any order. Under a false mask memory is not accessed and the result undefined.
    From `tl.atomic_add` and its like, which write the maximum of floats as two of integers.

    - (atomic_rmw_c1) the value's elements are of the pointee's type;
    - (atomic_rmw_c2) `fadd` is of f16, bf16, f32 or f64, `xchg` of 32 or 64 bits, all else of i32 or i64.

    ```mlir
    %old = tile.atomic_rmw fadd, relaxed, gpu, %p, %v, %m : tensor<64x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_AtomicKindAttr:$kind, Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope,
                       Tile_PtrLike:$pointer, Tile_Value:$value, Optional<Tile_BoolLike>:$mask);
  let results = (outs Tile_Value:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "AtomicKind":$kind, "MemoryOrder":$order, "MemoryScope":$scope,
      "::mlir::Value":$pointer, "::mlir::Value":$value, CArg<"::mlir::Value", "{}">:$mask)>];
}

def Tile_AtomicCASOp : Tile_Op<"atomic_cas",
    [Tile_SameShapeAndLayout, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<Tile_GlobalAccessOpInterface>]> {
  let summary = "write memory where it holds what is expected, in one step";
  let description = [{
    `result[i] = *pointer[i]; if result[i] == compare[i]: *pointer[i] = value[i]`, compared bit by bit and as
    one step that no other access comes between. From `tl.atomic_cas`.

    - (atomic_cas_c1) `compare` and `value` have elements of the pointee's type
    - (atomic_cas_c2) of 16, 32 or 64 bits.

    ```mlir
    %old = tile.atomic_cas acq_rel, gpu, %lock, %zero, %one : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope, Tile_PtrLike:$pointer,
                       Tile_Value:$compare, Tile_Value:$value);
  let results = (outs Tile_Value:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "MemoryOrder":$order, "MemoryScope":$scope, "::mlir::Value":$pointer,
      "::mlir::Value":$compare, "::mlir::Value":$value)>];
}

def Tile_BarrierOp : Tile_Op<"barrier",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<Tile_InteractionOpInterface>]> {
  let summary = "all threads of the program wait for each other";
  let description = [{
    What the program's threads did to memory before is seen by all of them afterwards. Stands only where all
    threads of the program arrive. From `tl.debug_barrier`, and put by the lower stage where two accesses of
    shared memory could meet.

    ```mlir
    tile.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TEGULA_DIALECT_TILE_ATOMIC_OPS
