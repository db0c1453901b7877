#include "compiler/debug/Expression.h"

#include "compiler/debug/ElementTypes.h"
#include "compiler/debug/Operators.h"
#include "compiler/frontend/syntax/parse/Parser.h"

namespace tegula::debug {

namespace {

/// An array is read whole up to this many elements.
constexpr uint64_t maxElements = uint64_t(1) << 22;
/// Expressions within each other.
constexpr unsigned maxDepth = 200;

class Evaluator {
public:
  explicit Evaluator(const Scope &scope) : scope(scope) {}

  std::optional<Value> eval(const ast::Expr *expr);
  /// The array and the index that a subscript means.
  std::optional<std::pair<Array, uint64_t>> element(const ast::Expr *expr);

  std::string error;

private:
  std::nullopt_t fail(std::string text) {
    if (error.empty())
      error = std::move(text);
    return std::nullopt;
  }
  const Array *arrayOf(const ast::Expr *expr) const;
  std::optional<Value> name(const ast::NameExpr &expr);
  std::optional<Value> call(const ast::CallExpr &expr);
  /// `expected(out)`
  std::optional<Value> expected(const ast::CallExpr &expr);
  /// `ptrs - x_ptr`, where `x_ptr` is not the array but its address; nothing, without an error, elsewhere.
  std::optional<Value> offsets(const ast::BinaryExpr &expr);
  /// `x[mask]`, and `x[numbers]` of one side.
  std::optional<Value> selected(const ast::SubscriptExpr &expr, const Value &index);
  /// `x.to(tl.float32)`
  std::optional<Value> converted(const ast::Expr *object, const ast::Expr *type);
  std::optional<Value> compare(const ast::CompareExpr &expr);
  std::optional<Value> truths(const ast::BoolExpr &expr);
  std::optional<Value> subscript(const ast::SubscriptExpr &expr);
  /// The ranges of an index along each of `shape`; `kept` tells which sides stay.
  bool ranges(llvm::ArrayRef<const ast::Expr *> parts, llvm::ArrayRef<int64_t> shape,
              std::vector<std::array<int64_t, 3>> &out, std::vector<bool> &kept);
  std::optional<int64_t> whole(const ast::Expr *expr);

