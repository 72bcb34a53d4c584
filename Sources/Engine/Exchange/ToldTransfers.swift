import Domain

/// The transfers that a file's rows tell, as a block.
enum ToldTransfers {
  /// The blocks of all transfers that were collected; none where there are none.
  static func block(_ links: IdentityLinks) -> [UInt8]? {
    let column = ColumnWriter()
    links.forEachTransfer { alias, user, time in
      column.append(alias)
      column.append(user)
      column.append(signed: time)
    }
    return column.count == 0 ? nil : Block.frame(.transfers, [column])
  }

  /// Adds what a block's body tells.
  static func add(_ body: ArraySlice<UInt8>, to links: IdentityLinks) throws(BlockFault) {
    let bytes = Array(body)
    try bytes.withText { text throws(BlockFault) in
      var column = ColumnReader(text)
      while !column.isAtEnd {
        let (alias, user) = (try column.text(), try column.text())
        links.addTransfer(alias: alias, user: user, time: try column.signed())
      }
    }
  }
}
