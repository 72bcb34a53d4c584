import Domain
import Measurement
import Platform
import Synchronization

/// Finds of whom there is news.
extension NewsCount {
  /// More news than that, as a part of all users, and everybody is counted as soon.
  private static let mostAffected = 0.3
  /// So few are counted soon, whatever part of all they are.
  private static let fewest = 1000.0

  func entries(of logs: PurchaseLogs) async throws -> [String] {
    let found = try await TaskPool.fold(logs.files.count, limit: engine.threads, state: { [(Int, String)]() }) {
      $0.append(($1, try keeper.entry(of: logs.files[$1])))
    }
    return found.joined().sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// What files tell that the kept night had not read.
  func news(in logs: PurchaseLogs, _ files: KnownFiles, _ rates: ExchangeRates) async throws -> NewsSink.News {
    let news = Mutex(NewsSink.News())
    let revaluedDays = rates.days(
      otherwiseThan: night.rates, through: Instant(milliseconds: night.told.cutoff - 1).utcDay)
    let unread = logs.files.filter { file in
      guard let known = files.logs[file.number] else { return true }
      let counts = night.told.logs[known].counts
      // Rows behind the kept night's cut-off are news as well.
      return counts.fates.setAside[.afterCutoff] != nil || counts.days.contain(someOf: revaluedDays)
    }
    _ = try await logs.read(unread, state: {}) { [night, engine] _, number, file in
      let first = files.logs[number] == nil ? Int64.min : night.told.cutoff
      // Of a new file every row is news, also what became of those that come too late.
      let last = files.logs[number] == nil ? Int64.max : engine.cutoff.milliseconds
      var sink = NewsSink(times: first..<last, revaluedDays: revaluedDays)
      let reading = try logs.read(file, into: &sink)
      news.withLock { [found = sink.news] in $0.merge(found) }
      return reading
    }
    return news.withLock { $0 }
  }

  func affectedUsers(
    _ inputs: NightKeeper.Inputs, _ files: KnownFiles, _ news: NewsSink.News
  ) async throws -> AffectedUsers {
    let late = try lateAssignments(inputs)
    let affected = try await AffectedUsers(
      of: inputs.roster, since: night, news: news, files: files, lateAssignments: late,
      cutoff: engine.cutoff.milliseconds, threads: engine.threads)
    let all = (0..<UserDirectory.partitionCount).reduce(0) { $0 + inputs.roster.users.count(partition: $1) }
    guard Double(affected.hashes.count) <= max(Self.fewest, Self.mostAffected * Double(all)) else {
      throw KeptNight.Unusable()
    }
    return affected
  }

  /// By number of the assignments' files whether the earlier night that changes are told since had not read it.
  private func lateAssignments(_ inputs: NightKeeper.Inputs) throws(KeptNight.Unusable) -> [Bool] {
    guard let since = engine.since else {
      guard night.told.since == nil else { throw KeptNight.Unusable() }
      return inputs.assignments.map { _ in false }
    }
    guard isSinceKept || isSinceSame else { throw KeptNight.Unusable() }
    return since.hasRead(inputs.assignments.map(\.account)).map { !$0 }
  }
}
