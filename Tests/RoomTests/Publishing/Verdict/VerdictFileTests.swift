import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement
@testable import Publishing

@Suite("verdict.json")
struct VerdictFileTests {
  private typealias Object = [String: Any]

  private func text(_ night: NightResult) throws -> String {
    VerdictFile(night: night, story: try NightStory(of: night, tables: ResultTables.tables(of: night))).json.file
  }

  private func read(_ night: NightResult) throws -> Object {
    try #require(try JSONSerialization.jsonObject(with: Data(text(night).utf8)) as? Object)
  }

  private func offering(_ night: NightResult) throws -> Object {
    try #require((try read(night)["offerings"] as? [Object])?.first)
  }

  @Test("A night says what to do, with the figures that say so")
  func night() throws {
    let night = try PublishedNight.night()
    let reported = try read(night)
    #expect(reported["version"] as? Int == 1)
    #expect(reported["night"] as? String == "2026-03-31")
    let overall = try #require(reported["overall"] as? Object)
    #expect(overall["trusted"] as? Bool == true)
    #expect(overall["call"] as? String == night.verdicts[0].foremost.rawValue)
    let group = try #require((try offering(night)["groups"] as? [Object])?.first)
    let verdict = night.verdicts[0].groups[0]
    #expect(group["headline"] as? String == verdict.headline)
    #expect(group["measured_lift"] as? Double == verdict.measured?.lift)
    let compared = try #require(group["comparisons"] as? [Object])
    let row = try night.comparison("group_a", HandMade.conversion)
    let conversion = try #require(compared.first { $0["metric"] as? String == "paying_conversion_7d" })
    #expect(conversion["value"] as? Double == row.value)
    let adjusted = NumberText.real(try #require(row.adjustedPValue))
    #expect(try text(night).contains("\"p_value_adjusted\": \(adjusted)"))
    #expect(conversion["decision"] as? String == row.decision.rawValue)
    #expect(conversion["lack"] is NSNull)
  }

  @Test("What there is too little of stands beside the sentence that says so")
  func lack() throws {
    let small = HandMade.offering(
      HandMade.group("control", users: 40, HandMade.proportion(4, of: 40)),
      HandMade.group("group_a", users: 40, HandMade.proportion(9, of: 40)))
    let group = try #require(
      (try offering(HandMade.night(small, metrics: [HandMade.conversion]))["groups"] as? [Object])?.first)
    let compared = try #require((group["comparisons"] as? [Object])?.first)
    #expect(compared["lack"] as? Double == 40)
    #expect(compared["lack_needed"] as? Double == 100)
    #expect((group["reason"] as? String)?.contains("40 users whose time is over; 100 are needed") == true)
  }

  @Test("Where a check failed no group has a figure of its own, and nothing may be acted on")
  func untrusted() throws {
    let lost = HandMade.offering(
      HandMade.group("control", users: 9000, HandMade.proportion(200, of: 9000)),
      HandMade.group("group_a", users: 1000, HandMade.proportion(100, of: 1000)))
    let night = try HandMade.night(lost, metrics: [HandMade.conversion])
    try #require(night.hasFailedCheck)
    let overall = try #require(try read(night)["overall"] as? Object)
    #expect(overall["trusted"] as? Bool == false)
    #expect(overall["call"] as? String == "do_not_trust")
    let offering = try offering(night)
    #expect((offering["obstacle"] as? String)?.isEmpty == false)
    let group = try #require((offering["groups"] as? [Object])?.first)
    #expect(group["call"] as? String == "do_not_trust")
    #expect(group["measured_lift"] is NSNull && group["worth"] is NSNull)
  }

  @Test("Names that hide or turn text are escapes, and say the same")
  func hostileNames() throws {
    let name: Identifier = "a\u{202e}\"</script>\u{1b}[0m"
    let night = try PublishedNight.night(group: name)
    let text = try text(night)
    #expect(!text.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{1b}" })
    let group = try #require((try offering(night)["groups"] as? [Object])?.first)
    #expect(group["test_group_id"] as? String == name.text)
  }

  @Test("The schema names every member that the file has, and asks for all of them")
  func schema() throws {
    func check(_ value: Any, _ schema: Object, _ path: String) throws {
      if let object = value as? Object, let properties = schema["properties"] as? Object {
        #expect(Set(object.keys) == Set(properties.keys), "\(path)")
        #expect(Set(schema["required"] as? [String] ?? []) == Set(properties.keys), "\(path)")
        for (name, inner) in object {
          try check(inner, try #require(properties[name] as? Object), "\(path).\(name)")
        }
      } else if let list = value as? [Any] {
        let items = try #require(schema["items"] as? Object, "\(path)")
        for item in list { try check(item, items, path) }
      } else if let words = schema["enum"] as? [Any], let word = value as? String {
        #expect(words.contains { $0 as? String == word }, "\(path) \(word)")
      }
    }
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(VerdictFile.schema.json.file.utf8)) as? Object)
    try check(read(try CountedNight.everything()), schema, "")
  }
}
