// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @rounded_c1(%x: f32) {
  // expected-error @+1 {{expected 2 operand(s), found 1}}
  %0 = tile.rounded add rn %x : f32 -> f32
  return
}

// -----

func.func @rounded_c1_fma(%x: f32) {
  // expected-error @+1 {{expected 3 operand(s), found 2}}
  %0 = tile.rounded fma rn %x, %x : f32, f32 -> f32
  return
}

// -----

func.func @rounded_c2(%x: f16) {
  // expected-error @+1 {{expected operands and result of f32 or f64 alike, found 'f16' and 'f16'}}
  %0 = tile.rounded mul rz %x, %x : f16, f16 -> f16
  return
}

// -----

func.func @rounded_c2_mixed(%x: f32, %y: f64) {
  // expected-error @+1 {{expected operands and result of f32 or f64 alike, found 'f64' and 'f32'}}
  %0 = tile.rounded div rp %x, %y : f32, f64 -> f32
  return
}

// -----

func.func @rounded_c3(%x: f32) {
  // expected-error @+1 {{expected a conversion between f32 or f64 and i32 or i64, or from f64 to f32, found 'f32' to 'f64'}}
  %0 = tile.rounded cast rn %x : f32 -> f64
  return
}

// -----

func.func @rounded_c3_short(%x: f64) {
  // expected-error @+1 {{expected a conversion between f32 or f64 and i32 or i64, or from f64 to f32, found 'f64' to 'i16'}}
  %0 = tile.rounded cast_unsigned rz %x : f64 -> i16
  return
}
