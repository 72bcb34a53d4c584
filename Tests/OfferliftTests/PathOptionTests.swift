import Foundation
import Testing

/// Every option and argument that takes a path, by the program's own list of them, with paths as short as they can be.
@Suite("Paths on the command line")
struct PathOptionTests {
  private let binary: Binary
  private let usual = ["--date", "2026-03-31"]

  init() throws {
    binary = try Binary()
    try binary.writeJob()
    try binary.write(
      "stats.csv", "test_group_id,metric,kind,n,sum_y\na,paying,proportion,1000,31\nb,paying,proportion,1000,62\n")
  }

  /// An option or argument of a command, as `--experimental-dump-help` describes it.
  private struct Position {
    let command: String
    /// Nil for an argument.
    let option: String?
    let value: String
    let completion: [String]

    var acceptsPath: Bool {
      !Set(completion).isDisjoint(with: ["file", "directory"])
        || ["dir", "folder", "job.yml", "kind=path", "output", "scenario"].contains(value)
    }
  }

  private func positions() throws -> [Position] {
    let text = try binary.run("--experimental-dump-help").output
    let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let command = try #require(root["command"] as? [String: Any])
    let commands = try #require(command["subcommands"] as? [[String: Any]])
    return commands.flatMap { command in
      (command["arguments"] as? [[String: Any]] ?? []).compactMap { argument in
        guard argument["kind"] as? String != "flag", let value = argument["valueName"] as? String else { return nil }
        let names = argument["names"] as? [[String: Any]] ?? []
        return Position(
          command: command["commandName"] as? String ?? "", option: names.last?["name"] as? String, value: value,
          completion: (argument["completionKind"] as? [String: Any]).map { Array($0.keys) } ?? [])
      }
    }
  }

  /// What else a command needs beside the path.
  private func others(_ position: Position) -> [String] {
    switch (position.command, position.option) {
    case ("run", "from-plan"), ("init", "example"), ("analyze", nil), ("power", nil), ("mcp", nil): []
    case ("run", nil), ("plan", nil): usual
    case ("run", _), ("plan", _): ["jobs/test.yml"] + usual
    case ("init", _): ["--assignments", "data/users.csv", "--purchases", "data/log.jsonl", "--name", "x", "--force"]
    case ("explain", nil), ("forget", nil): ["--user", "u3"]
    case ("forget", _): ["jobs/test.yml", "--user", "u3"]
    case ("analyze", _): ["stats.csv"]
    case ("mcp", _): ["reports"]
    case ("simulate", nil): ["--output", "simulated"]
    case ("simulate", _): ["none.yml"]
    default: []
    }
  }

  @Test("end in a sentence or in what was asked for, never by a signal", arguments: ["m", "./m", "a/m", "/m", ""])
  func short(path: String) throws {
    let isOthers = path == "/m" && FileManager.default.fileExists(atPath: path)
    try #require(!isOthers, "/m is somebody's")
    defer { if path == "/m" { try? FileManager.default.removeItem(atPath: path) } }
    let positions = try positions().filter(\.acceptsPath)
    #expect(positions.count > 25 && Set(positions.map(\.command)).count > 12, "\(positions)")
    // What it writes is as notifications are written; the rest of it takes a minute.
    for position in positions where position.command != "selftest" {
      let values = position.value == "kind=path" ? ["slack", "eml"].map { "\($0)=\(path)" } : [path]
      for value in values {
        for isThere in [false, true] where !isThere || !path.isEmpty && !path.hasPrefix("/") {
          try? FileManager.default.removeItem(at: binary.folder.appendingPathComponent("m"))
          try? FileManager.default.removeItem(at: binary.folder.appendingPathComponent("a"))
          if isThere { try binary.write(path, position.completion == ["file"] ? Binary.job : "user,group\n") }
          let typed = [position.command] + others(position) + (position.option.map { ["--\($0)"] } ?? []) + [value]
          let outcome = try binary.run(typed)
          #expect(outcome.exit >= 0, "\(typed) ended by signal \(-outcome.exit)")
          #expect(outcome.exit == 0 || !outcome.errors.isEmpty, "\(typed) ended with \(outcome.exit) without a word")
        }
      }
    }
  }
}
