#include "compiler/emit/Emit.h"
#include "compiler/emit/AssemblyText.h"
#include "compiler/emit/BackendLimits.h"
#include "compiler/emit/FunctionPasses.h"
#include "compiler/emit/debug/RecoverPlaces.h"
#include "compiler/emit/libraries/LinkLibraries.h"
#include "compiler/lower/Symbols.h"
#include "dialect/image/KernelImageText.h"
#include "dialect/tile/ops/ExternCall.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <mutex>

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
    // Shared, constant and local memory are within 4 GiB, so their addresses fit one 32-bit register. LLVM
    // offers that by a command line option alone.
    auto &all = llvm::cl::getRegisteredOptions();
    if (auto found = all.find("nvptx-short-ptr"); found != all.end())
      static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(true);
  });
}

/// Takes away what the manifest has recorded: LLVM knows nothing of the source's parameters, and shared
/// memory of a length that the launch gives is spelt as an array of length zero.
void prepare(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    function->removeAttr("tile.kernel");
    function->removeAttr(tile::ExternAttrName);
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      for (StringRef name : {StringRef("tile.param"), StringRef("tile.finer"), StringRef(MapAttrName)})
        function.removeArgAttr(i, name);
  }
  if (auto shared = module.lookupSymbol<LLVM::GlobalOp>(SharedMemoryName))
    shared.setGlobalType(LLVM::LLVMArrayType::get(IntegerType::get(module.getContext(), 8), 0));
}

/// Marks inline PTX that all lanes of a warp must come to, of which the dialect cannot tell LLVM.
void markConvergent(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (assemblyText(instruction).contains(".sync.aligned"))
        llvm::cast<llvm::CallInst>(instruction).setConvergent();
}

/// Returns true where the kernel is linked with functions of libraries.
bool hasLibraryCode(const llvm::Module &module) {
  return llvm::count_if(module, [](const llvm::Function &function) { return !function.isDeclaration(); }) > 1;
}

/// Functions of libraries ask for the architecture (`__nvvm_reflect`) and go where they are called.
void addInlining(llvm::ModulePassManager &passes, llvm::PassBuilder &builder) {
  llvm::cantFail(builder.parsePassPipeline(passes, "nvvm-reflect"));
  passes.addPass(llvm::ModuleInlinerWrapperPass(llvm::getInlineParams(/*OptLevel=*/2, /*SizeOptLevel=*/0)));
  passes.addPass(llvm::GlobalDCEPass());
}

/// `text` without `\"` in the names of files, which NVIDIA's assembler takes for the end of the name: `\042`
/// is the same in octal.
std::string withPlainQuotes(StringRef text) {
  constexpr StringLiteral directive = "\n\t.file\t";
  std::string result;
  for (size_t at = text.find(directive); at != StringRef::npos; at = text.find(directive)) {
    size_t end = std::min(text.find('\n', at + 1), text.size());
    result += text.take_front(at);
    for (StringRef name = text.slice(at, end); !name.empty();) {
      bool escapes = name.front() == '\\';
      result += name.starts_with("\\\"") ? StringRef("\\042") : name.take_front(1 + escapes);
      name = name.drop_front(1 + escapes);
    }
    text = text.drop_front(end);
  }
  return result + text.str();
}

/// Takes out the numbers of calls, which the backend counts through the life of the process: a kernel has the
/// same text each time.
void dropCallNumbers(std::string &text) {
  constexpr StringLiteral number = " // callseq ";
  for (size_t at = text.find(number); at != std::string::npos; at = text.find(number, at))
    text.erase(at, text.find('\n', at) - at);
}

