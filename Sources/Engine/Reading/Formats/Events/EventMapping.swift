import Domain
import Jobs

/// Reads out of a foreign log's row what ours would say: the type of the event by another name or another column, and what
/// was paid by smallest units, quantities and signs.
final class EventMapping {
  /// Money is not simply what the price column says.
  let changesMoney: Bool
  let hasItems: Bool
  private let mapping: LogMapping
  /// What names of types stand for, and what all others do; nil where these say it themselves.
  private let types: [Identifier: Field]
  private let otherType: Field?
  /// Where the columns stand that are read behind the fields.
  private let typeField: Int?
  private let quantityField: Int?
  private let ownField: Int?
  private let decimalSign: UInt8
  private let arena = TextArena()
  private var typesLately: [(name: [UInt8], type: Field)] = []

  package typealias Fault = EventDecoder.Fault

  /// Nil where the log says all as ours does.
  ///
  /// - Parameter firstField: that of the first column which is read for it.
  init?(_ input: PurchaseInput, firstField: Int) {
    guard input.mapping != LogMapping() || input.columnOfOwnID != nil else { return nil }
    mapping = input.mapping
    changesMoney = mapping.changesMoney
    hasItems = mapping.hasItems
    decimalSign = input.table.decimalSign
    types = mapping.types.reduce(into: [:]) { [arena] in
      $0[Identifier($1.key)] = Field(arena.copy($1.value.utf8), .string)
    }
    otherType = types[Identifier(LogMapping.anyOther)]
    typeField = mapping.typeColumn.map { _ in firstField }
    let columns = Self.columns(input)
    ownField = input.columnOfOwnID.map { _ in firstField + columns.count - 1 }
    quantityField = input.mapping.quantity.map { _ in firstField + (input.mapping.typeColumn == nil ? 0 : 1) }
  }

  /// Columns that are read behind the fields of events.
  static func columns(_ input: PurchaseInput) -> [String] {
    [input.mapping.typeColumn, input.mapping.quantity, input.columnOfOwnID].compactMap(\.self)
  }

  /// The transaction that a charge is itself, which another object's `transaction_id` would name.
  func ownID(_ fields: Fields) -> Text { ownField.map { fields[$0].text.orNone } ?? .empty }

  /// Only the currency tells what a price is.
  var needsCurrency: Bool { mapping.isInMinorUnits }

  // MARK: - Types

  /// Puts the event type that a row's own word stands for in the place of that word.
  func settleType(_ fields: Fields) throws(Fault) {
    guard !types.isEmpty else { return }
    let position = EventField.eventType.rawValue
    let word = fields[typeField ?? position]
    // Without a word of its own the row has the type that the job's defaults fill in.
    guard !word.isMissing, !word.isEmpty, !word.bytes.isNullWord else {
      if typeField != nil, fields[position].isMissing { throw .missing(mapping.typeColumn ?? "") }
      return try ignore(fields[position])
    }
    if let known = typesLately.first(where: { word.bytes.elementsEqual($0.name) }) {
      fields[position] = known.type
    } else if let type = types[Identifier(word.bytes)] ?? otherType(insteadOf: word) {
      if typesLately.count < 16 { typesLately.append((Array(word.bytes), type)) }
      fields[position] = type
    } else if typeField != nil {
      throw unnamed(word.bytes)
    }
    try ignore(fields[position], word.bytes)
  }

  /// What a word stands for that is not named: one that is an event type by itself stands for that.
  private func otherType(insteadOf word: Field) -> Field? {
    guard let otherType else { return nil }
    let isType = typeField == nil && EventType.builtIn.contains(String(decoding: word.bytes, as: UTF8.self))
    return isType ? nil : otherType
  }

  private func ignore(_ type: Field, _ word: Text? = nil) throws(Fault) {
    guard type.bytes.isEqual("ignore") else { return }
    throw Fault(reason: .notMeasured, detail: (word ?? type.bytes).shownName)
  }

  private func unnamed(_ word: Text) -> Fault {
    let column = mapping.typeColumn ?? ""
    return Fault(
      reason: .unknownEventType,
      detail:
        "types_of: does not name the \(column) \"\(word.shownName)\"; say \"\(word.shownName)\": purchase if it is one, or "
        + "\"\(word.shownName)\": ignore")
  }

  // MARK: - Money

  /// A charge of that price is a refund.
  func isRefund(_ price: Field) -> Bool {
    mapping.refundsNegatives && !price.isMissing && price.bytes.first == UInt8(ascii: "-")
  }

  /// What was paid, in micros rounded half to even once; below zero where money went back.
  ///
  /// - Parameter currency: whose smallest units prices may count.
  func amount(_ fields: Fields, _ currency: Currency) throws(Fault) -> ExactDecimal.Rounded {
    let price = fields[EventField.price.rawValue]
    var amount = try number(price, "price")
    if mapping.isInMinorUnits { amount = amount.dividedByTen(toThe: currency.minorUnits) }
    var quantity: Field?
    if let quantityField {
      let field = fields[quantityField]
      guard !field.isMissing, !field.isEmpty, !field.bytes.isNullWord else { throw .missing(mapping.quantity ?? "") }
      let factor = try number(field, mapping.quantity ?? "")
      if factor.isNegative, amount.isNegative, !factor.isZero, !amount.isZero {
        throw bad(
          price, "and \(mapping.quantity ?? "") \"\(field.bytes.shown)\" are both negative, and their product is not")
      }
      amount = amount.multiplied(by: factor)
      quantity = field
    }
    if amount.isNegative, !amount.isZero, !mapping.refundsNegatives {
      let words = quantity.map { "times \(mapping.quantity ?? "") \"\($0.bytes.shown)\" is negative" } ?? "is negative"
      throw bad(price, "\(words); say negative: refund if such rows are refunds")
    }
    do throws(DecimalText.Fault) { return try amount.rounded() } catch { throw bad(price, error.words) }
  }

  private func number(_ field: Field, _ name: String) throws(Fault) -> ExactDecimal {
    do throws(DecimalText.Fault) {
      return try ExactDecimal(field.bytes.span, sign: field.decimalSign(ofTexts: decimalSign))
    } catch {
      throw Fault(
        reason: .badPrice,
        detail: "\(name) \"\(field.bytes.shown)\" \(error.words(field.bytes, sign: decimalSign))")
    }
  }

  private func bad(_ price: Field, _ words: String) -> Fault {
    Fault(reason: .badPrice, detail: "price \"\(price.bytes.shown)\" \(words)")
  }
}

extension PurchaseLog {
  /// Refuses event types that `types:` or `types_of:` names and nothing else knows.
  ///
  /// - Throws: `OfferliftError`, exit 78.
  func refuseUnknownTypes() throws {
    let named = input.mapping.types.values.filter { $0 != LogMapping.ignored && types.type(named: $0) == nil }
    guard let unknown = named.min() else { return }
    let key = input.mapping.typeColumn == nil ? "types" : "types_of"
    let known = types.names.map(\.text) + [LogMapping.ignored]
    throw OfferliftError(
      .badJobFile,
      "\(jobFile), line \(input.table.line): \(key): there is no event type \"\(unknown)\"; "
        + hint(for: unknown, among: known))
  }
}
