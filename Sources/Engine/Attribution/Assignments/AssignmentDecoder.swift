import Domain
import Jobs

/// Turns the rows of an assignment table into assignments: all that a row says, whatever a run makes of it.
struct AssignmentDecoder {
  private let table: AssignmentTable
  private let keyCount = AssignmentTable.keyFields.count
  private let attributes: AssignmentAttributes
  private var offerings: InternerCache
  private var groups: InternerCache
  private var values: [InternerCache]
  private var time: TimeText
  /// By attribute: some row has told it.
  private var isReported: [Bool]
  /// Fields the job fills in where the file has none.
  private let defaults: [(field: Int, value: Field)]
  private let arena = TextArena()
  /// Rows name the catalog's ids.
  private let usesCatalogKeys: Bool

  init(_ table: AssignmentTable, _ attributes: AssignmentAttributes) {
    self.table = table
    self.attributes = attributes
    offerings = InternerCache(table.roster.names.offerings)
    groups = InternerCache(table.roster.names.groups)
    values = attributes.values.map { InternerCache($0) }
    time = TimeText(table.input)
    usesCatalogKeys = table.input.usesCatalogKeys
    isReported = attributes.names.map { _ in false }
    defaults = AssignmentTable.keyFields.enumerated().compactMap { [arena] number, name in
      table.input.defaults[name].map { (number, Field(arena.copy($0.utf8), .string)) }
    }
  }

  /// The attributes that some row has told, by their numbers in the order of their names.
  var attributesSeen: AttributesSeen {
    var seen = AttributesSeen()
    seen.attributes = Set(attributes.byName.indices.filter { isReported[attributes.byName[$0]] })
    return seen
  }

  /// Reads one row into `row`, of which the file stays.
  mutating func decode(_ fields: Fields, into row: inout AssignmentRow) throws(EventDecoder.Fault) {
    for (field, value) in defaults where fields[field].isMissing || fields[field].text.isNullWord {
      fields[field] = value
    }
    for key in 0..<keyCount where fields[key].isMissing || fields[key].isEmpty || fields[key].bytes.isNullWord {
      throw .missing(AssignmentTable.keyFields[key])
    }
    row.user = fields[0].bytes
    row.time = try instant(fields[3])
    (row.offering, row.group) = try group(fields[1], fields[2])
    for attribute in values.indices {
      let field = fields[keyCount + attribute]
      if !field.isMissing { isReported[attribute] = true }
      // A NULL is no value; an empty text is one.
      row.values[attribute] = field.isMissing ? Interner.none : values[attribute].code(ofValue: field.bytes)
    }
  }

  private mutating func instant(_ field: Field) throws(EventDecoder.Fault) -> Int64 {
    do throws(TimeText.Fault) {
      return try time.parse(field.bytes)
    } catch {
      throw EventDecoder.Fault(
        reason: error.reason, detail: "assigned_at \(error.words(of: field.bytes))")
    }
  }

  /// The public names' numbers: of those in the row, or of those the catalog has for the row's ids.
  private mutating func group(
    _ offering: Field, _ group: Field
  ) throws(EventDecoder.Fault) -> (offering: UInt32, group: UInt32) {
    guard usesCatalogKeys else {
      return (offerings.code(offering.bytes), groups.code(group.bytes))
    }
    guard let known = table.catalogGroups[Identifier(group.bytes)],
      known.offeringID == Identifier(offering.bytes)
    else {
      throw EventDecoder.Fault(
        reason: .malformed, detail: "the catalog has no group \(group.string) in an offering \(offering.string)")
    }
    return (known.offering, known.group)
  }
}
