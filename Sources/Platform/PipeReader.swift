import Domain
import Foundation

/// Reads a pipe to its end, whoever writes to it.
package struct PipeReader: ~Copyable {
  private let descriptor: Int32
  private let displayName: String
  /// Somebody writes to it, or has: an end is an end.
  private var hasWriter = false
  /// When it is given up, if nobody writes to it by then; nil waits for ever.
  private let deadline: ContinuousClock.Instant?

  /// - Parameters:
  ///   - path: of a named pipe, or `/dev/stdin`.
  ///   - patience: how long somebody is waited for who opens it to write; nil waits for ever.
  /// - Throws: `OfferliftError`, exit 66, where it cannot be opened.
  package init(_ path: String, displayName: String, patience: Duration?) throws {
    self.displayName = displayName
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    deadline = patience.map { ContinuousClock.now + $0 }
    guard descriptor >= 0 else {
      throw OfferliftError(
        .inputMissing, "\(displayName): cannot be opened (\(systemMessage())); check the path and its rights.")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The next bytes, a mebibyte at most; empty at the end.
  ///
  /// - Throws: `OfferliftError`, exit 66 where nobody writes to it, 74 where it cannot be read.
  package mutating func next() throws -> [UInt8] {
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        hasWriter = true
        return Array(piece.prefix(count))
      }
      switch (count, count < 0 ? errno : 0) {
      case (0, _):
        // Without a writer there is no end yet, unless one has been and gone.
        if hasWriter || wait(milliseconds: Self.pause) == .over { return [] }
        try refuseIfLate()
      case (_, EAGAIN):
        hasWriter = true
        _ = wait(milliseconds: -1)
      case (_, EINTR): continue
      default: throw ReadFailure.error(displayName, byte: 0)
      }
    }
  }

  private enum Sign { case readable, over, nothing }

  /// In milliseconds; so often it is looked whether somebody writes.
  private static let pause: Int32 = 50

  private func wait(milliseconds: Int32) -> Sign {
    var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&asked, 1, milliseconds) > 0 else { return .nothing }
    return Int32(asked.revents) & POLLIN != 0 ? .readable : .over
  }

  private func refuseIfLate() throws {
    guard let deadline, ContinuousClock.now > deadline else { return }
    throw OfferliftError(
      .inputMissing,
      "\(displayName) is a pipe, and nobody writes to it. Start what writes to it, or let the run wait for that: offerlift run "
        + "--allow-pipes.")
  }
}
