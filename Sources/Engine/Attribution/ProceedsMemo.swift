/// What is left of net amounts after tax and commission, remembered: a log's charges have few prices, and dividing 128 bits
/// takes longer than all else that is done for a charge.
struct ProceedsMemo {
  private var known = [Entry](repeating: Entry(), count: 64)

  /// A net amount in micros, and what the shares of tax and commission are, in parts of `Products.PriceShare.whole`.
  struct Question: Equatable {
    var net: Int64 = 0
    var tax: Int64 = 0
    var commission: Int64 = 0
    /// The commission is a share of the price, tax included, as those who tell both of a charge have it; else of what tax
    /// leaves.
    var isOfPrice = false
    /// How the price divides, where that is told in money: what it tells comes before the shares.
    var split: PriceSplit?

    fileprivate var position: Int {
      let mixed =
        UInt64(bitPattern: net) &* Spread.multiplier
        &+ UInt64(
          bitPattern: tax &* 31 &+ commission &* (isOfPrice ? 3 : 1) &+ (split?.tax ?? split?.proceeds ?? 0) &* 7)
      return Int(truncatingIfNeeded: mixed >> 58)
    }
  }

  private struct Entry {
    var question = Question()
    var proceeds: Int64 = 0
    var tax: Int64 = 0
  }

  /// The proceeds and what of the net amount is tax, in micros.
  @inline(__always)
  mutating func answer(to question: Question) -> (proceeds: Int64, tax: Int64) {
    let position = question.position
    if known[position].question != question { known[position] = Self.entry(of: question) }
    return (known[position].proceeds, known[position].tax)
  }

  private static func entry(of question: Question) -> Entry {
    if let split = question.split { return entry(of: question, split) }
    let proceeds =
      question.isOfPrice
      ? Money.proceeds(net: question.net, tax: question.tax, commissionOfPrice: question.commission)
      : Money.proceeds(net: question.net, tax: question.tax, commission: question.commission)
    return Entry(
      question: question, proceeds: proceeds,
      tax: Money.tax(net: question.net, tax: question.tax, proceeds: proceeds))
  }

  /// Where the price divides in money, a refund takes of each part as much as of the price.
  private static func entry(of question: Question, _ split: PriceSplit) -> Entry {
    let net = question.net
    let tax = split.tax.map { split.share($0, of: net) } ?? Money.tax(net: net, tax: question.tax, proceeds: 0)
    let proceeds =
      split.proceeds.map { split.share($0, of: net) }
      ?? (question.isOfPrice
        ? max(0, Money.proceeds(net: net, tax: 0, commissionOfPrice: question.commission) - tax)
        : Money.proceeds(net: net - tax, tax: 0, commission: question.commission))
    return Entry(question: question, proceeds: proceeds, tax: min(tax, net - proceeds))
  }
}
