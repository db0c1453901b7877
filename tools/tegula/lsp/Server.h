// A language server for files of kernels, on standard input and output.
#pragma once

#include "tools/tegula/lsp/Background.h"
#include "tools/tegula/lsp/Connection.h"
#include "tools/tegula/lsp/Worker.h"
#include "tools/tegula/lsp/commands/Pages.h"

#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace tegula::cli {

class Server {
public:
  /// `readCommand` reads the commands of docstrings. `other` is told of messages about documents that are not
  /// of Python and returns true if it takes them; it may be absent.
  using TakeMessage = std::function<bool(const llvm::json::Object &message)>;
  Server(Connection &connection, ReadCommand readCommand, TakeMessage other);
  ~Server() { background.end(); }

  /// Serves until the editor says `exit` or goes away; returns the status of the process.
  int run();

private:
  using Params = llvm::json::Object;
  /// The answer to a request about a document, from its analysis and the request's parameters.
  using Answer = llvm::json::Value (*)(const Analysis &analysis, const Params &params);

  void dispatch(const llvm::json::Object &message);
  void request(llvm::StringRef method, const Params &params, const llvm::json::Value &id);
  void notification(llvm::StringRef method, const Params &params);
  void initialize(const Params &params, const llvm::json::Value &id);
  void open(const Params &params);
  void change(const Params &params);
  void close(const Params &params);
  void ask(Answer answer, const Params &params, const llvm::json::Value &id);
  void rename(const Params &params, const llvm::json::Value &id);
  void execute(const Params &params, const llvm::json::Value &id);
  void explain(const Analysis &analysis, const KernelCheck &check, const llvm::json::Value &id);
  void debug(const Analysis &analysis, const KernelCheck &check, const llvm::json::Value &id);
  /// Shows the page of a kernel to the user.
  void show(const std::string &page, const std::string &kernel);
  /// Shows `text` to the user.
  void say(const std::string &text);
  /// Shows what the background has found out about a document.
  void showReports(const std::string &uri);

  Connection &connection;
  const TakeMessage other;
  const ReadCommand readCommand;
  std::set<std::string> documents; ///< URIs of those that are open here
  Background background;           // outlives the worker, which hands analyses on; ended before it
  std::shared_ptr<RecordedLaunches> recorded;
  Pages pages; // outlives the worker, which orders pages
  Worker worker;
  std::atomic<bool> refreshesLenses = false; ///< the editor asks for lenses again when it is told to
  std::atomic<bool> showsDocuments = false;  ///< the editor opens what it is told to
  std::atomic<bool> debugs = false;          ///< the editor launches what a command says
  std::atomic<unsigned> asked = 0;           ///< requests of ours
  bool isInitialized = false, isShutDown = false, isOver = false;
};

} // namespace tegula::cli
