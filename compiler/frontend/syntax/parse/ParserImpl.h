// The parser behind `parseModule`: recursive descent over a token list, split by subject into the
// ParserXyz.cpp files.
//
// A syntax error makes the parser panic: it is reported once, and the cursor moves to the end of the
// file, where every rule that is still active finds nothing and returns at once. No rule needs to check
// for failure. The loop over the statements of a block then puts the cursor behind the broken statement
// (`recover`), so that several errors are found in one run. Mistakes that do not confuse the grammar
// (a repeated parameter, a wrong assignment target) are reported without panic.
#pragma once

#include "compiler/frontend/syntax/ast/AstArena.h"
#include "compiler/frontend/syntax/parse/Parser.h"
#include "compiler/frontend/syntax/parse/ParserLiteral.h"
#include "compiler/frontend/syntax/parse/Token.h"

#include <algorithm>
#include <concepts>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tegula::syntax {

using namespace tegula::ast;

class Parser {
public:
  Parser(Module &module, const std::vector<Token> &tokens, DiagnosticEngine &diagnostics)
      : module(module), source(*module.source), arena(*module.arena), sink(&diagnostics),
        cursor(tokens.data()), endOfFile(&tokens.back()) {}
  void run();

private:
  using Statements = std::vector<const Stmt *>;
  /// Use of a target: decides which expressions it may be.
  enum class TargetUse : uint8_t { Assign, Loop, With, Delete };

  // Parser.cpp: the cursor, errors, blocks.
  TokenKind kind() const { return cursor->kind; }
  TokenKind ahead() const { return cursor->kind == TokenKind::EndOfFile ? cursor->kind : cursor[1].kind; }
  SourceRange here() const { return cursor->range; }
  std::string_view spelled() const { return source.slice(cursor->range); }
  bool at(TokenKind wanted) const { return cursor->kind == wanted; }
  bool atWord(std::string_view word) const { return at(TokenKind::Name) && spelled() == word; }
  void take() {
    if (cursor->kind > TokenKind::Error)
      lastEnd = cursor->range.end;
    if (cursor->kind != TokenKind::EndOfFile)
      ++cursor;
  }
  bool accept(TokenKind wanted) {
    if (cursor->kind != wanted)
      return false;
    take();
    return true;
  }
  void expect(TokenKind wanted);
  /// A name; empty on failure. `what` says which: "a function name".
  std::string_view expectName(std::string_view what, SourceRange *range = nullptr);
  /// The text from here to the end of the logical line.
  SourceRange restOfLine() const;
  SourceRange since(uint32_t begin) const { return {begin, lastEnd > begin ? lastEnd : begin}; }
  /// "`foo`", "keyword `in`", "end of line": the token at the cursor.
  std::string found() const;
  /// Panics with "expected WHAT, found ...".
  Diagnostic &unexpected(std::string_view expected);
  /// Reports without panic; nothing while panicking.
  Diagnostic &report(SourceRange range, std::string message);
  void panic();
  void recover();
  void skipBlock();
  void skipLine();
  void parseStatements(Statements &out);
  void makeJit(const Stmt *&statement);
  void foldAssignedDecorators(Statements &statements);
  bool decorate(const Stmt *&statement, const Expr *decorator, size_t most);
  /// Returns whether `decorator` makes a kernel: its last name ends in `jit`, and it is of no other language.
  bool makesKernel(const Expr *decorator) const;
  /// Notes the names of an import that are of another language's compiler.
  void noteImport(std::string_view module, std::span<const ImportAlias> names, bool isFrom);
  void parseStatement(Statements &out);
  Block parseBlock(std::string_view keyword, SourceRange keywordRange);

