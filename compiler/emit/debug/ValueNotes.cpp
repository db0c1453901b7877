#include "compiler/emit/debug/ValueNotes.h"

#include "dialect/tile/NameOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tegula {

static constexpr StringLiteral callee = "tegula.debug_value";
static constexpr StringLiteral mark = "// tegula.value ";

void lowerDebugValues(mlir::ModuleOp module) {
  SmallVector<tile::DebugValueOp> ops;
  module.walk([&](tile::DebugValueOp op) { ops.push_back(op); });
  if (ops.empty())
    return;
  mlir::OpBuilder builder(module.getBodyRegion());
  auto type = mlir::LLVM::LLVMFunctionType::get(mlir::LLVM::LLVMVoidType::get(module.getContext()),
                                                {builder.getI32Type()}, /*isVarArg=*/true);
  auto function = mlir::LLVM::LLVMFuncOp::create(builder, module.getLoc(), callee, type);
  for (tile::DebugValueOp op : ops) {
    builder.setInsertionPoint(op);
    SmallVector<mlir::Value> arguments{
        mlir::LLVM::ConstantOp::create(builder, op.getLoc(), op.getNumberAttr())};
    llvm::append_range(arguments, op.getValues());
    mlir::LLVM::CallOp::create(builder, op.getLoc(), function, arguments);
    op.erase();
  }
}

/// Puts a record in front of `call` for each element that it has.
static void record(CallInst &call, DISubprogram *scope) {
  LLVMContext &context = call.getContext();
  const uint64_t number = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
  const DILocation *place = DILocation::get(context, scope->getLine(), 0, scope);
  DIExpression *itself = DIExpression::get(context, {});
  for (unsigned element = 0; element + 1 < call.arg_size(); ++element) {
    const std::string name = utostr(number) + "." + utostr(element);
    auto *variable = DILocalVariable::get(context, scope, name, scope->getFile(), scope->getLine(),
                                          /*Type=*/nullptr, /*Arg=*/0, DINode::FlagZero, /*AlignInBits=*/0,
                                          /*Annotations=*/nullptr);
    auto *made =
        DbgVariableRecord::createDbgVariableRecord(call.getArgOperand(element + 1), variable, itself, place);
    call.getParent()->insertDbgRecordBefore(made, call.getIterator());
  }
}

void recordDebugValues(Module &module) {
  Function *function = module.getFunction(callee);
  if (!function)
    return;
  for (User *user : make_early_inc_range(function->users())) {
    auto *call = cast<CallInst>(user);
    if (DISubprogram *scope = call->getFunction()->getSubprogram())
      record(*call, scope);
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

namespace {

class NoteValues : public MachineFunctionPass {
public:
  static char ID;
  NoteValues() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "note values"; }

  bool runOnMachineFunction(MachineFunction &function) override {
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : make_early_inc_range(block))
        if (instruction.isDebugValue()) {
          note(instruction);
          instruction.eraseFromParent();
        }
    return true;
  }

private:
  /// The place of a note is that of the code around it, so that it brings no `.loc` of its own.
  static DebugLoc placeFor(const MachineInstr &record) {
    for (const MachineInstr *next = record.getNextNode(); next; next = next->getNextNode())
      if (!next->isDebugInstr())
        return next->getDebugLoc();
    for (const MachineInstr *before = record.getPrevNode(); before; before = before->getPrevNode())
      if (!before->isDebugInstr())
        return before->getDebugLoc();
    return {};
  }

  /// The bits of a constant; empty for other operands.
  static std::string constantOf(const MachineOperand &operand) {
    if (operand.isImm())
      return "0x" + utohexstr(uint64_t(operand.getImm()), /*LowerCase=*/true);
    if (operand.isFPImm())
      return "0x" + utohexstr(operand.getFPImm()->getValueAPF().bitcastToAPInt().getZExtValue(), true);
    return "";
  }

  static void note(MachineInstr &record) {
    MachineFunction &function = *record.getMF();
    std::string text = (mark + record.getDebugVariable()->getName()).str();
    // What is to be computed from registers first is in none of them.
    const bool isHeld = record.isNonListDebugValue() && !record.isIndirectDebugValue() &&
                        record.getDebugExpression()->getNumElements() == 0;
    const MachineOperand *operand = isHeld ? &record.getDebugOperand(0) : nullptr;
    const bool isRegister = operand && operand->isReg() && operand->getReg().isVirtual();
    if (isRegister)
      text += " $0";
    else if (operand && !operand->isReg())
      text += " " + constantOf(*operand);
    auto made = BuildMI(*record.getParent(), record, placeFor(record),
                        function.getSubtarget().getInstrInfo()->get(TargetOpcode::INLINEASM))
                    .addExternalSymbol(function.createExternalSymbolName(text))
                    .addImm(0);
    if (isRegister)
      made.addImm(InlineAsm::Flag(InlineAsm::Kind::RegUse, 1)).addReg(operand->getReg());
  }
};

char NoteValues::ID = 0;

/// "17.3 %r12", or without a holder.
ValueNote parseNote(StringRef text, uint32_t line) {
  ValueNote note{.line = line};
  auto [variable, holder] = text.split(' ');
  auto [value, element] = variable.split('.');
  value.getAsInteger(10, note.value);
  element.getAsInteger(10, note.element);
  note.holder = holder.trim().str();
  return note;
}

} // namespace

MachineFunctionPass *createNoteValuesPass() { return new NoteValues(); }

std::vector<ValueNote> takeValueNotes(std::string &ptx) {
  std::vector<ValueNote> notes;
  std::string kept;
  kept.reserve(ptx.size());
  uint32_t line = 1;
  size_t begun = 0; // of `kept`: where the last line begins
  bool endsNote = false;
  for (StringRef left = ptx; !left.empty();) {
    const size_t end = std::min(left.find('\n'), left.size() - 1) + 1;
    const StringRef text = left.take_front(end), words = text.trim();
    left = left.drop_front(end);
    if (std::exchange(endsNote, false))
      continue;
    if (words.starts_with(mark)) {
      // The lines around it say that inline assembly begins and ends.
      kept.resize(begun);
      notes.push_back(parseNote(words.drop_front(mark.size()), --line));
      endsNote = true;
      continue;
    }
    begun = kept.size();
    kept += text;
    ++line;
  }
  ptx = std::move(kept);
  return notes;
}

} // namespace tegula
