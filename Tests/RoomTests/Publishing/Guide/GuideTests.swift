import Foundation
import Testing

@testable import Measurement
@testable import Publishing

@Suite("The guide for product leads")
struct GuideTests {
  @Test("jobs/guide.md is the text that the report carries")
  func sameText() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../..")
    let file = try String(contentsOf: root.appendingPathComponent("jobs/guide.md").standardizedFileURL, encoding: .utf8)
    #expect(file == Guide.markdown)
  }

  @Test("Every section has an anchor of its own and something to say")
  func sections() {
    let sections = Guide.sections
    #expect(sections.count > 8)
    #expect(Set(sections.map(\.anchor)).count == sections.count)
    #expect(sections.allSatisfy { !$0.blocks.isEmpty && !$0.title.isEmpty })
  }

  @Test("Paragraphs, lists and bold words are taken apart")
  func blocks() {
    let section = GuideSection("Two things\nOne **bold**\nword.\n\n- an item\n  goes on\n- another")
    #expect(section.title == "Two things" && section.anchor == "two-things")
    #expect(section.blocks.map(\.isItem) == [false, true, true])
    #expect(section.blocks[0].pieces.map(\.text) == ["One ", "bold", " word."])
    #expect(section.blocks[0].pieces.map(\.isBold) == [false, true, false])
    #expect(section.blocks[1].pieces[0].text == "an item goes on")
  }

  @Test("What the report says of how figures are computed begins the sections of jobs/methods.md, in their order")
  func methods() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../..")
    let file = try String(
      contentsOf: root.appendingPathComponent("jobs/methods.md").standardizedFileURL, encoding: .utf8)
    let reported = file.components(separatedBy: "\n## ").dropFirst().map {
      $0.split(separator: "\n").prefix(2).map(String.init)
    }
    #expect(Array(reported.prefix(Method.allCases.count)) == Method.allCases.map { [$0.title, $0.text] })
    #expect(Set(Method.allCases.map(\.anchor)).count == Method.allCases.count)
  }
}
