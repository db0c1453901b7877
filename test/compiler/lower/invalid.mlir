// What the passes refuse.
// RUN: tegula-opt %s --convert-tile-to-llvm --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a function marked `tile.kernel`}}
module {
}

// -----

// What depends on the thread alone is computed once for a kernel: the second would use the first one's.
#all = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = []} : [32]>

func.func @first(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %lanes = tile.arange 0 to 32 : tensor<32xi32, #all>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>, #all>
  tile.store %ps, %lanes : tensor<32x!tile.ptr<i32>, #all>
  return
}
// expected-error @+1 {{expected one kernel in a module, found a second}}
func.func @second(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %lanes = tile.arange 0 to 32 : tensor<32xi32, #all>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>, #all>
  tile.store %ps, %lanes : tensor<32x!tile.ptr<i32>, #all>
  return
}

// -----

#one = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = []} : [32]>

func.func @varied(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>, #one>
  // A constant of several values would be a table in memory: nothing makes one.
  // expected-error @+1 {{failed to legalize operation 'arith.constant'}}
  %c = arith.constant dense<[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31]> : tensor<32xi32, #one>
  tile.store %ps, %c : tensor<32x!tile.ptr<i32>, #one>
  return
}

// -----

#row = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>

func.func @unplaced(%v: i32 {tile.param = #tile.param<"v", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %x = tile.splat %v : i32 -> tensor<128xi32, #row>
  // expected-error @+1 {{expected 16 bytes of shared memory, found 0: `allocate-shared` must have run}}
  %a = tile.reduce %x axis 0 : tensor<128xi32, #row> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  }
  return
}
