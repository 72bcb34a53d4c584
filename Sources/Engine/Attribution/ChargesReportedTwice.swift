import Domain
import Jobs
import Measurement

/// Charges that two inputs tell under different transactions, by the inputs.
///
/// What is known to be one sale, by key, by transaction or by what an app's analytics saw, is one charge here, and the
/// inputs that tell it are those of all its rows: of two such charges which an input tells both, it knows them as two.
struct ChargesReportedTwice: Tally {
  private(set) var found: [InputPair: Found] = [:]

  static let parts = [TallyPart<Self>("inputs", \.found) { $1.knows($0) }]

  /// How long two feeds may differ in the time of one sale, in milliseconds.
  private static let longestDifference: Int64 = 60_000

  struct Found: Tally {
    var charges = 1
    var example: Example

    static let parts: [TallyPart<Self>] = [TallyPart(\.charges), TallyPart(\.example)]
  }

  /// What is compared of a charge.
  struct Charge {
    let product: UInt32
    /// The product's place in the order of names.
    let rank: Int64
    let price: ChargedPrice
    let row: Row
    /// The place of the input of that row.
    let input: UInt16
    /// 0 where none is named.
    let transaction: UInt64
    /// The inputs of all rows that tell it, and of those that were found to tell it again.
    var inputs: UInt64

    /// - Parameter transaction: that of the event that was kept.
    init(_ charge: UserHistory.Charge, _ retained: LedgerCharge, transaction: UInt64, _ rules: HistoryRules) {
      product = charge.product
      rank = rules.facts.rank(charge.product)
      price = retained.charged ?? ChargedPrice(micros: charge.amountMicros, currency: charge.currency)
      row = Row(time: charge.time, file: retained.file)
      input = rules.feeds.file(at: retained.file).input
      self.transaction = transaction
      inputs = retained.inputs
    }

    /// Whether the other, which is earlier, may be the same sale, told by other inputs.
    func mayRepeat(_ other: Charge) -> Bool {
      product == other.product && price == other.price && inputs & other.inputs == 0
        && (transaction == 0 || transaction != other.transaction)
    }
  }

  /// Where a charge is told: when, in milliseconds since 1970, and in which file, by its place in the order of names.
  struct Row: Sendable, Codable, Comparable {
    var time: Int64
    var file: UInt32

    static func < (left: Row, right: Row) -> Bool { (left.time, left.file) < (right.time, right.file) }
  }

  /// Two rows of what may be one sale. Of several the earliest is kept; ties by the product's name and by what it cost.
  struct Example: Mergeable, Comparable {
    var earlier: Row
    var later: Row
    var rank: Int64
    var product: UInt32
    var micros: Int128
    var currency: UInt16

    init(_ earlier: Charge, _ later: Charge) {
      (self.earlier, self.later) = (min(earlier.row, later.row), max(earlier.row, later.row))
      (rank, product) = (earlier.rank, earlier.product)
      (micros, currency) = (Int128(earlier.price.micros), earlier.price.currency.code)
    }

    mutating func merge(_ other: Example) { self = min(self, other) }

    func misfit(_ shape: SumsShape) -> String? {
      guard max(earlier.file, later.file) < shape.files else { return "files" }
      guard shape.knows(product: product) else { return "products" }
      return currency <= Currency.count ? nil : "currencies"
    }

    static func < (left: Example, right: Example) -> Bool {
      if left.earlier != right.earlier { return left.earlier < right.earlier }
      if left.later != right.later { return left.later < right.later }
      return (left.rank, left.micros, left.currency) < (right.rank, right.micros, right.currency)
    }
  }

  /// Looks at one user's charges: each repeats the nearest one before it that none of its inputs tells.
  mutating func look(at charges: [Charge]) {
    // The order of charges of one instant must not follow from that of the job's inputs.
    var charges = charges.sorted { ($0.row, $0.transaction) < ($1.row, $1.transaction) }
    for later in charges.indices.dropFirst() {
      let since = charges[later].row.time - Self.longestDifference
      let before = charges[..<later].lastIndex { $0.row.time < since || charges[later].mayRepeat($0) }
      guard let before, charges[before].row.time >= since else { continue }
      add(charges[before], charges[later])
      charges[before].inputs |= charges[later].inputs
      // What repeats a charge is none that another may repeat.
      charges[later].inputs = .max
    }
  }

  private mutating func add(_ earlier: Charge, _ later: Charge) {
    let pair = InputPair(earlier.input, later.input)
    let new = Found(example: Example(earlier, later))
    if found[pair] == nil { found[pair] = new } else { found[pair]!.merge(new) }
  }

  /// By the inputs' paths, with names for numbers.
  ///
  /// - Parameter logs: what became of the rows of the log's files, in their order.
  func named(of job: Job, products: ProductFacts, feeds: FeedIndex, logs: [FileAccount]) -> [ReportedTwice] {
    let paths = job.purchases.map { Array($0.table.path.utf8) }
    func precedes(_ left: [Int], _ right: [Int]) -> Bool {
      left.lexicographicallyPrecedes(right) { paths[$0].lexicographicallyPrecedes(paths[$1]) }
    }
    let named = found.map { pair, found in
      let (inputs, example) = ([Int(pair.first), Int(pair.second)], found.example)
      return ReportedTwice(
        inputs: inputs.sorted { precedes([$0], [$1]) }, charges: found.charges,
        example: ReportedTwice.Example(
          product: products.ids[Int(example.product)], micros: example.micros,
          currency: Currency(code: example.currency).text,
          rows: [example.earlier, example.later].map { row in
            ReportedTwice.Row(
              file: logs[feeds.file(at: row.file).number].file, time: Instant(milliseconds: row.time))
          }))
    }
    return named.sorted { precedes($0.inputs, $1.inputs) }
  }
}

/// Two of the job's purchase inputs, by their places, the smaller first.
struct InputPair: Sendable, Codable, Hashable, Comparable {
  let first: UInt16
  let second: UInt16

  init(_ one: UInt16, _ other: UInt16) { (first, second) = (min(one, other), max(one, other)) }

  static func < (left: InputPair, right: InputPair) -> Bool {
    (left.first, left.second) < (right.first, right.second)
  }
}
