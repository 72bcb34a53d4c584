import Domain
import Testing

@Suite("Formulas in cells")
struct FormulaGuardTests {
  @Test(
    "A formula is guarded, and so is what reads like a guarded one",
    arguments: [
      ("=1+1", "'=1+1"), ("'=1+1", "''=1+1"), ("''@x", "'''@x"), ("\r=1", "'\r'=1"), ("\n=1", "'\n'=1"),
      ("\r\n=1", "'\r\n'=1"), ("\tx", "'\tx"),
      ("\t=1", "'\t'=1"), ("it's", "it's"), ("'tis", "'tis"), ("'", "'"), ("", ""), (" =1", " =1"),
      // Where a semicolon, a tab or a bar ends a cell, another one begins.
      ("x;=1+1", "x;'=1+1"), ("x;'=1+1", "x;''=1+1"), ("x|@y", "x|'@y"), ("x\t-1;+2", "x\t'-1;'+2"),
      ("x;\"\"=1", "x;'\"\"=1"), ("x; -1, -2", "x; -1, -2"), ("it's; 'tis", "it's; 'tis"),
      ("\u{FF1D}1+1", "'\u{FF1D}1+1"), ("x;\u{FF0B}1", "x;'\u{FF0B}1"), ("\u{FF1E}", "\u{FF1E}"),
      ("x;\u{FF0D}1;\u{FF20}", "x;'\u{FF0D}1;'\u{FF20}"),
    ])
  func guarded(text: String, cell: String) {
    #expect(FormulaGuard.guarded(text) == cell)
    #expect(FormulaGuard.unguarded(cell) == text)
  }
}
