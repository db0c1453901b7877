//===- PipelineOps.td - how far a loop over slots has come --------------------===//

#ifndef TEGULA_DIALECT_TGPU_PIPELINE_OPS
#define TEGULA_DIALECT_TGPU_PIPELINE_OPS

include "dialect/tgpu/TgpuBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tgpu_PipelineStateType : TypeDef<Tgpu_Dialect, "PipelineState"> {
  let mnemonic = "pipeline_state";
  let summary = "a slot of a pipeline, and the phase of that slot's barrier";
  let description = [{
    Buffers of `slots` slots are filled and read slot after slot, and from the first again after the last. Each time
    round, the barrier of a slot is in another phase, which is told by its parity. Producers and consumers have a state
    each; loops carry it from iteration to iteration.

    - (pipeline_state_c1) there are 1 to 32 slots.

    ```mlir
    !tgpu.pipeline_state<4>
    ```
  }];
  let parameters = (ins "uint32_t":$slots);
  let assemblyFormat = "`<` $slots `>`";
  let genVerifyDecl = 1;
}

class Tgpu_PipelineOp<string mnemonic, list<Trait> traits = []> : Tgpu_Op<mnemonic, [Pure] # traits>;

def Tgpu_PipelineBeginOp : Tgpu_PipelineOp<"pipeline_begin"> {
  let summary = "the state with which a pipeline begins";
  let description = [{
    Slot 0, and `parity` for its phase. A fresh barrier is in phase 0, and a wait for the phase before it returns at
    once: so producers, whose slots are all free at first, begin with parity 1, and consumers with 0.

    - (pipeline_begin_c1) `parity` is 0 or 1.

    ```mlir
    %fill = tgpu.pipeline_begin parity 1 : !tgpu.pipeline_state<4>
    ```
  }];
  let arguments = (ins I32Attr:$parity);
  let results = (outs Tgpu_PipelineStateType:$result);
  let assemblyFormat = "`parity` $parity attr-dict `:` type($result)";
  let hasVerifier = 1;
}

class Tgpu_PipelineStepOp<string mnemonic> : Tgpu_PipelineOp<mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins Tgpu_PipelineStateType:$state);
  let results = (outs Tgpu_PipelineStateType:$result);
  let assemblyFormat = "$state attr-dict `:` type($state)";
}

def Tgpu_PipelineNextOp : Tgpu_PipelineStepOp<"pipeline_next"> {
  let summary = "the state of the next slot";
  let description = [{
    `slot + 1`, and where that is the number of slots, slot 0 and the other parity.

    ```mlir
    %next = tgpu.pipeline_next %state : !tgpu.pipeline_state<4>
    ```
  }];
}

def Tgpu_PipelinePreviousOp : Tgpu_PipelineStepOp<"pipeline_previous"> {
  let summary = "the state of the slot before";
  let description = [{
    What `tgpu.pipeline_next` makes `state` of.

    ```mlir
    %before = tgpu.pipeline_previous %state : !tgpu.pipeline_state<4>
    ```
  }];
}

class Tgpu_PipelinePartOp<string mnemonic> : Tgpu_PipelineOp<mnemonic> {
  let arguments = (ins Tgpu_PipelineStateType:$state);
  let results = (outs I32:$result);
  let assemblyFormat = "$state attr-dict `:` type($state)";
  let hasFolder = 1;
}

def Tgpu_PipelineSlotOp : Tgpu_PipelinePartOp<"pipeline_slot"> {
  let summary = "the slot that a state is at";
  let description = [{
    From 0 to one less than there are slots. Known where the steps from `tgpu.pipeline_begin` are.

    ```mlir
    %slot = tgpu.pipeline_slot %state : !tgpu.pipeline_state<4>
    ```
  }];
}

def Tgpu_PipelinePhaseOp : Tgpu_PipelinePartOp<"pipeline_phase"> {
  let summary = "the parity of the phase of that slot's barrier";
  let description = [{
    0 or 1, as `tgpu.barrier_wait` takes it.

    ```mlir
    %parity = tgpu.pipeline_phase %state : !tgpu.pipeline_state<4>
    ```
  }];
}

#endif // TEGULA_DIALECT_TGPU_PIPELINE_OPS
