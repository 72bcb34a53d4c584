import Measurement

/// Takes what files that came late add to one user's past, file by file.
final class LateAggregation {
  private let plan: ChangePlan
  private let earlier: EarlierHistory
  /// Numbers of the late files that the user at hand has events of, in order.
  private var files: [UInt32] = []
  /// The user at hand has been counted.
  private var isCounted = false

  init(_ plan: ChangePlan, _ rules: HistoryRules) {
    self.plan = plan
    earlier = EarlierHistory(rules)
  }

  /// The next user's turn, with all that was read of it.
  func begin(_ events: UserEvents) {
    files.removeAll(keepingCapacity: true)
    isCounted = false
    guard plan.hasNew else { return }
    events.forEach { if plan.isLate($0), !files.contains($0.file) { files.append($0.file) } }
    if files.count > 1 { files.sort() }
  }

  /// Some file that came late tells of the user at hand.
  var isLate: Bool { !files.isEmpty }

  /// Adds the user's part, who counts at the earlier cut-off in an offering; what was told of it once for all of them.
  func add(_ followed: FollowedUser, to sums: inout ChangeSums) {
    if let file = followed.membership.lateFile { sums.lateAssignments[file, default: LateCounts()].users += 1 }
    guard !isCounted, isLate else { return }
    isCounted = true
    var last = reported(followed.events) { [plan] in !plan.isLate($0) }
    for file in files {
      let next = reported(followed.events) { [plan] in !plan.isLate($0) || $0.file <= file }
      sums.lateLogs[file, default: LateCounts()].merge(next - last)
      last = next
    }
    followed.events.forEach { event in
      if plan.isLate(event) { sums.lateLogs[event.file, default: LateCounts()].rows += event.rows }
    }
  }

  /// What some of the user's events tell of the time before the earlier cut-off.
  private func reported(_ events: UserEvents, by isWanted: (PurchaseEvent) -> Bool) -> LateCounts {
    let history = earlier.history(of: events, before: plan.cutoff, where: isWanted)
    var counts = LateCounts(charges: history.charges.count)
    for charge in history.charges {
      counts.gross += Int128(charge.gross)
      counts.refunded += Int128(charge.refunded)
      if charge.refunded > 0 { counts.refunds += 1 }
    }
    for event in history.events where !event.type.isRefund { counts.events += 1 }
    return counts
  }
}

extension LateCounts: PlainSums {
  mutating func merge(_ other: LateCounts) { self = self + other }
}

extension LateFile {
  /// Every late file that tells of the time before the earlier cut-off, in the order of the accounts.
  ///
  /// - Parameters:
  ///   - assignments: accounts of the files that tell who is in which group; those of the log where that does.
  ///   - logs: accounts of the log's files.
  static func all(in sums: ChangeSums, assignments: [FileAccount], logs: [FileAccount]) -> [LateFile] {
    let sources = [(assignments, sums.lateAssignments), (logs, sums.lateLogs)]
    var files: [LateFile] = []
    for (accounts, counts) in sources {
      for (file, counts) in counts.sorted(by: { $0.key < $1.key }) {
        let account = accounts[Int(file)]
        if let known = files.firstIndex(where: { $0.input == account.input && $0.file == account.file }) {
          files[known].counts.merge(counts)
        } else {
          files.append(LateFile(input: account.input, file: account.file, counts: counts))
        }
      }
    }
    return files
  }
}
