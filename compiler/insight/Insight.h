// All that a compilation can tell of a kernel beyond its code, as plain data: the texts of its stages with
// their places in the source, values with their layouts, loops, shared memory by address and lifetime,
// registers that tensors hold. Nothing here decides anything, and no code changes for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tegula::insight {

/// A number in one of the tables below; `None` for nothing.
using Index = int32_t;
inline constexpr Index None = -1;

/// A range of a source file. Lines and columns count from 1; the end is exclusive, and equals the start where
/// only that is known.
struct Place {
  Index file = 0; ///< in `Insight::files`
  uint32_t line = 0, column = 0, endLine = 0, endColumn = 0;
  Index callSite = None; ///< the place of the call that inlined it, in `Insight::places`
  auto operator<=>(const Place &) const = default;
};

/// A line of a text that comes from a place.
struct Span {
  uint32_t line = 0;
  Index place = None;
};

/// The text of a stage.
struct StageText {
  std::string name; ///< as `--emit` calls it
  std::string text;
  std::vector<Span> spans; ///< by line
};

/// An axis of a layout and its number of bits.
struct LayoutAxis {
  std::string name;
  uint32_t bits = 0;
};

/// A linear map over bits: for each input bit, those of the first axis first, a coordinate along each output.
struct Layout {
  std::vector<LayoutAxis> ins, outs;
  std::vector<std::vector<int32_t>> bases;
};

/// Facts that the analyses know of a tensor of integers or pointers, along each axis.
struct Facts {
  std::vector<int64_t> contiguous, divisible, constancy;
  std::optional<int64_t> constant; ///< of all elements
  /// The cause that an access of 16 bytes cannot take what is known of neighbours, and what to change; empty
  /// where it can, or where the cause is not known.
  std::string because, change;
  Index cause = None;
};

/// A tensor that a stage computes.
struct Value {
  std::string name; ///< in the source; empty where it has none
  std::string ssa;  ///< in the text of its stage
  std::string op;   ///< what makes it
  Index place = None;
  Index stage = 0; ///< in `Insight::stages`
  uint32_t textLine = 0;
  std::string dtype;
  std::vector<int64_t> shape;
  Index layout = None;    ///< in `Insight::layouts`
  uint32_t registers = 0; ///< of 32 bits, of a thread; 0 where it has no layout
  std::optional<Facts> facts;
};

/// A change of a layout.
struct Conversion {
  Index place = None;
  Index stage = 0;
  uint32_t textLine = 0;
  Index from = None, to = None; ///< in `Insight::values`
  std::string route;            ///< "registers", "shuffles" or "shared memory"
};

/// A buffer of shared memory that a loop uses.
struct LoopBuffer {
  Index place = None;
  std::string ssa;
  uint32_t slots = 1;
  uint64_t bytes = 0; ///< of all slots
};

/// Warps of a program that do the same steps of a loop.
struct WarpGroup {
  std::string role; ///< "all", or "producer" and "consumers" where the loop is warp-specialised
  uint32_t firstWarp = 0, warps = 1;
  uint32_t registers = 0; ///< that a thread may have, where the producer hands some over; else 0
};

/// A step of a loop's body, in the order of the text: those of its first group first.
struct LoopStep {
  Index place = None;
  std::string kind; ///< "copy", "wait", "product", "barrier", "load", "store"
  uint32_t textLine = 0;
  uint32_t group = 0; ///< in `Loop::groups`
  std::string op = {};
};

/// A step that lets a wait of the same loop end.
struct LoopSignal {
  uint32_t from = 0, to = 0; ///< in `Loop::steps`: a copy or an arrival, and the wait
  std::string kind;          ///< "full": the slot is filled; "empty": it has been read
  uint32_t later = 0;        ///< iterations from the one of `from` to the one of `to`
};

/// A loop as it is scheduled. Where producer warps load for it, their loop is a part of it.
struct Loop {
  Index place = None;
  Index stage = 0;
  uint32_t textLine = 0;
  uint32_t stages = 1; ///< iterations in flight: the most slots of a buffer that it uses
  std::vector<LoopBuffer> buffers;
  std::vector<LoopStep> steps;
  std::vector<WarpGroup> groups = {};
  std::vector<LoopSignal> signals = {};
};

/// A piece of a block's shared memory.
struct SharedPiece {
  std::string what; ///< "buffer", "barriers", or the op that needs it for a moment
  Index place = None;
  uint64_t offset = 0, bytes = 0;
  uint32_t from = 0, to = 0; ///< ops between which it lives, counted in the order of the text
};

/// Registers of a thread that tensors hold at a line of a text.
struct PressureRow {
  uint32_t textLine = 0;
  uint32_t registers = 0;
};

/// The same where they are the most.
struct PressurePeak {
  uint32_t textLine = 0;
  uint32_t registers = 0;
  Index place = None;
  std::vector<std::pair<Index, uint32_t>> holders; ///< in `Insight::values`, with their registers
};

/// By layouts and live ranges, in the order of the text. The assembler, which moves and recomputes, may take
/// fewer, and adds registers of its own.
struct Pressure {
  Index stage = None;
  std::vector<PressureRow> rows;
  PressurePeak peak;
};

/// A tensor or number of stage `scheduled` that a debugger can find in registers of the PTX.
struct HeldValue {
  Index place = None; ///< of the op that makes it, or whose result a loop or branch hands on as this
  std::string dtype;
  std::vector<int64_t> shape; ///< empty of a number
  Index layout = None;        ///< in `Insight::layouts`; None of a number, which all threads hold
};

/// From a line of the PTX on, an element of a value is in a register.
struct HeldElement {
  uint32_t textLine = 0; ///< of the PTX, in front of which this begins to hold
  Index value = None;    ///< in `Insight::held`
  uint32_t element = 0;  ///< of those of a thread: the axis `register` of the layout
  std::string holder;    ///< "%r12", or the bits of a constant as "0x3f800000"; empty where nothing holds it
};

/// All of it. Tables refer to each other by number.
struct Insight {
  std::vector<std::string> files;
  std::vector<Place> places;
  std::vector<StageText> stages;
  std::vector<Layout> layouts;
  std::vector<Value> values;
  std::vector<Conversion> conversions;
  std::vector<Loop> loops;
  std::vector<SharedPiece> shared;
  Pressure pressure;
  std::vector<HeldValue> held;           ///< where `CompileOptions::heldValues` asks for it
  std::vector<HeldElement> heldElements; ///< in the order of the PTX
  uint32_t registerLimit = 0;            ///< registers that a thread may have; 0 where no stage told
};

} // namespace tegula::insight
