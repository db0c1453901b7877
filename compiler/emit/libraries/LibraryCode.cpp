#include "compiler/emit/libraries/LibraryCode.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Triple.h"

#include <map>
#include <mutex>

using namespace llvm;

namespace tegula {
namespace {

/// Functions that the driver's linker gives every module, and one that the backend computes.
bool isGiven(StringRef name) {
  return is_contained({"vprintf", "__assertfail", "malloc", "free", "__nvvm_reflect"}, name);
}

bool isUnresolved(const GlobalValue &value) {
  return value.isDeclaration() && !value.hasExternalWeakLinkage() && !value.use_empty() &&
         !value.getName().starts_with("llvm.") && !isGiven(value.getName());
}

/// Takes parts of libraries into one module.
class Extraction {
public:
  Extraction(ArrayRef<Library> libraries, const std::vector<std::string> &symbols)
      : libraries(libraries), symbols(symbols), whole("libraries", context) {
    context.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo *info, void *self) {
          raw_string_ostream stream(static_cast<Extraction *>(self)->said);
          DiagnosticPrinterRawOStream printer(stream);
          if (info->getSeverity() == DS_Error)
            info->print(printer);
        },
        this);
  }

  LibraryCode run() {
    for (const std::string &symbol : symbols)
      Function::Create(FunctionType::get(Type::getVoidTy(context), false), GlobalValue::ExternalLinkage,
                       symbol, whole);
    // What a library needs of one in front of it is found in another round.
    for (size_t before = SIZE_MAX; before != countDefined();) {
      before = countDefined();
      for (const Library &library : libraries)
        if (std::string problem = link(library); !problem.empty())
          return {{}, problem};
      if (libraries.size() == 1 || none_of(whole.global_values(), isUnresolved))
        break;
    }
    if (std::string problem = findUnresolved(); !problem.empty())
      return {{}, problem};
    strip();
    // The reader takes what would end the process later.
    std::string problem;
    if (raw_string_ostream stream(problem); verifyModule(whole, &stream))
      return {{}, "a library of `extern_libs` is damaged: " + problem.substr(0, problem.find('\n'))};
    LibraryCode code;
    raw_string_ostream stream(code.bitcode);
    WriteBitcodeToFile(whole, stream);
    return code;
  }

private:
  size_t countDefined() const {
    return size_t(count_if(whole.global_values(), [](const GlobalValue &it) { return !it.isDeclaration(); }));
  }

  /// Takes over what is declared and this library defines. Returns what is wrong with it, or nothing.
  std::string link(const Library &library) {
    const std::string place = "the library `" + library.name + "` (" + library.path + ")";
    SMDiagnostic problem;
    std::unique_ptr<Module> read =
        getLazyIRModule(MemoryBuffer::getMemBuffer(library.file->bytes->getMemBufferRef()), problem, context);
    if (!read)
      return place + " is no LLVM bitcode: " + (said.empty() ? problem.getMessage().str() : said);
    if (const Triple &triple = read->getTargetTriple();
        !triple.str().empty() && triple.getArch() != Triple::nvptx64)
      return place + " is for `" + triple.str() + "`, expected `nvptx64-nvidia-cuda`";
    if (Error error = read->materializeMetadata())
      return place + " is no LLVM bitcode: " + toString(std::move(error));
    if (read->getNamedValue("llvm.global_ctors"))
      return place + " has constructors of variables, which no device runs";
    // Those of the kernel hold; older compilers spell the same layout otherwise.
    read->setTargetTriple(whole.getTargetTriple());
    read->setDataLayout(whole.getDataLayout());
    while (!read->named_metadata_empty())
      read->named_metadata_begin()->eraseFromParent();
    if (Linker::linkModules(whole, std::move(read), Linker::LinkOnlyNeeded) || !said.empty())
      return place + " is no LLVM bitcode: " + said;
    return "";
  }

