// A PTX module decoded for execution.
//
// Decoding happens once: names, scopes, labels, immediates and modifiers are gone afterwards. An
// instruction is a function pointer and row numbers. A *row* is the 32 values, one a lane, of one
// virtual register; immediates, special registers and addresses of variables are rows too, filled
// before the first instruction, so that no instruction asks what kind of operand it has.
#pragma once

#include "dialect/image/Result.h"
#include "runtime/emulator/Hardware.h"
#include "runtime/emulator/numeric/Numeric.h"
#include "runtime/emulator/ptx/Type.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::runtime::ptx {

class Warp;
struct Inst;

/// Executes `inst` for the lanes in the warp's `mask`.
using Handler = void (*)(Warp &, const Inst &);

/// Number of a row in a function's register file, or of a predicate.
using Row = uint32_t;
inline constexpr Row noRow = ~Row(0);
/// A program counter that no instruction has.
inline constexpr uint32_t noPc = ~uint32_t(0);

enum class Space : uint8_t {
  Generic,
  Param,
  Global,
  Shared,
  Cluster, ///< shared memory of any block of the cluster
  Local,
  Const
};

/// The successor of an instruction, for the lanes that execute it.
enum class Flow : uint8_t {
  Next,
  Jump,  ///< to `Inst::target`
  Table, ///< to one of those in the pool: their number, then each
  Leave, ///< out of the function
};

/// Boolean modifiers that an instruction carries to its handler.
enum InstFlag : uint16_t {
  FlagFtz = 1,     ///< subnormal single-precision inputs and results become zero
  FlagSat = 2,     ///< the result is clamped to [0, 1], or to the integer's range
  FlagNan = 4,     ///< min and max return NaN if an operand is NaN
  FlagXorSign = 8, ///< min and max of magnitudes with the product's sign
  FlagAbs = 16,
  FlagRelu = 32, ///< negative results and NaN become zero
  FlagApprox = 64,
  FlagStrong = 128,   ///< volatile, relaxed, acquire or release: does not race with its like
  FlagNegate = 256,   ///< the predicate operand is negated
  FlagWrap = 512,     ///< shifts count modulo the width instead of clamping
  FlagFinite = 1024,  ///< .satfinite: overflow gives the largest number
  FlagReturns = 2048, ///< an atomic or a barrier with a result
  FlagAcquire = 4096, ///< a strong read after which the thread sees what was released
  FlagRelease = 8192, ///< a strong write that hands on what came before
  FlagSystem = 16384, ///< a strong access whose scope is all devices
};

/// Data of the instructions of one family beyond the fields of `Inst`: a family derives its own record, so
/// that it costs the others nothing. `Form::addData` makes one, `Inst::dataAs` finds it.
struct InstData {
  virtual ~InstData();
};

/// One decoded instruction. What the fields mean beyond their names is up to its handler.
struct Inst {
  Handler run = nullptr;
  Row dst = 0;
  std::array<Row, 4> src{};
  Row guard = noRow; ///< the predicate of `@p`
  bool guardNegated = false;
  Flow flow = Flow::Next;
  Type type = Type::None; ///< the first type suffix
  Type from = Type::None; ///< the second
  Rounding rounding = Rounding::Nearest;
  Space space = Space::Generic;
  uint16_t flags = 0;
  uint8_t op = 0;             ///< a comparison, an atomic operation, a shuffle mode
  uint8_t combine = 0;        ///< a Boolean operator
  uint8_t count = 1;          ///< elements of a vector access
  uint8_t bytes = 0;          ///< bytes of an element
  uint32_t pool = 0;          ///< first of further rows in `Function::pool`
  uint32_t target = noPc;     ///< where a branch goes, or the callee's number
  uint32_t reconverge = noPc; ///< where the paths of a branch meet again
  int64_t offset = 0;         ///< added to an address
  uint32_t line = 0;          ///< line of the PTX text
  uint32_t place = 0;         ///< number in `Module::places`
  uint32_t name = 0;          ///< number in `Module::opcodes`
  uint32_t column = 0;        ///< of `place` in the source
  /// Points into the function's `data`; null for families that need none.
  const InstData *data = nullptr;

  /// The record of the instruction's own family.
  template <typename Data> const Data &dataAs() const { return static_cast<const Data &>(*data); }
  bool has(InstFlag flag) const { return flags & flag; }
};

