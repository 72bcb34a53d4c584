import Domain
import Engine

/// Columns of long numbers of which a spreadsheet has left the first digits alone: `4.07E+09`.
struct CorruptedIDs {
  private let sample: FileSample
  let columns: [String]

  private static let most = 0.5

  init(_ sample: FileSample) {
    self.sample = sample
    columns = sample.names.filter { name in
      let values = sample.values(of: name)
      let spoilt = values.count { UserIDShape.isSpreadsheetNumber(Array($0.utf8)) }
      return spoilt > 0 && Double(spoilt) >= Self.most * Double(values.count)
    }
  }

  /// What to do about the first of some columns that is spoilt; nil where none is.
  func remedy(_ isAsked: (String) -> Bool = { _ in true }) -> String? {
    guard let column = columns.first(where: isAsked),
      let first = sample.numberedValues(of: column).first(where: {
        UserIDShape.isSpreadsheetNumber(Array($0.value.utf8))
      })
    else { return nil }
    return "Column \"\(column)\" of \(sample.file) holds numbers as a spreadsheet shows long ones (line \(first.line): "
      + "\(first.value)): their last digits are gone. Export it again with the column formatted as text, or without a "
      + "spreadsheet between"
  }
}