  const Scope &scope;
  unsigned depth = 0;
};

const Array *Evaluator::arrayOf(const ast::Expr *expr) const {
  const auto *name = ast::as<ast::NameExpr>(expr);
  return name ? scope.array(name->id) : nullptr;
}

std::optional<Value> Evaluator::name(const ast::NameExpr &expr) {
  const llvm::StringRef id = expr.id;
  if (const Array *array = arrayOf(&expr))
    return valueOf(scope.read, *array, maxElements);
  if (const NamedValue *named = scope.find(id)) {
    if (std::optional<Value> value = valueOf(*named, scope.arrays))
      return value;
    return fail("`" + id.str() + "` is no number: " + describe(*named));
  }
  for (unsigned axis = 0; axis < 3; ++axis)
    if (scope.program && id == "pid" + std::to_string(axis))
      return Value::of(int64_t((*scope.program)[axis]));
  if (scope.others)
    if (std::optional<Value> value = scope.others(id))
      return value;
  return fail("no name `" + id.str() + "` here");
}

std::optional<Value> Evaluator::truths(const ast::BoolExpr &expr) {
  const auto decides = [&](const Value &value) {
    return value.shape.empty() && value.size() == 1 && !value.isUndefined(0) &&
           (value.real(0) != 0) == (expr.op == ast::BoolOp::Or);
  };
  std::optional<Value> all = eval(expr.operands.front());
  for (const ast::Expr *operand : expr.operands.subspan(1)) {
    if (all && decides(*all))
      return Value::of(expr.op == ast::BoolOp::Or);
    const std::optional<Value> next = all ? eval(operand) : std::nullopt;
    all = next ? combineTruths(expr.op, *all, *next, error) : std::nullopt;
  }
  return all;
}

std::optional<Value> Evaluator::compare(const ast::CompareExpr &expr) {
  std::optional<Value> left = eval(expr.left), all;
  for (const ast::CompareItem &item : expr.rest) {
    std::optional<Value> right = eval(item.operand);
    if (!left || !right)
      return std::nullopt;
    std::optional<Value> one = compareValues(item.op, *left, *right, error);
    if (!one)
      return std::nullopt;
    all = all ? combine(ast::BinaryOp::BitAnd, *all, *one, error) : one;
    left = std::move(right);
  }
  return all;
}

std::optional<Value> Evaluator::expected(const ast::CallExpr &expr) {
  const Array *array = expr.arguments.size() == 1 ? arrayOf(expr.arguments[0].value) : nullptr;
  if (!array)
    return fail("expected an array of the launch, such as `expected(out)[3, :8]`");
  for (const Expected &one : scope.expected)
    if (one.array.name == array->name) {
      Value value;
      value.kind = isFloatKind(one.type) ? Value::Real : Value::Whole;
      value.type = std::string(scalarKindName(one.type));
      value.shape = array->shape;
      if (one.array.elements() > maxElements)
        return fail("an array of more than " + std::to_string(maxElements) + " elements");
      for (uint64_t i = 0; i < one.array.elements(); ++i)
        value.add(one.at(i));
      return value;
    }
  return fail("nothing is expected of `" + array->name + "`: `--expect` says what");
}

std::optional<Value> Evaluator::offsets(const ast::BinaryExpr &expr) {
  const bool isLeft = arrayOf(expr.left) != nullptr;
  if (expr.op != ast::BinaryOp::Sub || isLeft == (arrayOf(expr.right) != nullptr))
    return std::nullopt;
  const auto *name = ast::as<ast::NameExpr>(isLeft ? expr.left : expr.right);
  const NamedValue *named = scope.find(name->id);
  const std::optional<Value> start = named ? valueOf(*named, scope.arrays) : std::nullopt;
  if (!start || !start->isAddress())
    return std::nullopt;
  const std::optional<Value> other = eval(isLeft ? expr.right : expr.left);
  if (!other || !other->isAddress())
    return std::nullopt;
  return isLeft ? combine(expr.op, *start, *other, error) : combine(expr.op, *other, *start, error);
}

std::optional<Value> Evaluator::selected(const ast::SubscriptExpr &expr, const Value &index) {
  const std::optional<Value> object = eval(expr.object);
  if (!object)
    return std::nullopt;
  const bool isMask = index.kind == Value::Truth;
  if (isMask ? index.shape != object->shape : object->shape.size() != 1)
    return fail(isMask ? "a mask goes with a value that has the same sides"
                       : "several indices go with a value that has one side");
  Value out;
  out.kind = object->kind;
  out.type = object->type.substr(0, object->type.find('['));
  out.pointees = scope.arrays;
  for (size_t i = 0; i < index.size(); ++i) {
    if (index.isUndefined(i))
      return fail("an index is undefined");
    const int64_t at = isMask ? int64_t(i) : index.wholes[i];
    if (at < 0 || at >= int64_t(object->size()))
      return fail("index " + std::to_string(at) + " is outside of a side of " +
                  std::to_string(object->size()));
    if (!isMask || index.wholes[i])
      out.append(*object, size_t(at));
  }
  out.shape = isMask ? std::vector<int64_t>{int64_t(out.size())} : index.shape;
  return out;
}

/// Returns the name that stands alone or behind modules, such as `tl.math.`; else nothing.
std::string_view identifierOf(const ast::Expr *expr) {
  const auto *name = ast::as<ast::NameExpr>(expr);
  const auto *attribute = ast::as<ast::AttributeExpr>(expr);
  return name ? name->id : attribute ? attribute->name : std::string_view();
}

std::optional<Value> Evaluator::call(const ast::CallExpr &expr) {
  const auto *attribute = ast::as<ast::AttributeExpr>(expr.callee);
  const std::string_view id = identifierOf(expr.callee);
  if (id == "expected" && !attribute)
    return expected(expr);
  if (id == "load")
    return fail("`load` does not work here: an array has its elements by their numbers, `x_ptr[3, :8]`");
  if (id == "to" && attribute && expr.arguments.size() == 1)
    return converted(attribute->object, expr.arguments[0].value);
  std::vector<Value> arguments;
  std::optional<int64_t> axis;
  for (const ast::Argument &argument : expr.arguments) {
    if (argument.kind == ast::ArgumentKind::Keyword && argument.name == "axis") {
      if (!(axis = whole(argument.value)))
        return std::nullopt;
      continue;
    }
    if (argument.kind != ast::ArgumentKind::Positional)
      return fail("functions take values without names here, but for `axis`");
    std::optional<Value> value = eval(argument.value);
    if (!value)
      return std::nullopt;
    arguments.push_back(std::move(*value));
  }
  if (id == "program_id" && arguments.size() == 1 && !scope.program)
    return fail("it is not known here which program this is");
  if (id == "program_id" && arguments.size() == 1) {
    const std::optional<int64_t> axis = whole(expr.arguments[0].value);
    if (axis && *axis >= 0 && *axis < 3)
      return Value::of(int64_t((*scope.program)[size_t(*axis)]));
    return fail("expected 0, 1 or 2 as an axis of `program_id`");
  }
  // `tl.max(x, 0)` has an axis where `max(x, 0)` has a number to compare with.
  const bool takesAxis = attribute || (id != "min" && id != "max");
  if (!axis && takesAxis && arguments.size() == 2 && isReduction(std::string(id))) {
    if (!(axis = whole(expr.arguments[1].value)))
      return std::nullopt;
    arguments.pop_back();
  }
  if (axis && arguments.size() == 1)
    return reduceAlong(std::string(id), arguments[0], *axis, error);
  return callFunction(std::string(id), arguments, error);
}

std::optional<Value> Evaluator::converted(const ast::Expr *object, const ast::Expr *type) {
  const std::optional<ScalarKind> kind = parseScalarKind(identifierOf(type));
  if (!kind)
    return fail("expected a type such as `tl.float32` behind `to`");
  const std::optional<Value> value = eval(object);
  return value ? std::optional(convertedTo(*value, *kind)) : std::nullopt;
}

std::optional<int64_t> Evaluator::whole(const ast::Expr *expr) {
  const std::optional<Value> value = eval(expr);
  if (!value)
    return std::nullopt;
  if (value->kind == Value::Real || value->size() != 1 || value->isUndefined(0))
    return fail("expected a whole number as an index");
  return value->wholes[0];
}

bool isNone(const ast::Expr *expr) {
  const auto *constant = ast::as<ast::ConstantExpr>(expr);
  return constant && constant->constant == ast::ConstantKind::None;
}

/// Returns the indices of `x[index]`.
std::vector<const ast::Expr *> partsOf(const ast::Expr *index) {
  if (const auto *tuple = ast::as<ast::TupleExpr>(index))
    return {tuple->elements.begin(), tuple->elements.end()};
  return {index};
}

bool Evaluator::ranges(llvm::ArrayRef<const ast::Expr *> parts, llvm::ArrayRef<int64_t> shape,
                       std::vector<std::array<int64_t, 3>> &out, std::vector<bool> &kept) {
  if (parts.size() > shape.size()) {
    fail("expected at most " + std::to_string(shape.size()) + " indices, found " +
         std::to_string(parts.size()));
    return false;
  }
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const auto *slice = axis < parts.size() ? ast::as<ast::SliceExpr>(parts[axis]) : nullptr;
    std::array<int64_t, 3> range{0, shape[axis], 1};
    kept.push_back(slice || axis >= parts.size());
    if (!kept.back()) {
      const std::optional<int64_t> at = whole(parts[axis]);
      if (!at)
        return false;
      const int64_t from = *at < 0 ? *at + shape[axis] : *at;
      if (from < 0 || from >= shape[axis]) {
        fail("index " + std::to_string(*at) + " is outside of a side of " + std::to_string(shape[axis]));
        return false;
      }
      range = {from, from + 1, 1};
    } else if (slice) {
      for (auto [part, bound] :
           {std::pair(slice->lower, 0), std::pair(slice->upper, 1), std::pair(slice->step, 2)})
        if (part) {
          const std::optional<int64_t> at = whole(part);
          if (!at)
            return false;
          range[size_t(bound)] =
              bound < 2 ? std::clamp(*at < 0 ? *at + shape[axis] : *at, int64_t(0), shape[axis]) : *at;
        }
      if (range[2] <= 0) {
        fail("expected a positive step, found " + std::to_string(range[2]));
        return false;
      }
    }
    out.push_back(range);
  }
  return true;
}

std::optional<std::pair<Array, uint64_t>> Evaluator::element(const ast::Expr *expr) {
  const auto *subscript = ast::as<ast::SubscriptExpr>(expr);
  const Array *array = subscript ? arrayOf(subscript->object) : nullptr;
  if (!array)
    return fail("expected an element of an array of the launch, such as `out[3, 17]`");
  std::vector<std::array<int64_t, 3>> bounds;
  std::vector<bool> kept;
  if (!ranges(partsOf(subscript->index), array->shape, bounds, kept))
    return std::nullopt;
  uint64_t index = 0;
  for (size_t axis = 0; axis < bounds.size(); ++axis) {
    if (kept[axis])
      return fail("expected one element, with an index for each of " + std::to_string(array->shape.size()) +
                  " sides");
    index = index * uint64_t(array->shape[axis]) + uint64_t(bounds[axis][0]);
  }
  return std::pair(*array, index);
}

std::optional<Value> Evaluator::subscript(const ast::SubscriptExpr &expr) {
  if (!ast::as<ast::TupleExpr>(expr.index) && !ast::as<ast::SliceExpr>(expr.index) && !isNone(expr.index)) {
    const std::optional<Value> index = eval(expr.index);
    if (!index)
      return std::nullopt;
    if (!index->shape.empty() && index->kind != Value::Real)
      return selected(expr, *index);
  }
  const Array *array = arrayOf(expr.object);
  std::optional<Value> object;
  if (!array && !(object = eval(expr.object)))
    return std::nullopt;
  const std::vector<int64_t> shape = array ? array->shape : object->shape;
  std::vector<const ast::Expr *> parts = partsOf(expr.index), indices = parts;
  llvm::erase_if(indices, isNone); // they make sides of 1
  std::vector<std::array<int64_t, 3>> bounds;
  std::vector<bool> kept;
  if (!ranges(indices, shape, bounds, kept))
    return std::nullopt;
  parts.resize(parts.size() + shape.size() - indices.size()); // those that are left out are whole
  Value out;
  out.kind = array ? (isFloatKind(array->type) ? Value::Real : Value::Whole) : object->kind;
  out.type =
      array ? std::string(scalarKindName(array->type)) : object->type.substr(0, object->type.find('['));
  out.pointees = scope.arrays;
  uint64_t count = 1;
  size_t axis = 0;
  for (const ast::Expr *part : parts) {
    if (part && isNone(part)) {
      out.shape.push_back(1);
      continue;
    }
    const auto [from, to, by] = bounds[axis];
    const int64_t side = to > from ? (to - from + by - 1) / by : 0;
    count *= uint64_t(side);
    if (kept[axis++])
      out.shape.push_back(side);
  }
  if (count > maxElements)
    return fail("a slice of more than " + std::to_string(maxElements) + " elements");
  for (uint64_t n = 0; n < count; ++n) {
    uint64_t rest = n, index = 0, stride = 1;
    for (axis = bounds.size(); axis-- > 0;) {
      const auto [from, to, by] = bounds[axis];
      const auto side = uint64_t((to - from + by - 1) / by);
      index += uint64_t(from + int64_t(rest % side) * by) * stride;
      rest /= side;
      stride *= uint64_t(shape[axis]);
    }
    if (array)
      out.add(readElement(scope.read, *array, index));
    else
      out.append(*object, index);
  }
  return out;
}

std::optional<Value> Evaluator::eval(const ast::Expr *expr) {
  struct Depth {
    explicit Depth(unsigned &depth) : depth(depth) { ++depth; }
    ~Depth() { --depth; }
    unsigned &depth;
  } guard(depth);
  if (depth > maxDepth)
    return fail("an expression that nests too deep");
  if (const auto *one = ast::as<ast::NameExpr>(expr))
    return name(*one);
  if (const auto *number = ast::as<ast::NumberExpr>(expr))
    return number->intValue ? Value::of(int64_t(*number->intValue)) : Value::of(number->floatValue);
  if (const auto *constant = ast::as<ast::ConstantExpr>(expr);
      constant &&
      (constant->constant == ast::ConstantKind::True || constant->constant == ast::ConstantKind::False))
    return Value::of(constant->constant == ast::ConstantKind::True);
  if (const auto *attribute = ast::as<ast::AttributeExpr>(expr))
    if (const auto *object = ast::as<ast::NameExpr>(attribute->object)) {
      const std::string full = std::string(object->id) + "." + std::string(attribute->name);
      if (const NamedValue *named = scope.find(full))
        if (std::optional<Value> value = valueOf(*named, scope.arrays))
          return value;
      if (scope.others)
        if (std::optional<Value> value = scope.others(full))
          return value;
      return fail("no name `" + full + "` here");
    }
  if (const auto *unary = ast::as<ast::UnaryExpr>(expr)) {
    const std::optional<Value> value = eval(unary->operand);
    if (value && unary->op == ast::UnaryOp::Not)
      return compareValues(ast::CompareOp::Eq, *value, Value::of(int64_t(0)), error);
    return value ? negate(unary->op, *value, error) : std::nullopt;
  }
  if (const auto *binary = ast::as<ast::BinaryExpr>(expr)) {
    if (std::optional<Value> distance = offsets(*binary); distance || !error.empty())
      return distance;
    const std::optional<Value> left = eval(binary->left), right = left ? eval(binary->right) : std::nullopt;
    return right ? combine(binary->op, *left, *right, error) : std::nullopt;
  }
  if (const auto *both = ast::as<ast::BoolExpr>(expr))
    return truths(*both);
  if (const auto *comparison = ast::as<ast::CompareExpr>(expr))
    return compare(*comparison);
  if (const auto *called = ast::as<ast::CallExpr>(expr))
    return call(*called);
  if (const auto *part = ast::as<ast::SubscriptExpr>(expr)) {
    // A part of a tuple has a name of its own.
    const auto *object = ast::as<ast::NameExpr>(part->object);
    const auto *number = ast::as<ast::NumberExpr>(part->index);
    if (object && number && number->intValue)
      if (const NamedValue *named =
              scope.find(std::string(object->id) + "[" + std::to_string(*number->intValue) + "]"))
        return valueOf(*named, scope.arrays);
    return subscript(*part);
  }
  return fail("expected names, numbers, operators, slices and functions");
}

} // namespace

