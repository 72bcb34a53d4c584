import Domain
import Testing

@Suite("Formulas in cells")
struct FormulaGuardTests {
  @Test(
    "A formula is guarded, and so is what reads like a guarded one",
    arguments: [
      ("=1+1", "'=1+1"), ("'=1+1", "''=1+1"), ("''@x", "'''@x"), ("\r=1", "'\r=1"), ("\n=1", "'\n=1"),
      ("\r\n=1", "'\r\n=1"),
      ("\t=1", "'\t=1"), ("it's", "it's"), ("'tis", "'tis"), ("'", "'"), ("", ""), (" =1", " =1"),
    ])
  func guarded(text: String, cell: String) {
    #expect(FormulaGuard.guarded(text) == cell)
    #expect(FormulaGuard.unguarded(cell) == text)
  }
}
