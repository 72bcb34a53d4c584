/// Values that no reader may accept, and lines that are no JSON.
enum InvalidValues {
  static let times = ["2026-13-40T10:00:00Z", "yesterday", "2026-03-01T25:61:00Z", "03/01/2026 10:00"]
  static let prices = ["\"7,99\"", "\"-7.99\"", "\"7.99 USD\"", "7.99e0", "\"$7.99\"", "\"0.000.001\""]
  static let currencies = ["\"US\"", "\"dollar\"", "\"U$D\""]
  static let environments = ["Sandbox", "sandbox", "Xcode", "TestFlight", "LocalTesting"]
}

extension [String] {
  /// One of the values, each as likely as the next.
  func chosen(_ draws: inout SeededGenerator) -> String {
    self[Int(draws.below(UInt64(count)))]
  }
}

extension EventLine {
  /// Breaks the line that begins at `start`, if that is its fault.
  func spoil(
    _ event: SimulatedEvent, from start: Int, _ draws: inout SeededGenerator, in bytes: inout [UInt8]
  ) {
    switch event.dirt {
    case .truncated: bytes.removeLast((bytes.count - start) / 2)
    case .invalidUTF8: bytes.insert(0xFF, at: start + "{\"eventId\":\"e-".utf8.count)
    case .malformed: breakJSON(from: start, &draws, in: &bytes)
    default: break
    }
  }

  private func breakJSON(from start: Int, _ draws: inout SeededGenerator, in bytes: inout [UInt8]) {
    switch draws.below(4) {
    case 0: bytes.removeLast()
    case 1: bytes.write("}")
    case 2: bytes.replaceSubrange(start..<start + 1, with: Array("[".utf8))
    default: bytes.insert(UInt8(ascii: ","), at: start + 1)
    }
  }
}
