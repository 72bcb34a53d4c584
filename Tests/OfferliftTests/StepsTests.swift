import Foundation
import Testing

@Suite("The steps of Tests/run.sh")
struct StepsTests {
  /// What the script says, on stdout and stderr alike.
  private func run(_ arguments: String...) throws -> (exit: Int32, text: String) {
    let process = Process()
    process.executableURL = repository.appending(path: "Tests/run.sh")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  /// The names that the list begins its lines with.
  private var names: [String] {
    get throws { try run("--list").text.split(separator: "\n").map { String($0.prefix { $0 != " " }) } }
  }

  @Test("CONTRIBUTING.md tells each step's name")
  func contributing() throws {
    let text = try String(contentsOf: repository.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
    let names = try names
    #expect(names.count > 10)
    for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
  }

  @Test("A step that there is not ends with 64, and with the names of those there are")
  func unknown() throws {
    let found = try run("lint", "sparks")
    #expect(found.exit == 64)
    #expect(found.text == "There is no step \"sparks\"; there are \(try names.joined(separator: " ")).\n")
  }
}
