//===- TileBase.td - the dialect, its types and attributes -----------------===//

#ifndef TEGULA_DIALECT_TILE_BASE
#define TEGULA_DIALECT_TILE_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tegula::tile";
  let summary = "block programs: what one program of a grid does to whole tensors";
  let description = [{
    A block program is one `func.func` marked `tile.kernel`. Many instances of it run at once, each with
    its own `tile.program_id`; values are scalars or tensors with static power-of-two sides, and memory
    is reached through tensors of pointers. Elementwise arithmetic is `arith` and `math` on tensors and
    control flow is `scf`; this dialect holds what upstream lacks.

    Before the distribute stage a tensor has no layout. Afterwards each ranked tensor carries a
    `#tile.layout`, which says which thread holds which element, and only `tile.convert_layout` changes it.

    The module names the architecture it is compiled for: (target_c1) `tile.target = "sm_90a"`, and what the
    compiler may not use although that has it: (without_c1) `tile.without = ["wgmma"]`.

    ```mlir
    func.func @copy(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>},
                    %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>})
        attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
      %i = tile.arange 0 to 1024 : tensor<1024xi32>
      %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
      %xi = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
      %v = tile.load %xi : tensor<1024x!tile.ptr<f32>>
      %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
      %yi = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
      tile.store %yi, %v : tensor<1024x!tile.ptr<f32>>
      return
    }
    ```
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Tile_PtrType : TypeDef<Tile_Dialect, "Ptr"> {
  let mnemonic = "ptr";
  let summary = "an address in global memory of a value of some type";
  let description = [{
    `!tile.ptr<f32>` is the address of an `f32` in global memory. Steps count elements, not bytes
    (`tile.addptr`). An `i1` occupies one byte.

    - (ptr_c1) the pointee is an integer of 1, 8, 16, 32 or 64 bits, a float, or another pointer.
  }];
  let parameters = (ins "::mlir::Type":$pointee);
  let assemblyFormat = "`<` $pointee `>`";
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointee), [{
    return $_get(pointee.getContext(), pointee);
  }]>];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bytes between neighbouring elements: an `i1` takes one, a pointer eight.
    unsigned getPointeeBytes() const;
  }];
}

def Tile_ViewType : TypeDef<Tile_Dialect, "View"> {
  let mnemonic = "view";
  let summary = "an array in global memory with its sides";
  let description = [{
    `!tile.view<2 x bf16>` is an array of two axes: what `tile.view` makes of an address, sizes and strides, which
    the value carries with it. No layout says who holds it: it is the same for all threads.

    - (view_type_c1) there are 1 to 32 axes;
    - (view_type_c2) the elements are integers of 8 to 64 bits, floats or pointers: an `i1` is read as `i8`.
  }];
  let parameters = (ins "uint32_t":$rank, "::mlir::Type":$element);
  let assemblyFormat = "`<` $rank `x` $element `>`";
  let builders = [TypeBuilderWithInferredContext<(ins "uint32_t":$rank, "::mlir::Type":$element), [{
    return $_get(element.getContext(), rank, element);
  }]>];
  let genVerifyDecl = 1;
}

def Tile_BoxType : TypeDef<Tile_Dialect, "Box"> {
  let mnemonic = "box";
  let summary = "the box of an array that an access reads or writes";
  let description = [{
    Holds what `tile.box` says, for the access that has it in addition to its pointers.
  }];
}

def Tile_Int : AnyTypeOf<[I1, I8, I16, I32, I64], "integer of 1, 8, 16, 32 or 64 bits">;
def Tile_Float : AnyTypeOf<[F8E4M3FN, F8E5M2, F16, BF16, F32, F64], "f8E4M3FN, f8E5M2, f16, bf16, f32 or f64">;
def Tile_Scalar : AnyTypeOf<[Tile_Int, Tile_Float, Tile_PtrType], "integer, float or pointer">;

/// A tensor as `hasTileShape` wants it, so that no op sees a dynamic, odd or enormous one.
class TileTensorOf<list<Type> elements> : RankedTensorOf<elements,
    [CPred<"::tegula::tile::hasTileShape(::llvm::cast<::mlir::ShapedType>($_self))">],
    "tensor of 1 to 32 power-of-two sides and at most 1048576 elements">;
