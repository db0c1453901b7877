//===- TgpuBase.td - the dialect and its types ------------------------------===//

#ifndef TEGULA_DIALECT_TGPU_BASE
#define TEGULA_DIALECT_TGPU_BASE

include "dialect/tile/Effects.td"
include "dialect/tile/TileBase.td"

def Tgpu_Dialect : Dialect {
  let name = "tgpu";
  let cppNamespace = "::tegula::tgpu";
  let summary = "a block program on one multiprocessor: shared memory and copies that run on their own";
  let description = [{
    What `tile` leaves to the machine is said here: which tensors lie in shared memory and how, in how many
    copies, what is fetched while something else is computed, and where to wait for it. Made by the schedule
    stage from loads and changes of layout; tensors in registers and arithmetic on them stay `tile`, `arith`
    and `math`.

    A loop with copies two iterations ahead in three slots (`%ahead` is `%now` plus two, modulo three):

    ```mlir
    %as = tgpu.alloc : !tgpu.buffer<3 of tensor<128x64xf16>, #shared>
    ...
    scf.for ... {
      tgpu.async_wait pending 1
      tgpu.async_copy %pointers mask %mask if %more into %as[%ahead] : ...
      tgpu.async_commit
      %a = tgpu.local_load %as[%now] at [0, 0] : ... -> tensor<128x64xf16, #fragment>
      ... tile.dot %a, ...
    }
    ```

    Nothing here says which threads must wait for each other: `place-barriers` of the lower stage finds that out.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = "void registerAttributes();";
  let dependentDialects = ["::tegula::tile::TileDialect"];
}

def Tgpu_BufferType : TypeDef<Tgpu_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "tensors in shared memory";
  let description = [{
    Room in the program's shared memory for `slots` tensors of one shape, one after another. `layout` says
    where elements lie in a slot: a map from the `offset`, counted in elements, to coordinates. Unlike layouts
    of registers it is one to one, and it may be swizzled so that rows and columns are both read without bank
    conflicts.

    - (buffer_c1) there are 1 to 32 slots;
    - (buffer_c2) the tensor has a shape as tensors in registers have, elements of 8 bits or more, and no layout
      of its own;
    - (buffer_c3) the layout maps `offset` alone to the tensor's axes, one to one.

    ```mlir
    !tgpu.buffer<3 of tensor<2x8xf16>, #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 4]]} : [2, 8]>>
    ```
  }];
  let parameters = (ins "uint32_t":$slots, "::mlir::RankedTensorType":$tensor, "::tegula::tile::LayoutAttr":$layout);
  let assemblyFormat = "`<` $slots `of` $tensor `,` $layout `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<int64_t> getShape() const { return getTensor().getShape(); }
    ::mlir::Type getElementType() const { return getTensor().getElementType(); }
    unsigned getElementBytes() const;
    /// Bytes of one slot, and so from one slot to the next.
    uint32_t getSlotBytes() const;
    uint64_t getBytes() const { return uint64_t(getSlotBytes()) * getSlots(); }
  }];
}

class Tgpu_Op<string mnemonic, list<Trait> traits = []> : Op<Tgpu_Dialect, mnemonic, traits>;

#endif // TEGULA_DIALECT_TGPU_BASE
