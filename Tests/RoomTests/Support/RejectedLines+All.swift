import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

extension RejectedLines {
  var isEmpty: Bool { count == 0 }

  /// What its lines tell, in their order.
  var all: [Reject] {
    var found: [Reject] = []
    do {
      try forEach { file, line in found.append(try #require(Reject(line: Array("\(file),".utf8) + line.dropLast()))) }
    } catch {
      Issue.record(error)
    }
    return found
  }

  /// Its lines, and the files they are of.
  var lines: [String] {
    var lines: [String] = []
    do {
      try forEach { lines.append("\($0): " + String(decoding: $1, as: UTF8.self)) }
    } catch {
      Issue.record(error)
    }
    return lines
  }
}
