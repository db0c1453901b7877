// Turns PTX into machine code: by `ptxas`, nvJitLink or the CUDA driver, in this order, whichever a machine
// has.
//
//     ptxas       a program of the toolkit and of PyTorch's wheels: a process for each kernel
//     nvJitLink   a library of the toolkit and of wheels that PyTorch installs: in process, without a device
//     driver      needs a device, and assembles for that device alone
//
// All three are the same assembler at different ages, so each is told the same options and its log is read
// alike. But nvJitLink and the driver, asked for machine code, link it: what they assemble might be part of a
// larger program. That costs registers (172 of 306 bundled kernels on sm_90a differ; up to 1968 bytes of
// spills where `ptxas` has 40, both of CUDA 13.0), and `setmaxnreg` is ignored, as the registers of a thread
// are unknown. PTX that hands registers over between warps is for `ptxas`, or for the driver as it loads it.
#pragma once

#include "dialect/image/Result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::runtime {

/// Options of an assembler.
struct AssembleOptions {
  std::string arch;          ///< "sm_90a"
  uint32_t maxRegisters = 0; ///< of a thread; 0 leaves the choice to the assembler
  bool lineInfo = true;      ///< keep what profilers and debuggers show source lines by
  bool fuseMultiplyAdd =
      true; ///< multiplications and additions without a rounding mode may become one instruction
};

/// Resources of one entry, as the assembler reports them.
struct EntryResources {
  std::string entry;
  uint32_t registers = 0;                                           ///< of a thread
  uint32_t stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0; ///< of a thread
  bool operator==(const EntryResources &) const = default;
};

/// Assembled PTX.
struct MachineCode {
  std::string bytes; ///< an ELF file, a "cubin"
  std::vector<EntryResources> entries;
  /// Warnings of the assembler, a line each, also of wgmma products that were not written as it wants them,
  /// which costs them their overlap: "(C7510) Potential Performance Loss: ...".
  std::vector<std::string> warnings;
  std::string assembler; ///< `Assembler::name` of who made it
};

/// One assembler. Thread safe.
class Assembler {
public:
  virtual ~Assembler();
  /// Returns its kind, version and place: "nvJitLink 13.0 (/usr/local/cuda/lib64/libnvJitLink.so.13)".
  virtual const std::string &name() const = 0;
  /// Errors: Unavailable where it is too old for the PTX or does not know the architecture, so that another
  /// one may do; Driver with its log where it refuses the PTX; Io.
  virtual Result<MachineCode> assemble(std::string_view ptx, const AssembleOptions &options) const = 0;
};

/// Returns true if `ptx` moves registers between warps (`setmaxnreg`), which linkers refuse.
bool handsRegistersOver(std::string_view ptx);

/// nvJitLink in the first of `folders` that has it, else in CUDA_HOME, where the dynamic linker looks, or in
/// /usr/local/cuda. It stays loaded until the process ends. Errors: Unavailable.
Result<std::shared_ptr<const Assembler>> openNvJitLink(const std::vector<std::string> &folders = {});

/// The program `path`; where that is empty the `ptxas` in the first of `folders` that has it, else the one
/// that `findToolkitProgram` finds. Errors: Unavailable.
Result<std::shared_ptr<const Assembler>> openPtxas(std::string path = {},
                                                   const std::vector<std::string> &folders = {});

/// The driver behind a device by its place in `listCudaDevices`, in that device's primary context; `library`
/// as in openCudaDevice. Errors: those of openCudaDevice.
Result<std::shared_ptr<const Assembler>> openDriverAssembler(int ordinal = 0,
                                                             const std::string &library = "libcuda.so.1");

/// Sets where `assemble` and `findAssembler` look for `ptxas` and nvJitLink first: for a program that has
/// found them itself, before it assembles. Forgets assemblers found before.
void setAssemblerFolders(std::vector<std::string> folders);

/// The assembler that `assemble` asks first: ptxas, else nvJitLink, else the driver. Errors: Unavailable,
/// with why each of them cannot be had.
Result<std::shared_ptr<const Assembler>> findAssembler();

/// Assembles by the first assembler of this machine that can: the next is asked where one is too old. Errors:
/// the first refusal that is not Unavailable; Unavailable, with why each of them cannot.
Result<MachineCode> assemble(std::string_view ptx, const AssembleOptions &options);
/// The same by those alone that need no device: `ptxas` and nvJitLink.
Result<MachineCode> assembleWithoutDevice(std::string_view ptx, const AssembleOptions &options);

} // namespace tegula::runtime
