// nvJitLink, opened at run time. The declarations are our own, after the public nvJitLink documentation, so
// that building needs no toolkit.
#include "runtime/device/assembler/AssemblerLog.h"
#include "runtime/host/Environment.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace tegula::runtime {

namespace {

using Handle = void *;
using Code = int; ///< 0 is success

/// Number of the kind "PTX" among the inputs.
constexpr int inputPtx = 2;

/// The entry points, CALL(name behind `nvJitLink`, parameter types).
#define TEGULA_JITLINK_CALLS(CALL)                                                                           \
  CALL(Create, Handle *handle, uint32_t count, const char **options)                                         \
  CALL(Destroy, Handle *handle)                                                                              \
  CALL(AddData, Handle handle, int kind, const void *data, size_t bytes, const char *name)                   \
  CALL(Complete, Handle handle)                                                                              \
  CALL(GetLinkedCubinSize, Handle handle, size_t *bytes)                                                     \
  CALL(GetLinkedCubin, Handle handle, void *cubin)                                                           \
  CALL(GetErrorLogSize, Handle handle, size_t *bytes)                                                        \
  CALL(GetErrorLog, Handle handle, char *log)                                                                \
  CALL(GetInfoLogSize, Handle handle, size_t *bytes)                                                         \
  CALL(GetInfoLog, Handle handle, char *log)

class NvJitLink final : public Assembler {
public:
  static Result<std::shared_ptr<const Assembler>> open(void *library);
  const std::string &name() const override { return nameText; }
  Result<MachineCode> assemble(std::string_view ptx, const AssembleOptions &options) const override;

private:
#define TEGULA_JITLINK_MEMBER(symbol, ...) Code (*symbol)(__VA_ARGS__) = nullptr;
  TEGULA_JITLINK_CALLS(TEGULA_JITLINK_MEMBER)
#undef TEGULA_JITLINK_MEMBER

  /// One of the two logs of a link.
  static std::string logOf(Handle handle, Code (*size)(Handle, size_t *), Code (*get)(Handle, char *));
  /// Runs the link `handle`. False with the error log where it fails.
  bool link(Handle handle, std::string_view ptx, MachineCode &code) const;

  std::string nameText;
};

} // namespace

/// The entry point `name`; every library has the plain name, or at least the one that its own header binds.
static void *findEntry(void *library, const std::string &name) {
  for (const char *version : {"", "_13_0", "_12_0"})
    if (void *found =
            dlsym(library, fmt::format("{}nvJitLink{}{}", *version ? "__" : "", name, version).c_str()))
      return found;
  return nullptr;
}

Result<std::shared_ptr<const Assembler>> NvJitLink::open(void *library) {
  auto opened = std::make_shared<NvJitLink>();
  const char *missing = nullptr;
#define TEGULA_JITLINK_BIND(symbol, ...)                                                                     \
  opened->symbol = reinterpret_cast<decltype(opened->symbol)>(findEntry(library, #symbol));                  \
  if (!opened->symbol && !missing)                                                                           \
    missing = #symbol;
  TEGULA_JITLINK_CALLS(TEGULA_JITLINK_BIND)
#undef TEGULA_JITLINK_BIND
  if (missing)
    return Error{ErrorKind::Unavailable, fmt::format("no `nvJitLink{}` in the library", missing)};
  unsigned major = 0, minor = 0;
  const auto version = reinterpret_cast<Code (*)(unsigned *, unsigned *)>(findEntry(library, "Version"));
  const bool isKnown = version && version(&major, &minor) == 0;
  Dl_info info{};
  const bool isPlaced = dladdr(reinterpret_cast<void *>(opened->Create), &info) && info.dli_fname;
  opened->nameText = fmt::format("nvJitLink{}{}", isKnown ? fmt::format(" {}.{}", major, minor) : "",
                                 isPlaced ? fmt::format(" ({})", info.dli_fname) : "");
  return std::shared_ptr<const Assembler>(std::move(opened));
}

std::string NvJitLink::logOf(Handle handle, Code (*size)(Handle, size_t *), Code (*get)(Handle, char *)) {
  size_t bytes = 0;
  if (size(handle, &bytes) != 0 || bytes == 0)
    return {};
  std::string log(bytes, '\0');
  if (get(handle, log.data()) != 0)
    return {};
  log.resize(std::min(log.find('\0'), log.size()));
  return log;
}

bool NvJitLink::link(Handle handle, std::string_view ptx, MachineCode &code) const {
  size_t bytes = 0;
  if (AddData(handle, inputPtx, ptx.data(), ptx.size(), "kernel.ptx") != 0 || Complete(handle) != 0 ||
      GetLinkedCubinSize(handle, &bytes) != 0)
    return false;
  code.bytes.resize(bytes);
  return GetLinkedCubin(handle, code.bytes.data()) == 0;
}

Result<MachineCode> NvJitLink::assemble(std::string_view ptx, const AssembleOptions &options) const {
  if (handsRegistersOver(ptx))
    return wholeProgramError(nameText);
  std::vector<std::string> words{"-arch=" + options.arch, "-O3", "-verbose"};
  if (options.lineInfo)
    words.push_back("-lineinfo");
  if (options.maxRegisters)
    words.push_back(fmt::format("-maxrregcount={}", options.maxRegisters));
  // Its own option `-fma` is about code that it compiles from NVVM, and does not apply to PTX.
  if (!options.fuseMultiplyAdd)
    words.push_back("-Xptxas=--fmad=false");
  std::vector<const char *> pointers;
  pointers.reserve(words.size());
  for (const std::string &word : words)
    pointers.push_back(word.c_str());

  MachineCode code;
  code.assembler = nameText;
  Handle handle = nullptr;
  const Code created = Create(&handle, uint32_t(pointers.size()), pointers.data());
  // The text has to end in a zero byte, which it is told the place of.
  const std::string text(ptx);
  const bool done = created == 0 && link(handle, {text.c_str(), text.size() + 1}, code);
  const std::string errors = handle ? logOf(handle, GetErrorLogSize, GetErrorLog) : "";
  const std::string info = handle ? logOf(handle, GetInfoLogSize, GetInfoLog) : "";
  if (handle)
    Destroy(&handle);
  if (!done)
    return assemblyError(nameText, options.arch, errors, ptx);
  code.entries = readResources(info);
  code.warnings = readWarnings(info);
  return code;
}

Result<std::shared_ptr<const Assembler>> openNvJitLink(const std::vector<std::string> &folders) {
  std::vector<std::string> places;
  places.reserve(folders.size());
  for (const std::string &folder : folders)
    places.push_back(folder + "/");
  if (const std::string home = environment("CUDA_HOME"); !home.empty())
    for (const char *folder : {"/lib64/", "/lib/"})
      places.push_back(home + folder);
  places.push_back(""); // where the dynamic linker looks, or what the process has loaded already
  for (const char *folder : {"/usr/local/cuda/lib64/", "/usr/local/cuda/lib/"})
    places.push_back(folder);
  std::string problem;
  for (const std::string &place : places)
    for (const char *name : {"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"}) {
      void *library = dlopen((place + name).c_str(), RTLD_NOW | RTLD_LOCAL);
      if (!library)
        continue;
      Result<std::shared_ptr<const Assembler>> opened = NvJitLink::open(library);
      if (opened)
        return opened;
      problem += fmt::format("; `{}{}` is not it: {}", place, name, opened.error().text);
    }
  return Error{ErrorKind::Unavailable,
               "no nvJitLink: `libnvJitLink.so.13` and `.12` are not found" + problem};
}

} // namespace tegula::runtime
