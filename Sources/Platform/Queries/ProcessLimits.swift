import Foundation

/// Limits that a process sets for itself: what it wants beyond them the system refuses, or it ends the process.
enum ProcessLimits {
  /// Bytes that the process has beside what its work may take.
  private static let room: Int64 = 256 << 20

  static func set(_ limits: Query.Limits) {
    set(RLIMIT_CORE, 0)
    set(RLIMIT_FSIZE, UInt64(limits.temporaryFile))
    set(RLIMIT_AS, UInt64(Int64(SystemMemory.addressed) + 2 * limits.memory + room))
    allow(processorSeconds: limits.processorSeconds)
  }

  /// From now on so many seconds of a processor, and then the process ends.
  static func allow(processorSeconds: Double) {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    set(RLIMIT_CPU, UInt64(now.tv_sec) + UInt64(processorSeconds.rounded(.up)) + 1)
  }

  /// What somebody has set for the process before, which stays the most there is.
  private static let processorBefore = SystemLimits.value(of: RLIMIT_CPU)

  private static func set(_ resource: __rlimit_resource, _ value: UInt64) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return }
    let before = resource == RLIMIT_CPU ? processorBefore : UInt64(limit.rlim_cur)
    limit.rlim_cur = rlim_t(min(value, before))
    setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
  }
}
