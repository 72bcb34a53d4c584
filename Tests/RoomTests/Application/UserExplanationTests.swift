import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("A user's story in words")
struct UserExplanationTests {
  private func explain(
    _ world: World, _ user: String = "u1", asOf: String = "2026-04-01", with files: [String: String] = [:]
  ) async throws -> UserExplanation {
    let folder = try TemporaryFolder()
    let path = try world.write(to: folder)
    for (name, text) in files { try folder.write(name, text) }
    return try await UserExplanation.of(user, job: path, night: .asOf(asOf), threads: 1)
  }

  @Test("It says who the user is, what became of each line, and what it comes to")
  func story() async throws {
    var world = World()
    world.attributes = ["country"]
    world.assignments = [
      "u1,test,control,2026-03-01T00:00:00Z,DE", "u1,test,control,2026-03-02T00:00:00Z,DE",
    ]
    world.job = "identities: who.csv\nsegments: [country]"
    world.metrics = [
      "{name: revenue_net, window: 7d, cap: {value: 8}}", "{name: paying_conversion, window: 7d}",
      "{name: refund_rate, window: none}", "{name: charges, window: 60d}",
      "{name: revenue_gross, window: 7d, cap: {percentile: 99}}", "{name: retention}",
    ]
    world.events = [
      event("purchase", "2026-02-20T00:00:00Z", ["price": "3"]),
      event("purchase", march(2), ["transactionId": "t1"]),
      event("purchase", march(2), ["transactionId": "t1", "userId": "a"]),
      event("refund", march(3), ["transactionId": "t1", "price": "0.5"]),
      event("renewal", march(4), ["price": "1,5"]),
      event("renewal", march(5), ["environment": "Sandbox"]),
      event("renewal", "2026-04-02T00:00:00Z"),
    ]
    let text = try await explain(world, with: ["who.csv": "alias,user\na,u1\n"]).lines.joined(separator: "\n")
    let parts = [
      "u1 in world, counted to 2026-04-01T00:00:00Z",
      "The inputs also call this user a; all lead to u1.",
      "test: group control, assigned 2026-03-01T00:00:00Z, by assignments.csv, line 2.",
      "Measured, from the assignment on.", "country=DE",
      "10 lines that name the user, by time", "a is an alias of u1.",
      "No effect: it repeats the group, and the earliest line counts.",
      "    Counted as charge 1: 3 USD; proceeds 2.1 USD.\n      It moves retention.\n",
      "Counted as charge 2: 10 USD, of which 0.5 USD was taken back; proceeds 6.65 USD.",
      "purchase, p, 10 USD, as a.", "Set aside as duplicate: it repeats events.jsonl, line 2.",
      "Counted: takes 0.5 USD back of the charge of events.jsonl, line 2.\n",
      "\n      It moves refund_rate_none by +1 / +0.\n",
      "Rejected as bad_price: price \"1,5\"", "Set aside as sandbox: only what happened in production counts.",
      "Set aside as after_cutoff: it did not happen before the cut-off (--as-of, --date).",
      "revenue_net_7d        8 USD, cut from 9.5 USD by the cap", "paying_conversion_7d  1 (yes)",
      "refund_rate_none      1 / 1", "charges_60d           not yet: the window ends 2026-04-30T00:00:00Z",
      "10 USD before the cap: a run cuts revenue_gross_7d at the 99th percentile of all users' values",
      "Next: mend the rejected line at the source (events.jsonl, line 5), then type: offerlift run",
    ]
    for part in parts { #expect(text.contains(part), "\(part) in \(text)") }
  }

  @Test("The last line says what to type, whatever there is to do")
  func next() async throws {
    var world = World()
    world.metrics = ["{name: charges, window: 7d}"]
    #expect(try await explain(world).next.contains("type: offerlift run"))
    #expect(try await explain(world, asOf: "2026-03-03").next.contains("--as-of 2026-03-08T00:00:00Z"))
    world.events = [event("purchase", "2026-04-02T00:00:00Z")]
    #expect(try await explain(world).next.contains("--user 'u1' --as-of 2026-04-02T00:00:00.001Z"))
    world.assignments = ["u2,test,control,2026-03-01T00:00:00Z"]
    #expect(try await explain(world).next.contains("type: offerlift check"))
  }

  @Test("Whom no line names is said so, with the id that was meant")
  func nobody() async throws {
    let error = await #expect(throws: OfferliftError.self) { try await explain(World(), "U1 ") }
    #expect(error?.exit == .inputMissing)
    #expect(error?.message.contains("names the user \"U1 \". The assignments have \"u1\".") == true)
    #expect(error?.message.contains("--user 'u1'") == true)
  }

  @Test("Of a user with very many events it says what is left out, and how to see it of the first ones")
  func manyEvents() async throws {
    var world = World()
    world.metrics = ["{name: charges, window: none}"]
    world.events = (0...400).map { number in
      let time = Instant(milliseconds: 1_772_409_600_000 + Int64(number) * 60_000)
      return event("renewal", time.rfc3339, ["transactionId": "t\(number)", "originalTransactionId": "t0"])
    }
    let all = try await explain(world).lines
    #expect(!all.contains { $0.contains("It moves") })
    let line = try #require(all.first { $0.contains("What each line moves is left out") })
    let end = try #require(line.firstMatch(of: /--as-of (\S+)$/)?.1)
    let first = try await explain(world, asOf: String(end)).lines
    #expect(first.count { $0.contains("It moves charges_none by +1.") } == 400)
  }

  @Test("As JSON it says the same")
  func json() async throws {
    var world = World()
    world.events = [event("purchase", march(2), ["price": "0.1"]), event("purchase", march(2), ["price": "x"])]
    let explanation = try await explain(world)
    let text = try explanation.json()
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let lines = try #require(object["lines"] as? [[String: Any]])
    #expect(lines.map { $0["fate"] as? String } == ["used", "used", "bad_price"])
    let offerings = try #require(object["offerings"] as? [[String: Any]])
    let values = try #require(offerings[0]["values"] as? [[String: Any]])
    #expect(values.map { $0["metric"] as? String } == ["gross", "net", "proceeds", "charges", "refund_rate"])
    #expect(text.contains("\"numerator\" : 0.1,"))
    #expect(object["next"] as? String == explanation.next)
  }
}
