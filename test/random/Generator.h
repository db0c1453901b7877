// Generates random kernels: statement by statement, each from values that are there already.
#pragma once

#include "test/random/Writer.h"

#include <optional>

namespace tegula::random {

using Shape = std::vector<int>;

/// An expression of the kernel, mostly a name. A float is a multiple of 2^grain of at most `bound`.
struct Value {
  std::string text;
  ScalarKind type = ScalarKind::Int32;
  Shape shape; ///< empty for a scalar
  int grain = 0;
  double bound = 0; ///< where numbers are normally distributed, their standard deviation
  double error = 0; ///< by how much two runs may differ
};

/// The types and the arguments of a dot.
struct DotType {
  ScalarKind operand, sum;
  std::string arguments; ///< those that say so, each with a comma before it
  int leastK;            ///< of what the language takes
  bool hasUnit;          ///< a matrix unit takes it; otherwise each thread multiplies on its own
  double unit;           ///< rounding error of a product or sum, relative
};

/// A matrix in memory, or several: an argument and its sides and strides as arguments of their own.
struct Matrix {
  std::string name;
  int rows, columns;
  Value element;                                    ///< an element's type, grain and bound
  std::string rowLimit, columnLimit;                ///< the sides' names
  std::string rowStride, columnStride, batchStride; ///< names; empty for 1
  int front = 0;                                    ///< rows in front of the pointer
};

/// The sides of a dot's operands and result.
struct DotSides {
  int batches, m, n, k;
  Shape a() const { return shape(m, k); }
  Shape b() const { return shape(k, n); }
  Shape result() const { return shape(m, n); }
  Shape shape(int rows, int columns) const {
    return batches ? Shape{batches, rows, columns} : Shape{rows, columns};
  }
};

int64_t countOf(const Shape &shape);
/// "tl.int32"
std::string nameOf(ScalarKind type);
/// "(4, 8)", "(4,)"
std::string textOf(const Shape &shape);
/// Returns true if the floats of `value` are all exact in `type`.
bool fits(const Value &value, ScalarKind type);

class Generator : Writer {
public:
  Generator(uint64_t seed, const Features &features);
  RandomKernel make();
  RandomKernel makeDots();
  RandomKernel makeTiles();

private:
  // GeneratorValues.cpp: any of those there are.
  ScalarKind anyType();
  ScalarKind integerType();
  Shape anyShape();

  // Where operands come from. They may add names to `live`, so that a reference into it
  // does not outlive a call: hence the copies.
  Value define(Value value);
  Value constant(ScalarKind type);
  Value scalar(ScalarKind type);
  Value get(ScalarKind type, Shape shape);
  Value convert(const Value &value, ScalarKind type);
  Value reshape(Value value, Shape shape);
  Value toScalar(Value value);
  Value spread(Value value, Shape shape);
  Value condition(Shape shape);
  std::string simplerText(const std::string &name, const Value &value) const;
  std::string iota(const Shape &shape, const std::string &stride, bool transposed);
  Value load(ScalarKind type, Shape shape);
  size_t inputOf(ScalarKind type);
  void addLength(size_t input);

  // GeneratorOps.cpp: what is computed of them.
  void compute();
  void integers();
  void floats();
  void selection();
  void shapes();
  void reduction();
  void customReduction(const Value &from, int axis, const Shape &shape);
  void callHelper();

  // GeneratorAlong.cpp: what is computed along an axis, and blocks of arrays.
  std::optional<Value> anyTensor();
  /// Two tensors of one type and shape.
  std::optional<std::pair<Value, Value>> twoAlike();
  void scan();
  void rearrange();
  Value loadBlock(ScalarKind type, const Shape &shape);
  void walkBlocks();
  void storeBlock(const Value &value);

  // GeneratorDescriptors.cpp: tensor descriptors beyond loads of blocks.
  void useDescriptor();
  std::string describe(const std::string &array, const Shape &shape, const Shape &block, int64_t blocks);
  std::optional<Value> wideTensor();
  void storeByDescriptor();
  void gatherRows();
  void scatterRows();
  void updateByDescriptor();