  // ParserSimple.cpp
  void parseSimpleLine(Statements &out);
  const Stmt *parseSimple();
  const Stmt *parseKeywordStatement();
  const Stmt *parseExpressionStatement();
  const Stmt *parseAnnotated(const Expr *target, uint32_t begin);
  const Stmt *parseImport();
  const Stmt *parseImportFrom();
  const Stmt *parseNames();
  const Stmt *parseTypeAlias();
  std::string_view parseDottedName();
  ImportAlias parseAlias(bool dotted);

  // ParserCompound.cpp
  const Stmt *parseCompound();
  const Stmt *parseIf();
  const Stmt *parseFor(uint32_t begin, bool isAsync);
  const Stmt *parseWhile();
  const Stmt *parseTry();
  ExceptHandler parseHandler(bool &star, bool first);
  const Stmt *parseWith(uint32_t begin, bool isAsync);
  bool withItemsInParentheses() const;
  WithItem parseWithItem();
  const Stmt *parseAsync();
  Block parseElse();

  // ParserDefinition.cpp
  const Stmt *parseDecorated();
  const Stmt *parseFunction(uint32_t begin, ExprList decorators, bool isAsync);
  void parseFunctionRest(FunctionStmt &function);
  const Stmt *parseClass(uint32_t begin, ExprList decorators);
  TypeParameters parseTypeParameters();
  Parameters parseParameters(TokenKind close);
  void parsePositionalMark(std::vector<Parameter> &parameters, bool misplaced);
  void parseParameter(Parameter &parameter, bool annotated);
  void checkRepeatedParameters(const std::vector<Parameter> &parameters);
  using NamePlace = std::pair<std::string_view, SourceRange>;
  void reportRepeated(std::vector<NamePlace> names, std::string_view message, const char *note);
  void checkParameter(const std::vector<Parameter> &before, const Parameter &parameter);

  // ParserMatch.cpp
  bool atMatch() const;
  const Stmt *parseMatch();
  const Pattern *parsePatterns();
  const Pattern *parsePattern();
  const Pattern *parseClosedPattern();
  const Pattern *parseLiteralPattern();
  const Pattern *parseNamedPattern();
  const Pattern *parseClassPattern(const Expr *name, uint32_t begin);
  const Pattern *parseMappingPattern();
  const Pattern *parseSequencePattern();
  const Pattern *parseStarPattern();
  const Expr *parseSignedNumber();

  // ParserTarget.cpp
  const Expr *parseTargetList(TargetUse use);
  void checkTarget(const Expr *target, TargetUse use);
  void checkSingleTarget(const Expr *target, std::string_view action);

  // ParserExpr.cpp
  bool startsExpression() const;
  const Expr *parseYieldOrExpressions();
  const Expr *parseTuple(const Expr *(Parser::*element)());
  const Expr *parseExpressions() { return parseTuple(&Parser::parseExpression); }
  const Expr *parseValue();
  const Expr *parseReturned();
  const Expr *parseStarOr(const Expr *(Parser::*element)());
  const Expr *parseNamed();
  const Expr *parseExpression();
  const Expr *parseLambda();
  const Expr *parseDisjunction();
  const Expr *parseConjunction();
  const Expr *parseBool(BoolOp op, TokenKind token, const Expr *(Parser::*operand)());
  const Expr *parseInversion();
  const Expr *parseComparison();
  bool parseCompareOp(CompareOp &op);
  const Expr *parseBitOr() { return parseBinary(1); }
  const Expr *parseBinary(int minPrecedence);
  const Expr *parseUnary();
  const Expr *parsePower();
  const Expr *parsePrimary();
  Argument parseArgument();
  std::span<const Argument> parseArguments();
  void checkRepeatedKeywords(const std::vector<Argument> &arguments);
  const Expr *parseSubscript(const Expr *object);
  const Expr *parseSlice();

