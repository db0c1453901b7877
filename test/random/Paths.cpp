#include "test/random/Paths.h"

namespace tegula::random {

std::vector<Path> allPaths() {
  return {{"with products by groups of warps", "wgmma.mma_async"},
          {"with loads by the bulk copy engine", ".shared::cluster.global"},
          {"with stores by the bulk copy engine", ".global.shared::cta"},
          {"with warps that only load", "mbarrier.arrive.shared"},
          {"whose warps hand registers over", "setmaxnreg"},
          {"whose blocks run several programs", "walk them"},
          {"with copies by threads", "cp.async.c"}};
}

void countPaths(std::string_view ptx, std::vector<Path> &paths) {
  for (Path &path : paths)
    path.kernels += ptx.find(path.text) != std::string_view::npos;
}

} // namespace tegula::random
