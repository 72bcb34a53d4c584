import Domain

/// Which ids a file's rows say are one customer's, and who became whom, as a block.
enum ReportedIdentities {
  /// The block of all that was collected; nil where that is nothing.
  static func block(_ links: IdentityLinks) -> [UInt8]? {
    let (transfers, aliases, count) = (ColumnWriter(), ColumnWriter(), ColumnWriter())
    var countOfTransfers = 0
    links.forEachTransfer { alias, user, time in
      transfers.append(alias)
      transfers.append(user)
      transfers.append(signed: time)
      countOfTransfers += 1
    }
    links.forEachAlias { id, other in
      aliases.append(id)
      aliases.append(other)
    }
    count.append(countOfTransfers)
    return transfers.count + aliases.count == 0 ? nil : Block.frame(.transfers, [count, transfers, aliases])
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
      while !column.isAtEnd { links.addAlias(try column.text(), try column.text()) }
    }
  }
}