  // ParserAtom.cpp
  const Expr *parseAtom();
  const Expr *parseParentheses();
  const Expr *parseListDisplay();
  const Expr *parseBraces();
  const Expr *parseDictRest(std::vector<DictItem> items, uint32_t begin);
  const Expr *parseComprehension(ComprehensionKind kind, const Expr *element, const Expr *value,
                                 uint32_t begin, TokenKind close);
  std::vector<ComprehensionClause> parseClauses();
  const Expr *parseYield();
  const Expr *parseNumber();

  // ParserString.cpp
  const Expr *parseStrings();
  struct TextBuilder;
  void parseString(TextBuilder &builder);
  void parseFString(TextBuilder &builder);
  void parseFStringParts(TextBuilder &builder, TextForm form, TokenKind close, const char *closeName);
  FStringPart parseField(TextForm form);
  void appendText(std::string &out, SourceRange body, TextForm form);
  const Expr *finishStrings(TextBuilder &builder, uint32_t begin);

  /// Makes a node of its parts, from `begin` to here; an expression is one higher than the highest of them.
  template <typename T, typename... Parts> const T *make(uint32_t begin, Parts... parts) {
    if constexpr (std::is_base_of_v<Stmt, T>)
      return arena.make(T{{{T::classKind, since(begin)}}, parts...});
    else
      return arena.make(T{{header(T::classKind, since(begin), std::max({heightOf(parts)...}))}, parts...});
  }
  Expr header(ExprKind kind, SourceRange range, uint32_t highest);
  const Expr *errorExpr() { return arena.make(Expr{ExprKind::Error, 1, here()}); }

  template <std::derived_from<Expr> T> static uint32_t heightOf(const T *expr) {
    return expr ? expr->height : 0;
  }
  static uint32_t heightOf(const DictItem &item) {
    return std::max(heightOf(item.key), heightOf(item.value));
  }
  static uint32_t heightOf(const CompareItem &item) { return heightOf(item.operand); }
  static uint32_t heightOf(const Argument &argument) { return heightOf(argument.value); }
  static uint32_t heightOf(const Parameter &parameter) { return heightOf(parameter.defaultValue); }
  static uint32_t heightOf(const ComprehensionClause &clause) {
    return std::max({heightOf(clause.target), heightOf(clause.iterable), heightOf(clause.conditions)});
  }
  static uint32_t heightOf(const FStringPart &part) {
    return std::max(heightOf(part.value), heightOf(part.format));
  }
  template <typename Part> static uint32_t heightOf(std::span<const Part> list) {
    uint32_t highest = 0;
    for (const Part &part : list)
      highest = std::max(highest, heightOf(part));
    return highest;
  }
  /// Names, operators and other parts that are no expressions.
  static uint32_t heightOf(const auto &) { return 0; }

  /// Counts recursion while it lives; panics past the limit.
  class Nesting {
  public:
    explicit Nesting(Parser &parser) : parser(parser) {
      if (++parser.nesting > maxNesting + 1) // a statement's own expression is no nesting
        parser.tooDeep(maxNesting);
    }
    ~Nesting() { --parser.nesting; }
    Nesting(const Nesting &) = delete;
    Nesting &operator=(const Nesting &) = delete;

  private:
    Parser &parser;
  };
  void tooDeep(uint32_t limit);

  Module &module;
  const SourceFile &source;
  Arena &arena;
  DiagnosticEngine *sink; ///< of the whole file, or of the function whose errors are deferred
  const Token *cursor;
  const Token *const endOfFile;
  const Token *panickedAt = nullptr;
  Diagnostic dropped;   ///< receives reports that are not shown
  uint32_t lastEnd = 0; ///< end of the last token taken that is text
  uint32_t nesting = 0;
  uint32_t blockDepth = 0;
  bool panicking = false;
  bool deferring = false;  ///< within a function without a jit decorator
  std::set<std::string_view> ofOthers; ///< names that imports bind to compilers of other languages
  bool inFunction = false; ///< `return` and `yield` make sense
  bool inLoop = false;     ///< `break` and `continue` make sense
};

} // namespace tegula::syntax
