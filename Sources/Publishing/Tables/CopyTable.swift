import Analysis
import Measurement

/// `copy.csv`: the texts of each group's paywall, as the catalog has them.
///
/// Where the catalog's rows name several texts for one field of a group, each has a row.
struct CopyTable: GroupTable {
  typealias Record = CopyRow
  let name = "copy"
  let meaning = "The texts of each group's paywall, as the catalog has them."
  let records = Records<Record>.held(\.copy)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let field = Text(
    "field", "the catalog's column: header_title, header_subtitle, cta_button_text or supporting_text", isKey: true,
    \.line.field)
  let text = Text("text", "the text", isKey: true, \.line.text)
}
