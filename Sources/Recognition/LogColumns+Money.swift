import Domain
import Engine
import Jobs

/// What the rows of a log come to, and which of them are one charge.
extension LogColumns {
  mutating func lookAtUnits(_ price: String) {
    if let answer = answers["price_unit"] {
      mapping.isInMinorUnits = answer == "minor"
      return emit("price_unit", answer, Guess(0, .certain, "as told"))
    }
    if columns.reported["price"] == price, MinorUnits.perUnit(price, columns.values(price).values) != nil { return }
    let found = MinorUnits(price, currency: column("currency"), code: code?.value ?? terms.currency, columns)
    switch found.finding {
    case .units: break
    case .minor(let why):
      mapping.isInMinorUnits = true
      emit("price_unit", "minor", Guess(0, .certain, why))
    case .unknown(let why): doubts.append(MinorUnits.question(price, why, decimals: decimals, columns))
    }
  }

  /// Of the smallest unit of the currency of all amounts, or of the first.
  private var decimals: Int {
    let reported =
      column("currency").flatMap { columns.values($0).reported.values.first } ?? code?.value ?? terms.currency
    return reported.flatMap { Currency(reported: Array($0.utf8)) }?.minorUnits ?? 2
  }

  mutating func lookAtQuantity(_ price: String) {
    let found = QuantityColumn(price, product: column("productId"), columns, answer: answers["quantity"])
    if let quantity = found.quantity {
      mapping.quantity = quantity.value
      emit("quantity", "column \"\(quantity.value)\" multiplies the price", quantity)
    }
    if let question = found.question { doubts.append(question) }
  }

  /// What each row comes to, of those that are not left out.
  func amounts(_ price: String) -> [Double?] {
    let prices = columns.numbers(price)
    let counts = mapping.quantity.map(columns.numbers)
    let parts = mapping.isInMinorUnits ? (0..<decimals).reduce(1.0) { parts, _ in parts * 10 } : 1
    return prices.indices.map { row in
      ignored.contains(row) ? nil : prices[row].map { $0 / parts * (counts?[row] ?? 1) }
    }
  }

  /// What each row brings, where a column says what it tells: a refund takes away.
  func worth(_ price: String) -> [Double?] {
    let amounts = amounts(price)
    guard let kinds = column("eventType").map(columns.sample.column) else { return amounts }
    return zip(amounts, kinds).map { amount, kind in
      let type = kind.map { mapping.types[$0] ?? $0 } ?? ""
      return ForeignTypes.charges.contains(type) ? amount : type == "refund" ? amount.map { -$0.magnitude } : nil
    }
  }

  mutating func lookAtItems(_ price: String) {
    guard let order = column("transactionId"), column("eventType") == nil else { return }
    let found = ItemRows(
      order: order, product: column("productId"), price: price, amounts: amounts(price), columns,
      answer: answers["items"])
    if let items = found.items {
      mapping.hasItems = true
      emit("items", "true", items)
    }
    if let question = found.question { doubts.append(question) }
    if found.question == nil, !found.repeatsTotal, columns.reported["transactionId"] == nil { lookAtKey(price, order) }
    guard found.repeatsTotal, let product = column("productId") else { return }
    columns.give(back: "productId")
    emit(
      "productId", "none",
      Guess(0, .likely, "orders have several of \"\(product)\", and each of their rows has what the whole order cost"))
  }

  mutating func lookAtKey(_ price: String, _ order: String) {
    let rows = ChargeKey.Rows(
      order: order, product: mapping.hasItems ? column("productId") : nil, amounts: amounts(price))
    let found = ChargeKey(rows, columns, price: price)
    guard let key = found.key else { return doubts += [found.question].compactMap(\.self) }
    if column("eventId") == key.value { columns.give(back: "eventId") }
    columns.give(back: "transactionId")
    columns.set("transactionId", key)
    mapping.hasItems = false
    remarks.removeAll { $0.subject == "items" }
  }

  /// Refunds that name their charge in a column of its own.
  mutating func lookAtLinks(_ price: String) {
    guard let key = column("transactionId") else { return }
    let (amounts, types) = (amounts(price), column("eventType"))
    let refunded = types == nil ? [] : mapping.types.filter { $0.value == "refund" }.keys.sorted() + ["refund"]
    let kinds = types.map(columns.sample.column)
    let refunds = amounts.indices.filter { row in
      kinds.map { $0[row].map(refunded.contains) ?? false } ?? ((amounts[row] ?? 0) < 0)
    }
    let charges = amounts.indices.filter { !refunds.contains($0) && (amounts[$0] ?? 0) > 0 }
    let condition = types.map { StatusColumn.condition($0, refunded) } ?? NegativePrices.condition(price)
    if let link = RefundLink(refunds, of: charges, key: key, where: condition, columns) {
      questions.append(link.problem)
    }
  }

  /// Amounts below zero that name the charge they are of.
  mutating func lookAtNegatives(_ price: String) {
    let numbers = amounts(price)
    let kinds = column("eventType").map { columns.sample.column($0).map { $0.map { mapping.types[$0] ?? $0 } } }
    let negative = numbers.indices.filter { row in
      (numbers[row] ?? 0) < 0 && kinds?[row] != .some(LogMapping.ignored)
    }
    guard !negative.isEmpty, let charge = column("transactionId") else { return }
    let ids = columns.sample.column(charge)
    let charges = Set(numbers.indices.filter { (numbers[$0] ?? 0) > 0 }.compactMap { ids[$0] })
    let known = negative.count { row in
      ids[row].map(charges.contains) ?? false || kinds?[row] == .some("refund")
    }
    guard 2 * known >= negative.count || columns.sample.rows.count < columns.sample.rowCount else { return }
    mapping.refundsNegatives = true
    emit(
      "negative", "refund",
      Guess(
        0, .likely, "\(Phrase.count(negative.count)) amounts are below zero, and name the \"\(charge)\" of a charge"))
  }
}
