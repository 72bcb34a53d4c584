import Domain
import Platform

/// All names that some files have, by kind, and what they tell of charges beside their money. Tasks that take the same
/// lists number them alike, so that sums by number can be added.
struct NameLists: Equatable {
  /// Products, offerings, groups, codes, values of charges' attributes; then each segment attribute's values.
  private var lists: [Set<Identifier>]
  private var details: Set<Details> = []

  /// `ChargeDetails` with a name in place of its number.
  private struct Details: Hashable {
    /// All but the attributes.
    var reported: ChargeDetails
    var attributes: Identifier?

    init(_ reported: ChargeDetails, attributes: Identifier?) {
      self.reported = reported
      self.reported.attributes = Interner.none
      self.attributes = attributes
    }

    /// An order of what they say.
    static func isBefore(_ left: Details, _ right: Details) -> Bool {
      ChargeDetails.isBefore(left.reported, right.reported) ?? ((left.attributes ?? "") < (right.attributes ?? ""))
    }
  }

  private static func interners(_ names: EventNames, _ values: [Interner]) -> [Interner] {
    [names.products, names.offerings, names.groups, names.codes, names.attributes] + values
  }

  /// Which of them the values of charges' attributes are.
  private static let packedValues = 4

  /// No names yet.
  ///
  /// - Parameter attributes: how many attributes users are split by.
  init(attributes: Int) {
    lists = (0..<Self.interners(EventNames(), []).count + attributes).map { _ in [] }
  }

  /// The names so far.
  init(_ names: EventNames, values: [Interner]) {
    lists = Self.interners(names, values).map { Set($0.names) }
    details = Set(
      names.details.all.map {
        Details($0, attributes: names.attributes.name($0.attributes))
      })
  }

  /// - Throws: `BlockFault` where the body is none of such lists, or of as many attributes.
  init(_ body: ArraySlice<UInt8>, attributes: Int) throws(BlockFault) {
    self.init(attributes: attributes)
    let bytes = Array(body)
    self = try bytes.withText { [self] text throws(BlockFault) in
      var (read, column) = (self, ColumnReader(text))
      guard try column.length() == lists.count else { throw .misplaced }
      for list in read.lists.indices {
        for _ in 0..<(try column.length()) {
          let name = try column.text()
          guard list != Self.packedValues || PackedValues.areSound(name) else { throw BlockFault.damaged }
          read.lists[list].insert(Identifier(name))
        }
      }
      for _ in 0..<(try column.length()) { read.details.insert(try Self.details(&column)) }
      guard column.isAtEnd else { throw .damaged }
      return read
    }
  }

  private static func details(_ column: inout ColumnReader) throws(BlockFault) -> Details {
    let reported = try ChargeDetails(&column)
    guard try column.position(below: 2) == 1 else { return Details(reported, attributes: nil) }
    let attributes = try column.text()
    guard PackedValues.areSound(attributes) else { throw .damaged }
    return Details(reported, attributes: Identifier(attributes))
  }

  /// As a block; nil where they are too long for one.
  var block: [UInt8]? {
    let column = ColumnWriter()
    column.append(lists.count)
    for list in lists {
      column.append(list.count)
      for name in list.sorted() { column.append(name.utf8) }
    }
    column.append(details.count)
    for reported in details.sorted(by: Details.isBefore) {
      reported.reported.write(to: column)
      column.append(reported.attributes == nil ? 0 : 1)
      if let attributes = reported.attributes { column.append(attributes.utf8) }
    }
    return Block.frame(.names, [column])
  }

  /// CRC-32 of all lists.
  var checksum: UInt32 {
    var checksum = Checksum()
    checksum.update(block ?? [])
    return checksum.crc32
  }

  mutating func merge(_ other: NameLists) {
    for (number, list) in other.lists.enumerated() { lists[number].formUnion(list) }
    details.formUnion(other.details)
  }

  /// Numbers all names, in order of their bytes; nothing has been numbered before.
  func intern(into names: EventNames, values: [Interner]) {
    for (interner, list) in zip(Self.interners(names, values), lists) {
      for name in list.sorted() { _ = interner.code(name) }
    }
    for reported in details.sorted(by: Details.isBefore) {
      var details = reported.reported
      details.attributes = reported.attributes.map { names.attributes.code($0) } ?? Interner.none
      _ = names.details.number(of: details)
    }
  }
}
