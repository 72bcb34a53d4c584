import Domain
import Jobs

/// How users are parted by when they were assigned, beside their attributes: into the phases of dated weights, and into
/// days. They are counted as values of attributes are, and are published as no segments.
struct AssignmentStrata: Sendable {
  /// What users are parted into; each is an attribute behind those of the roster.
  let kinds: [Kind]
  /// When the weights of an offering's groups changed, by the offering's number, in order of time.
  private let changes: [UInt32: [Int64]]

  enum Kind: Sendable { case phase, day }

  /// - Parameter offerings: the offerings' names by number.
  init(_ job: Job, offerings: [Identifier]) {
    let isByDay = job.metrics.contains { $0.stratify == .day }
    kinds = (job.weightPhases.isEmpty ? [] : [.phase]) + (isByDay ? [.day] : [])
    changes = offerings.enumerated().reduce(into: [:]) { changes, offering in
      guard let phases = job.weightPhases[offering.element] else { return }
      changes[UInt32(offering.offset)] = phases.map { $0.from?.milliseconds ?? .min }
    }
  }

  /// How many phases an offering's users are parted into, those before the first weights included; nil where its weights
  /// have no dates.
  func phaseCount(of offering: UInt32) -> Int? { changes[offering].map { $0.count + 1 } }

  /// The number of a user's stratum: of phases how many weights had come to hold, of days the phase and the UTC day.
  func stratum(of membership: Membership, _ kind: Kind) -> UInt32 {
    let time = membership.assignedAt
    let phase = UInt32(changes[membership.offering].map { $0.count { $0 <= time } } ?? 0)
    switch kind {
    case .phase: return phase
    case .day:
      // A day on which weights changed is two strata.
      let day = min(max(Instant(milliseconds: time).utcDay, 0), Int64(Self.dayLimit - 1))
      return min(phase, Self.phaseLimit) * Self.dayLimit + UInt32(day)
    }
  }

  /// Days since 1970 that are told apart, those of 45,000 years, and phases of one day.
  private static let dayLimit: UInt32 = 1 << 24
  private static let phaseLimit: UInt32 = 254
}
