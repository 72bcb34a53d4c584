import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Measurement
@testable import Publishing

@Suite("A night's folder, read back into its story")
struct StoryFolderTests {
  private func story(in folder: URL) throws -> NightStory { try StoryFolder(folder: folder).story() }

  private func text(_ name: String, in folder: URL) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test("Both faces are those that the run wrote, byte for byte, whatever the night found")
  func bothFaces() throws {
    let scratch = try ScratchFolder()
    let night = try CountedNight.everything()
    let folder = try PublishedNight.publish(night, in: scratch)
    let story = try story(in: folder)
    #expect(try Report.html(of: story) == text("report.html", in: folder))
    #expect(Summary.text(of: story) == (try text("summary.md", in: folder)))
    let verdict = try #require(night.verdicts.first)
    #expect(story.offerings.map { $0.verdict.calls.map(\.headline) } == [verdict.calls.map(\.headline)])
    #expect(story.offerings.map { $0.verdict.calls.map(\.reason) } == [verdict.calls.map(\.reason)])
    #expect(story.offerings[0].verdict.calls.map(\.details) == verdict.calls.map(\.details))
    for finding in [
      "Every group against control", "Funnel: pay", "Funnel pay, with and without nudge_sent", "by renewals due",
      "retention, by day", "Where everybody stands", "What was bought", "Charges by paywall", "Failures by code",
      "Day of the trial", "Users outside the test", "Charges against the price displayed",
      "How did it come, night by night?", "Why?",
      "All other metrics", "How do I read this page?",
    ] {
      #expect(try text("report.html", in: folder).contains(finding), "\(finding)")
    }
  }

  @Test("A folder of a version that wrote no units tells them by its tables")
  func olderFolder() throws {
    let scratch = try ScratchFolder()
    let folder = try PublishedNight.publish(try CountedNight.everything(), in: scratch)
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(text("run.json", in: folder).utf8)) as? [String: Any])
    var report = try #require(record["report"] as? [String: Any])
    #expect(report.removeValue(forKey: "units") != nil)
    let older = try JSONSerialization.data(withJSONObject: ["report": report])
    try older.write(to: folder.appendingPathComponent("run.json"))
    #expect(try Report.html(of: story(in: folder)) == text("report.html", in: folder))
    #expect(try text("report.html", in: folder).contains("0.36 USD"))
  }

  @Test("A unit is what run.json says, whatever a number looks like")
  func units() throws {
    let head = """
      {"job":"j","night":"2026-03-31","asOf":"","currency":"USD","confidence":0.95,"decideBy":"fixed","questions":[],
      "units":[{"metric":"m","unit":"money"},{"metric":"s","unit":"share"},{"metric":"p","unit":"plain"}],
      "verdicts":[{"offeringId":"o","decision":"better","sentence":""}]}
      """
    let rows = ["m,7", "s,7.500000", "p,0.500000", "unknown,1"].map { "o,a,all,mean,1,0.5,\($0)\n" }.joined()
    let csv = "offering_id,test_group_id,segment,kind,users,value,metric,numerator\n" + rows
    let values = try #require(try NightStory(head: head, tables: ["group_metrics": csv]).offerings.first).values
    #expect(values.map(\.metric.text) == ["m", "p", "s", "unknown"])
    #expect(values.map(\.metric.unit) == [.money(currency: "USD"), .plain, .share, .plain])
  }

  @Test("The report made anew from a run's folder is the one the run wrote")
  func renewed() async throws {
    let folder = try TemporaryFolder()
    var world = World()
    world.assignments += (0..<300).map { "v\($0),test,\($0 % 2 == 0 ? "a" : "control"),2026-03-01" }
    world.events = (0..<60).map { event("purchase", march(3), ["userId": "v\($0)"]) }
    world.job = "questions: [{ask: Who pays?, metrics: [gross], checks: [sample_ratio]}]"
    let path = try world.write(to: folder)
    let run = try JobRun(path, output: folder.path("out"), threads: 1)
    _ = try await run.publish(try Instant("2026-04-01", timezone: .gmt))
    let night = folder.path("out/world/2026-03-31")
    let written = try Data(contentsOf: URL(fileURLWithPath: night + "/report.html"))
    try FileManager.default.removeItem(atPath: night + "/report.html")
    #expect(try ReportFolder.renew(night) == night + "/report.html")
    #expect(try Data(contentsOf: URL(fileURLWithPath: night + "/report.html")) == written)
    #expect(String(decoding: written, as: UTF8.self).contains("Who pays?"))
  }

  @Test("A folder that holds no run is refused, with what to name instead")
  func noRun() throws {
    let folder = try TemporaryFolder()
    let missing = #expect(throws: OfferliftError.self) { try ReportFolder.renew(folder.path("")) }
    #expect(missing?.exit == .inputMissing)
    try folder.write("run.json", "{}")
    let old = #expect(throws: OfferliftError.self) { try ReportFolder.renew(folder.path("")) }
    #expect(old?.exit == .badData)
  }
}
