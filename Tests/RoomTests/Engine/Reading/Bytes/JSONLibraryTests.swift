import Domain
import Testing

@testable import Engine
@testable import Measurement

@Suite("The JSON library")
struct JSONLibraryTests {
  @Test("The library that is loaded answers as the one this program was tested with")
  func loaded() throws {
    #expect(JSONLibrary().problem == nil)
    #expect(JSONLibrary().file.contains("simdjson"))
    try JSONLibrary.check()
  }

  @Test("A library that finds other tokens is refused by its file and the version to install")
  func otherTokens() throws {
    var library = JSONLibrary()
    library.file = "/opt/libsimdjson.so.14"
    let tokens = library.tokens
    library.tokens = { tokens($0).map { $0.dropLast() } }
    let problem = try #require(library.problem)
    #expect(problem.contains("(/opt/libsimdjson.so.14)"))
    #expect(problem.contains("where tokens begin"))
    #expect(problem.contains("Install libsimdjson 3.0.1"))
  }

  @Test("A library that takes what is no JSON is refused")
  func lenient() throws {
    var library = JSONLibrary()
    let tokens = library.tokens
    library.tokens = { tokens($0) ?? [] }
    #expect(try #require(library.problem).contains("a text that is not closed"))
    library.tokens = { tokens($0) ?? ($0.contains("\u{1}") ? [] : nil) }
    #expect(try #require(library.problem).contains("a control character in a text"))
  }

  @Test("A library that undoes escapes otherwise is refused")
  func escapes() throws {
    var library = JSONLibrary()
    library.members = { _ in ["u00e9\"\\", "😀"] }
    #expect(try #require(library.problem).contains("escapes in a text"))
  }
}
