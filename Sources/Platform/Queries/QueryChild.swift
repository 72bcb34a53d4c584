import Domain
import Foundation

/// A process of this program that answers one query and can be ended: a function of SQLite's works on until it is done,
/// whatever this process would have it do meanwhile, and what a damaged file does to SQLite ends the child alone.
package final class QueryChild {
  /// What the statement's columns are called.
  package let columns: [String]
  private let channel: QueryChannel
  private let process: pid_t
  /// Seconds without a word after which the child is taken for stuck.
  private let patience: Double
  private var width: Int
  private var rows: ArraySlice<UInt8> = []
  private var isOver = false

  /// The hidden command that such a process is started with.
  package static let command = "sqlite-query"
  /// Seconds beside what the limits allow, for a machine that is busy with others.
  private static let grace = 20.0

  /// Starts a process and has it prepare the statement.
  ///
  /// - Throws: `QueryFault`; `OfferliftError`, exit 71, where no process can be started.
  package init(_ query: Query) throws {
    let (descriptor, process) = try Self.start()
    (channel, self.process) = (QueryChannel(descriptor), process)
    let limits = query.limits
    patience = (limits.seconds ?? limits.processorSeconds * 3) + query.patience + Self.grace
    var names: [String] = []
    do {
      try channel.emit(.query, query)
      let (kind, bytes) = try channel.read(patience: patience)
      names = try Self.decoded(kind, bytes, as: .columns)
      (columns, width) = (names, names.count)
    } catch {
      Self.end(process)
      throw Self.fault(error)
    }
  }

  deinit { Self.end(process) }

  /// Says which columns are wanted, by number; rows have these alone.
  ///
  /// - Throws: `QueryFault`.
  package func want(_ columns: [Int]) throws {
    width = columns.count
    do { try channel.emit(.wanted, columns) } catch { throw Self.fault(error) }
  }

  /// Takes the next row.
  ///
  /// - Returns: false where there is none any more.
  /// - Throws: `QueryFault`.
  package func next(into row: inout [QueryCell]) throws -> Bool {
    do {
      while rows.isEmpty {
        if isOver { return false }
        let (kind, bytes) = try channel.read(patience: patience)
        switch kind {
        case .rows: rows = bytes[...]
        case .end: isOver = true
        default: let _: [String] = try Self.decoded(kind, bytes, as: .rows)
        }
      }
      // A row without a wanted column is a byte of its own.
      if width == 0 { rows.removeFirst() }
      try QueryRows.readRow(of: width, from: &rows, into: &row)
      return true
    } catch {
      throw Self.fault(error)
    }
  }

  private static func decoded<Value: Decodable>(
    _ kind: QueryChannel.Kind, _ bytes: [UInt8], as wanted: QueryChannel.Kind
  ) throws -> Value {
    if kind == .fault { throw try JSONDecoder().decode(QueryFault.self, from: Data(bytes)) }
    guard kind == wanted else { throw QueryChannel.Closed() }
    return try JSONDecoder().decode(Value.self, from: Data(bytes))
  }

  private static func fault(_ error: any Error) -> any Error {
    switch error {
    case is QueryFault, is OfferliftError: error
    case is QueryChannel.Late: QueryFault(kind: .over)
    default: QueryFault(kind: .ended)
    }
  }

  // MARK: - The process

  private static func start() throws -> (descriptor: Int32, process: pid_t) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw refusal(errno)
    }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
    // What the child would say is said by the answer; what ends it is told by the end of that.
    for output in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A thread of a pool keeps signals from itself, and its child would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var process = pid_t()
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("offerlift"), strdup(command), nil]
    defer { words.forEach { free($0) } }
    let code = posix_spawn(&process, LoadedProgram.withCommands, &actions, &attributes, &words, environ)
    guard code == 0 else {
      close(ends[0])
      throw refusal(code)
    }
    return (ends[0], process)
  }

  private static func refusal(_ code: Int32) -> OfferliftError {
    OfferliftError(
      .systemLimit,
      "No process can be started to read an SQLite file in (\(systemMessage(code))). Allow more processes (ulimit -u), or end "
        + "others of this user.")
  }

  /// Ends the process whatever it does, and waits for that.
  private static func end(_ process: pid_t) {
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}
