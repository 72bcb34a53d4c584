import Domain
import Engine
import Jobs

/// Chooses the group every other one of an offering is held against.
struct BaselineChoice {
  /// The group, which has users; nil where nobody of it is measured: then nothing is compared.
  var group: Identifier?
  /// Says that the baseline has no users here.
  var check: Check?

  /// Takes the group that `BaselineRule` names, which is there: a run whose rule names none has ended before.
  init(for offering: OfferingMeasurement, job: Job) {
    let present = offering.groups.map(\.id).sorted()
    group = BaselineRule(job: job).baseline(of: offering.id, among: present).flatMap { present.contains($0) ? $0 : nil }
    if group == nil, !present.isEmpty { check = Self.missing(offering.id, present) }
  }

  /// A group that was asked for by hand.
  init(group: Identifier) {
    self.group = group
  }

  private static func missing(_ offering: Identifier, _ present: [Identifier]) -> Check {
    Check(
      offering: offering, name: "baseline", status: .warn, observed: 0,
      message:
        "Nobody of the baseline is measured here, so nothing is compared; there are users of "
        + "\(Phrase.list(present.map(\.text))).")
  }
}
