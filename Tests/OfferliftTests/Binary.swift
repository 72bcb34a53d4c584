import Foundation

/// The built `offerlift`, run in a folder of the test's own.
final class Binary {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("offerlift-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    _ = try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    try? FileManager.default.removeItem(at: folder)
  }

  /// What a run of the program came to.
  struct Outcome {
    var exit: Int32
    var output: String
    var errors: String
  }

  /// It lies beside the bundle of the tests.
  static var program: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let tests = bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appendingPathComponent("offerlift")
  }

  /// Runs it with `arguments` in the folder.
  func run(_ arguments: String..., input: String = "") throws -> Outcome {
    try run(arguments, input: input)
  }

  /// - Parameters:
  ///   - output: where its stdout goes instead of into the outcome, as `/dev/full`.
  ///   - errors: the same of its stderr.
  func run(
    _ arguments: [String], input: String = "", onto output: String? = nil, errors: String? = nil
  ) throws -> Outcome {
    let (elsewhere, errorsElsewhere) = (output, errors)
    let process = Process()
    process.executableURL = Self.program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // Into files: two pipes that fill up would wait for each other.
    let (output, errors) = (folder.appendingPathComponent(".stdout"), folder.appendingPathComponent(".stderr"))
    try Data(input.utf8).write(to: folder.appendingPathComponent(".stdin"))
    for file in [output, errors] { try Data().write(to: file) }
    process.standardInput = try FileHandle(forReadingFrom: folder.appendingPathComponent(".stdin"))
    process.standardOutput = try FileHandle(forWritingTo: elsewhere.map { URL(fileURLWithPath: $0) } ?? output)
    process.standardError = try FileHandle(forWritingTo: errorsElsewhere.map { URL(fileURLWithPath: $0) } ?? errors)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      exit: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: try String(contentsOf: output, encoding: .utf8), errors: try String(contentsOf: errors, encoding: .utf8))
  }

  func write(_ name: String, _ text: String) throws { try write(name, bytes: Array(text.utf8)) }

  func write(_ name: String, bytes: [UInt8]) throws {
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// Every file below `name` with its bytes: what must not change.
  func snapshot(_ name: String) throws -> [String: Data] {
    let root = folder.appendingPathComponent(name)
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return try names.reduce(into: [:]) { files, name in
      let file = root.appendingPathComponent(name)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue else {
        return
      }
      files[name] = try Data(contentsOf: file)
    }
  }

  /// Writes a job with forty users in two groups, and the log of what they bought.
  func writeJob(_ change: (String) -> String = { $0 }) throws {
    let users = (1...40).map { "u\($0),test,\($0 % 2 == 0 ? "control" : "treatment"),2026-03-01T00:00:00Z" }
    try write("data/users.csv", (["user,offering,group,assigned_at"] + users).joined(separator: "\n") + "\n")
    let events = (1...40).filter { $0 % 3 == 0 }.map { number in
      #"{"userId":"u\#(number)","eventType":"purchase","occurredAt":"2026-03-02T10:00:00Z","productId":"p","price":"9.99","currency":"USD","transactionId":"\#(number)"}"#
    }
    try write("data/log.jsonl", events.joined(separator: "\n") + "\n")
    try write("jobs/test.yml", change(Self.job))
  }

  static let job = """
    job: test
    assignments: {path: ../data/users.csv, format: csv}
    purchases: {path: ../data/log.jsonl, format: events}
    metrics:
      - {name: paying_conversion, window: 7d, primary: true}
      - {name: revenue_net, window: 7d}

    """
}