std::optional<Expression> Expression::parse(const std::string &text, std::string &error) {
  if (text.find_first_not_of(" \t") == std::string::npos) {
    error = "expected an expression";
    return std::nullopt;
  }
  DiagnosticEngine engine;
  // Parentheses let it go over several lines.
  auto file = std::make_shared<SourceFile>("expression", "(" + text + ")\n");
  Expression made;
  made.module = parseModule(file, engine);
  for (const Diagnostic &diagnostic : engine.diagnostics())
    if (diagnostic.severity == Severity::Error) {
      const bool isAtEnd = diagnostic.column > text.size() + 1;
      error = isAtEnd ? "expected an expression, which ends too early" : diagnostic.message;
      return std::nullopt;
    }
  const auto *stmt =
      made.module->body.size() == 1 ? ast::as<ast::ExprStmt>(made.module->body.front()) : nullptr;
  if (!stmt) {
    error = "expected an expression";
    return std::nullopt;
  }
  made.expression = stmt->value;
  return made;
}

std::optional<Value> Expression::evaluate(const Scope &scope, std::string &error) const {
  Evaluator evaluator(scope);
  std::optional<Value> value = evaluator.eval(expression);
  error = evaluator.error;
  return value;
}

bool Expression::isTrue(const Scope &scope, std::string &error) const {
  const std::optional<Value> value = evaluate(scope, error);
  if (!value)
    return false;
  for (size_t i = 0; i < value->size(); ++i)
    if (value->isUndefined(i) || value->real(i) == 0)
      return false;
  return true;
}

std::optional<std::pair<Array, uint64_t>> Expression::element(const Scope &scope, std::string &error) const {
  Evaluator evaluator(scope);
  std::optional<std::pair<Array, uint64_t>> found = evaluator.element(expression);
  error = evaluator.error;
  return found;
}

std::function<bool(std::string &error)> Expression::condition(const Session &session) const {
  return [expression = *this, &session](std::string &error) {
    return expression.isTrue(session.scope(session.innermost()), error);
  };
}

std::string Expression::name() const {
  const auto *name = ast::as<ast::NameExpr>(expression);
  return name ? std::string(name->id) : std::string();
}

std::optional<std::pair<Array, uint64_t>> elementNamed(const std::string &text, const Scope &scope,
                                                       std::string &error) {
  const std::optional<Expression> parsed = Expression::parse(text, error);
  return parsed ? parsed->element(scope, error) : std::nullopt;
}

} // namespace tegula::debug
