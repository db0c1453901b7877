// The driver's assembler.
#include "runtime/device/CudaObjects.h"
#include "runtime/device/assembler/AssemblerLog.h"

#include <fmt/format.h>

#include <cstring>

namespace tegula::runtime {

using namespace cuda;

DriverLogs::DriverLogs() : infoLog(new Log{}), errorLog(new Log{}) {
  // One byte is kept back, for the terminating zero.
  for (const auto &[place, bytes, log] : {std::tuple(InfoLog, InfoLogBytes, infoLog.get()),
                                          std::tuple(ErrorLog, ErrorLogBytes, errorLog.get())}) {
    options.push_back(place);
    values.push_back(log->data());
    add(bytes, logBytes - 1);
  }
}

void DriverLogs::add(JitOption option, size_t value) {
  options.push_back(option);
  // Numbers travel as the pointer's own value.
  values.push_back(reinterpret_cast<void *>(value));
}

std::string_view DriverLogs::textOf(const Log &log) {
  std::string_view text(log.data(), strnlen(log.data(), log.size()));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.remove_suffix(1);
  return text;
}

bool runsCodeOf(const DeviceProperties &device, std::string_view target) {
  const std::string number = fmt::format("sm_{}{}", device.computeMajor, device.computeMinor);
  const std::string_view rest = target.substr(std::min(number.size(), target.size()));
  return target.starts_with(number) && (rest.empty() || rest == "a" || rest == "f");
}

static std::string nameOfDriver(const CudaContext &context) {
  return fmt::format("the assembler of driver {}", context.api().version());
}

namespace {

/// A link, which goes with the object and the code that it hands out with it.
struct Link {
  explicit Link(const Driver &api) : api(api) {}
  ~Link() {
    if (state)
      api.cuLinkDestroy(state);
  }
  Link(const Link &) = delete;

  const Driver &api;
  CUlinkState state = nullptr;
};

class DriverAssembler final : public Assembler {
public:
  explicit DriverAssembler(std::shared_ptr<CudaContext> opened)
      : context(std::move(opened)), nameText(nameOfDriver(*context)) {}
  const std::string &name() const override { return nameText; }
  Result<MachineCode> assemble(std::string_view ptx, const AssembleOptions &options) const override {
    if (!runsCodeOf(context->properties, options.arch))
      return Error{ErrorKind::Unavailable, fmt::format("{} assembles for {} only, not for {}", nameText,
                                                       context->properties.arch, options.arch)};
    return assembleInContext(*context, ptx, options);
  }

private:
  std::shared_ptr<CudaContext> context;
  std::string nameText;
};

} // namespace

Result<MachineCode> assembleInContext(const CudaContext &context, std::string_view ptx,
                                      const AssembleOptions &options) {
  MachineCode code{.assembler = nameOfDriver(context)};
  if (!options.fuseMultiplyAdd)
    return Error{
        ErrorKind::Unavailable,
        fmt::format("{} has no option against fusing multiplications and additions", code.assembler)};
  if (handsRegistersOver(ptx))
    return wholeProgramError(code.assembler);
  const std::string doing = fmt::format("assemble for {}", options.arch);
  CurrentContext current(context);
  if (current.code != Success)
    return context.error(current.code, "cuCtxSetCurrent", doing);
  DriverLogs logs;
  logs.add(LogVerbose, 1);
  logs.add(GenerateLineInfo, options.lineInfo);
  if (options.maxRegisters)
    logs.add(MaxRegisters, options.maxRegisters);
  Link link(context.api());
  if (CUresult result = link.api.cuLinkCreate_v2(unsigned(logs.options.size()), logs.options.data(),
                                                 logs.values.data(), &link.state))
    return context.error(result, "cuLinkCreate_v2", doing);
  std::string text(ptx); // ends in a zero byte, which the driver counts
  void *bytes = nullptr;
  size_t size = 0;
  CUresult result = link.api.cuLinkAddData_v2(link.state, InputPtx, text.data(), text.size() + 1,
                                              "kernel.ptx", 0, nullptr, nullptr);
  if (result == Success)
    result = link.api.cuLinkComplete(link.state, &bytes, &size);
  if (isFault(result))
    return context.error(result, "cuLinkComplete", doing);
  if (result != Success) {
    Error error = assemblyError(code.assembler, options.arch, logs.errors(), ptx);
    if (result == UnsupportedPtxVersion)
      error.kind = ErrorKind::Unavailable;
    if (logs.errors().empty())
      error.text += ": " + context.api().describe(result);
    return error;
  }
  code.bytes.assign(static_cast<const char *>(bytes), size);
  code.entries = readResources(logs.info());
  code.warnings = readWarnings(logs.info());
  return code;
}

Result<std::shared_ptr<const Assembler>> openDriverAssembler(int ordinal, const std::string &library) {
  std::shared_ptr<CudaContext> context = TRY(openContext(ordinal, library));
  return std::shared_ptr<const Assembler>(std::make_shared<DriverAssembler>(std::move(context)));
}

} // namespace tegula::runtime
