import Foundation
import Testing

@testable import Analysis
@testable import Publishing

@Suite("The report of many offerings")
struct ManyOfferingsTests {
  /// The pages of a night with so many offerings, by path.
  ///
  /// - Parameter obstacles: why nothing may be done about one, by offering; to all others "Ship new." applies.
  private func pages(of offerings: [String], obstacles: [String: String] = [:]) throws -> [String: String] {
    let verdicts = offerings.map { name in
      obstacles[name].map {
        #"{"offeringId":"\#(name)","decision":"do_not_trust","sentence":"","obstacle":"\#($0)"}"#
      } ?? """
        {"offeringId":"\(name)","decision":"better","sentence":"","groups":[{"groupId":"new","decision":"better",\
        "call":"ship","headline":"Ship new.","reason":"It is better."}]}
        """
    }
    let head = """
      {"job":"j","night":"2026-03-31","asOf":"","currency":"USD","confidence":0.95,"decideBy":"fixed","questions":[],
      "verdicts":[\(verdicts.joined(separator: ","))]}
      """
    let pages = try Report.pages(of: NightStory(head: head, tables: [:]))
    return try Dictionary(uniqueKeysWithValues: (0..<pages.count).map { try pages.page($0) })
  }

  @Test("Twelve offerings stand on one page; of more each has its own, and the first page a line of it")
  func manyOfferings() throws {
    let names = (0..<12).map { "offering-\($0)" }
    #expect(try pages(of: names).keys.elementsEqual(["report.html"]))
    let pages = try pages(of: names + ["spring é/1"])
    #expect(pages.count == 14)
    let first = try Page.parsed(#require(pages["report.html"]))
    #expect(first.text.contains("13 offerings: 13 ship."))
    for name in names {
      #expect(first.attributes.contains("href=offerings/\(name).html"))
      let own = try Page.parsed(#require(pages["offerings/\(name).html"]))
      #expect(own.text.contains("Ship new.") && own.text.contains("It is better."))
      #expect(own.attributes.contains("href=../report.html#guide"))
    }
    // A name that is no name of a file has its checksum behind it, and stays in the folder.
    let odd = try #require(pages.keys.first { $0.contains("spring") })
    #expect(odd.hasPrefix("offerings/spring----1~") && odd.hasSuffix(".html"))
    #expect(first.attributes.contains("href=\(odd)"))
  }

  @Test("What failed stands first among many offerings, and is counted first")
  func failedFirst() throws {
    let pages = try pages(of: (10..<23).map { "offering-\($0)" }, obstacles: ["offering-17": "Users are missing."])
    let first = try #require(pages["report.html"])
    #expect(first.contains("13 offerings: 1 do not trust and 12 ship."))
    let failed = try #require(first.firstRange(of: "Do not act on this: Users are missing."))
    let others = try #require(first.firstRange(of: "Ship new."))
    #expect(failed.lowerBound < others.lowerBound)
    #expect(try #require(pages["offerings/offering-17.html"]).contains("<strong>Do not act on this.</strong>"))
  }

  @Test("The first page of a thousand offerings takes less than 300 kB")
  func thousandOfferings() throws {
    let pages = try pages(of: (0..<1000).map { "offering-\($0)" })
    #expect(try #require(pages["report.html"]).utf8.count < 300_000)
  }
}
