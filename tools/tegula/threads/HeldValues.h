// Values of the source in the registers of threads: what holds which element where a warp stands.
#pragma once

#include "compiler/debug/Values.h"
#include "compiler/driver/names/KernelNames.h"
#include "compiler/insight/Insight.h"
#include "runtime/emulator/warp/LaunchContext.h"
#include "tools/tegula/threads/Registers.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace tegula::cli {

/// The values of a compilation with `CompileOptions::heldValues`, with the names of the source; `known` is
/// null where it was not asked or made other code.
struct HeldTable {
  HeldTable() = default;
  HeldTable(std::shared_ptr<const insight::Insight> known, const std::vector<KernelName> &names);

  std::shared_ptr<const insight::Insight> known;
  std::vector<std::string> names; ///< of `known->held`; empty for a value without one
};

/// Follows registers along the paths of the code: an element is where the last note says, unless paths
/// disagree or the register was written since. Paths without a note, such as one round all that programs do
/// that are none, agree with all others where a single basic block writes the register: threads that took
/// them have it undefined. Requires `table` and the launch to outlive it.
class HeldValues {
public:
  HeldValues() = default;
  HeldValues(const HeldTable &table, const CodeLines &code, const runtime::ptx::LaunchContext &launch);

  using Warps = std::vector<const runtime::ptx::Warp *>;

  /// The value of a name where each of `warps` stands, the warps of one program in order. Elements that no
  /// register holds are undefined. Nothing where all are, no warp has come to a value of the name, or
  /// several paths led there with different ones.
  std::optional<debug::Value> valueOf(const std::string &name, const Warps &warps,
                                      const RegisterTypes &types) const;
  /// The same of all names, by their names.
  std::map<std::string, debug::Value> valuesOf(const Warps &warps, const RegisterTypes &types) const;

  /// "acc[3, 5]" by registers: what they hold in the lane of a warp, which is `number` of its program.
  std::map<std::string, std::string> elementsIn(const runtime::ptx::Warp &warp, uint32_t number,
                                                uint32_t lane) const;

private:
  /// By slot, one for each element of each value: a register or constant, empty where that is not known; null
  /// where there was no note yet.
  using Holders = std::vector<const std::string *>;
  /// The knowledge in front of an instruction.
  struct State {
    Holders holders;
    std::vector<int32_t> current; ///< by name: the value in `Insight::held`, or one of the two below
    bool operator==(const State &) const = default;
  };
  static constexpr int32_t unknown = -1, unbound = -2;
  struct Note {
    uint32_t slot = 0, value = 0;
    const std::string *holder = nullptr;
  };
  using Notes = std::unordered_map<const runtime::ptx::Inst *, std::vector<Note>>;

  void readNotes(const runtime::ptx::Function &function);
  void readWrites(const runtime::ptx::Function &function, const std::set<uint32_t> &leaders);
  void follow(const runtime::ptx::Function &function);
  /// Carries `state` over an instruction and the notes around it.
  void pass(State &state, const runtime::ptx::Inst &inst) const;
  void take(State &state, const Notes &notes, const runtime::ptx::Inst &inst) const;
  void write(State &state, const runtime::ptx::Inst &inst) const;
  void meet(State &state, const State &other) const;
  const std::string *meet(const std::string *a, const std::string *b) const;
  std::optional<State> at(const runtime::ptx::Warp &warp) const;
  std::vector<std::optional<State>> at(const Warps &warps) const;
  /// The value of name `number`, of warps that stand at `states`.
  std::optional<debug::Value> valueOf(uint32_t number, const Warps &warps,
                                      const std::vector<std::optional<State>> &states,
                                      const RegisterTypes &types) const;
  /// Calls `take` with the slot of each element of a value, and the element.
  void forSlotsOf(uint32_t value, llvm::function_ref<void(size_t slot, uint32_t element)> take) const;
  std::vector<uint64_t> placesOf(const insight::HeldValue &value, uint32_t element, uint32_t warp,
                                 uint32_t lane) const;

  const HeldTable *table = nullptr;
  const CodeLines *code = nullptr;
  std::map<std::string, uint32_t, std::less<>> numbers; ///< names, counted
  std::vector<int32_t> nameOf;                          ///< by value
  std::vector<uint32_t> firstSlot;                      ///< by value
  std::vector<uint32_t> valueOfSlot;
  std::map<std::string, std::vector<uint32_t>, std::less<>> slotsOf; ///< of a register
  std::set<std::string, std::less<>> writtenInOneBlock;              ///< registers
  /// Notes in front of an instruction; those at the end of a block stand behind its last one.
  Notes before, behind;
  std::unordered_map<const runtime::ptx::Inst *, State> entries; ///< by the first instruction of a block
};

} // namespace tegula::cli
