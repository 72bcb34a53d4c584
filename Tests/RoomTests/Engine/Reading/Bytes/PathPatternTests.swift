import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Patterns of paths")
struct PathPatternTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func files(_ path: String, in job: String = "jobs") throws -> [String] {
    let input = TableInput(name: "log", path: path, line: 9)
    return try input.files(relativeTo: folder.url.appendingPathComponent("\(job)/job.yml")).map(\.displayName)
  }

  @Test("** is any depth, none included")
  func depth() throws {
    for name in ["part-2.csv", "2026/part-1.csv", "2026/03/05/part-0.csv", "2026/03/other.txt", ".hidden/part-3.csv"] {
      try folder.write("jobs/logs/\(name)", "")
    }
    let all = ["logs/2026/03/05/part-0.csv", "logs/2026/part-1.csv", "logs/part-2.csv"]
    #expect(try files("logs/**/*.csv") == all)
    #expect(try files("**/*.csv") == all)
    #expect(try files("**/logs/**/part-?.csv") == all)
    #expect(try files("logs/**") == ["logs/2026/03/05/part-0.csv", "logs/2026/03/other.txt"] + all[1...])
    #expect(try files("logs/**/05/*.csv") == [all[0]])
    #expect(try files("logs/2026/**/part-1.csv") == [all[1]])
    #expect(try files("logs/*.csv") == [all[2]])
    #expect(try files(folder.path("jobs/logs/**/part-[01].csv")) == all.prefix(2).map { folder.path("jobs/\($0)") })
  }

  @Test("Several ** in one path look into a folder once, however many ways lead there")
  func deep() throws {
    let below = "abcdefghijklmnopqrst".map(String.init).joined(separator: "/")
    try folder.write("jobs/logs/\(below)/part-1.csv", "")
    let all = ["logs/\(below)/part-1.csv"]
    #expect(try files("logs/\(String(repeating: "**/", count: 12))*.csv") == all)
    #expect(try files("logs/\(String(repeating: "**/*/", count: 9))*.csv") == all)
  }

  @Test("A folder that a link leads to is looked into, and a link to a folder above is no circle")
  func links() throws {
    try folder.write("elsewhere/a.csv", "")
    try folder.write("jobs/logs/b.csv", "")
    for (link, target) in [("old", folder.path("elsewhere")), ("circle", folder.path("jobs/logs"))] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("jobs/logs/\(link)"), withDestinationPath: target)
    }
    #expect(try files("logs/**/a.csv") == ["logs/old/a.csv"])
    #expect(try files("logs/**/b.csv") == ["logs/b.csv"])
  }

  @Test(
    "A folder that nobody lets in is named, and never passed over",
    arguments: [
      (UInt16(0), "logs/*.csv"), (0, "logs/**/*.csv"), (0, "**/*.csv"), (0, "*/a.csv"), (0, "logs/a.csv"),
      (0, "logs/*/a.csv"),
      (0o444, "*/a.csv"), (0o444, "logs/*/a.csv"), (0o444, "logs/a.csv"), (0o444, "logs/*.csv"),
    ])
  func closed(rights: UInt16, path: String) throws {
    try folder.write("jobs/logs/a.csv", "")
    try folder.write("jobs/logs/2026/a.csv", "")
    try folder.write("jobs/other/a.csv", "")
    let logs = folder.path("jobs/logs")
    try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: logs)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: logs) }
    var input = TableInput(name: "log", path: path, line: 9)
    input.isOptional = true
    let error = try #require(throws: OfferliftError.self) {
      try asNobody { try input.files(relativeTo: folder.url.appendingPathComponent("jobs/job.yml")) }
    }
    #expect(error.exit == .inputMissing)
    #expect(error.message.contains("logs"), "\(error.message)")
    #expect(!error.message.contains("link to nothing"), "\(error.message)")
  }

  /// Does the work on this thread as a user who has no rights of his own.
  private func asNobody<Value>(_ work: () throws -> Value) throws -> Value {
    typealias SetUser = @convention(c) (uid_t) -> CInt
    let setUser = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: SetUser.self)
    guard geteuid() == 0 else { return try work() }
    _ = setUser(65534)
    defer { _ = setUser(0) }
    return try work()
  }

  @Test("A slash behind a path leads to a folder, which is no file", arguments: ["logs/", "logs", "logs/a.csv/"])
  func slash(path: String) throws {
    try folder.write("jobs/logs/a.csv", "")
    var input = TableInput(name: "log", path: path, line: 9)
    input.isOptional = path.hasPrefix("logs/a") == false
    let error = try #require(throws: OfferliftError.self) {
      try input.files(relativeTo: folder.url.appendingPathComponent("jobs/job.yml"))
    }
    #expect(error.exit == .inputMissing)
  }

  @Test(
    "The folder of the job is no pattern, whatever it is called",
    arguments: ["exp[12]", "job*", "a?", "{x,y}", "$now", "~"])
  func jobFolder(name: String) throws {
    try folder.write("\(name)/orders-1.csv", "")
    try folder.write("exp1/orders-1.csv", "")
    try folder.write("job1/orders-1.csv", "")
    #expect(try files("orders-*.csv", in: name) == ["orders-1.csv"])
    #expect(try files("**/orders-*.csv", in: name) == ["orders-1.csv"])
    #expect(try files("orders-1.csv", in: name) == ["orders-1.csv"])
    #expect(
      try files("../exp[1]/orders-*.csv", in: name) == ["../exp[1]/orders-1.csv"].map { $0.replacing("[1]", with: "1") }
    )
  }

  @Test(
    "What only a shell takes apart is refused with what to write",
    arguments: [
      ("~/logs/*.csv", "write \(NSHomeDirectory())/logs/*.csv"),
      ("$HOME/a.csv", "write \(ProcessInfo.processInfo.environment["HOME"] ?? "")/a.csv"),
      ("${NO_SUCH_FOLDER}/a.csv", "${NO_SUCH_FOLDER}: write the folder itself"),
      ("logs/{a,b}-*.csv", "an input for each, path: logs/a-*.csv and path: logs/b-*.csv"),
    ])
  func shell(path: String, words: String) throws {
    try folder.write("jobs/job.yml", "")
    for isOptional in [false, true] {
      var input = TableInput(name: "log", path: path, line: 9)
      input.isOptional = isOptional
      let error = #expect(throws: OfferliftError.self) {
        try input.files(relativeTo: folder.url.appendingPathComponent("jobs/job.yml"))
      }
      #expect(error?.exit == .badJobFile)
      #expect(error?.message.hasPrefix("job.yml, line 9: log names \"\(path)\", and ") == true)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
  }

  @Test("A file of such a name is read all the same")
  func literal() throws {
    for name in ["~x.csv", "{a,b}.csv", "$x.csv"] {
      try folder.write("jobs/\(name)", "")
      #expect(try files(name) == [name])
    }
  }
}
