// What the command line of `tegula bench` asks for, checked.
#pragma once

#include "tools/tegula/bench/Catalogue.h"
#include "tools/tegula/bench/Measure.h"
#include "tools/tegula/bench/Peers.h"
#include "tools/tegula/command/Commands.h"

namespace tegula::cli::bench {

struct Request {
  std::vector<const Entry *> entries; ///< the kernels, in the catalogue's order
  std::vector<int64_t> sizes;         ///< --n
  std::vector<Shape> shapes;          ///< --shape
  MeasureOptions measuring;
  PeerOptions peers;                                 ///< without what the device and the installation say
  double leastRatio = 0;                             ///< of --check
  std::map<std::string, std::vector<int64_t>> swept; ///< --set
};

/// Errors: InvalidArgument.
runtime::Result<Request> readRequest(const BenchCommand &command);

} // namespace tegula::cli::bench
