#include "compiler/emit/libraries/LinkLibraries.h"
#include "compiler/analysis/AuthorError.h"
#include "compiler/emit/libraries/LibraryCode.h"
#include "dialect/tile/ops/ExternCall.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

using namespace mlir;

namespace tegula {
namespace {

constexpr llvm::StringLiteral IntrinsicPrefix = "llvm.";

/// Helps of errors.
constexpr llvm::StringLiteral NamesFile =
    "launch it with `extern_libs={name: path}`, files of LLVM bitcode for nvptx64";
constexpr llvm::StringLiteral NamesSymbol =
    "mend the name in `extern_elementwise`, or add the library that has it";
constexpr llvm::StringLiteral NamesTypes = "mend the types in `extern_elementwise`";

/// Opens the libraries of `module`. Reports at `loc` what cannot be read.
FailureOr<SmallVector<Library>> openLibraries(ModuleOp module, Location loc) {
  SmallVector<Library> libraries;
  for (const tile::LibraryName &told : tile::librariesOf(module)) {
    Library library{told.name.str(), told.path.str(), nullptr};
    std::string problem;
    library.file = openLibrary(library.path, problem);
    if (!library.file)
      return emitAuthorError(loc, NamesFile) << "cannot read `" << library.path << "`, the library `"
                                             << library.name << "` of `extern_libs`: " << problem;
    if (told.digest != library.file->digest)
      return emitAuthorError(loc, "launch the kernel again, or from a new process")
             << "`" << library.path << "`, the library `" << library.name
             << "` of `extern_libs`, has changed since the kernel was asked for";
    libraries.push_back(std::move(library));
  }
  return libraries;
}

std::string typeText(llvm::Type *type) {
  std::string text;
  llvm::raw_string_ostream(text) << *type;
  return text;
}

/// Returns whether a library's function may be handed `from` where it says `to`: the same, or the same bits
/// of an address or of a float of 16 bits, for which libraries and kernels have different types.
bool isAlike(llvm::Type *from, llvm::Type *to) {
  if (from == to || (from->isPointerTy() && to->isPointerTy()))
    return true;
  const auto either = [&](auto one, auto other) {
    return (one(from) && other(to)) || (one(to) && other(from));
  };
  return either([](llvm::Type *it) { return it->isPointerTy(); },
                [](llvm::Type *it) { return it->isIntegerTy(64); }) ||
         either([](llvm::Type *it) { return it->isHalfTy() || it->isBFloatTy(); },
                [](llvm::Type *it) { return it->isIntegerTy(16); });
}

llvm::Value *converted(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Type *to) {
  return value->getType()->isPointerTy() && to->isPointerTy() ? builder.CreateAddrSpaceCast(value, to)
                                                              : builder.CreateBitOrPointerCast(value, to);
}

/// A result of nothing may be asked for, as programs of NVSHMEM do: it is zero.
bool isCallable(llvm::FunctionType *called, llvm::FunctionType *defined) {
  if (defined->isVarArg() || called->getNumParams() != defined->getNumParams())
    return false;
  for (auto [from, to] : llvm::zip(called->params(), defined->params()))
    if (!isAlike(from, to))
      return false;
  return defined->getReturnType()->isVoidTy() || isAlike(defined->getReturnType(), called->getReturnType());
}

/// Lets calls of `declared` call `defined`, a function of another module of the same context, with its types.
void adaptCalls(llvm::Function &declared, const llvm::Function &defined) {
  llvm::Module &module = *declared.getParent();
  llvm::Function *target =
      llvm::Function::Create(defined.getFunctionType(), llvm::GlobalValue::ExternalLinkage, "", module);
  target->takeName(&declared);
  target->setCallingConv(defined.getCallingConv());
  for (llvm::User *user : llvm::make_early_inc_range(declared.users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    SmallVector<llvm::Value *> operands;
    for (auto [operand, type] : llvm::zip(call->args(), defined.getFunctionType()->params()))
      operands.push_back(converted(builder, operand.get(), type));
    llvm::CallInst *made = builder.CreateCall(target, operands);
    made->setCallingConv(defined.getCallingConv());
    made->setAttributes(defined.getAttributes().removeFnAttributes(module.getContext()));
    if (defined.isConvergent())
      made->setConvergent();
    call->replaceAllUsesWith(made->getType()->isVoidTy() ? llvm::Constant::getNullValue(call->getType())
                                                         : converted(builder, made, call->getType()));
    call->eraseFromParent();
  }
  declared.eraseFromParent();
}

/// Returns whether an operand has to be a constant, as part of an instruction.
bool takesConstants(const llvm::Function &function) {
  return llvm::any_of(function.args(), [](const llvm::Argument &argument) {
    return argument.hasAttribute(llvm::Attribute::ImmArg);
  });
}

/// Checks a function of LLVM itself, which the backend would not survive with other types.
LogicalResult checkIntrinsic(llvm::Function &function, Location loc) {
  const llvm::Intrinsic::ID id = function.getIntrinsicID();
  llvm::FunctionType *type = function.getFunctionType();
  SmallVector<llvm::Type *> overloads;
  const bool isOfGpus = id != llvm::Intrinsic::not_intrinsic && function.getName().starts_with("llvm.nvvm.");
  const bool fits = isOfGpus && llvm::Intrinsic::getIntrinsicSignature(id, type, overloads);
  if (fits)
    function.setAttributes(llvm::Intrinsic::getAttributes(function.getContext(), id, type));
  if (!isOfGpus || takesConstants(function))
    return emitAuthorError(loc, NamesSymbol)
           << "`" << function.getName()
           << "` is no function of LLVM for NVIDIA's GPUs that takes values of a kernel";
  if (!fits)
    return emitAuthorError(loc, NamesTypes)
           << "`" << function.getName() << "` is not `" << typeText(type) << "`";
  return success();
}

/// Takes `library`, what was extracted for `calls`, into `code`.
LogicalResult take(std::unique_ptr<llvm::Module> library, ArrayRef<Library> libraries,
                   const ExternCalls &calls, llvm::Module &code) {
  for (const auto &[name, loc] : calls) {
    llvm::Function *declared = code.getFunction(name), *defined = library->getFunction(name);
    if (!declared || declared->isIntrinsic() || llvm::StringRef(name).starts_with(IntrinsicPrefix))
      continue;
    if (!defined || defined->isDeclaration()) {
      if (libraries.empty())
        return emitAuthorError(loc, NamesFile)
               << "`" << name << "` is a function of a library, and the launch has no `extern_libs`";
      return emitAuthorError(loc, NamesSymbol)
             << "`" << name << "` is in no library of `extern_libs`: " << listText(libraries);
    }
    if (defined->getCallingConv() == llvm::CallingConv::PTX_Kernel)
      return emitAuthorError(loc, NamesSymbol)
             << "`" << name << "` of " << listText(libraries) << " is a kernel";
    if (!isCallable(declared->getFunctionType(), defined->getFunctionType()))
      return emitAuthorError(loc, NamesTypes)
             << "`" << name << "` of " << listText(libraries) << " is `"
             << typeText(defined->getFunctionType()) << "`, and is called as `"
             << typeText(declared->getFunctionType()) << "`";
    adaptCalls(*declared, *defined);
  }
  library->setTargetTriple(code.getTargetTriple());
  library->setDataLayout(code.getDataLayout());
  if (llvm::Linker::linkModules(code, std::move(library)))
    return failure();
  for (const auto &[name, loc] : calls)
    if (llvm::Function *function = code.getFunction(name); function && !function->isDeclaration()) {
      function->setVisibility(llvm::GlobalValue::DefaultVisibility);
      function->setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  return success();
}

} // namespace

ExternCalls externCallsOf(ModuleOp module) {
  ExternCalls calls;
  if (llvm::none_of(module.getOps<LLVM::LLVMFuncOp>(),
                    [](LLVM::LLVMFuncOp function) { return function->hasAttr(tile::ExternAttrName); }))
    return calls;
  module.walk([&](LLVM::CallOp call) {
    auto callee = call.getCallee();
    auto function = callee ? module.lookupSymbol<LLVM::LLVMFuncOp>(*callee) : LLVM::LLVMFuncOp();
    if (function && function->hasAttr(tile::ExternAttrName))
      calls.try_emplace(callee->str(), call.getLoc());
  });
  return calls;
}

LogicalResult linkLibraries(ModuleOp module, const ExternCalls &calls, llvm::Module &code) {
  std::vector<std::string> symbols;
  for (const auto &[name, loc] : calls) {
    if (!llvm::StringRef(name).starts_with(IntrinsicPrefix))
      symbols.push_back(name);
    else if (failed(checkIntrinsic(*code.getFunction(name), loc)))
      return failure();
  }
  if (symbols.empty())
    return success();
  Location loc = calls.at(symbols.front());
  FailureOr<SmallVector<Library>> libraries = openLibraries(module, loc);
  if (failed(libraries))
    return failure();
  std::shared_ptr<const LibraryCode> extracted = extractCode(*libraries, symbols);
  if (!extracted->problem.empty())
    return emitAuthorError(loc, NamesFile) << extracted->problem;
  llvm::Expected<std::unique_ptr<llvm::Module>> library =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(extracted->bitcode, "libraries"), code.getContext());
  if (!library)
    return emitError(loc) << llvm::toString(library.takeError());
  return take(std::move(*library), *libraries, calls, code);
}

} // namespace tegula
