//===- ProductOps.td - products that a matrix unit computes on its own -------===//

#ifndef TEGULA_DIALECT_TGPU_PRODUCT_OPS
#define TEGULA_DIALECT_TGPU_PRODUCT_OPS

include "dialect/tgpu/TgpuBase.td"
include "dialect/tile/MatrixUnit.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tgpu_InFlightType : TypeDef<Tgpu_Dialect, "InFlight"> {
  let mnemonic = "in_flight";
  let summary = "sums that a matrix unit may still be adding to";
  let description = [{
    The tensor's elements are in the registers that its layout says, but no op may look at them, move them or
    overwrite them before a `tgpu.mma_wait`: the assembler would put waits everywhere, or the values would be
    whatever was there. So a value of this type has one use, by `tgpu.mma`, `tgpu.mma_wait`, or a loop that
    carries it, and none comes out of a branch. `verify-stage` checks it.

    - (in_flight_c1) the tensor has a layout.

    ```mlir
    !tgpu.in_flight<tensor<128x128xf32, #sums>>
    ```
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensor);
  let assemblyFormat = "`<` $tensor `>`";
  let genVerifyDecl = 1;
}

def Tgpu_MmaBeginOp : Tgpu_Op<"mma_begin", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TypesMatchWith<"the result has the sums' tensor", "sums", "result",
                   "::tegula::tgpu::InFlightType::get($_self.getContext(), ::llvm::cast<::mlir::RankedTensorType>($_self))">]> {
  let summary = "hand sums to a matrix unit";
  let description = [{
    What `tgpu.mma` adds to from here on. Nothing moves. Products that start from zero need none: see `tgpu.mma`.
    Two that begin with equal sums are two: each has registers of its own, as the effect of allocating says.

    ```mlir
    %f = tgpu.mma_begin %sums : tensor<128x128xf32, #sums>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$sums);
  let results = (outs Tgpu_InFlightType:$result);
  let assemblyFormat = "$sums attr-dict `:` type($sums)";
}

def Tgpu_MmaOp : Tgpu_Op<"mma", [AttrSizedOperandSegments,
    OptionalTypesMatchWith<"what is added to has the type of the result", "result", "sums", "$_self">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_AsyncOpInterface>]> {
  let summary = "start to multiply matrices";
  let description = [{
    `result = sums + a * b`, at some time between this op and the `tgpu.mma_wait` that waits for it; until then the
    slots that it reads may not be written. Without `sums` there is nothing to add to, as if they were zero. `b`
    lies in a buffer, `a` in a buffer or in registers; where it says `transposed` the buffer's tensor has the
    operand's axes in the other order. Each op is a group of its own: waits count them.

    `part` is how much of K is multiplied, `[begin, count]`; without it all is. So products that a unit adds up in
    fewer bits than its sums have are added to others outside it before they become too many. `columns` are the columns of
    `b` that are multiplied, `[first, count]`, and the result has no others; without it all are.

    Made by `buffer-operands` from `tile.dot` with a unit that reads operands from memory by itself.

    - (mma_c1) `a` is M by K, `b` K by N and the result M by N, or by the count of `columns`, of elements that
      `tile.dot` multiplies;
    - (mma_c2) an operand has a slot where it is a buffer, and only there, and is transposed only there;
    - (mma_c3) a buffer's layout is one that a matrix descriptor describes (`dialect/layout/UnitMemory.h`);
    - (mma_c4) `unit` is of a kind that reads buffers, and no instruction takes more of K than there is;
    - (mma_c5) `part` lies within K, and both numbers are multiples of what an instruction takes;
    - (mma_c6) `columns` lie within N, likewise.

    ```mlir
    %g = tgpu.mma %a[%i], %b[%i] transposed adding %f unit <wgmma, m64n128k16>
        : !tgpu.buffer<4 of tensor<128x64xbf16>, #a>, !tgpu.buffer<4 of tensor<128x64xbf16>, #b>
        -> !tgpu.in_flight<tensor<128x128xf32, #sums>>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Tgpu_BufferType, Tile_AnyTensor]>:$a, Optional<I32>:$slotA, UnitAttr:$transposedA,
                       Tgpu_BufferType:$b, I32:$slotB, UnitAttr:$transposedB,
                       Optional<Tgpu_InFlightType>:$sums, Tile_MatrixUnitAttr:$unit,
                       OptionalAttr<DenseI32ArrayAttr>:$part, OptionalAttr<DenseI32ArrayAttr>:$columns);
  let results = (outs Tgpu_InFlightType:$result);
  let assemblyFormat = [{
    $a (`[` $slotA^ `]`)? (`transposed` $transposedA^)? `,` $b `[` $slotB `]` (`transposed` $transposedB^)?
    (`part` $part^)? (`columns` $columns^)? (`adding` $sums^)? `unit` $unit attr-dict
    `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getSumsType() { return getResult().getType().getTensor(); }
    /// The buffer of `a`; null where it comes from registers.
    ::mlir::TypedValue<BufferType> getBufferA() {
      return ::llvm::isa<BufferType>(getA().getType()) ? ::llvm::cast<::mlir::TypedValue<BufferType>>(getA())
                                                       : ::mlir::TypedValue<BufferType>();
    }
    /// The type of an operand, in registers or a slot, as it lies.
    ::mlir::RankedTensorType getOperandTensor(unsigned index);
    /// Returns which axis of that K is.
    unsigned getKAxis(unsigned index);
    int64_t getK() { return getOperandTensor(0).getShape()[getKAxis(0)]; }
    /// Returns where along K the product begins, and how much of K it takes.
    int32_t getBegin() { return getPart() ? (*getPart())[0] : 0; }
    int32_t getCount() { return getPart() ? (*getPart())[1] : int32_t(getK()); }
    /// Returns the first column of `b` that is multiplied.
    int32_t getFirstColumn() { return getColumns() ? (*getColumns())[0] : 0; }
    /// Returns whether this is one of several products that make up one of matrices.
    bool isPart() { return getPart() || getColumns(); }
  }];
}

def Tgpu_MmaWaitOp : Tgpu_Op<"mma_wait", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_AsyncOpInterface>]> {
  let summary = "wait until all but the last products are computed";
  let description = [{
    Waits for all `tgpu.mma` but the `pending` last. `sums` come out as tensors where their products are
    computed, or stay in flight. With no more pending, slots that products read are free as well, for this thread:
    others may not have waited yet.

    `held` tensors are computed before the wait and stay in their registers until it is over: operands that
    products still read, and what is to be computed while they are in flight.

    - (mma_wait_c1) each result has the type of its sums, as a tensor or in flight;
    - (mma_wait_c2) with any pending, only sums come out as tensors after whose product at least as many others
      start, in its block and before this op: else it may be one of those pending;
    - (mma_wait_c3) `pending` is not negative.

    ```mlir
    %t = tgpu.mma_wait pending 0 %f holding (%p : tensor<128x64xbf16, #weights>)
        : !tgpu.in_flight<tensor<128x128xf32, #sums>> -> tensor<128x128xf32, #sums>
    ```
  }];
  let arguments = (ins I32Attr:$pending, Variadic<Tgpu_InFlightType>:$sums, Variadic<Tile_AnyTensor>:$held);
  let results = (outs Variadic<AnyTypeOf<[Tile_AnyTensor, Tgpu_InFlightType]>>:$results);
  let assemblyFormat = [{
    `pending` $pending $sums (`holding` `(` $held^ `:` type($held) `)`)? attr-dict `:` type($sums) `->` type($results)
  }];
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "uint32_t":$pending, "::mlir::ValueRange":$sums), [{
    build($_builder, $_state, results, pending, sums, /*held=*/::mlir::ValueRange());
  }]>];
  let hasVerifier = 1;
}

def Tgpu_ProxyFenceOp : Tgpu_Op<"proxy_fence", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "let units that read shared memory by themselves see what was written";
  let description = [{
    What is written to shared memory, by stores or by copies that were waited for, is there for the products that
    this thread starts from here on: what it wrote itself, and what others wrote before a barrier that it has come
    by. Put by `place-barriers` after barriers, since before one it would wait for copies that are still
    in flight.

    ```mlir
    tgpu.proxy_fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TEGULA_DIALECT_TGPU_PRODUCT_OPS
