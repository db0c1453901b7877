// Hands documents of MLIR to MLIR's own language server, which this executable is too, as a process of its
// own: an editor sees one server for both.
#pragma once

#include "tools/tegula/lsp/Connection.h"

#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <thread>

namespace tegula::cli {

class OtherServer {
public:
  explicit OtherServer(Connection &connection) : connection(connection) {}
  /// Ends the process.
  ~OtherServer();
  OtherServer(const OtherServer &) = delete;

  /// Returns true if the message, which has a method, is about a document of MLIR: it was handed on. The
  /// process is started for the first such document.
  bool take(const llvm::json::Object &message);

private:
  bool start();
  void send(const llvm::json::Value &message);
  /// Hands on what the process says.
  void relay(std::FILE *from);

  Connection &connection;
  std::optional<llvm::json::Value> initialize; ///< the parameters of the editor's `initialize`
  std::set<std::string> documents;             ///< URIs that the process has open
  pid_t process = 0;
  int toProcess = -1;
  std::thread reader;
};

} // namespace tegula::cli
