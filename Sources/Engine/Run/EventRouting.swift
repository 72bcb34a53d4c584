import Domain
import Jobs
import Synchronization

/// Routes a run's events to their users' partitions in memory, by as many routers as tasks ask for, and gathers what these
/// count on the way.
final class EventRouting: Sendable {
  private let roster: Roster
  private let rates: ExchangeRates
  private let cutoff: Instant
  private let chunks = ChunksOfThreads()
  /// Users in no offering, and their events, where the job asks what they buy.
  private let outside: (users: OutsideUsers, chunks: ChunksOfThreads)?
  /// Where charges and refunds without an exchange rate stand, by number.
  let unpriced: UnpricedRejects
  private let counted: Mutex<(counts: [EventRouter.Counts], unassigned: UnassignedPurchases)>
  private let following = Mutex<[DependentEventsOfUnassigned]>([])

  /// - Parameters:
  ///   - roster: knows all users to be found.
  ///   - files: how many files the logs have.
  init(of roster: Roster, rates: ExchangeRates, cutoff: Instant, files: Int, _ job: Job, in context: RunContext) {
    (self.roster, self.rates, self.cutoff) = (roster, rates, cutoff)
    unpriced = UnpricedRejects(in: context.rejects)
    outside = job.countsOutside ? (users: OutsideUsers(), chunks: ChunksOfThreads()) : nil
    counted = Mutex(((0..<files).map { _ in EventRouter.Counts() }, UnassignedPurchases()))
  }

  /// A router for one task.
  func makeRouter() -> EventRouter {
    let ofUnassigned = DependentEventsOfUnassigned()
    following.withLock { $0.append(ofUnassigned) }
    return EventRouter(
      users: roster.users, identities: roster.identities, rates: rates, cutoff: cutoff, chunks: chunks.add(),
      unpriced: unpriced, outside: outside.map { OutsideEvents(users: $0.users, chunks: $0.chunks.add()) },
      following: ofUnassigned)
  }

  /// Takes what a router has counted of the file that it finished last.
  func accept(_ router: inout EventRouter, file: Int) {
    let limit = counted.withLock { [finished = router.finished, unassigned = router.finishedUnassigned] in
      $0.counts[file].merge(finished)
      $0.unassigned.merge(unassigned)
      return $0.unassigned.limit
    }
    router.begin(limit: limit)
  }

  /// Gives the events that follow a charge to whoever has that. Once all files have been read.
  func finish(threads: Int) async throws -> RoutedEvents {
    var (counts, unassigned) = counted.withLock { $0 }
    let outside = outside.map { (users: $0.users, chunks: $0.chunks.all) }
    let inMemory = DependentEventsInMemory(
      following.withLock { $0 }, users: roster.users, chunks: chunks.all, outside: outside)
    try await inMemory.settle(threads: threads) { counts[Int($0)].outcomes.setAside(.unassigned, $1) }
    return RoutedEvents(
      partitions: MemoryPartitions(roster: roster, chunks: chunks.all, outside: outside), counts: counts,
      unassigned: unassigned)
  }
}

/// Events where their users are attributed, and what was counted on the way.
struct RoutedEvents: Sendable {
  /// By partition, to be attributed.
  let partitions: MemoryPartitions
  /// By file of the logs.
  let counts: [EventRouter.Counts]
  /// The purchases, and those of users nobody assigned.
  let unassigned: UnassignedPurchases
}

/// The event chunks of every reading task.
private final class ChunksOfThreads: Sendable {
  private let chunks = Mutex<[EventChunks]>([])

  func add() -> EventChunks {
    chunks.withLock {
      $0.append(EventChunks(partitions: UserDirectory.partitionCount))
      return $0[$0.count - 1]
    }
  }

  var all: [EventChunks] { chunks.withLock { $0 } }
}
