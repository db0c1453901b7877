// Each hand-written check of pipeline states, by its number.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected 1 to 32 slots, found 33}}
func.func @pipeline_state_c1(%state: !tgpu.pipeline_state<33>) {
  return
}

// -----

// expected-error @+1 {{expected 1 to 32 slots, found 0}}
func.func @pipeline_state_c1_none(%state: !tgpu.pipeline_state<0>) {
  return
}

// -----

func.func @pipeline_begin_c1() {
  // expected-error @+1 {{expected a parity of 0 or 1, found 2}}
  %begin = tgpu.pipeline_begin parity 2 : !tgpu.pipeline_state<4>
  return
}
