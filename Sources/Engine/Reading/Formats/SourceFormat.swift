import Domain

/// A purchase format that is not one flat event a row; one conformance a format, listed in `PurchaseLog`.
protocol SourceFormat {
  /// What is read of a row, in this order: columns, or members of a JSON object, by path where they are nested.
  static var fields: [SourceField] { get }

  /// Every column that the format's documentation names; nil where other columns are nothing to speak of.
  static var documentedColumns: Set<String>? { get }

  /// The same, and behind them what the job asks for beside.
  var fields: [SourceField] { get }

  /// Which attributes charges have had a field for.
  var attributesSeen: AttributesSeen { get }

  /// What the file calls a field, where the job says that it calls it otherwise.
  var renamed: [String: String] { get }

  /// A new batch begins: texts of earlier rows are used no more.
  mutating func beginBatch()

  /// Reads one line, whose fields are `fields`, and adds its rows to `output`.
  mutating func decode(_ fields: Fields, into output: inout DecodedLine)
}

extension SourceFormat {
  static var documentedColumns: Set<String>? { nil }
  var fields: [SourceField] { Self.fields }
  var attributesSeen: AttributesSeen { AttributesSeen() }
  var renamed: [String: String] { [:] }
}

/// One column or member of a source format.
package struct SourceField {
  let name: String
  /// A file without such a column is no file of this format.
  var isRequired = false
  /// The field whose column does in place of a required one.
  var substitute: String?

  /// A member of nested objects.
  static func path(_ names: String...) -> SourceField { SourceField(name: pathName(names)) }

  /// The name of a member of nested objects.
  package static func pathName(_ names: [String]) -> String {
    names.joined(separator: String(JSONReader.pathSeparator))
  }
}

