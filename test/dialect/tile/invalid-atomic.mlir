// What the readers and verifiers of atomic ops say.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @atomic_rmw_c1(%p: !tile.ptr<i32>, %v: f32) {
  // expected-error @+1 {{expected a value of type 'i32', found 'f32'}}
  %0 = "tile.atomic_rmw"(%p, %v) <{kind = #tile<atomic add>, order = #tile<order acq_rel>, scope = #tile<scope gpu>}> : (!tile.ptr<i32>, f32) -> i32
  return
}

// -----

func.func @atomic_rmw_c1_result(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{expected a value of type 'i32', found 'i64'}}
  %0 = "tile.atomic_rmw"(%p, %v) <{kind = #tile<atomic add>, order = #tile<order acq_rel>, scope = #tile<scope gpu>}> : (!tile.ptr<i32>, i32) -> i64
  return
}

// -----

func.func @atomic_rmw_c2(%p: !tile.ptr<i16>, %v: i16) {
  // expected-error @+1 {{expected a type that `add` is defined on, found 'i16'}}
  %0 = tile.atomic_rmw add, relaxed, gpu, %p, %v : !tile.ptr<i16>
  return
}

// -----

func.func @atomic_rmw_c2_integer(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{expected a type that `fadd` is defined on, found 'i32'}}
  %0 = tile.atomic_rmw fadd, relaxed, gpu, %p, %v : !tile.ptr<i32>
  return
}

// -----

// The maximum of floats is made of those of integers, above.
func.func @atomic_rmw_c2_max(%p: !tile.ptr<f32>, %v: f32) {
  // expected-error @+1 {{expected a type that `max` is defined on, found 'f32'}}
  %0 = tile.atomic_rmw max, relaxed, gpu, %p, %v : !tile.ptr<f32>
  return
}

// -----

func.func @atomic_rmw_c2_exchange(%p: tensor<64x!tile.ptr<f16>>, %v: tensor<64xf16>) {
  // expected-error @+1 {{expected a type that `xchg` is defined on, found 'f16'}}
  %0 = tile.atomic_rmw xchg, relaxed, gpu, %p, %v : tensor<64x!tile.ptr<f16>>
  return
}

// -----

func.func @atomic_cas_c1(%p: !tile.ptr<i32>, %c: i64, %v: i32) {
  // expected-error @+1 {{expected values of type 'i32', found 'i64'}}
  %0 = "tile.atomic_cas"(%p, %c, %v) <{order = #tile<order acq_rel>, scope = #tile<scope gpu>}> : (!tile.ptr<i32>, i64, i32) -> i32
  return
}

// -----

func.func @atomic_cas_c2(%p: !tile.ptr<i8>, %c: i8) {
  // expected-error @+1 {{expected a type of 16, 32 or 64 bits, found 'i8'}}
  %0 = tile.atomic_cas acq_rel, gpu, %p, %c, %c : !tile.ptr<i8>
  return
}

// -----

func.func @atomic_load_c1(%p: !tile.ptr<i32>) {
  // expected-error @+1 {{expected a value of type 'i32', found 'f32'}}
  %0 = "tile.atomic_load"(%p) <{order = #tile<order acquire>, scope = #tile<scope gpu>}> : (!tile.ptr<i32>) -> f32
  return
}

// -----

func.func @atomic_load_c2(%p: !tile.ptr<i1>) {
  // expected-error @+1 {{expected a type of 8, 16, 32 or 64 bits, found 'i1'}}
  %0 = tile.atomic_load acquire, gpu, %p : !tile.ptr<i1>
  return
}

// -----

func.func @atomic_load_c3(%p: !tile.ptr<i32>) {
  // expected-error @+1 {{expected the order `relaxed` or `acquire`, found `release`}}
  %0 = tile.atomic_load release, gpu, %p : !tile.ptr<i32>
  return
}

// -----

func.func @atomic_store_c1(%p: !tile.ptr<i32>, %v: i16) {
  // expected-error @+1 {{expected a value of type 'i32', found 'i16'}}
  "tile.atomic_store"(%p, %v) <{order = #tile<order release>, scope = #tile<scope gpu>}> : (!tile.ptr<i32>, i16) -> ()
  return
}

// -----

func.func @atomic_store_c2(%p: !tile.ptr<i1>, %v: i1) {
  // expected-error @+1 {{expected a type of 8, 16, 32 or 64 bits, found 'i1'}}
  tile.atomic_store release, gpu, %p, %v : !tile.ptr<i1>
  return
}

// -----

func.func @atomic_store_c3(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{expected the order `relaxed` or `release`, found `acq_rel`}}
  tile.atomic_store acq_rel, gpu, %p, %v : !tile.ptr<i32>
  return
}

// -----

func.func @masked_load(%p: !tile.ptr<i32>, %c: i1) {
  // expected-error @+1 {{expected 1 to 2 operands, found 3}}
  %0 = tile.atomic_load relaxed, gpu, %p, %c, %c : !tile.ptr<i32>
  return
}

// -----

func.func @shapes(%p: tensor<64x!tile.ptr<i32>>, %v: i32) {
  // expected-error @+1 {{expected scalars or tensors of one shape}}
  %0 = "tile.atomic_rmw"(%p, %v) <{kind = #tile<atomic add>, order = #tile<order acq_rel>, scope = #tile<scope gpu>}> : (tensor<64x!tile.ptr<i32>>, i32) -> tensor<64xi32>
  return
}

// -----

func.func @kind(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{expected the kind of an atomic op, found `mul`}}
  %0 = tile.atomic_rmw mul, relaxed, gpu, %p, %v : !tile.ptr<i32>
  return
}

// -----

func.func @order(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{expected the order of an atomic op, found `seq_cst`}}
  %0 = tile.atomic_rmw add, seq_cst, gpu, %p, %v : !tile.ptr<i32>
  return
}

// -----

func.func @scope(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{expected the scope of an atomic op, found `cluster`}}
  %0 = tile.atomic_cas relaxed, cluster, %p, %v, %v : !tile.ptr<i32>
  return
}

// -----

func.func @few(%p: !tile.ptr<i32>) {
  // expected-error @+1 {{expected 2 to 3 operands, found 1}}
  %0 = tile.atomic_rmw add, relaxed, gpu, %p : !tile.ptr<i32>
  return
}

// -----

func.func @many(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error @+1 {{expected 3 operands, found 4}}
  %0 = tile.atomic_cas relaxed, gpu, %p, %v, %v, %v : !tile.ptr<i32>
  return
}

// -----

func.func @pointer(%v: i32) {
  // expected-error @+1 {{expected a pointer or a tensor of pointers, found 'i32'}}
  %0 = tile.atomic_rmw add, relaxed, gpu, %v, %v : i32
  return
}
