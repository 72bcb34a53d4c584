import Domain

/// Which ids a file's rows say are one customer's, and who became whom, as a block.
enum ReportedIdentities {
  /// The block of all that was collected; nil where that is nothing.
  static func block(_ links: IdentityLinks) -> [UInt8]? {
    let (body, aliases) = (ColumnWriter(), ColumnWriter())
    var count = append(to: body) { add in
      links.forEachTransfer { add($0, $1, $2) }
    }
    count += append(to: body) { add in
      links.forEachBuyer { add($0, $1, $2) }
    }
    let ids = ColumnWriter()
    var countOfIDs = 0
    links.forEachStoreID {
      ids.append($0)
      countOfIDs += 1
    }
    body.append(countOfIDs)
    links.forEachAlias { id, other in
      aliases.append(id)
      aliases.append(other)
    }
    return count + countOfIDs + aliases.count == 0 ? nil : Block.frame(.transfers, [body, ids, aliases])
  }

  /// Writes how many pairs `each` tells, and they; returns how many.
  private static func append(to body: ColumnWriter, _ each: ((Text, Text, Int64) -> Void) -> Void) -> Int {
    let pairs = ColumnWriter()
    var count = 0
    each { id, user, time in
      pairs.append(id)
      pairs.append(user)
      pairs.append(signed: time)
      count += 1
    }
    body.append(count)
    pairs.bytes { body.append(bytes: $0) }
    return count
  }

  /// Adds what a block's body tells.
  static func add(_ body: ArraySlice<UInt8>, to links: IdentityLinks) throws(BlockFault) {
    let bytes = Array(body)
    try bytes.withText { text throws(BlockFault) in
      var column = ColumnReader(text)
      for _ in 0..<(try column.length()) {
        let (alias, user) = (try column.text(), try column.text())
        links.addTransfer(alias: alias, user: user, time: try column.time())
      }
      for _ in 0..<(try column.length()) {
        let (id, user) = (try column.text(), try column.text())
        links.addBuyer(user, of: id, time: try column.time())
      }
      for _ in 0..<(try column.length()) { links.addStoreID(try column.text()) }
      while !column.isAtEnd { links.addAlias(try column.text(), try column.text()) }
    }
  }
}
