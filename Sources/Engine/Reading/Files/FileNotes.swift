import Domain
import Measurement

/// What a file holds beside what is measured, counted by name.
///
/// A log of names made up line by line must not fill the memory: of more names than `nameLimit` the smallest are kept
/// and the rest counted together, so that no order of rows tells.
struct FileNotes: Sendable, Codable {
  private var counted: [Note: Int] = [:]
  /// As many smaller names are known as are kept: it and all names behind it are among the others.
  private var end: Note?

  struct Note: Sendable, Codable, Hashable {
    var kind: Kind
    /// The name it goes under: a notification's type, `subtype=…`, a column.
    var name: String

    static func == (left: Note, right: Note) -> Bool {
      left.kind == right.kind && left.name.utf8.elementsEqual(right.name.utf8)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(kind)
      hasher.combine(name)
    }

    /// By name, byte by byte.
    fileprivate func precedes(_ other: Note) -> Bool {
      if name.utf8.elementsEqual(other.name.utf8) { return kind.rawValue < other.kind.rawValue }
      return name.utf8.lexicographicallyPrecedes(other.name.utf8)
    }
  }

  enum Kind: Int, Sendable, Codable {
    /// Rows that no metric is made of.
    case notMeasured
    /// Values that the format's documentation did not have.
    case unknownValue
    /// Columns that the format's documentation did not have.
    case unknownColumn
    /// Rows that the job leaves out by what a column of them says.
    case skipped
    /// By currency, prices that were rounded by a billionth or more, and by how many billionths of a thousandth in all.
    case roundedPrice
    case roundedMoney
    /// Prices with more decimals than are kept, which said no more than those.
    case exactPrice

    var notice: Notice.Kind {
      switch self {
      case .notMeasured: .notMeasured
      case .unknownValue: .unknownValue
      case .unknownColumn: .unknownColumn
      case .skipped: .skipped
      case .roundedPrice, .roundedMoney, .exactPrice: .roundedPrices
      }
    }
  }

  /// How many names are kept.
  static let nameLimit = 1000
  /// How much of a name is kept, in Unicode scalars: one letter with its marks may be as long as a line.
  private static let longestName = 100
  /// What the names that are not kept go under.
  private static let others = "(other)"

  /// How often each name came.
  var counts: [Note: Int] {
    var notes = self
    notes.retainSmallest()
    return notes.counted
  }

  mutating func add(_ kind: Kind, _ name: String, _ count: Int = 1) {
    let note = Note(kind: kind, name: String(name.unicodeScalars.prefix(Self.longestName)))
    if let end, !note.precedes(end) {
      counted[Note(kind: kind, name: Self.others), default: 0] += count
    } else {
      counted[note, default: 0] += count
      if counted.count > 2 * Self.nameLimit { retainSmallest() }
    }
  }

  mutating func merge(_ other: FileNotes) {
    for (note, count) in other.counted { add(note.kind, note.name, count) }
  }

  private mutating func retainSmallest() {
    let names = counted.keys.filter { $0.name != Self.others }
    guard names.count > Self.nameLimit else { return }
    retain(before: names.sorted { $0.precedes($1) }[Self.nameLimit])
  }

  /// Counts all names from one on as others.
  private mutating func retain(before first: Note) {
    end = end.map { $0.precedes(first) ? $0 : first } ?? first
    for (note, count) in counted where note.name != Self.others && !note.precedes(first) {
      counted[note] = nil
      counted[Note(kind: note.kind, name: Self.others), default: 0] += count
    }
  }

  /// What a reader of the results should know, by name.
  var notices: [Notice] {
    counts.compactMap { note, count in
      guard let sentence = sentence(note, count) else { return nil }
      return Notice(
        kind: note.kind.notice, offering: nil, subject: note.name, count: count,
        isWarning: [.unknownValue, .roundedPrice].contains(note.kind), message: sentence)
    }
    .sorted { ($0.check, Identifier($0.subject)) < ($1.check, Identifier($1.subject)) }
  }

  private func sentence(_ note: Note, _ count: Int) -> String? {
    switch note.kind {
    case .skipped: "\(Phrase.count(count, "row")) with \(note.name): skip_where: leaves such rows out."
    case .roundedPrice:
      "\(Phrase.count(count, "price")) in \(note.name) had more than six decimals and were rounded half to even, by "
        + "\(Self.money(counts[Note(kind: .roundedMoney, name: note.name)] ?? 0)) \(note.name) in all. Is price: the "
        + "right column, or did another program convert it?"
    case .exactPrice:
      counts[Note(kind: .roundedPrice, name: note.name)] == nil
        ? "\(Phrase.count(count, "price")) in \(note.name) had more than six decimals that say nothing: zeros, or what "
          + "binary floating point leaves of a price, less than a billionth." : nil
    case .roundedMoney: nil
    case .notMeasured: "\(Phrase.count(count, "row")) of the kind \(note.name): nothing is measured by them."
    case .unknownValue:
      "\(note.name), seen \(Phrase.count(count, "time")), is not in the format's documentation; "
        + "such rows were read by their type."
    case .unknownColumn: "the column \(note.name) is not in the format's documentation; it was not read."
    }
  }

  /// A number of millionths of a millionth, as a decimal number.
  private static func money(_ picos: Int) -> String {
    let (whole, fraction) = picos.quotientAndRemainder(dividingBy: 1_000_000_000_000)
    var digits = fraction.padded(12)
    while digits.hasSuffix("0"), digits.utf8.count > 1 { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
