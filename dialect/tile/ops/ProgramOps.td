//===- ProgramOps.td - a program in the grid -------------------------------===//

#ifndef TEGULA_DIALECT_TILE_PROGRAM_OPS
#define TEGULA_DIALECT_TILE_PROGRAM_OPS

include "dialect/tile/TileBase.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_GridOp<string mnemonic> : Tile_Op<mnemonic,
    [Pure, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let results = (outs I32:$result);
}

def Tile_ProgramIdOp : Tile_GridOp<"program_id"> {
  let summary = "index of this program along an axis of the grid";
  let description = [{
    A number from 0 to one less than `tile.num_programs` of the same axis. It is the same in all threads
    of a block. Not a thread's index: threads do not exist at this level. Made by the front end, read as
    `%ctaid` after lowering.

    A block of a persistent kernel (`tile.persistent`) runs several programs: there it is the index of program `number`
    of all, counted with x fastest.

    - (program_id_c1) `number` is there where the kernel is persistent, and nowhere else.

    ```mlir
    %pid = tile.program_id x
    %row = tile.program_id y of %number
    ```
  }];
  let arguments = (ins Tile_AxisAttr:$axis, Optional<I32>:$number);
  let assemblyFormat = "`` $axis (`of` $number^)? attr-dict"; // an enum attribute prints a space of its own
  let builders = [OpBuilder<(ins "Axis":$axis), [{ build($_builder, $_state, axis, /*number=*/{}); }]>];
  let hasVerifier = 1;
}

def Tile_NumProgramsOp : Tile_GridOp<"num_programs"> {
  let summary = "number of programs along an axis of the grid";
  let description = [{
    At least 1, at most what the launch allows: 2^31 - 1 along x, 65535 along y and z.

    ```mlir
    %n = tile.num_programs y
    ```
  }];
  let arguments = (ins Tile_AxisAttr:$axis);
  let assemblyFormat = "`` $axis attr-dict";
}

#endif // TEGULA_DIALECT_TILE_PROGRAM_OPS
