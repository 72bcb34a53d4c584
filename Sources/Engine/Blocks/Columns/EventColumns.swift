/// The columns of a block of events while they are written.
///
/// By name, and not in an array: counting references to an array's elements took 4 % of a night that fills a state folder.
struct EventColumns {
  let names = ColumnWriter()
  let details = ColumnWriter()
  let templates = ColumnWriter()
  let userLengths = ColumnWriter()
  let userBytes = ColumnWriter()
  let length = ColumnWriter()
  let event = ColumnWriter()
  let charged = ColumnWriter()
  let places = ColumnWriter()
  let transfers = ColumnWriter()
  let aliases = ColumnWriter()
  let calls = ColumnWriter()
  let enrolments = ColumnWriter()

  /// One of them.
  subscript(column: EventColumn) -> ColumnWriter {
    switch column {
    case .names: names
    case .details: details
    case .templates: templates
    case .userLengths: userLengths
    case .userBytes: userBytes
    case .length: length
    case .event: event
    case .charged: charged
    case .places: places
    case .transfers: transfers
    case .aliases: aliases
    case .calls: calls
    case .enrolments: enrolments
    }
  }

  /// All of them, in the order they lie in a block.
  var inOrder: [ColumnWriter] { EventColumn.allCases.map { self[$0] } }

  /// About how many bytes the texts among them take.
  var sizeOfTexts: Int { userBytes.count + places.count + transfers.count + calls.count }
}
