//===- ScheduleEnums.td - the words of decisions about loops -------------------===//

#ifndef TEGULA_DIALECT_TGPU_SCHEDULE_ENUMS
#define TEGULA_DIALECT_TGPU_SCHEDULE_ENUMS

include "mlir/IR/EnumAttr.td"

class Tgpu_EnumOf<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tegula::tgpu";
  let genSpecializedAttr = 0;
}

def Tgpu_FetchKind : Tgpu_EnumOf<"FetchKind", "how a load that runs ahead gets its elements", [
    I32EnumAttrCase<"Registers", 0, "registers">, I32EnumAttrCase<"Buffer", 1, "buffer">,
    I32EnumAttrCase<"Async", 2, "async">, I32EnumAttrCase<"Tma", 3, "tma">]>;

def Tgpu_PipelineBy : Tgpu_EnumOf<"PipelineBy", "whose warps run the loads of a pipelined loop", [
    I32EnumAttrCase<"All", 0, "all">, I32EnumAttrCase<"Producer", 1, "producer">]>;

def Tgpu_OverlapKind : Tgpu_EnumOf<"OverlapKind", "what a product is computed under", [
    I32EnumAttrCase<"BackEdge", 0, "back_edge">, I32EnumAttrCase<"NextIteration", 1, "next_iteration">]>;

#endif // TEGULA_DIALECT_TGPU_SCHEDULE_ENUMS
