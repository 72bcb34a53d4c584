import Testing

@testable import Platform

@Suite("Small CSV texts")
struct CSVRecordsTests {
  private func fields(_ text: String) throws -> [[String]] {
    try CSVRecords.parse(Array(text.utf8)).map(\.fields)
  }

  @Test("Quotes may hold delimiters, quotes and line breaks")
  func quotes() throws {
    #expect(try fields("a,b\n\"x,\"\"y\"\"\n\",2\n") == [["a", "b"], ["x,\"y\"\n", "2"]])
  }

  @Test("A byte order mark, CRLF, blank lines and a missing last line end are no part of the data")
  func dressing() throws {
    #expect(try fields("\u{FEFF}a,b\r\n\r\n1,2") == [["a", "b"], ["1", "2"]])
    #expect(try fields("a,\"b\"\r\n1,\r") == [["a", "b"], ["1", ""]])
    #expect(try fields("").isEmpty)
  }

  @Test("The delimiter is the one the header has most of, those in quotes aside")
  func delimiter() throws {
    #expect(try fields("a\tb,c\td\n1\t2\t3") == [["a", "b,c", "d"], ["1", "2", "3"]])
    #expect(try fields("\"a;b;c\",d\n1,2") == [["a;b;c", "d"], ["1", "2"]])
  }

  @Test("Text behind a closing quote belongs to the field, and rows may have any number of fields")
  func lenient() throws {
    #expect(try fields("a,b\n\"x\"y\"z\",2,3\n\"x\" \r\n1") == [["a", "b"], ["xy\"z\"", "2", "3"], ["x "], ["1"]])
  }

  @Test("Lines are those of the file, in errors too")
  func lines() throws {
    #expect(try CSVRecords.parse(Array("a\n\"x\ny\"\n\nb".utf8)).map(\.line) == [1, 2, 5])
    #expect(throws: CSVRecords.UnfinishedQuote(line: 3)) { try CSVRecords.parse(Array("a\n\"x\ny\",\"z".utf8)) }
  }
}
