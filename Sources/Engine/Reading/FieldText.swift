import Domain

/// What every purchase format asks of a field's text, in one place for all of them.
extension UnsafeBufferPointer<UInt8> {
  /// No text at all.
  static var noText: Self { Self(start: nil, count: 0) }

  /// Equal but for the case of ASCII letters; `word` is lower case.
  func isEqual(ignoringCaseTo word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count {
      let byte = self[index]
      let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      if (isCapital ? byte | 0x20 : byte) != word.utf8Start[index] { return false }
    }
    return true
  }

  /// The environment that money counts in. Absent counts as production; the stores' test environments all have
  /// other names.
  var isProduction: Bool { isEmpty || isEqual(ignoringCaseTo: "production") }

  /// The beginning of the text, for messages.
  package var shown: String {
    let start = String(decoding: prefix(60), as: UTF8.self)
    return count > 60 ? start + "…" : start
  }
}

/// Keeps kinds of keys apart, so that transaction `7` is not event `7`.
enum KeySpace {
  static let transaction: UInt64 = 1
  static let event: UInt64 = 2
  /// A row that stands for a charge: a transaction and the number of its renewal.
  static let row: UInt64 = 3
  /// Events that go by what they say; one space a type.
  static func content(_ type: EventType) -> UInt64 { 1 << 32 + UInt64(type.code) }
}

extension Fingerprint {
  /// The key of an event without an id of its own: its type, product and time.
  init(contentOf type: EventType, product: UInt32, time: Int64) {
    self.init((UInt64(product), UInt64(bitPattern: time), 0), space: KeySpace.content(type))
  }

  /// The key of a refund or reversal without an id of its own: what it takes back, when, and how much.
  init(refund event: PurchaseEvent, of charge: UInt64) {
    let amount = UInt64(bitPattern: event.amountMicros ?? -1)
    self.init((charge, UInt64(bitPattern: event.time), amount), space: KeySpace.content(event.type))
  }
}

extension EventDecoder.Fault {
  package static func missing(_ name: String) -> Self {
    Self(reason: .missingField, detail: "\(name) is missing", field: name)
  }
}

extension Currency {
  /// - Throws: where the text is not three letters.
  package static func read(_ text: UnsafeBufferPointer<UInt8>) throws(EventDecoder.Fault) -> Currency {
    guard let currency = Currency(text) else {
      throw EventDecoder.Fault(
        reason: .badCurrency, detail: "currency \"\(text.shown)\" is not three letters; write USD")
    }
    return currency
  }
}

extension TimeText {
  /// Milliseconds since 1970.
  ///
  /// - Throws: where the text is not a time, or a clock change skips or repeats it.
  package mutating func read(_ text: UnsafeBufferPointer<UInt8>) throws(EventDecoder.Fault) -> Int64 {
    do throws(TimeText.Fault) {
      return try parse(text)
    } catch {
      throw EventDecoder.Fault(reason: error.reason, detail: "\"\(text.shown)\" \(error.words)")
    }
  }
}
