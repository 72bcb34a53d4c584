/// The columns of a block of events while they are written.
///
/// By name, and not in an array: counting references to an array's elements took 4 % of a night that fills a state folder.
struct EventColumns {
  let names = ColumnWriter()
  let details = ColumnWriter()
  let templates = ColumnWriter()
  let userLengths = ColumnWriter()
  let userBytes = ColumnWriter()
  let template = ColumnWriter()
  let user = ColumnWriter()
  let time = ColumnWriter()
  let key = ColumnWriter()
  let transaction = ColumnWriter()
  let chargeKey = ColumnWriter()
  let amount = ColumnWriter()
  let end = ColumnWriter()
  let version = ColumnWriter()
  let toldAt = ColumnWriter()
  let rowStart = ColumnWriter()
  let chain = ColumnWriter()
  let dollars = ColumnWriter()
  let places = ColumnWriter()
  let transfers = ColumnWriter()
  let aliases = ColumnWriter()
  let calls = ColumnWriter()

  /// One of them.
  subscript(column: EventColumn) -> ColumnWriter {
    switch column {
    case .names: names
    case .details: details
    case .templates: templates
    case .userLengths: userLengths
    case .userBytes: userBytes
    case .template: template
    case .user: user
    case .time: time
    case .key: key
    case .transaction: transaction
    case .chargeKey: chargeKey
    case .amount: amount
    case .end: end
    case .version: version
    case .toldAt: toldAt
    case .rowStart: rowStart
    case .chain: chain
    case .dollars: dollars
    case .places: places
    case .transfers: transfers
    case .aliases: aliases
    case .calls: calls
    }
  }

  /// All of them, in the order they lie in a block.
  var inOrder: [ColumnWriter] { EventColumn.allCases.map { self[$0] } }

  /// About how many bytes the texts among them take.
  var sizeOfTexts: Int { userBytes.count + places.count + transfers.count + calls.count }
}
