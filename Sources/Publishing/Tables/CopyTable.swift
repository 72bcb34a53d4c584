import Analysis
import Measurement

extension ResultTable {
  /// `copy.csv`: the texts of each group's paywall, as the catalog has them.
  ///
  /// Where the catalog's rows name several texts for one field of a group, each has a row.
  static var copy: ResultTable {
    ResultTable(
      "copy", "The texts of each group's paywall, as the catalog has them.", of: \.copy,
      columns: [
        .offering(\.offering),
        .group(\.group),
        .keyText(
          "field", "the catalog's column: header_title, header_subtitle, cta_button_text or supporting_text",
          \.line.field),
        .keyText("text", "the text", \.line.text),
      ])
  }
}
