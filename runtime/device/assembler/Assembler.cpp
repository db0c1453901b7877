// Finds the assembler of a machine.
#include "runtime/device/assembler/Assembler.h"

#include <fmt/format.h>

#include <array>
#include <mutex>
#include <optional>

namespace tegula::runtime {

Assembler::~Assembler() = default;

/// Places in the order in which assemblers are asked: `ptxas`, nvJitLink, the driver.
static constexpr size_t assemblerCount = 3, withoutDevice = 2;

namespace {
/// The assemblers of this machine, each opened when its turn first comes.
struct Assemblers {
  std::mutex mutex; ///< guards what follows, also while opening: a second thread waits and finds it done
  std::vector<std::string> folders;
  std::array<std::optional<Result<std::shared_ptr<const Assembler>>>, assemblerCount> opened;
};
} // namespace

static Assemblers &assemblers() {
  // Never destroyed: kernels may be assembled while the process is ending.
  static auto *made = new Assemblers;
  return *made;
}

static Result<std::shared_ptr<const Assembler>> open(size_t place) {
  std::lock_guard lock(assemblers().mutex);
  auto &opened = assemblers().opened[place];
  if (!opened)
    opened = place == 0   ? openPtxas({}, assemblers().folders)
             : place == 1 ? openNvJitLink(assemblers().folders)
                          : openDriverAssembler();
  return *opened;
}

void setAssemblerFolders(std::vector<std::string> folders) {
  std::lock_guard lock(assemblers().mutex);
  assemblers().folders = std::move(folders);
  assemblers().opened = {};
}

bool handsRegistersOver(std::string_view ptx) { return ptx.find("setmaxnreg.") != std::string_view::npos; }

/// Asks the first `most` one after the other while the answer is that it cannot.
template <typename T, typename Ask> static Result<T> firstThatCan(Ask ask, size_t most = assemblerCount) {
  std::string reasons;
  for (size_t place = 0; place < most; ++place) {
    Result<std::shared_ptr<const Assembler>> assembler = open(place);
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
                                   withoutDevice);
}

} // namespace tegula::runtime
