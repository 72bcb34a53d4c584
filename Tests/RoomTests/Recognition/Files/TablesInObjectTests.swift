import Testing

@testable import Recognition

@Suite("One JSON object of several tables")
struct TablesInObjectTests {
  private func names(_ text: String) -> [String]? { TablesInObject(Array(text.utf8))?.names }

  @Test("Members that are arrays of objects are tables, however they are laid out and wherever the bytes end")
  func tables() {
    let text = #"{"users": [{"id": 1, "note": "a \" [{ }"}], "orders":[ {"id": [2]}]}"#
    #expect(names(text) == ["users", "orders"])
    #expect(names(String(text.prefix(60))) == ["users", "orders"])
    #expect(names("\n{\n  \"count\": 2,\n  \"results\": [\n    {\n") == ["results"])
    #expect(names(#"{"users":[],"orders":[{"id":1}]}"#) == ["orders"])
  }

  @Test(
    "Rows are no tables",
    arguments: [
      #"{"id":1,"items":[{"sku":"p"}]}"#, "{\"items\":[{\"a\":1}]}\n{\"items\":[{\"a\":1}]}", #"{"ids":[1,2]}"#,
      #"[{"id":1}]"#, "id,price\n1,2\n", "",
    ])
  func rows(text: String) { #expect(names(text) == nil) }
}