class TileLike<Type scalar, string name>
    : AnyTypeOf<[scalar, TileTensorOf<[scalar]>], name # " or tensor of it">;

def Tile_AnyTensor : TileTensorOf<[Tile_Scalar]>;
def Tile_Value : TileLike<Tile_Scalar, "integer, float or pointer">;
def Tile_IntLike : TileLike<Tile_Int, "integer">;
def Tile_BoolLike : TileLike<I1, "i1">;
def Tile_PtrLike : TileLike<Tile_PtrType, "pointer">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding, ["verifyEncoding"]>,
     DeclareAttrInterfaceMethods<OpAsmAttrInterface, ["getAlias"]>]> {
  let summary = "the thread and register that hold each element of a tensor";
  let description = [{
    A linear map over the bits of (register, lane, warp, block) to the coordinates of a tensor: see
    `dialect/layout/LinearLayout.h`. Entry `i` of a dimension's list is where its bit `i` points;
    coordinates of several bits add by exclusive or. The example gives each thread of four warps four
    neighbouring elements of a row of 1024, twice:

    ```mlir
    #tile.layout<{register = [[1], [2], [512]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]} : [1024]>
    ```

    A layout of threads always has the axes register, lane, warp, block in this order and writes only
    those that have bits. Threads whose bits point nowhere (a basis of zeros) hold copies.

    As the encoding of a tensor:
    - (layout_c1) its outputs are dim0, dim1, ... with the sides of the tensor;
    - (layout_c2) its inputs are register, lane, warp and block;
    - (layout_c3) the lane has 5 bits: all 32 threads of a warp take part;
    - (layout_c4) it is onto: every element lives somewhere.
  }];
  let parameters = (ins AttrParameter<"::tegula::LinearLayout", "the map",
                                      "const ::tegula::LinearLayout &">:$layout);
  let skipDefaultBuilders = 1;
  let builders = [AttrBuilder<(ins "::tegula::LinearLayout":$layout), [{
    return $_get($_ctxt, ::tegula::tile::canonicalLayout(std::move(layout)));
  }]>];
  let hasCustomAssemblyFormat = 1;
}

def Tile_KernelAttr : Tile_Attr<"Kernel", "kernel"> {
  let summary = "marks a function as a kernel and says how it is to be compiled";
  let description = [{
    `warps` is the number of warps of 32 threads that run one program. `stages` is how deep loops are
    pipelined; 1 means not at all. `programs` is how many neighbouring programs along the grid's x axis share
    a block of the hardware; each then has one warp, so that nothing ever waits for another program.

    - (kernel_c1) `warps` is a power of two from 1 to 32;
    - (kernel_c2) `stages` is 1 to 32;
    - (kernel_c3) as `tile.kernel` it is on a function with a body
    - (kernel_c4) that has no results;
    - (kernel_c5) `programs` is a power of two from 1 to 32, and 1 unless `warps` is 1.

    ```mlir
    #tile.kernel<warps = 1, stages = 3, programs = 4>
    ```
  }];
  let parameters = (ins "uint32_t":$warps, "uint32_t":$stages, DefaultValuedParameter<"uint32_t", "1">:$programs);
  let assemblyFormat = "`<` `warps` `=` $warps `,` `stages` `=` $stages (`,` `programs` `=` $programs^)? `>`";
  let builders = [AttrBuilder<(ins "uint32_t":$warps, "uint32_t":$stages), [{
    return $_get($_ctxt, warps, stages, 1);
  }]>];
  let genVerifyDecl = 1;
}

