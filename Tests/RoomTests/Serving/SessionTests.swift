import Foundation
import Testing

@testable import Domain
@testable import Platform
@testable import Publishing
@testable import Serving

@Suite("A conversation after the Model Context Protocol")
struct SessionTests {
  private let folder: ScratchFolder
  private let session: Session

  init() throws {
    folder = try ScratchFolder()
    try PublishedNight.publish(PublishedNight.night(), in: folder)
    session = Self.session(folder)
  }

  private static func session(_ folder: ScratchFolder) -> Session {
    let library = ResultsLibrary(folders: [folder.path])
    let tools = [
      JobsTool.tool(library), NightsTool.tool(library), CallsTool.tool(library), TablesTool.tool(library),
      QueryTool.tool(library),
    ]
    return Session(tools: tools, resources: Resources(library: library))
  }

  private func reply(_ line: String) async throws -> JSON? {
    try await session.reply(to: Array(line.utf8)).map { try JSON(json: $0) }
  }

  /// What a method comes to, in a conversation that has begun.
  private func result(_ method: String, _ parameters: String = "{}", version: String = "2025-06-18") async throws
    -> JSON
  {
    _ = try await reply(Self.request("initialize", #"{"protocolVersion":"\#(version)"}"#))
    let reply = try #require(try await reply(Self.request(method, parameters)))
    return reply["result"] ?? reply["error"] ?? .null
  }

  private func call(_ tool: String, _ arguments: String = "{}") async throws -> JSON {
    try await result("tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#)
  }

  private static func request(_ method: String, _ parameters: String, id: String = "1") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#
  }

  // MARK: - Beginning

  @Test(
    "A revision that is known is spoken, of another the newest is proposed",
    arguments: Session.versions + ["2019-01-01"])
  func versions(version: String) async throws {
    let result = try await result("initialize", #"{"protocolVersion":"\#(version)","capabilities":{}}"#)
    #expect(result["protocolVersion"]?.text == (Session.versions.contains(version) ? version : Session.versions.last))
    #expect(result["serverInfo"]?["name"] == "offerlift")
    #expect(result["capabilities"]?["tools"] != nil)
  }

  @Test("Before that only a ping is answered")
  func uninitialized() async throws {
    #expect(try await reply(Self.request("tools/list", "{}"))?["error"]?["code"] == .number("-32600"))
    #expect(try await reply(Self.request("ping", "{}"))?["result"] == .object([]))
  }

  // MARK: - Without a beginning

  /// What a request of a revision without a handshake says of itself.
  private static func stateless(_ members: String = "", revision: String = "2026-07-28") -> String {
    let meta = [
      #""io.modelcontextprotocol/protocolVersion":"\#(revision)""#, #""io.modelcontextprotocol/clientCapabilities":{}"#,
    ].joined(separator: ",")
    return "{\(members)\(members.isEmpty ? "" : ",")\"_meta\":{\(meta)}}"
  }

  @Test("A request that says its revision is answered without a handshake, and says that it is whole, and by whom")
  func statelessRequests() async throws {
    let discovered = try await reply(Self.request("server/discover", Self.stateless()))?["result"]
    #expect(discovered?["supportedVersions"] == .texts(["2026-07-28"]))
    #expect(discovered?["capabilities"]?["tools"] != nil && discovered?["instructions"]?.text?.isEmpty == false)
    for method in ["server/discover", "tools/list", "resources/list", "resources/templates/list"] {
      let result = try await reply(Self.request(method, Self.stateless()))?["result"]
      #expect(result?["resultType"] == "complete", "\(method)")
      #expect(result?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "offerlift", "\(method)")
      #expect(result?["ttlMs"] != nil && result?["cacheScope"] == "private", "\(method)")
    }
    let called = try await reply(Self.request("tools/call", Self.stateless(#""name":"jobs""#)))?["result"]
    #expect(called?["structuredContent"]?["jobs"] != nil && called?["resultType"] == "complete")
    #expect(called?["ttlMs"] == nil)
    // One after the other, in one conversation: each by what it says of itself.
    #expect(try await result("tools/list")["resultType"] == nil)
    #expect(try await reply(Self.request("tools/list", Self.stateless()))?["result"]?["resultType"] == "complete")
  }

  @Test("What such a request must say, and what is another revision's, is an error that a client knows")
  func statelessErrors() async throws {
    func code(_ method: String, _ parameters: String) async throws -> String? {
      try await reply(Self.request(method, parameters))?["error"]?["code"]?.line
    }
    #expect(try await code("server/discover", "{}") == "-32602")
    let alone = #"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#
    #expect(try await code("tools/list", alone) == "-32602")
    #expect(try await code("ping", Self.stateless()) == "-32601")
    #expect(try await code("initialize", Self.stateless()) == "-32601")
    #expect(try await code("resources/read", Self.stateless(#""uri":"offerlift://results/none/x/y""#)) == "-32602")
    let other = try await reply(Self.request("tools/list", Self.stateless(revision: "2031-01-01")))?["error"]
    #expect(other?["code"] == .number("-32022"))
    #expect(other?["data"] == ["supported": ["2026-07-28"], "requested": "2031-01-01"])
  }

  @Test("The answer bears the request's own id", arguments: ["7", "\"a\"", "-1", "12345678901234567890"])
  func ids(id: String) async throws {
    #expect(try await reply(Self.request("ping", "{}", id: id))?["id"]?.line == id)
  }

  // MARK: - What is no request

  @Test("To what needs no answer nothing is said")
  func silence() async throws {
    #expect(try await reply(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#) == nil)
    #expect(try await reply(#"{"jsonrpc":"2.0","method":"notifications/whatever","params":[1]}"#) == nil)
    #expect(try await reply(#"{"jsonrpc":"2.0","id":9,"result":{}}"#) == nil)
  }

  @Test(
    "What is no message is an error with a code",
    arguments: [
      ("{", "-32700"), ("nonsense", "-32700"), ("1", "-32600"), ("{}", "-32600"), ("[]", "-32600"),
      (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, "-32600"),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "-32600"),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, "-32600"), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, "-32600"),
      (#"{"jsonrpc":"2.0","id":1}"#, "-32600"),
    ])
  func noMessage(line: String, code: String) async throws {
    let reply = try #require(try await reply(line))
    #expect(reply["error"]?["code"]?.line == code)
    #expect(reply["id"] == .null)
  }

  @Test("Methods and tools that there are none of are errors")
  func unknown() async throws {
    #expect(try await result("prompts/list")["code"] == .number("-32601"))
    let tool = try await call("querry")
    #expect(tool["code"] == .number("-32602") && tool["message"]?.text?.contains("did you mean \"query\"?") == true)
    #expect(try await result("tools/call", "{}")["code"] == .number("-32602"))
    #expect(try await result("initialize", "{}")["code"] == .number("-32602"))
  }

  @Test("Several messages in a line are answered in one, where the revision knows that")
  func batches() async throws {
    let batch = "[" + Self.request("ping", "{}") + #",{"jsonrpc":"2.0","method":"notifications/initialized"},5]"#
    _ = try await result("ping", version: "2025-03-26")
    guard case .list(let replies) = try await reply(batch) else { return #expect(Bool(false), "no list") }
    #expect(replies.count == 2 && replies[1]["error"]?["code"] == .number("-32600"))
    #expect(try await reply(#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#) == nil)
    _ = try await result("ping", version: "2025-06-18")
    #expect(try await reply(batch)?["error"]?["code"] == .number("-32600"))
  }

  // MARK: - Tools

  @Test("Each tool says what it takes, and that it only reads")
  func tools() async throws {
    guard case .list(let tools) = try await result("tools/list")["tools"] else { return #expect(Bool(false)) }
    #expect(tools.compactMap { $0["name"]?.text } == ["jobs", "nights", "calls", "tables", "query"])
    for tool in tools {
      #expect(tool["annotations"]?["readOnlyHint"] == true && tool["inputSchema"]?["type"] == "object")
    }
  }

  @Test("An answer is text, and from 2025-06-18 on structured, too")
  func structured() async throws {
    let new = try await call("jobs")
    let old = try await result("tools/call", #"{"name":"jobs"}"#, version: "2024-11-05")
    #expect(new["structuredContent"]?["jobs"] != nil && old["structuredContent"] == nil)
    #expect(new["content"] == old["content"] && new["isError"] == false)
  }

  @Test("The calls of a night are its verdicts, with what does not pass")
  func calls() async throws {
    let found = try #require(try await call("calls")["structuredContent"])
    guard case .list(let verdicts) = found["verdicts"] else { return #expect(Bool(false)) }
    #expect(verdicts.count == 1 && verdicts[0]["test_group_id"] == "group_a" && verdicts[0]["call"] != nil)
    #expect(found["night"] == "2026-03-31" && found["checks_not_passed"] != nil)
    #expect(try await call("calls", #"{"night":"latest","offering":"spring"}"#)["isError"] == false)
  }

  @Test(
    "What a tool cannot answer is said in a sentence",
    arguments: [
      ("calls", #"{"night":"2020-01-01"}"#, "the newest is 2026-03-31"),
      ("calls", #"{"job":"x"}"#, "There is no job \"x\""),
      ("calls", #"{"offering":"sprang"}"#, "did you mean \"spring\"?"),
      ("calls", #"{"nights":"x"}"#, "did you mean \"night\"?"),
      ("query", "{}", "\"sql\" is missing"), ("query", #"{"sql":7}"#, "type string"),
      ("tables", #"{"table":"verdict"}"#, "verdicts"),
      ("query", #"{"sql":"SELECT 1","limit":0}"#, "between 1 and"), ("query", "[]", "is an object"),
      ("query", #"{"sql":"SELEC 1"}"#, "syntax error"),
      ("query", #"{"sql":"SELECT nowhere FROM verdicts"}"#, "no such column"),
    ])
  func refusals(tool: String, arguments: String, words: String) async throws {
    let answer = try await call(tool, arguments)
    #expect(answer["isError"] == true)
    guard case .list(let parts) = answer["content"] else { return #expect(Bool(false)) }
    #expect(parts.first?["text"]?.text?.contains(words) == true, "\(answer)")
  }

  @Test("A night that is published meanwhile is there at the next question")
  func meanwhile() async throws {
    let newer = #""night": "2026-04-01""#
    let before = try await call("nights")["structuredContent"]?.line
    try PublishedNight.publish(PublishedNight.night(converted: 301, asOf: PublishedNight.cutoff(days: 1)), in: folder)
    let after = try await call("nights")["structuredContent"]?.line
    #expect(before?.contains(newer) == false && after?.contains(newer) == true)
  }

  @Test("Where nothing is published yet, it says so")
  func nothing() async throws {
    let empty = try ScratchFolder()
    let session = Self.session(empty)
    _ = await session.reply(to: Array(Self.request("initialize", #"{"protocolVersion":"2025-06-18"}"#).utf8))
    let reply = await session.reply(to: Array(Self.request("tools/call", #"{"name":"calls"}"#).utf8))
    #expect(reply?.contains("No night has been published") == true)
  }

  // MARK: - Resources

  @Test("The newest night's files are listed and read as they lie on the disk")
  func resources() async throws {
    guard case .list(let found) = try await result("resources/list")["resources"] else { return #expect(Bool(false)) }
    let addresses = found.compactMap { $0["uri"]?.text }
    let address = try #require(addresses.first { $0.hasSuffix("/verdicts.csv") })
    guard case .list(let contents) = try await result("resources/read", #"{"uri":"\#(address)"}"#)["contents"] else {
      return #expect(Bool(false))
    }
    let names = folder.names().filter { !$0.hasPrefix(".") && !$0.contains(".") }
    #expect(contents[0]["text"]?.text == (try folder.text("\(names[0])/2026-03-31/verdicts.csv")))
    #expect(!addresses.contains { $0.contains("rejects") })
  }

  @Test(
    "An address that leads elsewhere is none",
    arguments: [
      "file:///etc/passwd", "offerlift://results/x/2026-03-31/verdicts.csv", "offerlift://results/../../etc/passwd",
      "offerlift://results/test/..%2f..%2f/verdicts.csv", "offerlift://results/test/2026-03-31/rejects.csv.gz",
      "offerlift://results/test/2026-03-31/..%2f.job", "offerlift://results/%2e%2e/2026-03-31/run.json", "",
    ])
  func elsewhere(address: String) async throws {
    #expect(try await result("resources/read", #"{"uri":"\#(address)"}"#)["code"] == .number("-32002"))
  }
}
