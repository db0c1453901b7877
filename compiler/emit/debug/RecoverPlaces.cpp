#include "compiler/emit/debug/RecoverPlaces.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

#include <utility>

using namespace llvm;

namespace tegula {
namespace {

/// A line of a file; null where there is none.
using Line = std::pair<const DIFile *, unsigned>;

Line lineOf(const MachineInstr &instruction) {
  const DebugLoc &place = instruction.getDebugLoc();
  return place && place.getLine() ? Line(place->getFile(), place.getLine()) : Line();
}

class PlaceRecovery {
public:
  explicit PlaceRecovery(MachineFunction &function)
      : function(function), registers(function.getRegInfo()),
        headOfKernel(function.getFunction().getSubprogram()->getFile(),
                     function.getFunction().getSubprogram()->getLine()) {}

  void run() {
    number();
    for (MachineBasicBlock &block : function)
      for (MachineBasicBlock *next : block.successors())
        if (orderOf(*next) <= orderOf(block))
          addLoop(*next, block);
    // Of a cycle one use comes after the definition, and is settled by the first round.
    for (unsigned round = 0; round < 2; ++round)
      for (MachineInstr *instruction : reverse(instructions))
        if (isWithoutPlace(*instruction))
          recover(*instruction);
  }

private:
  void number() {
    for (MachineBasicBlock &block : function) {
      firstOf[&block] = unsigned(instructions.size());
      for (MachineInstr &instruction : block) {
        order[&instruction] = unsigned(instructions.size());
        instructions.push_back(&instruction);
      }
      endOf[&block] = unsigned(instructions.size());
    }
  }

  unsigned orderOf(const MachineBasicBlock &block) const { return firstOf.lookup(&block); }

  /// Takes the line of a loop's branches for a head where the loop holds others, as what an author wrote
  /// does. A loop that a single op was lowered to has one line, which is the op's.
  void addLoop(MachineBasicBlock &first, MachineBasicBlock &last) {
    Line head;
    for (const MachineInstr &branch : last.terminators())
      head = lineOf(branch);
    if (!head.second)
      return;
    bool hasBody = false;
    for (unsigned at = orderOf(first); at < endOf.lookup(&last) && !hasBody; ++at) {
      const Line line = lineOf(*instructions[at]);
      hasBody = line.second && line != head && line != headOfKernel;
    }
    if (!hasBody)
      return;
    heads.insert(head);
    for (unsigned at = orderOf(first); at < endOf.lookup(&last); ++at)
      if (instructions[at]->isBranch() && lineOf(*instructions[at]) == head)
        keepCounting(*instructions[at], head);
  }

  /// Leaves to the head of a loop what decides a branch of it: comparison and counter.
  void keepCounting(MachineInstr &branch, Line head) {
    SmallVector<MachineInstr *> work{&branch};
    while (!work.empty()) {
      MachineInstr *instruction = work.pop_back_val();
      const Line line = lineOf(*instruction);
      if ((line.second && line != head) || !counting.insert(instruction).second)
        continue;
      if (!line.second)
        instruction->setDebugLoc(branch.getDebugLoc());
      for (const MachineOperand &operand : instruction->all_uses())
        if (operand.getReg().isVirtual())
          for (MachineInstr &source : registers.def_instructions(operand.getReg()))
            work.push_back(&source);
    }
  }

  bool isWithoutPlace(const MachineInstr &instruction) const {
    if (instruction.isDebugInstr() || instruction.isBranch() || counting.contains(&instruction))
      return false;
    const Line line = lineOf(instruction);
    return !line.second || line == headOfKernel || heads.contains(line);
  }

  void recover(MachineInstr &instruction) {
    const MachineInstr *served = nullptr;
    for (const MachineOperand &made : instruction.all_defs())
      if (made.getReg().isVirtual())
        served = nearer(instruction, served, firstUse(instruction, made.getReg()));
    // Values for the next iteration are copied at the end of a loop, for what made them.
    if (!served && !lineOf(instruction).second)
      for (const MachineOperand &used : instruction.all_uses())
        if (used.getReg().isVirtual())
          for (const MachineInstr &source : registers.def_instructions(used.getReg()))
            if (!served && !isWithoutPlace(source))
              served = &source;
    if (served)
      instruction.setDebugLoc(served->getDebugLoc());
  }

  const MachineInstr *firstUse(const MachineInstr &instruction, Register made) const {
    const MachineInstr *first = nullptr;
    for (const MachineInstr &user : registers.use_nodbg_instructions(made))
      if (!isWithoutPlace(user) && lineOf(user).second)
        first = nearer(instruction, first, &user);
    return first;
  }

  /// The one of two that comes first after `instruction`, those in front of it last.
  const MachineInstr *nearer(const MachineInstr &instruction, const MachineInstr *a,
                             const MachineInstr *b) const {
    if (!a || !b)
      return a ? a : b;
    const unsigned from = order.lookup(&instruction);
    auto distance = [&](const MachineInstr *of) {
      return order.lookup(of) - from;
    }; // wraps for those in front
    return distance(b) < distance(a) ? b : a;
  }

  MachineFunction &function;
  const MachineRegisterInfo &registers;
  const Line headOfKernel;
  DenseSet<Line> heads; ///< of loops
  DenseSet<const MachineInstr *> counting;
  SmallVector<MachineInstr *, 0> instructions; ///< in the order of the code
  DenseMap<const MachineInstr *, unsigned> order;
  DenseMap<const MachineBasicBlock *, unsigned> firstOf, endOf; ///< places in `instructions`
};

class RecoverPlaces : public MachineFunctionPass {
public:
  static char ID;
  RecoverPlaces() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "recover places"; }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    if (function.getFunction().getSubprogram())
      PlaceRecovery(function).run();
    return false;
  }
};

char RecoverPlaces::ID = 0;

} // namespace

MachineFunctionPass *createRecoverPlacesPass() { return new RecoverPlaces(); }

} // namespace tegula
