// RUN: tegula-opt %s --plan-occupancy --verify-diagnostics

// Without a target nothing is known of its registers.
// expected-error@+1 {{expected a known target as `tile.target`}}
module {
  func.func @nothing() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
    return
  }
}