/// Adds what `addPassesToEmitFile` adds, with passes of ours before the code is printed: it has no place
/// for such passes. Returns false where the backend has no code generation.
bool addCodeGeneration(llvm::legacy::PassManager &passes, llvm::TargetMachine &machine,
                       llvm::raw_pwrite_stream &stream, bool notesValues) {
  auto &generator = static_cast<llvm::CodeGenTargetMachineImpl &>(machine);
  llvm::TargetPassConfig *config = generator.createPassConfig(passes);
  auto *code = new llvm::MachineModuleInfoWrapperPass(&machine);
  passes.add(config);
  passes.add(code);
  if (config->addISelPasses())
    return false;
  config->addMachinePasses();
  config->setInitialized();
  passes.add(createRecoverPlacesPass());
  if (notesValues)
    passes.add(createNoteValuesPass());
  if (generator.addAsmPrinter(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile,
                              code->getMMI().getContext()))
    return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  return true;
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
    // Only what carries `contract` is fused. What is left of it is written `mul.f32`, without a rounding, so
    // that ptxas may fold it into its own expansions of `ex2.approx` and `div.full`: worth up to a tenth of
    // GELU on 16-bit elements.
    options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
    // One level up LLVM looks for equal values by GVN after its own rewriting of addresses: 6 % of a
    // compilation, for the same PTX to the letter from the bundled kernels. `optimize` has run it, and a
    // cheaper pass finds the rest.
    const std::string features = "+ptx" + std::to_string(target.ptx.major * 10 + target.ptx.minor);
    machine.reset(backend->createTargetMachine(triple, target.name, features, options, std::nullopt,
                                               std::nullopt, llvm::CodeGenOptLevel::Default));
  }
  return *machine;
}

std::unique_ptr<llvm::Module> PtxEmitter::translate(ModuleOp module, const Target &target,
                                                    llvm::LLVMContext &context) {
  llvm::TargetMachine &machine = machineOf(target);
  const ExternCalls calls = externCallsOf(module);
  prepare(module);
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, "kernel", /*disableVerification=*/true);
  if (!result)
    return nullptr;
  recordDebugValues(*result);
  markConvergent(*result);
  result->setTargetTriple(machine.getTargetTriple());
  result->setDataLayout(machine.createDataLayout());
  if (!calls.empty() && failed(linkLibraries(module, calls, *result)))
    return nullptr;
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

  // Short on purpose: these passes give the registers of -O3 on tile programs in half its time.
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(NarrowDivisionsPass());
  passes.addPass(SplitAddressesPass());
  passes.addPass(ShareDifferencesPass());
  llvm::LoopPassManager loop;
  loop.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loop), /*UseMemorySSA=*/true));
  // Loads are left out, of which the pass before it has found the equal ones: asking for each what the
  // hundred instructions before may write is up to a tenth of a compilation, for the same PTX to the letter.
  passes.addPass(llvm::GVNPass(llvm::GVNOptions().setMemDep(false)));
  passes.addPass(llvm::ADCEPass());
  passes.addPass(RepeatWideningPass());
  passes.addPass(CompareDistancesPass());
  // Loops of groups of warps have their operands in shared memory, and did not spill without: on an H100
  // attention with heads of 128 had 0.97 of its rate with it.
  if (!target.warpgroupMma)
    passes.addPass(RecomputeAfterLoopsPass());
  passes.addPass(PackEarlyPass());
  passes.addPass(PlaceNearUsesPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(RotateLoopsPass()));
  passes.addPass(KeepProductLoopsPass());
  passes.addPass(KeepBorrowsPass());
  passes.addPass(SeparateProductsPass());
  passes.addPass(LoadWordsPass());
  passes.addPass(WidenConversionsPass());
  llvm::ModulePassManager all;
  if (hasLibraryCode(module))
    addInlining(all, builder);
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(module, modules);
}

LogicalResult PtxEmitter::generate(llvm::Module &module, const Target &target, Location loc,
                                   KernelImage &image, std::vector<ValueNote> *notes) {
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (!addCodeGeneration(passes, machineOf(target), stream, notes != nullptr))
    return emitError(loc, "the backend emits no text");
  BackendLimits limits(module);
  passes.run(module);
  image.ptx = launchText(image) + withPlainQuotes({text.begin(), text.size()});
  dropCallNumbers(image.ptx);
  // The backend announces a debug section that it then leaves empty; not every reader knows sections.
  constexpr llvm::StringLiteral emptySection = "\t.section\t.debug_macinfo\t{\t}\n";
  if (size_t at = image.ptx.rfind(emptySection); at != std::string::npos)
    image.ptx.erase(at, emptySection.size());
  if (notes)
    *notes = takeValueNotes(image.ptx);
  if (runtime::Result<void> agrees = checkCode(image); !agrees)
    return emitError(loc) << agrees.error().text;
  return success();
}

} // namespace tegula
