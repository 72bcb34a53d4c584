/// The parts of a workbook beside its sheets: what lies where, and how cells look.
///
/// Source: ECMA-376, parts 1 and 2.
enum WorkbookParts {
  static let declaration = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n"
  static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  private static let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  private static let package = "http://schemas.openxmlformats.org/package/2006"
  private static let content = "application/vnd.openxmlformats-officedocument.spreadsheetml"

  /// How a cell looks: its place among the `cellXfs` of `styles`.
  enum Style: Int {
    case plain, header, date, instant, money
  }

  /// Every part but the sheets, by name.
  static func all(sheets: [String]) -> [(name: String, text: String)] {
    [
      ("[Content_Types].xml", contentTypes(sheets.count)),
      ("_rels/.rels", relationships([("officeDocument", "xl/workbook.xml")])),
      ("xl/workbook.xml", workbook(sheets)),
      (
        "xl/_rels/workbook.xml.rels",
        relationships(
          sheets.indices.map { ("worksheet", "worksheets/\(sheet($0))") } + [("styles", "styles.xml")])
      ),
      ("xl/styles.xml", styles),
    ]
  }

  /// The file of a sheet, by its place.
  static func sheet(_ index: Int) -> String { "sheet\(index + 1).xml" }

  private static func contentTypes(_ sheets: Int) -> String {
    let overrides = (0..<sheets).map { ("worksheets/\(sheet($0))", "worksheet") }
    return declaration + #"<Types xmlns="\#(package)/content-types">"#
      + #"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#
      + #"<Default Extension="xml" ContentType="application/xml"/>"#
      + ([("workbook.xml", "sheet.main"), ("styles.xml", "styles")] + overrides).map { name, type in
        #"<Override PartName="/xl/\#(name)" ContentType="\#(content).\#(type)+xml"/>"#
      }.joined() + "</Types>"
  }

  private static func relationships(_ targets: [(type: String, target: String)]) -> String {
    let members = zip(1..., targets).map { number, target in
      #"<Relationship Id="rId\#(number)" Type="\#(relations)/\#(target.type)" Target="\#(target.target)"/>"#
    }
    return declaration + #"<Relationships xmlns="\#(package)/relationships">"# + members.joined() + "</Relationships>"
  }

  private static func workbook(_ sheets: [String]) -> String {
    let members = zip(1..., sheets).map { number, name in
      #"<sheet name="\#(name)" sheetId="\#(number)" r:id="rId\#(number)"/>"#
    }
    return declaration + #"<workbook xmlns="\#(main)" xmlns:r="\#(relations)"><sheets>"# + members.joined()
      + "</sheets></workbook>"
  }

  private static let styles =
    declaration + #"<styleSheet xmlns="\#(main)">"#
    + #"<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/>"#
    + #"<numFmt numFmtId="165" formatCode="yyyy\-mm\-dd\ hh:mm"/></numFmts>"#
    + #"<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>"#
    + #"<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>"#
    + #"<fills count="2"><fill><patternFill patternType="none"/></fill>"#
    + #"<fill><patternFill patternType="gray125"/></fill></fills>"#
    + "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
    + #"<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>"#
    + #"<cellXfs count="5">"# + cell(format: 0) + cell(format: 0, font: 1) + cell(format: 164) + cell(format: 165)
    + cell(format: groupedWithTwoDecimals) + "</cellXfs>"
    + #"<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>"#

  /// `1,234.50`, or `1.234,50` where the spreadsheet's language writes that.
  private static let groupedWithTwoDecimals = 4

  private static func cell(format: Int, font: Int = 0) -> String {
    #"<xf numFmtId="\#(format)" fontId="\#(font)" fillId="0" borderId="0" xfId="0""#
      + #" applyNumberFormat="1" applyFont="1"/>"#
  }
}
