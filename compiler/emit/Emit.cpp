#include "compiler/emit/Emit.h"
#include "compiler/lower/Symbols.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace mlir;

namespace tegula {
namespace {

constexpr char TripleText[] = "nvptx64-nvidia-cuda";

void initializeBackend() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

} // namespace

PtxEmitter::PtxEmitter() { initializeBackend(); }
PtxEmitter::~PtxEmitter() = default;

llvm::TargetMachine &PtxEmitter::machineOf(const Target &target) {
  auto &machine = machines[std::string(target.name)];
  if (!machine) {
    llvm::Triple triple(TripleText);
    std::string error;
    const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(triple, error);
    llvm::TargetOptions options;
    // Only what carries `contract` is fused: the front end says what may be.
    options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
    machine.reset(backend->createTargetMachine(triple, target.name, target.features, options, std::nullopt,
                                               std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  }
  return *machine;
}

std::unique_ptr<llvm::Module> PtxEmitter::translate(ModuleOp module, const Target &target, llvm::LLVMContext &context) {
  llvm::TargetMachine &machine = machineOf(target);
  std::unique_ptr<llvm::Module> result = translateModuleToLLVMIR(module, context, "kernel", /*disableVerification=*/true);
  if (!result)
    return nullptr;
  result->setTargetTriple(machine.getTargetTriple());
  result->setDataLayout(machine.createDataLayout());
  return result;
}

void PtxEmitter::optimize(llvm::Module &module, const Target &target) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machineOf(target));
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  // Short on purpose: what stands here gives the registers of -O3 on tile programs in half its time.
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  llvm::LoopPassManager loop;
  loop.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loop), /*UseMemorySSA=*/true));
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::ADCEPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(module, modules);
}

std::string PtxEmitter::generate(llvm::Module &module, const Target &target, std::string &error) {
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machineOf(target).addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile)) {
    error = "the backend emits no text";
    return {};
  }
  passes.run(module);
  return std::string(text.begin(), text.end());
}

} // namespace tegula
