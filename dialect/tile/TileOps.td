//===- TileOps.td - every op of the dialect, for tablegen ------------------===//
include "dialect/tile/AtomicOps.td"
include "dialect/tile/DotOps.td"
include "dialect/tile/HintOps.td"
include "dialect/tile/MemoryOps.td"
include "dialect/tile/ProgramOps.td"
include "dialect/tile/ReductionOps.td"
include "dialect/tile/ShapeOps.td"
