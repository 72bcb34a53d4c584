import Testing

@testable import Domain
@testable import Engine

@Suite("How a user's ids stand in bytes")
struct UserMarksTests {
  @Test(
    "An id may stand in any letter case, percent-encoded once or twice, and escaped",
    arguments: [
      "Ann+x@example.com", "ann+x@EXAMPLE.com", "Ann%2Bx%40example.com", "ann%2bx%40example.com",
      "Ann%252Bx%2540example.com", #"Ann\u002bx\u0040example.com"#,
    ])
  func spellings(spelling: String) {
    let marks = UserMarks([Identifier("Ann+x@example.com")])
    #expect(marks.mayStand(in: Array(#"{"userId":"\#(spelling)","price":"x"}"#.utf8)))
    #expect(!marks.mayStand(in: Array(#"{"userId":"jo\#(spelling)","price":"x"}"#.utf8)))
  }

  @Test("Letters beyond A to Z have a case, too, and what is no percent-encoding stays as it is")
  func others() {
    let marks = UserMarks([Identifier("Élan")])
    #expect(marks.mayStand(in: Array("user élan".utf8)) && marks.mayStand(in: Array("user ÉLAN".utf8)))
    #expect(marks.mayStand(in: Array("user=%C3%89lan".utf8)))
    #expect(LooseText.plain(Array("100%, 5%4 %zz %".utf8)) == Array("100%, 5%4 %zz %".utf8))
  }
}
