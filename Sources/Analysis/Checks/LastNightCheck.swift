import Domain
import Jobs
import Measurement

/// `last_night`: is everything still there that the last night had read?
///
/// A shard that was not delivered takes its users' purchases from every group alike: the night looks like any other,
/// and its revenue is too low. Inputs grow from night to night; what shrinks was lost, or taken away on purpose.
package struct LastNightCheck: HealthCheck {
  package static let name = "last_night"
  let terms = CheckTerms(
    Self.name,
    "against the latest night published before, the part of its files, rows, used rows or users that is gone; or any file that is: fails, night after night until it is back",
    failsFrom: 0.1)

  /// One row for each input and offering that fell by more than the level, and each input of which a file is gone;
  /// none where nothing is missing, so that a first night's checks are those of any other.
  func checks(of night: CheckedNight) -> [Check] {
    let level = terms.level(in: night.job)
    guard let last = night.last, level < 1 else { return [] }
    let now = Dictionary(grouping: night.measurement.accounts, by: \.input)
    let before = Dictionary(grouping: last.files, by: \.input)
    let falls =
      before.sorted { $0.key < $1.key }.compactMap {
        fall(of: $0.key, before: $0.value, now: now[$0.key, default: []], level: level)
      } + users(last, night, level: level)
    return falls.map { row($0, since: last, level: level) }
  }

  /// What is missing of one input or offering.
  private struct Finding {
    var subject: String
    /// The largest share that is missing.
    var share: Double
    var sentence: String
    var figures: [String: Double] = [:]
  }

  // MARK: - Inputs

  /// A number that fell, and how far.
  private struct Fall {
    var what: String
    var before: Int
    var now: Int

    var share: Double { before > 0 ? Double(before - now) / Double(before) : 0 }
    var figures: [String: Double] {
      let name = what.replacing(" ", with: "_")
      return ["\(name)_before": Double(before), "\(name)_now": Double(now)]
    }
    var words: String { "\(what) fell from \(Phrase.count(before)) to \(Phrase.count(now))" }
  }

  private func fall(
    of input: String, before: [EarlierNight.File], now: [FileAccount], level: Double
  ) -> Finding? {
    let falls = [
      Fall(what: "files", before: before.count, now: now.count),
      Fall(what: "rows", before: before.reduce(0) { $0 + $1.rows }, now: now.reduce(0) { $0 + $1.rows }),
      Fall(what: "used rows", before: before.reduce(0) { $0 + $1.used }, now: now.reduce(0) { $0 + $1.used }),
    ]
    let far = falls.filter { $0.share > level }
    let gone = Self.gone(before: before, now: now)
    guard !far.isEmpty || !gone.isEmpty else { return nil }
    let shown = 5
    let rest = gone.count > shown ? ["\(Phrase.count(gone.count - shown)) more"] : []
    let files = gone.isEmpty ? [] : ["\(Phrase.list(gone.prefix(shown) + rest)) \(gone.count == 1 ? "is" : "are") gone"]
    return Finding(
      subject: "input \(input)", share: falls.map(\.share).max() ?? 0,
      sentence: "\(input): \((files + far.map(\.words)).joined(separator: ", "))",
      figures: far.reduce(into: ["gone_files": Double(gone.count), "unnamed_files": Double(max(0, gone.count - shown))])
      {
        $0.merge($1.figures) { first, _ in first }
      })
  }

  /// The files of the last night that are no more, by path.
  ///
  /// A file that lies under another name now is not gone. Where logs rotate, the oldest go while new ones come: files
  /// that all come before those that stayed, with new ones behind those, are not told; nor are they where every
  /// file has another name than the night before. The totals are compared all the same.
  static func gone(before: [EarlierNight.File], now: [FileAccount]) -> [String] {
    let names = Set(now.map(\.file))
    let contents = Set(now.map { Content(bytes: $0.bytes, crc32: $0.crc32) })
    let gone = before.filter {
      !names.contains($0.file) && !contents.contains(Content(bytes: $0.bytes, crc32: $0.crc32))
    }
    let stayed = before.map(\.file).filter(names.contains)
    let old = Set(before.map(\.file))
    guard let first = stayed.min(by: precedes), let last = stayed.max(by: precedes) else {
      return now.isEmpty ? gone.map(\.file).sorted(by: precedes) : []
    }
    let isRotation =
      gone.allSatisfy { precedes($0.file, first) } && names.contains { !old.contains($0) && precedes(last, $0) }
    return isRotation ? [] : gone.map(\.file).sorted(by: precedes)
  }

  private struct Content: Hashable {
    var bytes: Int64
    var crc32: UInt32
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  // MARK: - Users

  private func users(_ last: EarlierNight, _ night: CheckedNight, level: Double) -> [Finding] {
    last.users.sorted { $0.key < $1.key }.compactMap { offering, before in
      if let wanted = night.job.offerings, !wanted.contains(offering) { return nil }
      let groups = night.measurement.offerings.first { $0.id == offering }?.groups ?? []
      let fall = Fall(what: "measured users", before: before, now: groups.reduce(0) { $0 + $1.measuredUsers })
      guard fall.share > level else { return nil }
      return Finding(
        subject: "offering \(offering)", share: fall.share, sentence: "\(offering): \(fall.words)",
        figures: fall.figures)
    }
  }

  private func row(_ finding: Finding, since last: EarlierNight, level: Double) -> Check {
    Check(
      name: name, subject: finding.subject, status: .fail, observed: finding.share, expected: level,
      message:
        "Since the night of \(last.night), \(finding.sentence). Fetch what is missing and run the night again. If it is right so, "
        + "let the job say from which night on to compare, compare_since: with that night's date, or how much may go "
        + "from night to night, warn_levels: {last_night: 0.5}.",
      figures: finding.figures)
  }
}
