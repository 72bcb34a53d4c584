/// The columns of a block of events, in the order they lie in it.
enum EventColumn: Int, CaseIterable {
  // Dictionaries.
  case names, details, traits
  // Who.
  case userLengths, userBytes
  // The events, by how much they say.
  case moments, sales, others
  // Beside the events.
  case positions, transfers, aliases, calls, enrolments
}

/// The columns of a block of events while they are written.
///
/// By name, and not in an array: counting references to an array's elements took 4 % of a night that fills a state folder.
struct EventColumns {
  let names = ColumnWriter()
  let details = ColumnWriter()
  let traits = ColumnWriter()
  let userLengths = ColumnWriter()
  let userBytes = ColumnWriter()
  let moments = ColumnWriter()
  let sales = ColumnWriter()
  let others = ColumnWriter()
  let positions = ColumnWriter()
  let transfers = ColumnWriter()
  let aliases = ColumnWriter()
  let calls = ColumnWriter()
  let enrolments = ColumnWriter()

  /// All of them, in the order they lie in a block.
  var inOrder: [ColumnWriter] {
    EventColumn.allCases.map { column in
      switch column {
      case .names: names
      case .details: details
      case .traits: traits
      case .userLengths: userLengths
      case .userBytes: userBytes
      case .moments: moments
      case .sales: sales
      case .others: others
      case .positions: positions
      case .transfers: transfers
      case .aliases: aliases
      case .calls: calls
      case .enrolments: enrolments
      }
    }
  }

  /// About how many bytes the texts among them take.
  var sizeOfTexts: Int { userBytes.count + positions.count + transfers.count + calls.count }
}
