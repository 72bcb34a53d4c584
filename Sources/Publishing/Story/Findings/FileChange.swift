import Analysis
import Domain
import Measurement

/// A file that came late, grew, was replaced or is gone, and what it did to the time before the previous night's cut-off.
struct FileChange {
  let file: String
  let change: ChangedFile.Change
  /// The previous night's date, `2026-03-30`.
  let since: String
  let rowsBefore: Int
  let rowsNow: Int
  /// What it adds, where it came late.
  let late: LateCounts
  /// The reporting currency.
  let currency: String

  /// It came late and tells nothing that was not known.
  var isNothing: Bool { change == .late && late.areNothing }

  /// `purchases-2026-03-28.csv.gz came late: 31 charges, +459.54 USD`
  var clause: String {
    switch change {
    case .late: "\(file) came late: \(Self.words(of: late, currency))"
    case .grown:
      "\(file) grew from \(Phrase.count(rowsBefore)) to \(Phrase.count(rowsNow, "row")), some of earlier days"
    case .replaced:
      "\(file) was replaced: \(Phrase.count(rowsNow, "row")), "
        + (rowsNow == rowsBefore
          ? "as before" : "where there \(rowsBefore == 1 ? "was" : "were") \(Phrase.count(rowsBefore))")
    case .gone: "\(file) is gone: it had \(Phrase.count(rowsBefore, "row"))"
    }
  }

  /// `31 charges, +459.54 USD, and 2 refunded, −19.98 USD`
  private static func words(of counts: LateCounts, _ currency: String) -> String {
    var words: [String] = []
    if counts.charges != 0 {
      words.append("\(Phrase.count(counts.charges, "charge")), \(signed(counts.gross)) \(currency)")
    } else if counts.gross != 0 {
      words.append("other prices, \(signed(counts.gross)) \(currency)")
    }
    if counts.refunds != 0 || counts.refunded != 0 {
      words.append("\(Phrase.count(counts.refunds, "refund")), \(signed(-counts.refunded)) \(currency)")
    }
    if counts.users != 0 { words.append(Phrase.count(counts.users, "user")) }
    if counts.events != 0 { words.append(Phrase.count(counts.events, "other event")) }
    return words.isEmpty ? "nothing that was not known" : Phrase.list(words)
  }

  /// Money to the last of its decimals, at least two: `+459.54`, `−0.125`.
  private static func signed(_ micros: Int128) -> String {
    let fraction = String(micros.magnitude % 1_000_000 + 1_000_000).dropFirst()
    let retained = max(2, 6 - fraction.reversed().prefix { $0 == "0" }.count)
    let sign = micros > 0 ? "+" : micros < 0 ? "−" : ""
    return "\(sign)\(Phrase.count(micros.magnitude / 1_000_000)).\(fraction.prefix(retained))"
  }
}

extension FileChange {
  /// One for each, in the order of the tables.
  static func all(in source: StorySource) -> [FileChange] {
    source.rows(of: ChangedFilesTable()).compactMap { row in
      guard let change = ChangedFile.Change(rawValue: row.change) else { return nil }
      return FileChange(
        file: row.file, change: change, since: row.previousNight, rowsBefore: row.previousRows ?? 0,
        rowsNow: row.rowsRead ?? 0,
        late: LateCounts(
          rows: row.lateRows ?? 0, users: row.users ?? 0, charges: row.charges ?? 0, gross: row.gross ?? 0,
          refunds: row.refunds ?? 0, refunded: row.refunded ?? 0, events: row.events ?? 0),
        currency: source.head.currency)
    }
  }

  /// So many files are named in a sentence.
  private static let mostNamed = 3

  /// All that changed something, the first by name and the rest counted: `x.csv came late: …; and 4 more, …`; nil where
  /// none did.
  static func sentence(of files: [FileChange]) -> String? {
    let moving = files.filter { !$0.isNothing }
    let (named, rest) = (moving.prefix(mostNamed), moving.dropFirst(mostNamed))
    guard let currency = moving.first?.currency else { return nil }
    let late = rest.filter { $0.change == .late }
    let sum = late.reduce(LateCounts()) { $0 + $1.late }
    let others = rest.count - late.count
    let more = [
      late.isEmpty ? nil : "\(Phrase.count(late.count)) more came late: \(words(of: sum, currency))",
      others == 0 ? nil : "\(Phrase.count(others)) more changed",
    ].compactMap(\.self)
    return (named.map(\.clause) + more).joined(separator: "; ") + "."
  }
}
