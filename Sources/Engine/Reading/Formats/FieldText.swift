import Domain

/// What every purchase format asks of a field's text, in one place for all of them.
extension Text {
  /// The environment that money counts in. Absent counts as production; the stores' test environments all have
  /// other names.
  var isProduction: Bool { isEmpty || isEqual(ignoringCaseTo: "production") || isNullWord }
}

/// Keeps kinds of keys apart, so that transaction `7` is not event `7`.
enum KeySpace {
  static let transaction: UInt64 = 1
  static let event: UInt64 = 2
  /// A row that stands for a charge: a transaction and the number of its renewal.
  static let row: UInt64 = 3
  /// Subscriptions, by their first transaction.
  static let chain: UInt64 = 5
  /// Groups of subscriptions.
  static let subscriptionGroup: UInt64 = 6
  /// An item of a transaction.
  static let item: UInt64 = 7
  /// Events that go by what they say; one space a type.
  static func content(_ type: EventType) -> UInt64 { 1 << 32 + UInt64(type.code) }
}

extension Fingerprint {
  /// The key of an event without an id of its own: its type, product and time.
  init(contentOf type: EventType, product: UInt32, time: Int64) {
    self.init((UInt64(product), UInt64(bitPattern: time), 0), space: KeySpace.content(type))
  }

  /// The key of one of a transaction's charges: that of the product.
  init(item product: Text, of transaction: UInt64) {
    let product = Fingerprint(product, space: KeySpace.item)
    self.init((transaction, product.high, product.low), space: KeySpace.item)
  }

  /// What stands for all charges of a transaction.
  init(allItemsOf transaction: UInt64) {
    self.init((transaction, 0, 0), space: KeySpace.item)
  }

  /// The key of one of the charges that share a transaction: that of its renewal.
  init(renewal: UInt64, of transaction: Fingerprint) {
    self.init((transaction.high, transaction.low, renewal), space: KeySpace.row)
  }

  /// The key of a refund or reversal without an id of its own: what it takes back, when, and how much.
  init(refund event: PurchaseEvent, of charge: UInt64) {
    let amount = UInt64(bitPattern: event.amountMicros ?? -1)
    self.init((charge, UInt64(bitPattern: event.time), amount), space: KeySpace.content(event.type))
  }
}

extension Fingerprint {
  /// The key of the word that a refund failed, from the refund's key; of such a word's key, the refund's.
  static func ofFailed(_ refund: UInt64) -> UInt64 { refund ^ 0x5bd1_e995_7f4a_7c15 }

  /// 32 bits that stand for a subscription's first transaction; 0 where none is told. They are compared among one user's
  /// events only, of which two different ones meet by chance once in four thousand million pairs.
  ///
  /// Google Play numbers the renewals of an order behind two dots, `GPA.3301-0000-0000-00000..4`: all of them are of the
  /// order before the dots.
  @inline(__always)
  static func chain(_ transaction: Text) -> UInt32 {
    let transaction = transaction.orNone
    return transaction.isEmpty ? 0 : short(transaction.withoutRenewalNumber, space: KeySpace.chain)
  }

  /// 32 bits that stand for a group of subscriptions; 0 where none is told.
  static func subscriptionGroup(_ name: Text) -> UInt32 {
    let name = name.orNone
    return name.isEmpty ? 0 : short(name, space: KeySpace.subscriptionGroup)
  }

  /// Never 0.
  private static func short(_ text: Text, space: UInt64) -> UInt32 {
    max(1, UInt32(truncatingIfNeeded: Fingerprint(text, space: space).low))
  }
}

extension Text {
  /// An order of Google Play's without what numbers its renewal; any other text as it is.
  var withoutRenewalNumber: Text {
    guard count > 4, self[0] == UInt8(ascii: "G"), starts(with: "GPA.".utf8) else { return self }
    var end = count
    while end > 0, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[end - 1]) { end -= 1 }
    guard end < count, end > 2, self[end - 1] == UInt8(ascii: "."), self[end - 2] == UInt8(ascii: ".") else {
      return self
    }
    return slice(0..<end - 2)
  }
}

extension EventDecoder.Fault {
  package static func missing(_ name: String) -> Self {
    Self(reason: .missingField, detail: "\(name) is missing", field: name)
  }
}

extension Currency {
  /// - Throws: where the text is not three letters.
  package static func read(_ text: Text) throws(EventDecoder.Fault) -> Currency {
    guard let currency = Currency(reported: text.span) else {
      throw EventDecoder.Fault(
        reason: .badCurrency, detail: "currency \"\(text.shown)\" is not three letters; write USD")
    }
    return currency
  }
}

extension TimeText {
  /// As `parse` of the text's bytes.
  @inline(__always)
  mutating func parse(_ text: Text) throws(TimeText.Fault) -> Int64 {
    guard isInUsualFormat, let quick = QuickTime(text) else { return try parse(text.span) }
    return quick.isUTC ? quick.local : try instant(local: quick.local)
  }

  /// Milliseconds since 1970.
  ///
  /// - Throws: where the text is not a time, or a clock change skips or repeats it.
  package mutating func read(_ text: Text) throws(EventDecoder.Fault) -> Int64 {
    do throws(TimeText.Fault) {
      return try parse(text)
    } catch {
      throw EventDecoder.Fault(reason: error.reason, detail: error.words(of: text))
    }
  }
}

extension TimeText.Fault {
  /// What is wrong with a text, which is quoted as it is where it is nobody's id: a count of days.
  func words(of text: Text) -> String {
    let shown = if case .serialDate = self { text.plain } else { text.shown }
    return "\"\(shown)\" \(words)"
  }
}
