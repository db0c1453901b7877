#include "test/random/Paths.h"

namespace tegula::random {

std::vector<Path> allPaths() {
  return {{"with products by groups of warps", "wgmma.mma_async"},
          {"with loads by TMA", ".shared::cluster.global"},
          {"with stores by TMA", ".global.shared::cta"},
          {"with producer warps", "mbarrier.arrive.shared"},
          {"whose warps hand registers over", "setmaxnreg"},
          {"that are persistent", "persistent blocks"},
          {"that load for a neighbouring block", "multicast::cluster"},
          {"with copies by threads", "cp.async.c"}};
}

void countPaths(std::string_view ptx, std::vector<Path> &paths) {
  for (Path &path : paths)
    path.kernels += ptx.find(path.text) != std::string_view::npos;
}

} // namespace tegula::random