/// What one line of a file holds: mostly one row, but a page of a notification history packs several.
///
/// One of these is used for line after line, so that its arrays are allocated once.
package struct DecodedLine {
  package private(set) var events: [PurchaseEvent] = []
  private(set) var transfers: [Transfer] = []
  private(set) var aliases: [Alias] = []
  package private(set) var rows: [Row] = []
  private(set) var unknownValues: [String] = []
  package private(set) var calls: [Call] = []
  private(set) var enrolments: [Enrolment] = []

  /// What one row came to.
  package enum Row {
    /// Events; the first decides what becomes of the row, the others are its companions.
    case events(Range<Int>)
    /// It says who is who.
    case transfers(Range<Int>)
    /// Nothing is measured by it; by the name it goes under, and with the event, where there is one, that takes back what
    /// older rows of its transaction said.
    case notMeasured(String, void: Int?)
    case fault(EventDecoder.Fault)
  }

  /// From `time` on, what `alias` bought is `user`'s.
  package struct Transfer {
    package var alias: Text
    package var user: Text
    /// Milliseconds since 1970.
    package var time: Int64
  }

  /// Two ids belong together, as a row of `time` tells beside what else it holds.
  package struct Alias {
    package var id: Text
    package var other: Text
    /// Milliseconds since 1970.
    package var time: Int64
    package var kind = Kind.customer

    /// How they belong together.
    package enum Kind: UInt8, CaseIterable {
      /// One customer goes by both.
      case customer
      /// Both are the store's, of one subscription: its transactions, its purchase tokens.
      case subscription
      /// The first is the store's id of what the second one, a user, has bought.
      case buyer
    }
  }

  /// How a call for an offering went.
  package struct Call {
    package var outcome: APIEventType
    /// Milliseconds since 1970.
    package var time: Int64
  }

  /// A user is in a group of a test, as a row of `time` tells beside what else it holds.
  package struct Enrolment {
    package var user: Text
    /// Numbers of the offering and the group.
    package var offering: UInt32
    package var group: UInt32
    /// Milliseconds since 1970.
    package var time: Int64
  }

  package mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    transfers.removeAll(keepingCapacity: true)
    aliases.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    unknownValues.removeAll(keepingCapacity: true)
    calls.removeAll(keepingCapacity: true)
    enrolments.removeAll(keepingCapacity: true)
  }

  /// Adds a row that holds one event.
  package mutating func add(_ event: PurchaseEvent) {
    rows.append(.events(events.count..<events.count + 1))
    events.append(event)
  }

  /// Adds a row that holds one event, which is logged with the first of some groups; those of other tests are told beside it.
  mutating func add(_ event: PurchaseEvent, loggedWith groups: [(offering: UInt32, group: UInt32)]) {
    var event = event
    if let first = groups.first { (event.loggedOffering, event.loggedGroup) = first }
    add(event)
    guard !event.isSandbox, !event.isFamilyShared else { return }
    for group in groups.dropFirst() { noteEnrolment(event.user, group, at: event.time) }
  }

  /// Adds another event of the row just added.
  mutating func addCompanion(_ event: PurchaseEvent) {
    guard case .events(let range) = rows.last else { return }
    events.append(event)
    events[events.count - 1].isCompanion = true
    rows[rows.count - 1] = .events(range.lowerBound..<events.count)
  }

  /// Adds a row that says who is who.
  package mutating func add(_ new: [Transfer]) {
    rows.append(.transfers(transfers.count..<transfers.count + new.count))
    transfers += new
  }

  /// Notes that the ids are one customer's; empty ones, and words for none, are nobody's.
  mutating func noteAliases(_ ids: some Sequence<Text>, at time: Int64) {
    var first: Text?
    for id in ids where !id.orNone.isEmpty {
      guard let first else {
        first = id
        continue
      }
      if id != first { aliases.append(Alias(id: first, other: id, time: time)) }
    }
  }

  /// Notes that the store's ids are of one subscription; empty ones are of none.
  mutating func noteSubscription(_ ids: some Sequence<Text>, at time: Int64) {
    let noted = aliases.count
    noteAliases(ids, at: time)
    for position in noted..<aliases.count { aliases[position].kind = .subscription }
  }

  /// Notes that a user has bought what the store's id names; an empty one names nothing.
  mutating func noteBuyer(_ user: Text, of id: Text, at time: Int64) {
    if !id.orNone.isEmpty { aliases.append(Alias(id: id, other: user, time: time, kind: .buyer)) }
  }

  /// Notes that one of the store's or a vendor's ids is no user's own: whoever else it is known to belong to has it.
  mutating func noteStoreID(_ id: Text, at time: Int64) {
    if !id.orNone.isEmpty { aliases.append(Alias(id: id, other: id, time: time, kind: .subscription)) }
  }

  /// Notes that a user is in a group of a test; without both there is none.
  mutating func noteEnrolment(_ user: Text, _ group: (offering: UInt32, group: UInt32), at time: Int64) {
    guard group.offering != Interner.none, group.group != Interner.none else { return }
    enrolments.append(Enrolment(user: user, offering: group.offering, group: group.group, time: time))
  }

  mutating func addNotMeasured(_ name: String) { rows.append(.notMeasured(name, void: nil)) }

  /// Adds a row that says that there was no such transaction after all.
  mutating func addNotMeasured(_ name: String, void event: PurchaseEvent) {
    rows.append(.notMeasured(name, void: events.count))
    events.append(event)
    events[events.count - 1].isVoid = true
    events[events.count - 1].isCompanion = true
  }

  package mutating func add(_ fault: EventDecoder.Fault) { rows.append(.fault(fault)) }

  /// Puts ids as they are compared in place of those that the line holds.
  mutating func fold(with folding: inout IDFolding) {
    for position in events.indices { events[position].user = folding.folded(events[position].user) }
    for position in transfers.indices {
      transfers[position].alias = folding.folded(transfers[position].alias)
      transfers[position].user = folding.folded(transfers[position].user)
    }
    for position in aliases.indices {
      aliases[position].id = folding.folded(aliases[position].id)
      aliases[position].other = folding.folded(aliases[position].other)
    }
    for position in enrolments.indices { enrolments[position].user = folding.folded(enrolments[position].user) }
  }

  /// Notes how a call for an offering went; it is counted whatever becomes of its row.
  mutating func noteCall(_ outcome: APIEventType, at time: Int64) { calls.append(Call(outcome: outcome, time: time)) }

  /// Notes a value that the format's documentation did not have; it changes nothing else.
  mutating func noteUnknown(_ field: String, _ value: String) { unknownValues.append("\(field)=\(value)") }
}
