import Domain
import Foundation

/// The limits that a shell or a service manager has set for this process (`ulimit`).
///
/// Within some of them nothing can work, and what then fails is the ground under the program: a thread that does not begin, a
/// stack that ends. So they are looked at before anything else.
package enum SystemLimits {
  /// What a limit is of, and the least that works.
  struct Need: Sendable {
    var resource: __rlimit_resource
    var least: UInt64
    /// What the limit counts in, for `ulimit`.
    var unit: UInt64
    /// As `ulimit` calls it.
    var option: String
    var words: String

    /// What to tell of a limit; nil where it is high enough.
    func complaint(of limit: UInt64) -> String? {
      guard limit < least else { return nil }
      return
        "only \(limit / unit) \(words) allowed here (ulimit -\(option)), and \(least / unit) are the least that works. "
        + "Allow more: ulimit -\(option) \(least / unit)"
    }
  }

  /// Descriptors for a job's files, its database and its locks; stack for a main thread, and for every other; bytes of a
  /// file, of which the smallest database has several hundred thousand.
  static let needs = [
    Need(resource: RLIMIT_NOFILE, least: 64, unit: 1, option: "n", words: "open files are"),
    Need(resource: RLIMIT_STACK, least: 1 << 20, unit: 1024, option: "s", words: "KiB of stack are"),
    Need(resource: RLIMIT_FSIZE, least: 4 << 20, unit: 1024, option: "f", words: "KiB of a file are"),
  ]

  /// Room for the addresses of what the smallest run takes beside what the program is itself.
  static let leastRoom: UInt64 = 128 << 20

  /// How many threads a run has beside those that count.
  private static let otherThreads = 4

  /// - Throws: `OfferliftError`, exit 71, where a limit is one within which the program cannot work.
  package static func refuseTooLow() throws {
    for need in needs {
      if let complaint = need.complaint(of: value(of: need.resource)) { throw refusal(complaint) }
    }
    let room = value(of: RLIMIT_AS)
    let accepted = UInt64(clamping: SystemMemory.addressed)
    if let complaint = complaint(ofAddresses: room, accepted: accepted) { throw refusal(complaint) }
    let threads = ProcessInfo.processInfo.activeProcessorCount + otherThreads
    guard canStart(threads) else {
      throw refusal(
        "\(threads) threads cannot be started here. Allow more processes (ulimit -u), or end others of this user")
    }
  }

  static func complaint(ofAddresses limit: UInt64, accepted: UInt64) -> String? {
    let least = accepted + leastRoom
    guard limit < least else { return nil }
    return
      "only \(limit / 1024) KiB of addresses are allowed here (ulimit -v), and the least that works are \(least / 1024). "
      + "Allow more: ulimit -v \(least / 1024)"
  }

  private static func refusal(_ complaint: String) -> OfferliftError { OfferliftError(.systemLimit, "\(complaint).") }

  /// As much of a resource as this process may have; the largest number where nobody has set a limit.
  static func value(of resource: __rlimit_resource) -> UInt64 {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? UInt64(limit.rlim_cur) : .max
  }

  /// Whether so many threads can be there at once: each waits until all are.
  static func canStart(_ count: Int) -> Bool {
    let gate = Gate()
    var threads: [pthread_t] = []
    defer {
      gate.open()
      for thread in threads { pthread_join(thread, nil) }
    }
    for _ in 0..<count {
      var thread = pthread_t()
      let context = Unmanaged.passRetained(gate)
      let status = pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<Gate>.fromOpaque(context).takeRetainedValue().wait() }
          return nil
        }, context.toOpaque())
      guard status == 0 else {
        context.release()
        return false
      }
      threads.append(thread)
    }
    return true
  }

  /// What threads wait at until it is opened.
  private final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var isOpen = false

    func wait() { condition.withLock { while !isOpen { condition.wait() } } }

    func open() {
      condition.withLock {
        isOpen = true
        condition.broadcast()
      }
    }
  }
}
