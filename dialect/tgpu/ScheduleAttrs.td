//===- ScheduleAttrs.td - what is decided about loops, before it is done ------===//

#ifndef TEGULA_DIALECT_TGPU_SCHEDULE_ATTRS
#define TEGULA_DIALECT_TGPU_SCHEDULE_ATTRS

include "dialect/tgpu/TgpuBase.td"
include "dialect/tgpu/ScheduleEnums.td"

class Tgpu_Attr<string name, string attrMnemonic> : AttrDef<Tgpu_Dialect, name> {
  let mnemonic = attrMnemonic;
  let extraClassDeclaration = "/// The attribute's name on an op.\nstatic constexpr ::llvm::StringLiteral AttrName = \"tgpu." # attrMnemonic # "\";";
}

def Tgpu_FetchAttr : Tgpu_Attr<"Fetch", "fetch"> {
  let summary = "the way in which a load of a pipelined loop runs ahead";
  let description = [{
    Is `tgpu.fetch` of a load in the body of a loop with `tgpu.pipeline`. What it brings waits for its iteration
    in `registers`; in registers first, from which it is stored to a slot of its `buffer` one iteration ahead; or in a
    slot from the start, copied by threads (`async`) or by TMA (`tma`). The load, and what computes its
    address, is of `stage`: the lower it is, the farther ahead they run. Copies of one `group` are waited for together.

    Decided by `plan-loops`, carried out by `pipeline-loops` and `specialize-warps`.

    - (fetch_c1) `tgpu.fetch` is on a `tile.load` or, with `tma` and nothing else, a `tgpu.tma_load`;
    - (fetch_c2) `stage` and `group` are at most 32.

    ```mlir
    #tgpu.fetch<by = tma, group = 1>
    ```
  }];
  let parameters = (ins EnumParameter<Tgpu_FetchKind>:$by, DefaultValuedParameter<"uint32_t", "0">:$stage,
                        DefaultValuedParameter<"uint32_t", "0">:$group);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tgpu_PipelineAttr : Tgpu_Attr<"Pipeline", "pipeline"> {
  let summary = "the iterations of a loop that are in flight at a time, and the warps that load for them";
  let description = [{
    Is `tgpu.pipeline` of a loop. Where `all` warps load, `pipeline-loops` lets the loads that have a
    `tgpu.fetch` run up to `stages` - 1 iterations ahead of the rest; where a `producer` does, `specialize-warps` gives
    all of them, which are by `tma`, to the warps that `tgpu.roles` of the kernel tells of.

    Decided by `plan-loops`.

    - (pipeline_c1) `tgpu.pipeline` is on an `scf.for`;
    - (pipeline_c2) there are 2 to 32 stages.

    ```mlir
    #tgpu.pipeline<stages = 4, by = producer>
    ```
  }];
  let parameters = (ins "uint32_t":$stages, DefaultValuedParameter<"::tegula::tgpu::PipelineBy",
                        "::tegula::tgpu::PipelineBy::All">:$by);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tgpu_OverlapAttr : Tgpu_Attr<"Overlap", "overlap"> {
  let summary = "the way in which a product overlaps with the next iteration";
  let description = [{
    Is `tgpu.overlap` of a `tgpu.mma` in the body of a loop. `back_edge`: it is waited for after the start of the
    next iteration's, or, where it is the second of two and what threads compute of the first is its operand, together
    with the next iteration's first. `next_iteration`: it starts in the next iteration only, after that one's first product, and is
    computed under that one's arithmetic.

    Decided by `plan-loops`; carried out by `pipeline-loops` and `specialize-warps` (`back_edge`) and by
    `overlap-products` (`next_iteration`).

    - (overlap_c1) `tgpu.overlap` is on a `tgpu.mma`.

    ```mlir
    #tgpu.overlap<next_iteration>
    ```
  }];
  let parameters = (ins EnumParameter<Tgpu_OverlapKind>:$kind);
  let assemblyFormat = "`<` $kind `>`";
}

def Tgpu_RolesAttr : Tgpu_Attr<"Roles", "roles"> {
  let summary = "the producer warps of a kernel, and the registers of all";
  let description = [{
    Is `tgpu.roles` of a kernel that has loops whose loads a producer makes: it has so many warps of its own.
    With `producer_registers` and `consumer_registers` a thread of theirs and one of the others has as many.

    Decided by `plan-loops`, carried out by `specialize-warps`.

    - (roles_c1) `tgpu.roles` is on a function with `tile.kernel`;
    - (roles_c2) there are 1 to 4 producer warps;
    - (roles_c3) both numbers of registers are there, or none of them.

    ```mlir
    #tgpu.roles<producers = 4, producer_registers = 24, consumer_registers = 240>
    ```
  }];
  let parameters = (ins "uint32_t":$producers, DefaultValuedParameter<"int32_t", "0">:$producer_registers,
                        DefaultValuedParameter<"int32_t", "0">:$consumer_registers);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tgpu_GridAttr : Tgpu_Attr<"Grid", "grid"> {
  let summary = "blocks of a kernel are to run several programs one after the other";
  let description = [{
    Is `tgpu.grid` of a kernel that is to be persistent, so many `blocks` of which share a multiprocessor.

    Decided by `plan-loops`, carried out by `make-persistent`.

    - (grid_c1) `tgpu.grid` is on a function with `tile.kernel`;
    - (grid_c2) there are 1 to 32 blocks.

    ```mlir
    #tgpu.grid<blocks = 1>
    ```
  }];
  let parameters = (ins "uint32_t":$blocks);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // TEGULA_DIALECT_TGPU_SCHEDULE_ATTRS
