import Domain

/// Traits in a block: their names by the block's numbers, and a bit for each thing that holds of an event.
extension EventTraits {
  func write(to column: ColumnWriter, naming names: inout BlockNames) {
    column.append(names.number(of: product, .products))
    column.append(names.number(of: code, .codes))
    column.append(names.number(of: loggedOffering, .offerings))
    column.append(names.number(of: loggedGroup, .groups))
    column.append(names.number(of: UInt32(type.code), .types))
    column.append(UInt32(currency.code))
    column.append(flags)
  }

  /// - Throws: `BlockFault` where what was read are no traits that an event has.
  init(_ column: inout ColumnReader, _ numbers: RunNumbers) throws(BlockFault) {
    self.init()
    func code(_ kind: NameKind, _ column: inout ColumnReader) throws(BlockFault) -> UInt32 {
      try numbers.code(try column.position(below: Int(Int32.max)), kind)
    }
    product = try code(.products, &column)
    self.code = try code(.codes, &column)
    loggedOffering = try code(.offerings, &column)
    loggedGroup = try code(.groups, &column)
    let type = try code(.types, &column)
    guard type != Interner.none else { throw .damaged }
    self.type = EventType(code: UInt16(type))
    currency = Currency(code: UInt16(try column.position(below: Currency.count + 1)))
    flags = UInt64(try column.position(below: 1 << Self.flagCount))
    guard namesProduct else { throw .damaged }
  }

  /// A charge that may count is of a product: tables of products are looked up by its number. Rows of families and of
  /// sandboxes need not name one, as nothing is charged; states of a sandbox are looked at further, and so do.
  var namesProduct: Bool {
    guard type.isCharge, product == Interner.none else { return true }
    return isSandbox ? !isState : isFamilyShared
  }
}
