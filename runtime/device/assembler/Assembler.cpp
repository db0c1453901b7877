// Finds the assembler of a machine.
#include "runtime/device/assembler/Assembler.h"

#include <fmt/format.h>

#include <array>
#include <mutex>
#include <optional>

namespace tegula::runtime {

Assembler::~Assembler() = default;

namespace {

/// The assemblers of this machine in the order in which they are asked, each opened when its turn first
/// comes.
class Assemblers {
public:
  static constexpr size_t count = 3, withoutDevice = 2; ///< the driver comes last

  static Assemblers &ofProcess() {
    // Never destroyed: kernels may be assembled while the process is ending.
    static Assemblers *assemblers = new Assemblers;
    return *assemblers;
  }

  void setFolders(std::vector<std::string> given) {
    std::lock_guard lock(mutex);
    folders = std::move(given);
    opened = {};
  }

  Result<std::shared_ptr<const Assembler>> get(size_t index) {
    std::lock_guard lock(mutex);
    auto &place = opened[index];
    if (!place)
      place = index == 0   ? openPtxas({}, folders)
              : index == 1 ? openNvJitLink(folders)
                           : openDriverAssembler();
    return *place;
  }

private:
  std::mutex mutex; ///< guards what follows, also while opening: a second thread waits and finds it done
  std::vector<std::string> folders;
  std::array<std::optional<Result<std::shared_ptr<const Assembler>>>, count> opened;
};

} // namespace

void setAssemblerFolders(std::vector<std::string> folders) {
  Assemblers::ofProcess().setFolders(std::move(folders));
}

bool handsRegistersOver(std::string_view ptx) { return ptx.find("setmaxnreg.") != std::string_view::npos; }

/// Asks the first `count` one after the other while the answer is that it cannot.
template <typename T, typename Ask> static Result<T> firstThatCan(Ask ask, size_t count = Assemblers::count) {
  std::string reasons;
  for (size_t index = 0; index < count; ++index) {
    Result<std::shared_ptr<const Assembler>> assembler = Assemblers::ofProcess().get(index);
    Result<T> answer = assembler ? ask(*assembler) : Result<T>(assembler.error());
    if (answer || answer.error().kind != ErrorKind::Unavailable)
      return answer;
    reasons += "\n" + answer.error().text;
  }
  return Error{ErrorKind::Unavailable, "no assembler for PTX:" + reasons};
}

Result<std::shared_ptr<const Assembler>> findAssembler() {
  return firstThatCan<std::shared_ptr<const Assembler>>(
      [](const auto &assembler) { return Result<std::shared_ptr<const Assembler>>(assembler); });
}

Result<MachineCode> assemble(std::string_view ptx, const AssembleOptions &options) {
  return firstThatCan<MachineCode>([&](const auto &assembler) { return assembler->assemble(ptx, options); });
}

Result<MachineCode> assembleWithoutDevice(std::string_view ptx, const AssembleOptions &options) {
  return firstThatCan<MachineCode>([&](const auto &assembler) { return assembler->assemble(ptx, options); },
                                   Assemblers::withoutDevice);
}

} // namespace tegula::runtime