  // GeneratorMaps.cpp: functions of scalars for each element; values of a class.
  void mapElements();
  void turnBox();

  // GeneratorRare.cpp: what few kernels use.
  void computeRare();
  void randomBits();
  void bitsOfIntegers();
  void extremeAndIndex();
  void turnTuple();
  void callWithTuple();
  void arrangeRarely();
  void logic();
  void listOfParts();

  // GeneratorFlow.cpp: in which order, and where it ends up.
  void statement(int depth);
  void block(std::vector<Node> &into, int statements, int depth);
  void update();
  void branch(int depth);
  void forLoop(int depth);
  void whileLoop(int depth);
  void walk();
  void walkPointer();
  void earlyReturn();
  void store(Value value, double ulps = 0);
  void storeApproximate();
  void atomic();
  std::string memoryOrder();
  void compareAndSwap();
  void exchangeThroughMemory();
  std::string output(ScalarKind type, int64_t count, bool isCompared = true, double ulps = 0,
                     double error = 0);

  // GeneratorDots.cpp: products of matrices, and what they are of.
  bool isNormal() const { return features.kind == Kind::NormalDots; }
  const DotType &dotType();
  DotSides dotSides(const DotType &type, bool hasBatches);
  Value narrow(const Value &value, ScalarKind type);
  Value prepared(const Value &loaded, ScalarKind type);
  Value dotOperand(const DotType &type, const Shape &shape);
  Value product(const DotType &type, const DotSides &sides, Value a, Value b, const std::string &sum = {});
  bool addSum(const DotType &type, Value &product, const Value &sum) const;
  void chainOfDots();
  Value scaledOperand(const DotType &type, const std::string &format, int along, int k, bool isLeft,
                      std::string &arguments);
  void scaledProduct();
  void storeSum(const Value &value);

  // GeneratorMatrices.cpp: matrices in memory, and loops over them.
  Matrix matrix(const DotType &type, ScalarKind element, int batches, int rows, int columns);
  Matrix filled(const DotType &type, ScalarKind element, int batches, int rows, int columns, bool byColumns,
                int across, uint32_t skip);
  std::string number(const std::string &name, int value);
  Value loadTile(const Matrix &from, const Shape &shape);
  std::string pointers(const Matrix &from, const std::string &rows, const std::string &columns,
                       bool transposed);
  void matmul();
  Value loopOverK(const DotType &type, const DotSides &sides, const Matrix &a, const Matrix &b,
                  const std::string &rows, const std::string &columns, bool wraps);
  Value loadStep(std::vector<Node> &body, const std::string &from, const Shape &shape, const Matrix &matrix,
                 bool transposed, const std::string &mask);
  std::string loopHead(const std::string &variable, const std::string &limit, int step, bool countsSteps);
  void attention();

  // GeneratorTiles.cpp: products of large tiles, a program for each or several in one.
  DotSides tileSides(const DotType &type);
  Matrix alignedMatrix(const DotType &type, int batches, int rows, int columns, bool byColumns,
                       int front = 0);
  void loadByAlias(const std::string &array, const Value &stored, const std::string &places,
                   const std::string &mask, int64_t count);
  std::string movedToFront(const Matrix &matrix, const std::string &index);
  void tileProduct();
  void tile(const DotType &type, const DotSides &sides, const Matrix &a, const Matrix &b,
            const std::string &row, const std::string &column, const std::string &batch);
  std::string existing(const std::string &index, const std::string &limit, int length, int side, int way);
  void storeTile(const Value &sum, const std::string &rows, const std::string &columns, const Matrix &a,
                 const Matrix &b, const std::string &batch);

  Features features;
  std::vector<Value> live;    ///< names with a value here
  std::vector<size_t> inputs; ///< arguments that are arrays to be read
  int64_t programs = 1;
  int loopDepth = 0;
  int mostStages = 5; ///< for which loops have shared memory
};

} // namespace tegula::random
