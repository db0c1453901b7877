#include "test/runtime/emulator/golden/GoldenForms.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

namespace tegula::golden {
namespace {

unsigned bitsOf(const std::string &type) {
  if (type == "pred")
    return 1;
  return unsigned(std::stoul(type.substr(type.find_first_of("0123456789"))));
}
bool isFloat(const std::string &type) { return type[0] == 'f' || type.starts_with("bf"); }

uint64_t maskTo(uint64_t value, unsigned bits) { return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1); }

/// Fractional bits of a binary format of this width.
unsigned mantissaBits(const std::string &type) {
  if (type == "bf16")
    return 7;
  return type == "f16" ? 10 : type == "f32" ? 23 : 52;
}

uint64_t mix(uint64_t x) { // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The nearest encoding of `value`, by truncation: inputs need not be rounded well, only known.
uint64_t encode(const std::string &type, double value) {
  uint64_t d = std::bit_cast<uint64_t>(value);
  if (type == "f64")
    return d;
  unsigned m = mantissaBits(type), e = bitsOf(type) - 1 - m;
  int exponent = int((d >> 52) & 0x7ff) - 1023, bias = (1 << (e - 1)) - 1;
  uint64_t sign = (d >> 63) << (m + e);
  if (value == 0 || exponent < 1 - bias)
    return sign;
  return sign | uint64_t(exponent + bias) << m | (d & 0xfffffffffffffu) >> (52 - m);
}

uint64_t specialFloat(const std::string &type, uint64_t which) {
  unsigned m = mantissaBits(type), width = bitsOf(type);
  uint64_t inf = maskTo(~uint64_t(0), width - 1) & ~maskTo(~uint64_t(0), m), one = encode(type, 1.0);
  const uint64_t magnitudes[] = {0, 1, maskTo(~uint64_t(0), m), uint64_t(1) << m, one, one + 1, one - 1,
                                 encode(type, 0.5), encode(type, 2.5), encode(type, 127.5), inf - 1, inf,
                                 inf | (uint64_t(1) << (m - 1))};
  uint64_t magnitude = magnitudes[which % std::size(magnitudes)];
  return magnitude | ((which / std::size(magnitudes)) & 1) << (width - 1);
}

uint64_t specialInt(unsigned bits, uint64_t which) {
  uint64_t top = uint64_t(1) << (bits - 1);
  const uint64_t values[] = {0, 1, 2, 3, 7, 31, 32, 33, 64, top, top - 1, top + 1, ~uint64_t(0), ~uint64_t(1)};
  return maskTo(values[which % std::size(values)], bits);
}

std::string registerType(const std::string &type) {
  if (type == "pred")
    return "pred";
  return "b" + std::to_string(std::max(16u, bitsOf(type)));
}

void add(std::vector<Form> &forms, std::string code, std::vector<std::string> inputs, std::string output,
         uint32_t ulps = 0) {
  forms.push_back({std::move(code), std::move(inputs), std::move(output), ulps});
}

void addIntegerForms(std::vector<Form> &forms) {
  for (std::string t : {"s16", "u16", "s32", "u32", "s64", "u64"}) {
    for (std::string op : {"add", "sub", "mul.lo", "mul.hi", "min", "max"})
      add(forms, op + "." + t + " $d, $a, $b;", {t, t}, t);
    for (std::string op : {"mad.lo", "mad.hi"})
      add(forms, op + "." + t + " $d, $a, $b, $c;", {t, t, t}, t);
    for (std::string compare : {"eq", "lt", "ge"})
      add(forms, "setp." + compare + "." + t + " $d, $a, $b;", {t, t}, "pred");
    add(forms, "shr." + t + " $d, $a, $b;", {t, "u32"}, t);
    if (t[0] == 's')
      for (std::string op : {"abs", "neg"})
        add(forms, op + "." + t + " $d, $a;", {t}, t);
    if (bitsOf(t) < 64) {
      std::string wide = t[0] + std::to_string(2 * bitsOf(t));
      add(forms, "mul.wide." + t + " $d, $a, $b;", {t, t}, wide);
      add(forms, "mad.wide." + t + " $d, $a, $b, $c;", {t, t, wide}, wide);
    }
    // A zero divisor has no defined result, so it is made odd.
    std::string r = registerType(t);
    add(forms, "{ .reg ." + r + " o; or." + r + " o, $b, 1; div." + t + " $d, $a, o; }", {t, t}, t);
    add(forms, "{ .reg ." + r + " o; or." + r + " o, $b, 1; rem." + t + " $d, $a, o; }", {t, t}, t);
  }
  for (std::string b : {"b16", "b32", "b64"}) {
    for (std::string op : {"and", "or", "xor"})
      add(forms, op + "." + b + " $d, $a, $b;", {b, b}, b);
    add(forms, "not." + b + " $d, $a;", {b}, b);
    add(forms, "cnot." + b + " $d, $a;", {b}, b);
    add(forms, "shl." + b + " $d, $a, $b;", {b, "u32"}, b);
    add(forms, "selp." + b + " $d, $a, $b, $c;", {b, b, "pred"}, b);
  }
  for (std::string t : {"u32", "s32", "u64", "s64"}) {
    add(forms, "bfe." + t + " $d, $a, $b, $c;", {t, "u32", "u32"}, t);
    add(forms, "bfind." + t + " $d, $a;", {t}, "u32");
  }
  for (std::string b : {"b32", "b64"}) {
    add(forms, "brev." + b + " $d, $a;", {b}, b);
    add(forms, "clz." + b + " $d, $a;", {b}, "u32");
    add(forms, "popc." + b + " $d, $a;", {b}, "u32");
    add(forms, "bfi." + b + " $d, $a, $b, $c, 7;", {b, b, "u32"}, b);
  }
  add(forms, "prmt.b32 $d, $a, $b, $c;", {"b32", "b32", "b32"}, "b32");
  add(forms, "lop3.b32 $d, $a, $b, $c, 0x96;", {"b32", "b32", "b32"}, "b32");
  add(forms, "lop3.b32 $d, $a, $b, $c, 0xe2;", {"b32", "b32", "b32"}, "b32");
  for (std::string mode : {"shf.l.wrap", "shf.l.clamp", "shf.r.wrap", "shf.r.clamp"})
    add(forms, mode + ".b32 $d, $a, $b, $c;", {"b32", "b32", "u32"}, "b32");
}

void addFloatForms(std::vector<Form> &forms) {
  for (std::string t : {"f32", "f64"}) {
    for (std::string rounding : {"rn", "rz", "rm", "rp"}) {
      for (std::string op : {"add", "sub", "mul", "div"})
        add(forms, op + "." + rounding + "." + t + " $d, $a, $b;", {t, t}, t);
      add(forms, "fma." + rounding + "." + t + " $d, $a, $b, $c;", {t, t, t}, t);
      add(forms, "sqrt." + rounding + "." + t + " $d, $a;", {t}, t);
      add(forms, "rcp." + rounding + "." + t + " $d, $a;", {t}, t);
    }
    for (std::string op : {"abs", "neg"})
      add(forms, op + "." + t + " $d, $a;", {t}, t);
    for (std::string compare : {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"})
      add(forms, "setp." + compare + "." + t + " $d, $a, $b;", {t, t}, "pred");
    add(forms, "copysign." + t + " $d, $a, $b;", {t, t}, t);
    for (std::string op : {"min", "max"})
      add(forms, op + "." + t + " $d, $a, $b;", {t, t}, t);
  }
  for (std::string op : {"add.rn.ftz.f32", "mul.rn.ftz.f32", "add.sat.f32", "mul.sat.f32", "min.NaN.f32", "max.NaN.f32",
                         "min.ftz.f32", "max.ftz.f32"})
    add(forms, op + " $d, $a, $b;", {"f32", "f32"}, "f32");
  add(forms, "fma.rn.ftz.f32 $d, $a, $b, $c;", {"f32", "f32", "f32"}, "f32");
  add(forms, "fma.rn.sat.f32 $d, $a, $b, $c;", {"f32", "f32", "f32"}, "f32");
  for (std::string t : {"f16", "bf16"}) {
    for (std::string op : {"add.rn", "sub.rn", "mul.rn", "min", "max", "min.NaN", "max.NaN"})
      add(forms, op + "." + t + " $d, $a, $b;", {t, t}, t);
    add(forms, "fma.rn." + t + " $d, $a, $b, $c;", {t, t, t}, t);
    for (std::string op : {"abs", "neg"})
      add(forms, op + "." + t + " $d, $a;", {t}, t);
    for (std::string compare : {"eq", "ne", "lt", "gtu", "neu"})
      add(forms, "setp." + compare + "." + t + " $d, $a, $b;", {t, t}, "pred");
  }
  for (std::string op : {"add.rn.f16x2", "mul.rn.f16x2", "add.rn.bf16x2", "mul.rn.bf16x2"})
    add(forms, op + " $d, $a, $b;", {"b32", "b32"}, "b32");
  // Bounds of the PTX manual, rounded up, plus the half unit of a correctly rounded emulation.
  for (std::string op : {"ex2.approx.f32", "ex2.approx.ftz.f32", "rcp.approx.f32", "rcp.approx.ftz.f32",
                         "sqrt.approx.f32", "sqrt.approx.ftz.f32", "rsqrt.approx.f32", "rsqrt.approx.ftz.f32"})
    add(forms, op + " $d, $a;", {"f32"}, "f32", 4);
  add(forms, "div.full.f32 $d, $a, $b;", {"f32", "f32"}, "f32", 3);
  add(forms, "div.full.ftz.f32 $d, $a, $b;", {"f32", "f32"}, "f32", 3);
}

void addConversionForms(std::vector<Form> &forms) {
  const std::vector<std::string> ints = {"s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"};
  const std::vector<std::string> floats = {"f16", "bf16", "f32", "f64"};
  for (const std::string &from : ints)
    for (const std::string &to : ints)
      if (from != to) {
        add(forms, "cvt." + to + "." + from + " $d, $a;", {from}, to);
        // `.sat` is an error where every value fits.
        bool fits = bitsOf(to) > bitsOf(from) && (to[0] == 's' || from[0] == 'u');
        if (!fits)
          add(forms, "cvt.sat." + to + "." + from + " $d, $a;", {from}, to);
      }
  for (const std::string &from : floats) {
    // There is no conversion between bf16 and 8 bits.
    auto exists = [&](const std::string &integer) { return from != "bf16" || bitsOf(integer) > 8; };
    for (const std::string &to : ints)
      for (std::string rounding : {"rni", "rzi", "rmi", "rpi"})
        if (exists(to) && (rounding == "rzi" || bitsOf(to) == 32))
          add(forms, "cvt." + rounding + "." + to + "." + from + " $d, $a;", {from}, to);
    for (const std::string &to : ints)
      for (std::string rounding : {"rn", "rz"})
        if (exists(to))
          add(forms, "cvt." + rounding + "." + from + "." + to + " $d, $a;", {to}, from);
    for (const std::string &to : floats)
      if (bitsOf(to) < bitsOf(from))
        for (std::string rounding : {"rn", "rz"})
          add(forms, "cvt." + rounding + "." + to + "." + from + " $d, $a;", {from}, to);
      else if (bitsOf(to) > bitsOf(from))
        add(forms, "cvt." + to + "." + from + " $d, $a;", {from}, to);
    if (from != "bf16")
      for (std::string rounding : {"rni", "rzi", "rmi", "rpi"})
        add(forms, "cvt." + rounding + "." + from + "." + from + " $d, $a;", {from}, from);
  }
  for (std::string op : {"cvt.rn.f16x2.f32", "cvt.rz.f16x2.f32", "cvt.rn.bf16x2.f32", "cvt.rz.bf16x2.f32"})
    add(forms, op + " $d, $a, $b;", {"f32", "f32"}, "b32");
  for (std::string op : {"cvt.rn.relu.f16x2.f32", "cvt.rn.relu.bf16x2.f32"})
    add(forms, op + " $d, $a, $b;", {"f32", "f32"}, "b32");
  for (std::string eights : {"e4m3x2", "e5m2x2"})
    for (std::string relu : {"", ".relu"}) {
      add(forms, "cvt.rn.satfinite" + relu + "." + eights + ".f32 $d, $a, $b;", {"f32", "f32"}, "b16");
      add(forms, "cvt.rn.satfinite" + relu + "." + eights + ".f16x2 $d, $a;", {"b32"}, "b16");
      add(forms, "cvt.rn" + relu + ".f16x2." + eights + " $d, $a;", {"b16"}, "b32");
    }
  for (std::string op : {"rna", "rn", "rz", "rn.relu", "rz.relu"})
    add(forms, "cvt." + op + ".tf32.f32 $d, $a;", {"f32"}, "b32");
  add(forms, "cvt.ftz.f64.f32 $d, $a;", {"f32"}, "f64");
  add(forms, "cvt.sat.f32.f32 $d, $a;", {"f32"}, "f32");
}

/// Each thread's own word of the results serves as the memory; `code` finds `$a` there.
void addMemoryForm(std::vector<Form> &forms, const std::string &type, const std::string &code, bool third = false) {
  const std::string bits = std::to_string(std::max(16u, bitsOf(type)));
  std::vector<std::string> inputs(third ? 3 : 2, type);
  add(forms, "{ st.global.b" + bits + " [%at], $a; " + code + " }", inputs, type);
}

void addAtomicForms(std::vector<Form> &forms) {
  auto reduction = [&](const std::string &op, const std::string &type, const std::string &suffix) {
    const std::string bits = std::to_string(std::max(16u, bitsOf(type)));
    addMemoryForm(forms, type, "red.relaxed.gpu.global." + op + "." + suffix + " [%at], $b; ld.global.b" + bits +
                                   " $d, [%at];");
  };
  for (std::string t : {"u32", "s32", "u64", "f32", "f64"})
    reduction("add", t, t);
  for (std::string t : {"u32", "s32", "u64", "s64"})
    for (std::string op : {"min", "max"})
      reduction(op, t, t);
  for (std::string t : {"b32", "b64"})
    for (std::string op : {"and", "or", "xor"})
      reduction(op, t, t);
  for (std::string op : {"inc", "dec"})
    reduction(op, "u32", "u32");
  for (std::string t : {"f16", "bf16"})
    reduction("add.noftz", t, t);
  for (std::string t : {"f16x2", "bf16x2"})
    reduction("add.noftz", "b32", t);
  for (std::string t : {"b32", "b64"})
    addMemoryForm(forms, t, "atom.acq_rel.gpu.global.exch." + t + " $d, [%at], $b;");
  for (std::string t : {"b16", "b32", "b64"})
    addMemoryForm(forms, t, "atom.acq_rel.gpu.global.cas." + t + " $d, [%at], $a, $b; ld.global." + t + " $d, [%at];");
  for (std::string t : {"u32", "f32", "f64"})
    addMemoryForm(forms, t, "atom.relaxed.sys.global.add." + t + " $d, [%at], $b;");
  // Two elements of eight bytes; other vectors need more room than a thread has.
  for (std::string t : {"v2.f32", "noftz.v2.f16x2", "noftz.v4.bf16"}) {
    const bool four = t.find("v4") != std::string::npos;
    addMemoryForm(forms, "b64", std::string(four ? "{ .reg .b16 w<4>; mov.b64 {w0, w1, w2, w3}, $b; "
                                                 : "{ .reg .b32 w<2>; mov.b64 {w0, w1}, $b; ") +
                                    "red.relaxed.gpu.global.add." + t + " [%at], " +
                                    (four ? "{w0, w1, w2, w3}" : "{w0, w1}") + "; } ld.global.b64 $d, [%at];");
  }
}

/// Vectors 0 to 31 and 32 to 63 are a warp each.
void addWarpForms(std::vector<Form> &forms) {
  for (std::string t : {"u32", "s32"})
    for (std::string op : {"add", "min", "max"})
      add(forms, "redux.sync." + op + "." + t + " $d, $a, 0xffffffff;", {t}, t);
  for (std::string op : {"and", "or", "xor"})
    add(forms, "redux.sync." + op + ".b32 $d, $a, 0xffffffff;", {"b32"}, "b32");
  for (std::string mode : {"idx", "down", "bfly"})
    for (std::string c : {"0x1f", "0x181f", "0x1003"})
      add(forms, "{ .reg .pred p; .reg .b32 v; shfl.sync." + mode + ".b32 v|p, $a, $b, " + c +
                     ", 0xffffffff; selp.b32 v, v, 0xdead, p; mov.b32 $d, v; }", {"b32", "u32"}, "b32");
  for (std::string c : {"0", "0x1800"})
    add(forms, "{ .reg .pred p; .reg .b32 v; shfl.sync.up.b32 v|p, $a, $b, " + c +
                   ", 0xffffffff; selp.b32 v, v, 0xdead, p; mov.b32 $d, v; }", {"b32", "u32"}, "b32");
  add(forms, "vote.sync.ballot.b32 $d, $a, 0xffffffff;", {"pred"}, "b32");
  for (std::string op : {"all", "any", "uni"})
    add(forms, "{ .reg .pred p; setp.ne.b32 p, $a, 0; vote.sync." + op + ".pred $d, p, 0xffffffff; }", {"u32"}, "pred");
  add(forms, "{ .reg .b32 v; and.b32 v, $a, 3; match.any.sync.b32 $d, v, 0xffffffff; }", {"b32"}, "b32");
  add(forms, "{ .reg .b64 v; and.b64 v, $a, 3; match.any.sync.b64 $d, v, 0xffffffff; }", {"b64"}, "b32");
  add(forms, "match.all.sync.b32 $d, $a, 0xffffffff;", {"b32"}, "b32");
  add(forms, "activemask.b32 $d;", {}, "b32");
}

/// The manual bounds these by an absolute error or near a point, so the operand is brought to where the result's
/// exponent is known, by keeping its sign and fraction.
void addApproximateForms(std::vector<Form> &forms) {
  auto form = [&](const std::string &op, const std::string &type, const std::string &fraction,
                  const std::string &exponent, uint32_t ulps) {
    const std::string bits = "b" + std::to_string(bitsOf(type));
    add(forms, "{ .reg ." + bits + " v; and." + bits + " v, $a, " + fraction + "; or." + bits + " v, v, " + exponent +
                   "; " + op + "." + type + " $d, v; }", {type}, type, ulps);
  };
  for (std::string flush : {"", ".ftz"}) {
    form("lg2.approx" + flush, "f32", "0x7fffff", "0x40000000", 4);   // [2, 4): 2^-22
    form("sin.approx" + flush, "f32", "0x807fffff", "0x3f800000", 14); // 1 to 2: 2^-20.5
    form("cos.approx" + flush, "f32", "0x807fffff", "0x3f000000", 14); // 0.5 to 1
  }
  form("tanh.approx", "f32", "0x807fffff", "0x3f800000", 8400); // 2^-11
  form("tanh.approx", "f16", "0x83ff", "0x3c00", 2);            // 2^-10.987
  form("tanh.approx", "bf16", "0x807f", "0x3f80", 2);           // 2^-8
  add(forms, "ex2.approx.f16 $d, $a;", {"f16"}, "f16", 3);      // 2^-9.9
  add(forms, "ex2.approx.ftz.bf16 $d, $a;", {"bf16"}, "bf16", 3); // 2^-7
}

void replaceAll(std::string &text, const std::string &what, const std::string &with) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

} // namespace

std::vector<Form> allForms() {
  std::vector<Form> forms;
  addIntegerForms(forms);
  addFloatForms(forms);
  addConversionForms(forms);
  addAtomicForms(forms);
  addWarpForms(forms);
  addApproximateForms(forms);
  return forms;
}

uint64_t inputBits(const Form &form, uint32_t operand, uint32_t index) {
  const std::string &type = form.inputs[operand];
  uint64_t text = 1469598103934665603u; // FNV-1a of the form: its vectors stay when others come and go
  for (char c : form.code)
    text = (text ^ uint8_t(c)) * 1099511628211u;
  uint64_t random = mix(text ^ mix(index * 4 + operand));
  unsigned bits = bitsOf(type);
  if (type == "pred")
    return random & 1;
  switch (random % 3) {
  case 0: return isFloat(type) ? specialFloat(type, random >> 8) : specialInt(bits, random >> 8);
  case 1: {
    double magnitude = std::ldexp(1.0 + double(random >> 12 & 0xfffff) / 1048576.0, int(random >> 40 & 15) - 6);
    double value = random >> 63 ? -magnitude : magnitude;
    return isFloat(type) ? encode(type, value) : maskTo(uint64_t(int64_t(value)), bits);
  }
  default: return maskTo(mix(random), bits);
  }
}

KernelImage kernelFor(const Form &form, const std::string &target) {
  std::string body = form.code, declarations, loads;
  const char *const names[] = {"%a", "%b", "%c"};
  for (size_t i = 0; i < form.inputs.size(); ++i) {
    std::string type = registerType(form.inputs[i]), name = names[i], raw = "%raw" + std::to_string(i);
    declarations += "  .reg ." + type + " " + name + ";\n  .reg .b64 " + raw + ";\n";
    loads += "  ld.global.b64 " + raw + ", [%in+" + std::to_string(8 * i) + "];\n";
    if (type == "pred")
      loads += "  setp.ne.b64 " + name + ", " + raw + ", 0;\n";
    else if (type == "b64")
      loads += "  mov.b64 " + name + ", " + raw + ";\n";
    else
      loads += "  cvt.u" + type.substr(1) + ".u64 " + name + ", " + raw + ";\n";
    replaceAll(body, std::string("$") + names[i][1], name);
  }
  std::string result = registerType(form.output);
  replaceAll(body, "$d", "%d");
  declarations += "  .reg ." + result + " %d;\n";
  std::string widen = result == "pred"  ? "  selp.b64 %out, 1, 0, %d;\n"
                      : result == "b64" ? "  mov.b64 %out, %d;\n"
                                        : "  cvt.u64.u" + result.substr(1) + " %out, %d;\n";
  KernelImage image;
  image.entry = "golden";
  image.target = target;
  image.numWarps = (vectorsPerForm + 31) / 32;
  image.params = {{"inputs", "*u64", ParamKind::Pointer, 8, 0}, {"results", "*u64", ParamKind::Pointer, 8, 8}};
  image.paramBytes = 16;
  image.ptx = ".version 8.1\n.target " + target + "\n.address_size 64\n\n"
              ".visible .entry golden(.param .u64 golden_param_0, .param .u64 golden_param_1)\n"
              ".reqntid " + std::to_string(32 * image.numWarps) + ", 1, 1\n{\n"
              "  .reg .b64 %in, %out, %at;\n  .reg .b32 %thread;\n" + declarations +
              "  ld.param.u64 %in, [golden_param_0];\n  ld.param.u64 %at, [golden_param_1];\n"
              "  cvta.to.global.u64 %in, %in;\n  cvta.to.global.u64 %at, %at;\n"
              "  mov.u32 %thread, %tid.x;\n"
              "  mad.wide.u32 %in, %thread, 24, %in;\n  mad.wide.u32 %at, %thread, 8, %at;\n" +
              loads + "  " + body + "\n" + widen + "  st.global.b64 [%at], %out;\n  ret;\n}\n";
  return image;
}

runtime::Result<std::vector<uint64_t>> runForm(runtime::Device &device, const Form &form) {
  std::vector<uint64_t> inputs(vectorsPerForm * 3), results(vectorsPerForm, 0xdeadbeef);
  for (uint32_t index = 0; index < vectorsPerForm; ++index)
    for (uint32_t operand = 0; operand < form.inputs.size(); ++operand)
      inputs[index * 3 + operand] = inputBits(form, operand, index);

  auto kernel = device.load(kernelFor(form, device.properties().arch));
  if (!kernel)
    return kernel.error();
  auto in = device.allocate(inputs.size() * 8);
  if (!in)
    return in.error();
  auto out = device.allocate(results.size() * 8);
  if (!out)
    return out.error();
  const uint64_t params[] = {*in, *out};
  for (auto step : std::vector<std::function<runtime::Result<void>()>>{
           [&] { return device.copyToDevice(*in, inputs.data(), inputs.size() * 8); },
           [&] { return device.launch(**kernel, {}, std::as_bytes(std::span(params))); },
           [&] { return device.synchronize(); },
           [&] { return device.copyToHost(results.data(), *out, results.size() * 8); },
           [&] { return device.free(*in); }, [&] { return device.free(*out); }})
    if (auto done = step(); !done)
      return done.error();
  // The upper bits of a register wider than its value are not part of the result.
  for (uint64_t &result : results)
    result = maskTo(result, form.output == "pred" ? 1 : std::max(16u, bitsOf(form.output)));
  return results;
}

uint64_t distance(const Form &form, uint64_t a, uint64_t b) {
  if (a == b)
    return 0;
  if (!isFloat(form.output) || form.ulps == 0)
    return ~uint64_t(0);
  unsigned width = bitsOf(form.output), m = mantissaBits(form.output);
  uint64_t sign = uint64_t(1) << (width - 1), inf = (sign - 1) & ~maskTo(~uint64_t(0), m);
  bool aNan = (a & (sign - 1)) > inf, bNan = (b & (sign - 1)) > inf;
  if (aNan || bNan)
    return aNan && bNan ? 0 : ~uint64_t(0);
  if ((a ^ b) & sign)
    return (a & (sign - 1)) + (b & (sign - 1));
  return a > b ? a - b : b - a;
}

} // namespace tegula::golden
