//===- Effects.td - what an op does besides computing ----------------------===//
//
// MLIR's memory effects say what may change places. These interfaces say what passes ask beyond that: which address,
// in which order, for whom, and what is in flight afterwards. See "To add an op" in dialect/README.md.

#ifndef TEGULA_DIALECT_TILE_EFFECTS
#define TEGULA_DIALECT_TILE_EFFECTS

include "mlir/IR/OpBase.td"

def Tile_GlobalAccessOpInterface : OpInterface<"GlobalAccessOpInterface"> {
  let cppNamespace = "::tegula::tile";
  let description = [{
    An op that accesses global memory at addresses that it knows. An access at unknown addresses, as PTX by
    hand does, has `Interaction::TouchesMemory` instead.
  }];
  let methods = [InterfaceMethod<"Returns what the op accesses, and how.",
                                 "::tegula::tile::GlobalAccess", "getGlobalAccess">];
}

def Tile_InteractionOpInterface : OpInterface<"InteractionOpInterface"> {
  let cppNamespace = "::tegula::tile";
  let description = [{
    An op that has to do with other threads, other launches, the device itself or the host.
  }];
  let methods = [InterfaceMethod<"Returns with whom, and how.", "::tegula::tile::Interaction", "getInteractions">];
}

def Tile_AsyncOpInterface : OpInterface<"AsyncOpInterface"> {
  let cppNamespace = "::tegula::tile";
  let description = [{
    An op that starts work which runs asynchronously to the ops that follow, or that has a part in its end. Which buffers such
    work reads and writes, the effects on the op's operands say.
  }];
  let methods = [InterfaceMethod<"Returns the op's part in such work.", "::tegula::tile::AsyncStep", "getAsyncStep">];
}

#endif // TEGULA_DIALECT_TILE_EFFECTS
