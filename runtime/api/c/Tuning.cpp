// Configs of `triton.autotune`, and which of them is the fastest, here or on all ranks.
#include "runtime/api/c/Arguments.h"
#include "runtime/api/c/Guard.h"
#include "runtime/api/c/Handles.h"

#include "runtime/jit/tune/Agreement.h"
#include "runtime/jit/tune/FastestConfig.h"
#include "runtime/jit/tune/RankTuner.h"

#include <fmt/format.h>

using namespace tegula;
using namespace tegula::c;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

tegula_error *tegula_kernel_config_count(const tegula_kernel *kernel, size_t *count) {
  return guarded({{kernel, "kernel"}, {count, "count"}}, [&]() -> Result<void> {
    *count = TRY(jit::configCount(*kernel->kernel));
    return {};
  });
}

tegula_error *tegula_kernel_with_config(const tegula_kernel *kernel, size_t index,
                                        tegula_kernel **configured) {
  return guarded({{kernel, "kernel"}, {configured, "configured"}}, [&]() -> Result<void> {
    *configured = kernelHandle(TRY(jit::withConfig(*kernel->kernel, int64_t(index)))).release();
    return {};
  });
}

bool tegula_kernel_constant(const tegula_kernel *kernel, const char *name, int64_t *value) {
  if (!kernel || !name)
    return false;
  const std::optional<int64_t> known = kernel->kernel->constant(name);
  if (known && value)
    *value = *known;
  return known.has_value();
}

tegula_error *
tegula_kernel_tune(tegula_kernel *kernel, tegula_device *device,
                   void (*grid)(void *context, const tegula_kernel *configured, uint32_t sides[3]),
                   void *context, const tegula_argument *arguments, size_t count, size_t *config) {
  return guarded(
      {{kernel, "kernel"}, {device, "device"}, {grid, "grid"}, {config, "config"}}, [&]() -> Result<void> {
        const std::span<const HostValue> list = TRY(argumentsOf(arguments, count));
        *config = TRY(jit::fastestConfig(*kernel->kernel, device->device, list,
                                         [&](const std::shared_ptr<jit::JitKernel> &configured) {
                                           uint32_t sides[3] = {1, 1, 1};
                                           grid(context, kernelHandle(configured).get(), sides);
                                           return Result<runtime::Grid>({sides[0], sides[1], sides[2]});
                                         }));
        return {};
      });
}

bool tegula_ptx_communicates(const char *ptx) { return ptx && jit::communicates(ptx); }

tegula_error *tegula_set_agreement(uint32_t rank, uint32_t world, tegula_agree agree, void *context) {
  return guarded({}, [&]() -> Result<void> {
    if (!agree) {
      jit::setAgreement(nullptr);
      return {};
    }
    if (rank >= world)
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("expected a rank below {}, found {}", world, rank)};
    auto ask = [=](const std::string &key, const std::string &offer) -> Result<std::string> {
      const void *answer = nullptr;
      size_t bytes = 0;
      const bool isAgreed = agree(context, key.c_str(), offer.data(), offer.size(), &answer, &bytes);
      std::string text(static_cast<const char *>(answer), answer ? bytes : 0);
      if (isAgreed)
        return text;
      return Error{ErrorKind::InvalidArgument,
                   text.empty() ? fmt::format("the ranks did not agree on `{}`", key) : text};
    };
    jit::setAgreement(std::make_shared<jit::Agreement>(jit::Agreement{rank, world, ask}));
    return {};
  });
}