  std::string findUnresolved() const {
    for (const GlobalValue &value : whole.global_values()) {
      if (value.getAddressSpace() == 3 && value.isDeclaration() && isa<GlobalVariable>(value))
        return "`" + userOf(value) + "` of a library uses shared memory whose size a launch gives, `" +
               value.getName().str() + "`: the kernel has that";
      if (isUnresolved(value))
        return "`" + userOf(value) + "` of a library needs `" + value.getName().str() +
               "`, which no library of `extern_libs` defines";
    }
    return "";
  }

  static std::string userOf(const Value &value) {
    for (const User *user : value.users()) {
      if (const auto *instruction = dyn_cast<Instruction>(user))
        return instruction->getFunction()->getName().str();
      if (const auto *global = dyn_cast<GlobalValue>(user))
        return global->getName().str();
      if (const std::string name = isa<Constant>(user) ? userOf(*user) : ""; !name.empty())
        return name;
    }
    return "";
  }

  void strip() {
    StripDebugInfo(whole);
    for (Function &function : make_early_inc_range(whole)) {
      if (function.isDeclaration() && function.use_empty()) {
        function.eraseFromParent();
        continue;
      }
      // Functions for different processors are not inlined into each other.
      for (StringRef attribute : {"target-cpu", "target-features", "tune-cpu"})
        function.removeFnAttr(attribute);
      function.removeFnAttr(Attribute::OptimizeNone);
      function.setComdat(nullptr);
      if (!function.isDeclaration() && !is_contained(symbols, function.getName()))
        function.setLinkage(GlobalValue::InternalLinkage);
    }
  }

  ArrayRef<Library> libraries;
  const std::vector<std::string> &symbols;
  std::string said; ///< by LLVM
  LLVMContext context;
  Module whole;
};

/// Lets LLVM catch signals of this process's errors while it reads. Handlers are the process's: those of an
/// interpreter come back with the last reader.
class CatchSignals {
public:
  CatchSignals() {
    std::lock_guard lock(mutex);
    if (readers++ == 0)
      CrashRecoveryContext::Enable();
  }
  ~CatchSignals() {
    std::lock_guard lock(mutex);
    if (--readers == 0)
      CrashRecoveryContext::Disable();
  }

private:
  static inline std::mutex mutex;
  static inline size_t readers = 0;
};

/// LLVM's reader trusts what it reads, and its verifier comes too late for some of it: bytes that were
/// damaged on their way may lead it astray.
LibraryCode extractSafely(ArrayRef<Library> libraries, const std::vector<std::string> &symbols) {
  CatchSignals catching;
  // After a crash nothing of it can be destroyed.
  auto extraction = std::make_unique<Extraction>(libraries, symbols);
  LibraryCode code;
  if (CrashRecoveryContext().RunSafely([&] { code = extraction->run(); }))
    return code;
  extraction.release(); // NOLINT(bugprone-unused-return-value)
  return {{}, "a library of `extern_libs` is damaged, so that LLVM cannot read it: " + listText(libraries)};
}

} // namespace

std::string listText(ArrayRef<Library> libraries) {
  std::string text;
  for (const Library &library : libraries)
    text += (text.empty() ? "`" : ", `") + library.name + "` (" + library.path + ")";
  return text;
}

std::shared_ptr<const LibraryCode> extractCode(ArrayRef<Library> libraries,
                                               const std::vector<std::string> &symbols) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const LibraryCode>> known;
  std::string key;
  // The name and the path are in messages.
  for (const Library &library : libraries)
    key += library.name + '\n' + library.path + '\n' + library.file->digest + '\n';
  for (const std::string &symbol : symbols)
    key += symbol + '\n';
  {
    std::lock_guard lock(mutex);
    if (auto found = known.find(key); found != known.end())
      return found->second;
  }
  // No lock is held meanwhile: LLVM may give up, and then no destructor runs.
  auto made = std::make_shared<const LibraryCode>(extractSafely(libraries, symbols));
  std::lock_guard lock(mutex);
  return known.try_emplace(key, made).first->second;
}

} // namespace tegula
