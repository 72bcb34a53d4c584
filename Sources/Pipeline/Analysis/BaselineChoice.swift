/// Chooses the group every other one of an offering is held against.
struct BaselineChoice {
  /// The group, which has users; nil where nobody is measured at all.
  var group: Identifier?
  /// Says that the group the job names has no users here.
  var check: Check?

  /// Takes the group the job names for the offering, else the one it names for all, else `control`, else the
  /// first by name.
  ///
  /// A group named for this very offering that nobody is in is a failed check: figures are then held against
  /// the next choice, so that they can be looked at, but not trusted. One name for all offerings may well be
  /// missing in some of them; there it only warns.
  init(for offering: OfferingMeasurement, job: Job) {
    let present = offering.groups.map(\.id).sorted()
    let named = job.baseline.byOffering[offering.id] ?? job.baseline.group
    let choices = [named, "control"].compactMap(\.self)
    group = choices.first(where: present.contains) ?? present.first
    if let named, !present.contains(named) {
      let isOwn = job.baseline.byOffering[offering.id] != nil
      check = Self.missing(named, status: isOwn ? .fail : .warn, offering: offering.id, instead: group)
    }
  }

  /// A group that was asked for by hand.
  init(group: Identifier) {
    self.group = group
  }

  private static func missing(
    _ named: Identifier, status: Check.Status, offering: Identifier, instead group: Identifier?
  ) -> Check {
    let held = group.map { "The figures are held against \($0) instead. " } ?? ""
    return Check(
      offering: offering, name: "baseline", subject: "group \(named)", status: status, observed: 0,
      message:
        "The job's baseline \(named) has no users in this offering. \(held)Correct baseline: in the job.")
  }
}
