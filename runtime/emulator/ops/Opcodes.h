// All instructions that the emulator knows: which file decodes an opcode.
//
// A file of semantics (IntegerOps, FloatOps, ...) has its handlers for itself, and one function
// `bool decodeX(Form &)` that picks one.
#pragma once

#include "runtime/emulator/ptx/Form.h"

namespace tegula::runtime::ptx {

/// Parses and decodes PTX text. An error names the line: "line 12: unsupported instruction `tex.2d`".
Result<Module> parse(std::string_view text);

/// Handles what has no effect here.
inline void nothing(Warp &, const Inst &) {}

bool decodeInteger(Form &form);      // IntegerOps.cpp: add .. mad on integers
bool decodeBits(Form &form);         // BitOps.cpp: logic, shifts, fields
bool decodeFloat(Form &form);        // FloatOps.cpp: f32 and f64 arithmetic
bool decodePacked(Form &form);       // HalfOps.cpp: f16, bf16, packed forms
bool decodeMixed(Form &form);        // FloatOps.cpp: f32 with operands of f16 or bf16
bool decodeApprox(Form &form);       // ApproxOps.cpp: ex2, lg2, rcp, sqrt, rsqrt, sin, cos, tanh
bool decodeConvert(Form &form);      // ConvertOps.cpp: cvt, szext
bool decodeCompare(Form &form);      // CompareOps.cpp: setp, set, selp, slct, testp, copysign
bool decodeMove(Form &form);         // MoveOps.cpp: mov, cvta, isspacep, predicate logic
bool decodeMemory(Form &form);       // MemoryOps.cpp: ld, st, prefetch
bool decodeAtomic(Form &form);       // AtomicOps.cpp: atom, red
bool decodeAsyncCopy(Form &form);    // AsyncCopyOps.cpp: cp.async
bool decodeBulkCopy(Form &form);     // BulkCopyOps.cpp: cp.async.bulk
bool decodeMbarrier(Form &form);     // MbarrierOps.cpp: mbarrier
bool decodeRegisters(Form &form);    // RegisterOps.cpp: setmaxnreg
bool decodeMatrix(Form &form);       // MatrixOps.cpp: mma
bool decodeGroupProduct(Form &form); // GroupProductOps.cpp: wgmma
bool decodeMatrixMemory(Form &form); // MatrixMemoryOps.cpp: ldmatrix, stmatrix, movmatrix
bool decodeWarp(Form &form);         // WarpOps.cpp: shfl, vote, match, redux, elect, activemask
bool decodeControl(Form &form);      // ControlOps.cpp: bra, call, ret, bar, fences
bool decodeExpect(Form &form);       // ExpectOps.cpp: comments of the compiler's

} // namespace tegula::runtime::ptx
