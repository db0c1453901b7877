// Branches that threads may take differently, and what may not stand under them.
// RUN: tegula-opt %s --check-branches --split-input-file --verify-diagnostics

module attributes {tile.target = "sm_90a"} {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
    %zero = arith.constant 0 : i32
    // expected-note @+1 {{because each has a result of its own here}}
    %t = tile.inline_asm "mov.u32 $0, %tid.x;", "=r" pure pack = 1 () : () -> i32
    %c = arith.cmpi eq, %t, %zero : i32
    // expected-note @+1 {{threads may take this branch differently}}
    scf.if %c {
      // expected-error @+1 {{a barrier needs all threads of the program, and some of them may not get here}}
      tile.barrier
    }
    return
  }
}

// -----

// The number of rounds of a loop is a branch, too.
module attributes {tile.target = "sm_90a"} {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    // expected-note @+1 {{because each has a result of its own here}}
    %n = tile.inline_asm "mov.u32 $0, %laneid;", "=r" pure pack = 1 () : () -> i32
    // expected-note @+1 {{threads may take this branch differently}}
    scf.for %i = %zero to %n step %one : i32 {
      // expected-error @+1 {{a barrier needs all threads}}
      tile.barrier
    }
    return
  }
}

// -----

#one = #tile.layout<{register = [[1], [2], [4], [8], [16]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]]} : [32]>
module attributes {tile.target = "sm_90a"} {
  // A reduction of what each thread has by itself needs no others; pure PTX that reads memory gives all the same.
  func.func @k(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %x: tensor<32xi32, #one>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
    %zero = arith.constant 0 : i32
    %t = tile.inline_asm "mov.u32 $0, %tid.x;", "=r" pure pack = 1 () : () -> i32
    %c = arith.cmpi eq, %t, %zero : i32
    scf.if %c {
      %sum = tile.reduce %x axis 0 : tensor<32xi32, #one> -> i32 {
      ^bb0(%a: i32, %b: i32):
        %s = arith.addi %a, %b : i32
        tile.yield %s : i32
      }
      tile.store %p, %sum : !tile.ptr<i32>
    }
    %v = tile.inline_asm "ld.global.b32 $0, [$1];", "=r,l" pure pack = 1 (%p) : (!tile.ptr<i32>) -> i32
    %d = arith.cmpi eq, %v, %zero : i32
    scf.if %d {
      tile.barrier
    }
    return
  }
}
