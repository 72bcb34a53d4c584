import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

@Suite("Notifications")
struct NightNoticeTests {
  private typealias Object = [String: Any]

  private static let folder = URL(fileURLWithPath: "/srv/reports/test-job/2026-03-31")
  private static let hostile = "<!channel> *b* [l](http://x) {{DATE(2026)}} \u{202e}gro\u{1b}[31m\r\nBcc: x@y"

  private func notice(_ night: NightResult) -> NightNotice {
    NightNotice(night, job: PublishedNight.job, folder: Self.folder)
  }

  private func text(_ kind: String, _ notice: NightNotice, _ addresses: MailAddresses = MailAddresses()) throws
    -> String
  {
    try NotificationFile("\(kind)=x").text(notice, addresses)
  }

  private func object(_ kind: String, _ notice: NightNotice) throws -> Object {
    try #require(try JSONSerialization.jsonObject(with: Data(text(kind, notice).utf8)) as? Object)
  }

  /// Every text under a name, wherever it stands.
  private func texts(_ name: String, in value: Any) -> [String] {
    if let list = value as? [Any] { return list.flatMap { texts(name, in: $0) } }
    guard let object = value as? Object else { return [] }
    return object.flatMap { key, inner in
      (key == name ? [inner as? String].compactMap(\.self) : []) + texts(name, in: inner)
    }
  }

  private func body(_ mail: String) -> String {
    mail.components(separatedBy: "base64\r\n\r\n").dropFirst().compactMap { part in
      let encoded = part.components(separatedBy: "\r\n--")[0].replacing("\r\n", with: "")
      return Data(base64Encoded: encoded).map { String(decoding: $0, as: UTF8.self) }
    }.joined(separator: "\n")
  }

  private var failed: NightNotice {
    NightNotice(
      job: "prices", night: "2026-03-31", cutoff: HandMade.asOf,
      failure: OfferliftError(.badData, "purchases.gz ends in the middle."))
  }

  private func many(_ count: Int) throws -> NightResult {
    let offerings = (0..<count).map { number in
      HandMade.offering(
        HandMade.group("control", users: 500, HandMade.proportion(50, of: 500)),
        HandMade.group("group_a", users: 500, HandMade.proportion(Int128(50 + number % 60), of: 500)),
        id: Identifier("offering_\(number)"))
    }
    let measurement = RunMeasurement(offerings: offerings, accounts: [HandMade.account()], rejects: RejectedRows())
    return try Analysis.analyze(
      measurement: measurement, metrics: [HandMade.conversion], job: PublishedNight.job, asOf: HandMade.asOf)
  }

  @Test("Every kind says what to do, and where the report is", arguments: ["slack", "teams", "eml"])
  func whatToDo(kind: String) throws {
    let night = try PublishedNight.night()
    let written = try text(kind, notice(night))
    let said = kind == "eml" ? body(written) : written
    #expect(said.contains(night.verdicts[0].groups[0].headline))
    #expect(said.contains("/srv/reports/test-job/2026-03-31/report.html"))
    #expect(!said.contains("Do not act"))
  }

  @Test("A night that was not published says so, and why", arguments: ["slack", "teams", "eml", "openlineage"])
  func failure(kind: String) throws {
    let written = try text(kind, failed)
    let said = kind == "eml" ? body(written) + written : written
    #expect(said.contains("purchases.gz ends in the middle."))
    #expect(said.contains(kind == "openlineage" ? "FAIL" : "NOT PUBLISHED"))
    #expect(kind == "openlineage" || said.contains("was not published (exit 65)"))
  }

  @Test("A night of which a check failed must not be acted on", arguments: ["slack", "teams", "eml"])
  func untrusted(kind: String) throws {
    let lost = HandMade.offering(
      HandMade.group("control", users: 9000, HandMade.proportion(200, of: 9000)),
      HandMade.group("group_a", users: 1000, HandMade.proportion(100, of: 1000)))
    let written = try text(kind, notice(try HandMade.night(lost, metrics: [HandMade.conversion])))
    let said = kind == "eml" ? body(written) : written
    #expect(said.contains("DO NOT ACT") && said.contains("Do not act on what failed checks are about"))
    #expect(said.contains("sample_ratio"))
  }

