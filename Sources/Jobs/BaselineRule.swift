import Domain

/// Which group of an offering the others are held against: the one that the job names for this offering, else the
/// one it names for all, else `control`; where there is one group alone, that one.
///
/// Anything else is an error: a group taken by chance would turn "better" into "worse".
package struct BaselineRule {
  package let job: Job

  package init(job: Job) {
    self.job = job
  }

  /// The baseline of an offering that has these groups, in order; nil where nothing says which one it is.
  package func baseline(of offering: Identifier, among groups: [Identifier]) -> Identifier? {
    if let named = job.baseline.byOffering[offering] { return named }
    if let named = job.baseline.group, groups.count != 1 || groups.contains(named) { return named }
    if groups.contains(Self.usual) { return Self.usual }
    return groups.count == 1 ? groups[0] : nil
  }

  /// - Parameter offerings: the offerings to measure, each with all of its groups.
  /// - Throws: `OfferliftError`, exit 78, that says for every offering without a baseline what to type.
  package func verify(_ offerings: [Identifier: Set<Identifier>]) throws {
    let known = offerings.mapValues { $0.sorted() }
    let problems = known.sorted { $0.key < $1.key }.compactMap { problem(of: $0.key, among: $0.value) }
    let all = misspelt(known.keys.sorted()) + problems
    if !all.isEmpty { throw OfferliftError(.badJobFile, problems: all) }
  }

  /// The group that is the baseline unless the job says otherwise.
  private static let usual: Identifier = "control"

  private func problem(of offering: Identifier, among groups: [Identifier]) -> String? {
    guard let baseline = baseline(of: offering, among: groups) else {
      return
        "\(job.file.lastPathComponent): the offering \"\(offering)\" has the groups \(list(groups)), and neither is "
        + "called control nor does the job say which one the others are compared with. Add a line, with the right "
        + "one of them: \(line(offering, groups[0]))"
    }
    guard !groups.contains(baseline) else { return nil }
    let nearest = nearestName(to: baseline.text, among: groups.map(\.text))
    let meant = nearest.map { "Did you mean \"\($0)\"?" } ?? "Name one of them."
    return
      "\(position(offering)): baseline: the offering \"\(offering)\" has no group \"\(baseline)\"; it has "
      + "\(list(groups)). \(meant) Write \(line(offering, Identifier(nearest ?? groups[0].text)))"
  }

  /// Offerings that `baseline:` names, that nobody is assigned to, and that look like one that has users.
  private func misspelt(_ offerings: [Identifier]) -> [String] {
    let free = offerings.filter { job.baseline.byOffering[$0] == nil }
    return job.baseline.byOffering.keys.sorted().filter { !offerings.contains($0) }.compactMap { name in
      nearestName(to: name.text, among: free.map(\.text)).map { nearest in
        "\(position(name)): baseline: nobody is assigned to an offering \"\(name)\"; did you mean \"\(nearest)\"?"
      }
    }
  }

  private func position(_ offering: Identifier) -> String {
    let line = job.baseline.lines[offering] ?? job.baseline.line
    return job.file.lastPathComponent + (line.map { ", line \($0)" } ?? "")
  }

  /// What to type.
  private func line(_ offering: Identifier, _ group: Identifier) -> String {
    job.baseline.isNamed ? "baseline: {\"\(offering)\": \"\(group)\"}" : "baseline: \"\(group)\""
  }

  private func list(_ groups: [Identifier]) -> String {
    let quoted = groups.map { "\"\($0)\"" }
    return quoted.count > 1 ? quoted.dropLast().joined(separator: ", ") + " and " + quoted[quoted.count - 1] : quoted[0]
  }
}