/// A line of kernel source, from `.loc`. Place 0 is "unknown" (line 0).
struct Place {
  uint32_t file = 0; ///< number in `Module::files`
  uint32_t line = 0;
  bool operator==(const Place &) const = default;
};

enum class Special : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  SmId,
  NsmId,
  GridId,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  ClusterIdX,
  ClusterIdY,
  ClusterIdZ,
  NclusterIdX,
  NclusterIdY,
  NclusterIdZ,
  ClusterCtaidX,
  ClusterCtaidY,
  ClusterCtaidZ,
  ClusterNctaidX,
  ClusterNctaidY,
  ClusterNctaidZ,
  ClusterCtarank,
  ClusterNctarank,
  DynamicSmemSize,
  TotalSmemSize,
  Clock,
  ClockHi,
  Clock64,
  GlobalTimer,
  GlobalTimerLo,
  GlobalTimerHi,
};
inline constexpr Special firstDynamicSpecial = Special::Clock; ///< from here on read when executed

/// A module variable in global, const or shared memory.
struct Variable {
  std::string name;
  Space space = Space::Global;
  uint64_t size = 0; ///< bytes; 0 for `.extern .shared x[]`
  uint32_t align = 1;
  uint64_t offset = 0;          ///< shared: address in the block's shared memory
  std::vector<uint8_t> initial; ///< the first bytes; the rest is zero
  struct Relocation {
    uint64_t at;
    std::string symbol;
    int64_t addend;
  };
  std::vector<Relocation> relocations; ///< eight-byte addresses inside `initial`
  uint32_t line = 0;
};

/// A value in a function's parameter area.
struct ParamSlot {
  std::string name;
  uint32_t offset = 0, size = 0;
};

struct Function {
  std::string name;
  bool isEntry = false, hasBody = false;
  uint32_t line = 0;
  std::vector<Inst> code;
  std::vector<Row> pool;
  std::vector<std::unique_ptr<InstData>> data; ///< what `Inst::data` points to
  uint32_t rows = 0, predicates = 0;
  std::vector<std::string> rowNames; ///< registers' names for messages; empty for other rows
  std::vector<Type> rowTypes;        ///< as registers are declared; `None` for other rows
  std::vector<std::string> predicateNames;
  struct Constant {
    Row row;
    uint64_t value;
  };
  struct SpecialRow {
    Row row;
    Special special;
  };
  struct AddressRow {
    Row row;
    uint32_t variable;
    int64_t addend;
  };
  struct LocalRow {
    Row row;
    uint32_t offset;
  };
  std::vector<Constant> constants; ///< loading a module appends the addresses of its variables
  std::vector<SpecialRow> specials;
  std::vector<AddressRow> addresses;
  std::vector<LocalRow> locals; ///< offsets in the frame's part of local memory
  std::vector<ParamSlot> results, params;
  /// Bytes of parameters of an entry, the same for all threads; offsets from here on, up to
  /// `paramBytes`, are each thread's own.
  uint32_t uniformParamBytes = 0;
  uint32_t paramBytes = 0;
  uint32_t localBytes = 0;
  uint32_t requiredCluster = 0;                            ///< .reqnctapercluster along x, 0 where absent
  std::array<uint32_t, 3> requiredThreads{}, maxThreads{}; ///< .reqntid and .maxntid, 0 where absent
};

struct Module {
  std::string version, target;
  std::vector<std::string> files; ///< by the number in `.file`
  std::vector<Place> places{Place{}};
  std::vector<std::string> opcodes; ///< full mnemonics, for messages
  std::vector<Variable> variables;
  std::vector<Function> functions;
  uint32_t sharedBytes = 0; ///< static shared memory; dynamic memory follows it
  uint32_t dynamicAlign = 16;
  bool needsClusters = false; ///< there are barriers of clusters, or copies to several blocks
  bool loadsInBulk = false;   ///< there are bulk copies that signal mbarriers

  const Function *findEntry(std::string_view name) const;
  const Variable *findVariable(std::string_view name) const;
};

/// Limits that keep hostile text from costing memory.
inline constexpr uint64_t maxTextBytes = 64u << 20;
inline constexpr uint64_t maxVariableBytes = 256u << 20;
/// Host memory for the virtual registers of one block.
inline constexpr uint64_t maxRegisterBytes = uint64_t(1) << 30;
inline constexpr uint32_t maxSharedBytes = 1u << 20;
inline constexpr uint32_t maxLocalBytes = 512u << 10;

} // namespace tegula::runtime::ptx