  @Test("A thousand offerings stay within Slack's limits, and the rest is counted")
  func slackLimits() throws {
    let message = try object("slack", notice(try many(1000)))
    let blocks = try #require(message["blocks"] as? [Object])
    #expect(blocks.count <= 50)
    for block in blocks {
      let words = try #require((block["text"] as? Object)?["text"] as? String)
      #expect(words.utf16.count <= (block["type"] as? String == "header" ? 150 : 3000) && !words.isEmpty)
    }
    #expect(texts("text", in: blocks).reduce(0) { $0 + $1.utf16.count } < 13_000)
    #expect(texts("text", in: blocks).contains { $0.contains("more groups in the report") })
  }

  @Test("A thousand offerings stay within what Teams takes")
  func teamsLimits() throws {
    let written = try text("teams", notice(try many(1000)))
    #expect(written.utf8.count < 28_000)
    #expect(written.contains("more groups in the report"))
  }

  @Test("Names that are markup, mentions, line ends or turned text are neither", arguments: ["slack", "teams", "eml"])
  func hostileNames(kind: String) throws {
    let written = try text(kind, notice(try PublishedNight.night(group: Identifier(Self.hostile))))
    #expect(!written.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{1b}" })
    switch kind {
    case "slack":
      let message = try object("slack", notice(try PublishedNight.night(group: Identifier(Self.hostile))))
      #expect((message["text"] as? String)?.contains("<") == false && message["mrkdwn"] as? Bool == false)
      #expect(!written.contains("\"mrkdwn\": true") && !written.contains("\"type\": \"mrkdwn\""))
    case "teams":
      #expect(!written.contains("\"type\": \"TextBlock\"") && !written.contains("{{"))
    default:
      let head = written.components(separatedBy: "\r\n\r\n")[0]
      #expect(!head.contains("\r\nBcc") && head.utf8.allSatisfy { $0 < 0x7f })
      let html = body(written).components(separatedBy: "<!DOCTYPE")[1]
      #expect(!html.contains("<!channel>") && html.contains("&lt;!channel&gt;"))
    }
  }

  @Test("A mail's lines end as RFC 5322 has them and are short, and addresses are those that were given")
  func mail() throws {
    let notice = notice(try PublishedNight.night())
    let plain = try text("eml", notice)
    #expect(!plain.contains("From:") && !plain.contains("To:"))
    let lines = plain.components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 78 && !$0.contains("\n") })
    #expect(lines.contains("Date: Wed, 1 Apr 2026 00:00:00 +0000"))
    let sent = try text("eml", notice, MailAddresses(from: "a@example.org", to: ["b@example.org", "c@example.org"]))
    #expect(sent.hasPrefix("From: a@example.org\r\nTo: b@example.org,\r\n c@example.org\r\nSubject: "))
    #expect(throws: OfferliftError.self) { try MailAddresses(from: "a@example.org\r\nBcc: x@y", to: []) }
  }

  @Test("The same inputs are the same run of lineage, other inputs another")
  func lineage() throws {
    let event = try object("openlineage", notice(try PublishedNight.night()))
    func id(_ night: NightResult) throws -> String? {
      (try object("openlineage", notice(night))["run"] as? Object)?["runId"] as? String
    }
    let own = try #require(try id(PublishedNight.night()))
    #expect(own.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    #expect(try id(PublishedNight.night()) == own)
    var other = try PublishedNight.night()
    other.accounts[0].crc32 = 1
    #expect(try id(other) != own)
    #expect(event["eventType"] as? String == "COMPLETE")
    #expect(event["schemaURL"] as? String == "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent")
    #expect((event["inputs"] as? [Object])?.first?["name"] as? String == "data/purchases.jsonl.gz")
  }

  @Test("A folder that is not there is told with the option that names it")
  func noFolder() throws {
    let file = try NotificationFile("slack=/nowhere/at/all.json")
    let error = try #require(throws: OfferliftError.self) { try file.write(notice(try PublishedNight.night())) }
    #expect(error.exit == .cannotCreateOutput && error.message.contains("with --notify-file"), "\(error.message)")
  }

  @Test("A file is put in the place of the one before, under the names of its job and night")
  func written() throws {
    let scratch = try ScratchFolder()
    let file = try NotificationFile("slack=\(scratch.path("{job}-{night}.json"))")
    try file.write(failed)
    try file.write(failed)
    #expect(scratch.names("") == ["prices-2026-03-31.json"])
    #expect(throws: OfferliftError.self) { try NotificationFile("slack=x").verify(jobs: 2, nights: 1) }
    #expect(throws: OfferliftError.self) { try NotificationFile("pager=x") }
    try NotificationFile("slack={job}").verify(jobs: 2, nights: 1)
  }
}
