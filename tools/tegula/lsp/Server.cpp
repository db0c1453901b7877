#include "tools/tegula/lsp/Server.h"

#include "runtime/host/Environment.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "tools/tegula/lsp/LineMap.h"
#include "tools/tegula/lsp/Messages.h"
#include "tools/tegula/lsp/Names.h"
#include "tools/tegula/lsp/Show.h"
#include "tools/tegula/lsp/Typing.h"
#include "tools/tegula/lsp/commands/KernelCommands.h"

#include <fmt/format.h>

#include <array>

namespace tegula::cli {

namespace json = llvm::json;
using llvm::lsp::ErrorCode;

static CheckOptions checkOptions(ReadCommand readCommand, std::shared_ptr<RecordedLaunches> recorded) {
  CheckOptions options;
  options.target = jit::defaultTarget();
  options.stage = Stage::Tile;
  // While one types there is no time for all of them.
  constexpr unsigned attempts = 10;
  options.attempts = attempts;
  options.readCommand = std::move(readCommand);
  options.recorded = std::move(recorded);
  return options;
}

Server::Server(Connection &connection, ReadCommand readCommand, TakeMessage other)
    : connection(connection), other(std::move(other)), readCommand(readCommand),
      background([this](const std::string &uri) { showReports(uri); }),
      recorded(std::make_shared<RecordedLaunches>(runtime::environment("TEGULA_RECORD"))),
      worker(checkOptions(std::move(readCommand), recorded),
             [this](const std::shared_ptr<const Analysis> &analysis) {
               this->connection.notify("textDocument/publishDiagnostics", publishedDiagnostics(*analysis));
               if (!analysis->check.kernels.empty())
                 background.take(analysis);
             }) {}

void Server::showReports(const std::string &uri) {
  // Through the worker: what is said of a version comes before what is said of the next.
  worker.ask({}, uri, [this](const Analysis *analysis, bool) {
    const std::shared_ptr<const Reports> reports = analysis ? analysis->reports() : nullptr;
    if (!reports || reports->text != analysis->document.text)
      return;
    connection.notify("textDocument/publishDiagnostics", publishedDiagnostics(*analysis));
    if (refreshesLenses)
      connection.call("workspace/codeLens/refresh", nullptr, fmt::format("tegula-{}", ++asked));
  });
}

int Server::run() {
  while (!isOver) {
    std::optional<json::Value> message = connection.read();
    if (!message)
      return 1; // the editor is gone without a word
    if (const json::Object *object = message->getAsObject())
      dispatch(*object);
  }
  return isShutDown ? 0 : 1;
}

void Server::dispatch(const json::Object &message) {
  const std::optional<llvm::StringRef> method = message.getString("method");
  if (!method)
    return; // an answer to nothing that was asked
  if (other && other(message))
    return;
  static const json::Object none;
  const json::Object *params = message.getObject("params");
  const json::Value *id = message.get("id");
  if (id)
    request(*method, params ? *params : none, *id);
  else
    notification(*method, params ? *params : none);
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

static std::optional<uint32_t> offsetIn(const Analysis &analysis, const json::Object &params) {
  const std::optional<EditorPosition> position = positionFrom(params.get("position"));
  if (!position)
    return std::nullopt;
  return offsetAt(analysis.file(), *position);
}

static EditorRange rangeIn(const json::Object &params) {
  const json::Object *range = params.getObject("range");
  const std::optional<EditorPosition> begin = positionFrom(range ? range->get("start") : nullptr);
  const std::optional<EditorPosition> end = positionFrom(range ? range->get("end") : nullptr);
  if (!begin || !end)
    return {{}, {uint32_t(INT32_MAX), 0}};
  return {*begin, *end};
}

static std::optional<NameAt> nameIn(const Analysis &analysis, const json::Object &params) {
  const std::optional<uint32_t> offset = offsetIn(analysis, params);
  return offset && !analysis.source->hasErrors ? nameAt(*analysis.source, *offset) : std::nullopt;
}

static json::Value locationOf(const std::string &uri, const SourceFile &file, SourceRange range) {
  return json::Object{{"uri", uri}, {"range", toJson(rangeOf(file, range))}};
}

/// A text that does not parse for a moment says what its last version said, in lines that are as they were.
static json::Value hoverOfFormer(const Analysis &analysis, const json::Object &params) {
  const std::optional<EditorPosition> position = positionFrom(params.get("position"));
  if (!position || !analysis.lastGood)
    return nullptr;
  const SourceFile &former = analysis.lastGood->file();
  const std::optional<uint32_t> line = LineMap(analysis.file().text(), former.text()).find(position->line);
  if (!line)
    return nullptr;
  json::Value found = hoverAt(*analysis.lastGood, offsetAt(former, {*line, position->character}));
  if (json::Object *hover = found.getAsObject())
    for (const char *end : {"start", "end"})
      (*hover->getObject("range")->getObject(end))["line"] = position->line;
  return found;
}

static json::Value hover(const Analysis &analysis, const json::Object &params) {
  if (analysis.source->hasErrors)
    return hoverOfFormer(analysis, params);
  const std::optional<uint32_t> offset = offsetIn(analysis, params);
  return offset ? hoverAt(analysis, *offset) : json::Value(nullptr);
}

static json::Value definition(const Analysis &analysis, const json::Object &params) {
  const std::optional<NameAt> name = nameIn(analysis, params);
  if (!name)
    return nullptr;
  if (name->isLocal)
    if (const std::optional<LocalName> local = localName(*name->function, name->name))
      return locationOf(analysis.document.uri, analysis.file(), local->places.front());
  const std::optional<FilePlace> place = definitionOf(*analysis.source, *name);
  if (!place)
    return nullptr;
  const bool isHere = place->file == &analysis.file();
  return locationOf(isHere ? analysis.document.uri : uriOfPath(place->file->path()), *place->file,
                    place->range);
}

/// The variable at a position.
static std::optional<LocalName> localIn(const Analysis &analysis, const json::Object &params) {
  const std::optional<NameAt> name = nameIn(analysis, params);
  return name && name->isLocal ? localName(*name->function, name->name) : std::nullopt;
}

static json::Value references(const Analysis &analysis, const json::Object &params) {
  json::Array list;
  if (const std::optional<LocalName> local = localIn(analysis, params))
    for (SourceRange place : local->places)
      list.push_back(locationOf(analysis.document.uri, analysis.file(), place));
  return list;
}

static json::Value highlights(const Analysis &analysis, const json::Object &params) {
  json::Array list;
  if (const std::optional<LocalName> local = localIn(analysis, params))
    for (SourceRange place : local->places)
      list.push_back(json::Object{{"range", toJson(rangeOf(analysis.file(), place))}});
  return list;
}

static json::Value completion(const Analysis &analysis, const json::Object &params) {
  const std::optional<uint32_t> offset = offsetIn(analysis, params);
  return json::Object{{"isIncomplete", false},
                      {"items", offset ? completionsAt(analysis, *offset) : json::Array()}};
}

static json::Value signatureHelp(const Analysis &analysis, const json::Object &params) {
  const std::optional<uint32_t> offset = offsetIn(analysis, params);
  return offset ? signatureAt(analysis, *offset) : json::Value(nullptr);
}

static json::Value inlayHints(const Analysis &analysis, const json::Object &params) {
  return hintsIn(analysis, rangeIn(params));
}

static json::Value codeLenses(const Analysis &analysis, const json::Object &) { return lensesOf(analysis); }

static json::Value codeActions(const Analysis &analysis, const json::Object &params) {
  return actionsIn(analysis, rangeIn(params));
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static json::Value capabilities() {
  return json::Object{
      {"positionEncoding", "utf-16"},
      {"textDocumentSync", json::Object{{"openClose", true}, {"change", 1}, {"save", true}}}, // whole texts
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"renameProvider", true},
      {"inlayHintProvider", true},
      {"codeActionProvider", json::Object{{"codeActionKinds", json::Array{"quickfix"}}}},
      {"codeLensProvider", json::Object{{"resolveProvider", false}}},
      {"executeCommandProvider",
       json::Object{{"commands", json::Array{explainLensCommand, debugLensCommand}}}},
      {"completionProvider",
       json::Object{{"triggerCharacters", json::Array{"."}}, {"resolveProvider", false}}},
      {"signatureHelpProvider", json::Object{{"triggerCharacters", json::Array{"(", ","}}}}};
}

/// Returns true if the editor has the capability `what` of `part` of `area`.
static bool isCapable(const json::Object &params, const char *area, const char *part, const char *what) {
  const json::Object *found = params.getObject("capabilities");
  for (const char *name : {area, part})
    found = found ? found->getObject(name) : nullptr;
  return found && found->getBoolean(what).value_or(false);
}

void Server::initialize(const Params &params, const json::Value &id) {
  isInitialized = true;
  const json::Object *given = params.getObject("initializationOptions");
  if (const std::optional<llvm::StringRef> record = given ? given->getString("record") : std::nullopt)
    recorded->use(record->str());
  debugs = given && given->getBoolean("debugger").value_or(false);
  refreshesLenses = isCapable(params, "workspace", "codeLens", "refreshSupport");
  showsDocuments = isCapable(params, "window", "showDocument", "support");
  connection.reply(
      id, json::Object{{"capabilities", capabilities()}, {"serverInfo", json::Object{{"name", "tegula"}}}});
}

void Server::request(llvm::StringRef method, const Params &params, const json::Value &id) {
  constexpr std::array<std::pair<std::string_view, Answer>, 9> answers = {
      {{"textDocument/hover", hover},
       {"textDocument/definition", definition},
       {"textDocument/references", references},
       {"textDocument/documentHighlight", highlights},
       {"textDocument/completion", completion},
       {"textDocument/signatureHelp", signatureHelp},
       {"textDocument/inlayHint", inlayHints},
       {"textDocument/codeLens", codeLenses},
       {"textDocument/codeAction", codeActions}}};
  if (method == "initialize")
    return initialize(params, id);
  if (!isInitialized)
    return connection.fail(id, ErrorCode::ServerNotInitialized, "expected `initialize` first");
  if (method == "shutdown") {
    isShutDown = true;
    return connection.reply(id, nullptr);
  }
  if (method == "textDocument/rename")
    return rename(params, id);
  if (method == "workspace/executeCommand")
    return execute(params, id);
  for (const auto &[name, answer] : answers)
    if (method == llvm::StringRef(name))
      return ask(answer, params, id);
  connection.fail(id, ErrorCode::MethodNotFound, ("no method `" + method + "`").str());
}

static std::string uriIn(const json::Object &params) {
  const json::Object *document = params.getObject("textDocument");
  const std::optional<llvm::StringRef> uri = document ? document->getString("uri") : std::nullopt;
  return uri ? uri->str() : std::string();
}

/// The text by which an id is known.
static std::string idText(const json::Value &id) { return llvm::formatv("{0}", id).str(); }

void Server::ask(Answer answer, const Params &params, const json::Value &id) {
  worker.ask(idText(id), uriIn(params),
             [this, answer, params, id](const Analysis *analysis, bool isCancelled) {
               if (isCancelled)
                 connection.fail(id, ErrorCode::RequestCancelled, "cancelled");
               else
                 connection.reply(id, analysis ? answer(*analysis, params) : json::Value(nullptr));
             });
}

void Server::rename(const Params &params, const json::Value &id) {
  worker.ask(idText(id), uriIn(params), [this, params, id](const Analysis *analysis, bool isCancelled) {
    if (isCancelled)
      return connection.fail(id, ErrorCode::RequestCancelled, "cancelled");
    const std::optional<NameAt> name = analysis ? nameIn(*analysis, params) : std::nullopt;
    const std::optional<LocalName> local =
        name && name->isLocal ? localName(*name->function, name->name) : std::nullopt;
    const std::optional<llvm::StringRef> newName = params.getString("newName");
    if (!local || !newName)
      return connection.fail(id, ErrorCode::RequestFailed, "expected a variable of a kernel to rename");
    if (const std::string why = whyNotRename(*name->function, *local, newName->str()); !why.empty())
      return connection.fail(id, ErrorCode::RequestFailed, why);
    json::Array edits;
    for (SourceRange place : local->places)
      edits.push_back(
          json::Object{{"range", toJson(rangeOf(analysis->file(), place))}, {"newText", *newName}});
    connection.reply(id, json::Object{{"changes", json::Object{{analysis->document.uri, std::move(edits)}}}});
  });
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

void Server::execute(const Params &params, const json::Value &id) {
  const std::string command = params.getString("command").value_or("").str();
  const bool isExplain = command == explainLensCommand;
  if (!isExplain && command != debugLensCommand)
    return connection.fail(id, ErrorCode::InvalidParams, fmt::format("no command `{}`", command));
  const std::optional<KernelAddress> address = kernelAddress(params);
  if (!address)
    return connection.fail(id, ErrorCode::InvalidParams,
                           "expected an argument with the `uri` of a document and the name of a `kernel`");
  worker.ask(idText(id), address->uri, [=, this](const Analysis *analysis, bool isCancelled) {
    if (isCancelled)
      return connection.fail(id, ErrorCode::RequestCancelled, "cancelled");
    if (analysis)
      for (const KernelCheck &check : analysis->check.kernels)
        if (check.kernel.name == address->kernel)
          return isExplain ? explain(*analysis, check, id) : debug(*analysis, check, id);
    connection.fail(id, ErrorCode::RequestFailed,
                    fmt::format("no kernel `{}` in `{}`: the file is not open, or its text has an error",
                                address->kernel, address->uri));
  });
}

void Server::explain(const Analysis &analysis, const KernelCheck &check, const json::Value &id) {
  PageOrder order = explainOrder(analysis, check.kernel.name, recorded->file());
  order.made = [this, id, kernel = check.kernel.name](const runtime::Result<std::string> &page) {
    if (!page)
      return connection.fail(id, ErrorCode::RequestFailed, json::fixUTF8(page.error().text));
    connection.reply(id, json::Object{{"page", *page}});
    show(*page, kernel);
  };
  pages.order(std::move(order));
}

void Server::debug(const Analysis &analysis, const KernelCheck &check, const json::Value &id) {
  runtime::Result<json::Object> configuration = debugConfiguration(analysis, check, readCommand);
  if (!configuration)
    return connection.fail(id, ErrorCode::RequestFailed, json::fixUTF8(configuration.error().text));
  if (!debugs)
    say(debugLine(*configuration));
  connection.reply(id, std::move(*configuration));
}

void Server::show(const std::string &page, const std::string &kernel) {
  if (showsDocuments)
    connection.call("window/showDocument", json::Object{{"uri", uriOfPath(page)}, {"external", true}},
                    fmt::format("tegula-{}", ++asked));
  else
    say(fmt::format("`{}` is explained in {}", kernel, page));
}

void Server::say(const std::string &text) {
  constexpr int info = 3;
  connection.notify("window/showMessage", json::Object{{"type", info}, {"message", json::fixUTF8(text)}});
}

//===----------------------------------------------------------------------===//
// Notifications
//===----------------------------------------------------------------------===//

void Server::notification(llvm::StringRef method, const Params &params) {
  if (method == "exit")
    isOver = true;
  else if (method == "textDocument/didOpen")
    open(params);
  else if (method == "textDocument/didChange")
    change(params);
  else if (method == "textDocument/didClose")
    close(params);
  else if (method == "$/cancelRequest")
    if (const json::Value *id = params.get("id"))
      worker.cancel(idText(*id));
}

/// A document longer than a source may be is not analysed: its parse says so.
static OpenDocument documentFrom(const std::string &uri, llvm::StringRef text, int64_t version) {
  return {uri, pathOfUri(uri), std::make_shared<const std::string>(text.str()), version};
}

static bool isPython(const json::Object &document, llvm::StringRef uri) {
  const std::optional<llvm::StringRef> language = document.getString("languageId");
  return (language && *language == "python") || uri.ends_with(".py");
}

void Server::open(const Params &params) {
  const json::Object *document = params.getObject("textDocument");
  const std::optional<llvm::StringRef> text = document ? document->getString("text") : std::nullopt;
  const std::string uri = uriIn(params);
  if (!text || uri.empty() || !isPython(*document, uri))
    return;
  // A document that is opened again begins anew, whatever its version was.
  worker.close(uri);
  background.drop(uri);
  documents.insert(uri);
  worker.change(documentFrom(uri, *text, document->getInteger("version").value_or(0)));
}

void Server::change(const Params &params) {
  const json::Object *document = params.getObject("textDocument");
  const json::Array *changes = params.getArray("contentChanges");
  const std::string uri = uriIn(params);
  if (!document || !changes || changes->empty() || !documents.contains(uri))
    return;
  // Whole texts are what was asked for: the last one counts.
  const json::Object *last = changes->back().getAsObject();
  const std::optional<llvm::StringRef> text =
      last && !last->get("range") ? last->getString("text") : std::nullopt;
  if (!text)
    return;
  background.drop(uri);
  worker.change(documentFrom(uri, *text, document->getInteger("version").value_or(0)));
}

void Server::close(const Params &params) {
  const std::string uri = uriIn(params);
  if (!documents.erase(uri))
    return;
  background.drop(uri);
  worker.close(uri);
  // The worker may be about to say something of it: this comes after.
  worker.ask({}, uri, [this, uri](const Analysis *, bool) {
    connection.notify("textDocument/publishDiagnostics",
                      json::Object{{"uri", uri}, {"diagnostics", json::Array()}});
  });
}

} // namespace tegula::cli
