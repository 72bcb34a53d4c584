import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Rejected rows as lines")
struct RejectLineTests {
  private func line(_ detail: String, _ excerpt: [UInt8]) -> String {
    var bytes: [UInt8] = []
    RejectLine.append(
      Reject(account: 3, line: 17, byteOffset: 2048, reason: .badPrice, detail: detail, excerpt: excerpt), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "A line is cells that a spreadsheet shows and a terminal can print",
    arguments: [
      ("no price", "{}", "no price,{}"), ("a,b", "c\"d", "\"a,b\",\"c\"\"d\""), ("=1", "@x,y", "'=1,\"'@x,y\""),
      ("a\nb", "c\rd\u{1b}é", "a\\nb,c\\rd\\u{1b}é"), ("", "", ","),
    ])
  func cells(detail: String, excerpt: String, cells: String) {
    #expect(line(detail, Array(excerpt.utf8)) == "3,17,2048,bad_price,\(cells)\n")
  }

  @Test("Bytes that are not UTF-8 are written out, and a detail of any length is shortened")
  func odd() {
    #expect(line("x", [0x41, 0xff]) == "3,17,2048,bad_price,x,A\\xff\n")
    #expect(line(String(repeating: "y", count: 100_000), []).utf8.count < 3_000)
  }

  @Test("What a line tells is what it was made of", arguments: ["plain", "-7 is \"no\", price", "two \"\" marks", ""])
  func back(detail: String) throws {
    let bytes = Array(line(detail, Array("{\"a\":1,\"b\":\"\"}".utf8)).utf8)
    let reject = try #require(Reject(line: bytes.dropLast()))
    #expect((reject.account, reject.line, reject.byteOffset, reject.reason) == (3, 17, 2048, .badPrice))
    #expect(reject.detail == detail)
    #expect(reject.excerpt == Array("{\"a\":1,\"b\":\"\"}".utf8))
  }

  @Test(
    "What is no line of a reject tells nothing",
    arguments: [
      "", ",,,,,", "0,1,2,malformed,a", "0,1,2,malformed,a,b,c", "0,1,2,used,a,b", "0,1,2,sandbox,a,b",
      "+0,1,2,malformed,a,b", "0,-1,2,malformed,a,b", "0,1,99999999999999999999,malformed,a,b",
    ])
  func foreign(text: String) {
    #expect(Reject(line: Array(text.utf8)[...]) == nil)
  }
}
