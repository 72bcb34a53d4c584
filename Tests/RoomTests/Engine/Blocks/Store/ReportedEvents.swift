@testable import Domain
@testable import Engine
@testable import Measurement

/// Everything that a purchase file tells, as text: two readings of one file are compared by it.
struct ReportedEvents: EventSink, Equatable {
  private(set) var events: [String] = []
  private(set) var transfers: [String] = []
  private(set) var calls: [String] = []
  private(set) var aliases: Set<String> = []
  private(set) var enrolments: Set<String> = []
  /// Whether each event's row is asked for, too.
  var asksForRows = false
  private var isFinished = false

  init(asksForRows: Bool = false) {
    self.asksForRows = asksForRows
  }

  mutating func receive(_ event: PurchaseEvent, position: () -> Reject) {
    let asks = asksForRows || event.type.isRefund && event.amountMicros != nil && event.currency != .none
    let row = asks && !event.isShare && !event.isCompanion ? position() : nil
    let position = row.map { " at \($0.line), \($0.byteOffset): \(String(decoding: $0.excerpt, as: UTF8.self))" } ?? ""
    events.append(Self.text(event) + position)
  }

  mutating func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason? {
    transfers.append("\(Self.text(transfer.alias)) → \(Self.text(transfer.user)) \(transfer.time)")
    return transfer.time % 2 == 0 ? nil : .afterCutoff
  }

  mutating func receive(_ alias: DecodedLine.Alias) {
    aliases.insert("\(Self.text(alias.id)) = \(Self.text(alias.other))")
  }

  mutating func receive(_ enrolment: DecodedLine.Enrolment) {
    let (user, time) = (Self.text(enrolment.user), enrolment.time)
    enrolments.insert("\(user): \(enrolment.group) of \(enrolment.offering) at \(time)")
  }

  mutating func receive(_ call: DecodedLine.Call) { calls.append("\(call.outcome) \(call.time)") }

  mutating func finishBatch() {}
  /// A file's events come in no order.
  mutating func finishFile() {
    events.sort()
    isFinished = true
  }
  mutating func abandonFile() { self = ReportedEvents(asksForRows: asksForRows) }

  private static func text(_ text: Text) -> String { String(decoding: text, as: UTF8.self) }

  /// Every field of an event but the transaction's id, which no entry keeps, and its numbers in a block; of its key the half
  /// that is compared.
  private static func text(_ event: PurchaseEvent) -> String {
    let parts: [Any] = [event.moment, event.sale, event.rest, event.traits]
    let fields = parts.flatMap { Mirror(reflecting: $0).children }.compactMap { label, value -> String? in
      let name = String((label ?? "").drop { $0 == "_" })
      guard !["userNumber", "traitsNumber"].contains(name) else { return nil }
      return switch value {
      case let value as OptionalInteger: "\(name)=\(value.wrappedValue.map(String.init) ?? "nil")"
      case let value as OptionalID: "\(name)=\(value.wrappedValue.map { String($0) } ?? "nil")"
      case let value as OptionalFingerprint: "\(name)=\(value.wrappedValue.map { String($0.low) } ?? "nil")"
      default: "\(name)=\(value)"
      }
    }
    return (["user=\(text(event.user))"] + fields).joined(separator: " ")
  }
}

extension FileReading {
  /// Everything that came of reading a file, in an order of its own.
  var reported: [String] {
    [
      "\(account.input) \(account.file) \(account.bytes) \(account.crc32) \(account.rows) \(account.outcomes.used)",
      "\(account.setAside.sorted { $0.key < $1.key })", "\(names)", "\(attributes.hasCharges)",
      "\(attributes.attributes.sorted())", "\(notes.notices.map(\.message))", "\(warning ?? "")",
    ] + rejects.all.map { "\($0)" }
  }
}
