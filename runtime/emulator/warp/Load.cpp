#include "runtime/emulator/warp/Load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tegula::runtime::ptx {

Result<void> checkImage(const Module &module, const KernelImage &image, const DeviceProperties &limits) {
  const auto refused = [&](ErrorKind kind, const std::string &text) {
    return Error{kind, fmt::format("cannot load `{}`: {}", nameOf(image), text)};
  };
  const auto invalid = [&](const std::string &text) { return refused(ErrorKind::Compile, text); };
  const auto tooMuch = [&](const std::string &text) { return refused(ErrorKind::OutOfResources, text); };
  const Function *entry = module.findEntry(image.entry);
  if (!entry)
    return invalid("the PTX has no entry of this name");
  if (entryParamBytes(image) < entry->uniformParamBytes)
    return invalid(fmt::format("the entry takes {} bytes of parameters, the manifest has {}",
                               entry->uniformParamBytes, entryParamBytes(image)));
  const uint64_t threads = uint64_t(image.numWarps) * lanes;
  const auto product = [](const std::array<uint32_t, 3> &sides) {
    return uint64_t(sides[0]) * sides[1] * sides[2];
  };
  if (product(entry->requiredThreads) && product(entry->requiredThreads) != threads)
    return invalid(fmt::format("the entry requires blocks of {} threads, the manifest has {}",
                               product(entry->requiredThreads), threads));
  if (product(entry->maxThreads) && product(entry->maxThreads) < threads)
    return invalid(fmt::format("the entry allows blocks of {} threads, the manifest has {}",
                               product(entry->maxThreads), threads));
  const uint64_t registers = uint64_t(entry->rows) * lanes * sizeof(uint64_t) * image.numWarps;
  if (registers > maxRegisterBytes)
    return tooMuch(fmt::format("expected at most {} bytes of registers in a block, found {}",
                               maxRegisterBytes, registers));
  const uint64_t shared = uint64_t(module.sharedBytes) + image.sharedBytes;
  if (shared > limits.maxSharedPerBlock)
    return tooMuch(fmt::format("expected at most {} bytes of shared memory, found {}",
                               limits.maxSharedPerBlock, shared));
  if (const uint32_t most = architectureOf(module.target).maxSharedPerBlock; shared > most)
    return tooMuch(fmt::format("expected at most {} bytes of shared memory on `{}`, found {}", most,
                               module.target, shared));
  return {};
}

void remove(const Program &program, GlobalMemory &memory) {
  for (size_t i = 0; i < program.addresses.size(); ++i)
    if (program.module.variables[i].space != Space::Shared && program.addresses[i])
      memory.free(program.addresses[i]);
}

static bool relocate(Program &program, GlobalMemory &memory, std::string &missing) {
  const Module &module = program.module;
  for (size_t i = 0; i < module.variables.size(); ++i)
    for (const Variable::Relocation &relocation : module.variables[i].relocations) {
      const Variable *target = module.findVariable(relocation.symbol);
      if (!target) {
        missing = relocation.symbol;
        return false;
      }
      const uint64_t value =
          program.addresses[size_t(target - module.variables.data())] + uint64_t(relocation.addend);
      Allocation *allocation = memory.find(program.addresses[i]);
      std::memcpy(allocation->data.get() + relocation.at, &value, 8);
    }
  return true;
}

Result<Program> place(Module module, GlobalMemory &memory) {
  Program program{std::move(module), {}};
  for (const Variable &variable : program.module.variables) {
    if (variable.space == Space::Shared) {
      program.addresses.push_back(variable.offset);
      continue;
    }
    Allocation *made = memory.allocate(variable.size, variable.align);
    if (!made) {
      remove(program, memory);
      return Error{ErrorKind::OutOfResources, fmt::format("no memory for the variable `{}`", variable.name)};
    }
    std::copy(variable.initial.begin(), variable.initial.end(), made->data.get());
    made->initialised.reset(); // a variable without an initial value is zero
    made->readOnly = variable.space == Space::Const;
    made->name = variable.name;
    program.addresses.push_back(made->base);
  }
  if (std::string missing; !relocate(program, memory, missing)) {
    remove(program, memory);
    return Error{ErrorKind::Compile, fmt::format("undefined name `{}` in an initial value", missing)};
  }
  for (Function &function : program.module.functions)
    for (const Function::AddressRow &address : function.addresses)
      function.constants.push_back(
          {address.row, program.addresses[address.variable] + uint64_t(address.addend)});
  return program;
}

std::string fileOf(const Module &module, const Place &place, const std::string &sourceFile) {
  if (place.line == 0)
    return {};
  const bool named = place.file < module.files.size() && !module.files[place.file].empty();
  return named ? module.files[place.file] : sourceFile;
}

} // namespace tegula::runtime::ptx