def Tile_LoopAttr : Tile_Attr<"Loop", "loop"> {
  let summary = "the requests of a loop's author, by `tl.range`";
  let description = [{
    Is `tile.loop` of a loop. `stages` is how many iterations are in flight, 0 where nothing was said
    and the kernel's number holds; `unroll` how many iterations make one, 0 likewise. The flags are the
    language's: the loop may be merged with the one inside it (`flatten`), an accumulator is not to be
    buffered twice (`single_acc`), producers and consumers may have warps of their own (`specialize`), and
    what does not change stays in the loop (`no_licm`). All are hints that change speed only.

    - (loop_c1) `tile.loop` is on an `scf.for` or `scf.while`;
    - (loop_c2) `stages` and `unroll` are at most 32.

    ```mlir
    #tile.loop<stages = 2, unroll = 4, flatten>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"uint32_t", "0">:$stages, DefaultValuedParameter<"uint32_t", "0">:$unroll,
                        DefaultValuedParameter<"bool", "false">:$flatten, DefaultValuedParameter<"bool", "false">:$singleAcc,
                        DefaultValuedParameter<"bool", "false">:$specialize, DefaultValuedParameter<"bool", "false">:$noLicm);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_OccupancyAttr : Tile_Attr<"Occupancy", "occupancy"> {
  let summary = "the number of blocks of a kernel that are to share a multiprocessor";
  let description = [{
    Is `tile.occupancy` of a kernel: the schedule stage has shaped it so that `blocks` of its blocks fit
    into the registers of one multiprocessor, and the assembler is told to keep to that. Absent, the assembler
    takes what registers it likes.

    - (occupancy_c1) `tile.occupancy` is on a function with `tile.kernel`;
    - (occupancy_c2) `blocks` is 1 to 32.

    ```mlir
    #tile.occupancy<blocks = 2>
    ```
  }];
  let parameters = (ins "uint32_t":$blocks);
  let assemblyFormat = "`<` `blocks` `=` $blocks `>`";
  let genVerifyDecl = 1;
}

def Tile_ScratchAttr : Tile_Attr<"Scratch", "scratch"> {
  let summary = "the shared memory that one op works in";
  let description = [{
    Stands as `tile.scratch` on an op whose threads exchange data: `bytes` bytes of the program's shared memory
    from `offset` on are the op's own while it runs. Given by the lower stage, where ops that do not run at
    the same time may share bytes.

    - (scratch_c1) `tile.scratch` is on an op of `tile` or `tgpu`;
    - (scratch_c2) `offset` is a multiple of 16 and `bytes` is not zero.

    ```mlir
    #tile.scratch<offset = 0, bytes = 512>
    ```
  }];
  let parameters = (ins "uint32_t":$offset, "uint32_t":$bytes);
  let assemblyFormat = "`<` `offset` `=` $offset `,` `bytes` `=` $bytes `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// True where some byte belongs to both.
    bool overlaps(ScratchAttr other) const {
      return getOffset() < other.getOffset() + other.getBytes() && other.getOffset() < getOffset() + getBytes();
    }
  }];
}

def Tile_ParamAttr : Tile_Attr<"Param", "param"> {
  let summary = "the facts about one kernel parameter from the source and the launcher";
  let description = [{
    The parameter's name in the source, its type in the language's spelling (which keeps signs, as
    `u32` does), a power of two that divides its value (for a pointer: its address in bytes), whether the
    value of a signed integer is known not to be negative, and whether the author says that nothing writes
    what a pointer points to while the kernel runs (`tl.const`).

    - (param_c1) the name is not empty;
    - (param_c2) the divisibility is a power of two;
    - (param_c3) `tile.param` is on a function's argument;
    - (param_c4) the spelling is that of the argument's type, where the function is not yet lowered;
    - (param_c5) only a signed integer, `i8` to `i64`, is `nonneg`;
    - (param_c6) only a pointer is `constant`.

    ```mlir
    #tile.param<"n", "i32", 16, nonneg>
    #tile.param<"weights", "*bf16", 16, constant>
    ```
  }];
  let parameters = (ins StringRefParameter<"name in the source">:$name,
                        StringRefParameter<"type as the language spells it">:$spelling,
                        "uint32_t":$divisibility,
                        DefaultValuedParameter<"bool", "false">:$nonNegative,
                        DefaultValuedParameter<"bool", "false">:$constant);
  let assemblyFormat = "`<` $name `,` $spelling `,` $divisibility `` custom<ParamFact>($nonNegative, $constant) `>`";
  let builders = [AttrBuilder<(ins "::llvm::StringRef":$name, "::llvm::StringRef":$spelling,
                                   "uint32_t":$divisibility), [{
    return $_get($_ctxt, name, spelling, divisibility, false, false);
  }]>];
  let genVerifyDecl = 1;
}

class Tile_EnumOf<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tegula::tile";
  let genSpecializedAttr = 0;
}

