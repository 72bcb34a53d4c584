import Domain

/// Reads lines of invoices and items of subscriptions.
struct StripeLines {
  private let lines = JSONObjectReader<StripeLine>()
  private let expanded = JSONObjectReader<StripeID>()

  /// More lines has no invoice.
  private static let mostLines = 1000

  /// What a line is for.
  struct Line {
    /// Id of the price; empty where the line tells none.
    var price: Text
    /// The period that is paid for.
    var start, end: Text
    var isProration: Bool
    fileprivate var amount: Int64
  }

  func forget() {
    lines.forget()
    expanded.forget()
  }

  /// The line that an invoice is about: of those that settle no change the dearest, else the dearest of all; of several
  /// of them the first. Nil where there are no lines.
  func main(of field: Field) -> Line? {
    var main: Line?
    for text in field.elements(limit: Self.mostLines) ?? [] {
      guard let line = line(text), main.map({ line.comesBefore($0) }) ?? true else { continue }
      main = line
    }
    return main
  }

  /// The sum of the amounts of a list, in smallest units; nil where there is no list, or one that adds up to no amount.
  func sum(of field: Field) -> Int64? {
    guard let elements = field.elements(limit: Self.mostLines), !elements.isEmpty else { return nil }
    return elements.reduce(0) { sum, text -> Int64? in
      guard let sum, let line = lines.read(text) else { return nil }
      let amount = try? DecimalText.parse(line[.amount].bytes.span, decimals: 0)
      let added = amount.map { sum.addingReportingOverflow($0) }
      return added.flatMap { $0.overflow ? nil : $0.partialValue }
    }
  }

  private func line(_ text: Text) -> Line? {
    guard let line = lines.read(text) else { return nil }
    let price = [line[.price], line[.pricing], line[.plan]].lazy.map { $0.stripeID(expanded) }.first { !$0.isEmpty }
    let isProration = [StripeLine.proration, .itemProration, .subscriptionProration].contains {
      line[$0].bytes.isEqual("true")
    }
    // What was given back for the rest of an old period is no more than nothing.
    let amount = (try? DecimalText.parse(line[.amount].bytes.span, decimals: 0)) ?? -1
    return Line(
      price: price ?? .empty, start: line.text(.start), end: line.text(.end), isProration: isProration, amount: amount)
  }
}

extension StripeLines.Line {
  fileprivate func comesBefore(_ other: Self) -> Bool {
    isProration == other.isProration ? amount > other.amount : !isProration
  }
}
