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
    /// Id of the subscription's item that it is of, by which RevenueCat knows a sale; empty where it tells none.
    var item: Text
    /// The period that is paid for.
    var start, end: Text
    /// In the currency's smallest unit; below 0 where the rest of an old period is given back.
    var amount: Int64
    var kind: Kind
    /// It says that it is of a trial.
    var isTrial: Bool
  }

  /// Kinds of lines, the one first that says best what an invoice is about.
  enum Kind: Int {
    /// The subscription's own, which comes again.
    case subscription
    /// Something bought once, a fee say.
    case item
    /// What a change within a period costs or gives back.
    case proration
  }

  func forget() {
    lines.forget()
    expanded.forget()
  }

  /// The lines of a list; those that are no objects are left out.
  func all(of field: Field) -> [Line] {
    (field.elements(limit: Self.mostLines) ?? []).compactMap { line($0) }
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
    let item = [line.text(.item), line.text(.itemOfParent)].lazy.map(\.orNone).first { !$0.isEmpty }
    return Line(
      price: price ?? .empty, item: item ?? .empty, start: line.text(.start), end: line.text(.end),
      amount: line[.amount].bytes.wholeNumber ?? 0, kind: Self.kind(of: line),
      isTrial: line.text(.description).starts(with: "Trial period for".utf8))
  }

  private static func kind(of line: Record<StripeLine>) -> Kind {
    let prorations: [StripeLine] = [.proration, .itemProration, .subscriptionProration]
    if prorations.contains(where: { line[$0].bytes.isEqual("true") }) { return .proration }
    let isOnce =
      line.text(.type).isEqual("invoiceitem") || line.text(.parentType).isEqual("invoice_item_details")
      || line.text(.priceType).isEqual("one_time")
    return isOnce ? .item : .subscription
  }
}

extension [StripeLines.Line] {
  /// The line that says what an invoice is about: the subscription's own, which goes on; else what was bought once; else
  /// what settles a change. Of several the one that ends last, of those the dearest. Nil where there are no lines.
  var main: Element? {
    reduce(nil) { main, line in main.map { line.comesBefore($0) ? line : $0 } ?? line }
  }

  /// The same of an invoice that was paid: a trial's own line, of 0, is not what was paid for.
  var paidMain: Element? {
    guard let main, main.kind == .subscription, main.amount == 0 else { return main }
    return filter { $0.kind == .item && $0.amount > 0 }.main ?? main
  }

  /// What of the lines is paid again next time, in smallest units: those of the subscription's own that end with the main
  /// one; 0 where more of the same was added to what runs; nil where the lines do not tell.
  var recurring: Int64? {
    guard let main = paidMain, main.kind != .item else { return nil }
    guard main.kind == .subscription else { return contains { $0.price != main.price } ? nil : 0 }
    return reduce(into: Int64?.some(0)) { sum, line in
      guard line.kind == .subscription, line.end == main.end else { return }
      sum = sum.flatMap { $0.addingReportingOverflow(line.amount) }.flatMap { $0.overflow ? nil : $0.partialValue }
    }
  }

  /// All that they come to, in smallest units; nil where that is no amount.
  var sum: Int64? {
    reduce(Int64?.some(0)) { sum, line in
      sum.flatMap { $0.addingReportingOverflow(line.amount) }.flatMap { $0.overflow ? nil : $0.partialValue }
    }
  }
}

extension StripeLines.Line {
  fileprivate func comesBefore(_ other: Self) -> Bool {
    if kind != other.kind { return kind.rawValue < other.kind.rawValue }
    let (ends, otherEnds) = (end.wholeNumber ?? 0, other.end.wholeNumber ?? 0)
    return ends == otherEnds || kind == .item ? amount > other.amount : ends > otherEnds
  }
}

extension Text {
  /// The whole number that the text is, below 0 with a minus; nil where it is none.
  var wholeNumber: Int64? {
    guard starts(with: "-".utf8) else { return try? DecimalText.parse(span, decimals: 0) }
    return (try? DecimalText.parse(slice(1..<count).span, decimals: 0)).map { -$0 }
  }
}