def Tile_Axis : Tile_EnumOf<"Axis", "an axis of the grid",
    [I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">]>;
def Tile_AxisAttr : EnumAttr<Tile_Dialect, Tile_Axis, "axis"> {
  let description = [{`x`, `y` or `z`: `tl.program_id(0)` is along x.}];
}

def Tile_AtomicKind : Tile_EnumOf<"AtomicKind", "how an atomic op changes memory", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"FAdd", 1, "fadd">, I32EnumAttrCase<"And", 2, "and">,
    I32EnumAttrCase<"Or", 3, "or">, I32EnumAttrCase<"Xor", 4, "xor">, I32EnumAttrCase<"Max", 5, "max">,
    I32EnumAttrCase<"Min", 6, "min">, I32EnumAttrCase<"UMax", 7, "umax">, I32EnumAttrCase<"UMin", 8, "umin">,
    I32EnumAttrCase<"Exchange", 9, "xchg">]>;
def Tile_AtomicKindAttr : EnumAttr<Tile_Dialect, Tile_AtomicKind, "atomic"> {
  let description = [{
    `add`, `fadd` (of floats), `and`, `or`, `xor`, `max` and `min` (signed), `umax`, `umin`, `xchg`.
  }];
}

def Tile_CacheModifier : Tile_EnumOf<"CacheModifier", "where an access may be cached, PTX's `.ca` and so on", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"CA", 1, "ca">, I32EnumAttrCase<"CG", 2, "cg">,
    I32EnumAttrCase<"CS", 3, "cs">, I32EnumAttrCase<"CV", 4, "cv">, I32EnumAttrCase<"WB", 5, "wb">,
    I32EnumAttrCase<"WT", 6, "wt">]>;
def Tile_CacheModifierAttr : EnumAttr<Tile_Dialect, Tile_CacheModifier, "cache"> {
  let description = [{
    A hint that changes speed only: `ca` at all levels, `cg` in L2, `cs` used once, `cv` fetch again
    (reads); `wb` at all levels, `cg` in L2, `cs` written once, `wt` through to memory (writes).
  }];
}

def Tile_EvictionPolicy : Tile_EnumOf<"EvictionPolicy", "how soon the L2 cache should drop a line", [
    I32EnumAttrCase<"Normal", 0, "normal">, I32EnumAttrCase<"First", 1, "evict_first">,
    I32EnumAttrCase<"Last", 2, "evict_last">]>;
def Tile_EvictionPolicyAttr : EnumAttr<Tile_Dialect, Tile_EvictionPolicy, "evict"> {
  let description = [{
    A hint that changes speed only: `evict_first` for data that is used once, `evict_last` for data that
    other programs use too.
  }];
}

def Tile_Padding : Tile_EnumOf<"Padding", "what is read outside of an array", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Zero", 1, "zero">, I32EnumAttrCase<"NaN", 2, "nan">]>;
def Tile_PaddingAttr : EnumAttr<Tile_Dialect, Tile_Padding, "padding"> {
  let description = [{
    Elements outside of an array are undefined (`none`), zero or not a number.
  }];
}

def Tile_InputPrecision : Tile_EnumOf<"InputPrecision", "how products of f32 are computed", [
    I32EnumAttrCase<"IEEE", 0, "ieee">, I32EnumAttrCase<"TF32", 1, "tf32">, I32EnumAttrCase<"TF32x3", 2, "tf32x3">]>;
def Tile_InputPrecisionAttr : EnumAttr<Tile_Dialect, Tile_InputPrecision, "input_precision"> {
  let description = [{
    `ieee`: each product in f32; `tf32`: operands rounded to 10 bits of fraction, which a matrix unit takes;
    `tf32x3`: operands cut into two such parts, and three of the four products of parts added up, which is
    nearly f32. Says nothing about operands of other types.
  }];
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Requires that all operands and results are scalars, or all are tensors (same_c1) of one shape and
/// (same_c2) one layout.
def Tile_SameShapeAndLayout : NativeOpTrait<"SameShapeAndLayout"> {
  let cppNamespace = "::tegula::tile";
}

/// The traits of an op with a region of scalars: its effects are those of the ops in the region, which may
/// assert and print. Without such an op it is as good as `Pure`.
def Tile_PureButForRegion : TraitList<[AlwaysSpeculatable, RecursiveMemoryEffects]>;

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

#endif // TEGULA_DIALECT_TILE_BASE
