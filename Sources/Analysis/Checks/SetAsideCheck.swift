import Domain
import Jobs
import Measurement

/// `unassigned`, `duplicate`, `sandbox`, `family_shared`: are unusually many purchase rows set aside for one reason?
///
/// A few per cent of duplicates, sandbox or family rows are everyday life in store logs; shares beyond these levels
/// usually mean that a file was delivered twice, or that the wrong file was.
struct SetAsideCheck: HealthCheck {
  static let all: [any HealthCheck] = [
    SetAsideCheck(.unassigned, warnsFrom: 0.5, "belong to users in no measured offering; they are outside the test"),
    SetAsideCheck(.duplicate, warnsFrom: 0.05, "repeat another row; each charge counts once"),
    SetAsideCheck(.sandbox, warnsFrom: 0.05, "are from a test environment; they do not count"),
    SetAsideCheck(
      .familyShared, warnsFrom: 0.1, "are access shared in a family, not payments; they do not count"),
  ]

  let terms: CheckTerms
  let reason: SetAsideReason
  /// What such rows are, and what becomes of them.
  let outcome: String

  init(_ reason: SetAsideReason, warnsFrom: Double, _ outcome: String) {
    self.reason = reason
    self.outcome = outcome
    terms = CheckTerms(reason.rawValue, "purchase rows that \(outcome)", warnsFrom: warnsFrom)
  }

  /// One row; none where the purchase logs hold nothing.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let count = inputs.purchases.reduce(0) { $0 + ($1.setAside[reason] ?? 0) }
    return RowShare(rows: count, all: inputs.rows(of: "purchases")).map {
      [row(count: $0.rows, of: $0.all, job: inputs.job, message: "\($0.phrase) \(outcome).")]
    } ?? []
  }
}
