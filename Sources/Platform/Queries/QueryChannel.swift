import Foundation

/// Frames of bytes between a process and its child, over one socket: a letter, four bytes of length, and so many bytes.
final class QueryChannel {
  enum Kind: UInt8 {
    /// To the child: a `Query`; which columns are wanted, by number.
    case query = 0x71, wanted = 0x77
    /// From the child: the columns' names, rows, why it is no answer, and that it was all.
    case columns = 0x63, rows = 0x72, fault = 0x66, end = 0x65
  }

  /// The other side has gone, or says what no side does.
  struct Closed: Error {}
  /// Nothing came in time.
  struct Late: Error {}

  private let descriptor: Int32

  /// - Parameter descriptor: a connected socket, which is closed in the end.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// - Throws: `Closed`.
  func write(_ kind: Kind, _ bytes: [UInt8]) throws {
    guard let count = UInt32(exactly: bytes.count) else { throw Closed() }
    let head = [kind.rawValue] + withUnsafeBytes(of: count.littleEndian) { Array($0) }
    for part in [head, bytes] { try write(part) }
  }

  /// - Throws: `Closed`.
  func emit(_ kind: Kind, _ value: some Encodable) throws {
    try write(kind, Array(JSONEncoder().encode(value)))
  }

  private func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Closed() }
      rest = rest.dropFirst(count)
    }
  }

  /// The next frame.
  ///
  /// - Parameter patience: seconds for which nothing may come; nil waits for ever.
  /// - Throws: `Closed`, `Late`.
  func read(patience: Double?) throws -> (kind: Kind, bytes: [UInt8]) {
    let head = try read(5, patience)
    guard let kind = Kind(rawValue: head[0]) else { throw Closed() }
    let count = head.dropFirst().reversed().reduce(0) { $0 << 8 | Int($1) }
    return (kind, try read(count, patience))
  }

  private func read(_ count: Int, _ patience: Double?) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      try wait(patience)
      // Room is made for what comes, and not for what a length says.
      let wanted = min(count - bytes.count, 1 << 20)
      let piece = try [UInt8](unsafeUninitializedCapacity: wanted) { room, filled in
        let got = recv(descriptor, room.baseAddress, wanted, 0)
        guard got > 0 || got < 0 && errno == EINTR else { throw Closed() }
        filled = max(got, 0)
      }
      bytes += piece
    }
    return bytes
  }

  private func wait(_ patience: Double?) throws {
    guard let patience else { return }
    let deadline = ContinuousClock.now + .seconds(patience)
    var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let left = deadline - ContinuousClock.now
      guard left > .zero else { throw Late() }
      let found = poll(&asked, 1, Int32(clamping: Int64(left / .milliseconds(1)) + 1))
      if found > 0 { return }
      guard found == 0 || errno == EINTR else { throw Closed() }
    }
  }
}
