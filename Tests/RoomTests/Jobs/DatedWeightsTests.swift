import Testing

@testable import Domain
@testable import Jobs

/// `weights:` that changed with time, and `stratify: day`.
struct DatedWeightsTests: JobTexts {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A list of weights is one of phases, by offering, each from its day on in the job's timezone")
  func phases() throws {
    let job = try job(
      """
      timezone: Europe/Berlin
      weights:
        - {spring: {control: 99, b: 1}}
        - {from: 2026-03-08, spring: {control: 1, b: 1}, summer: {control: 1}}
        - {from: 2026-03-09T12:00:00Z, summer: {control: 1, late: 1}}
      """)
    #expect(job.weights.isEmpty)
    let spring = try #require(job.weightPhases["spring"])
    #expect(spring.map(\.name) == ["", "2026-03-08"])
    #expect(spring.map(\.from?.rfc3339) == [nil, "2026-03-07T23:00:00Z"])
    #expect(spring.map(\.weights) == [["control": 99, "b": 1], ["control": 1, "b": 1]])
    let summer = try #require(job.weightPhases["summer"])
    #expect(summer.map(\.from?.rfc3339) == ["2026-03-07T23:00:00Z", "2026-03-09T12:00:00Z"])
    #expect(job.weightedGroups == ["spring": ["control", "b"], "summer": ["control", "late"]])
  }

  @Test(
    "Phases that cannot be are told with what to write",
    arguments: [
      ("[]", "line 5: weights: the list is empty; write [{from: 2026-03-01, my_offering: {control: 1, b: 1}}]."),
      ("[{from: soon, one: {a: 1}}]", "line 5: from: \"soon\" is neither a date nor a time; write 2026-03-01."),
      (
        "[{from: 2026-03-08, one: {a: 1}}, {from: 2026-03-01, one: {a: 2}}]",
        "line 5: from: 2026-03-01 does not come after 2026-03-08 of the entry before; write them in order of time."
      ),
      (
        "[{one: {a: 1}}, {one: {a: 2}}]",
        "line 5: weights: only the first entry may go without from:; write since when these hold, "
          + "{from: 2026-03-08, …}."
      ),
      (
        "[{from: 2026-03-08}]",
        "line 5: weights: an entry names an offering beside from:, "
          + "{from: 2026-03-08, my_offering: {control: 1, b: 1}}."
      ),
      ("[{one: {a: 0, b: 0}}]", "line 5: weights of one: a group needs a weight above 0."),
      ("[{one: {a: x}}]", "line 5: the weight of a is not a number from 0."),
      ("[7]", "line 5: weights must be a mapping"),
    ])
  func problems(weights: String, problem: String) {
    let found = self.problems(with: "weights: \(weights)")
    #expect(found.contains { $0.hasPrefix(problem) }, "\(found)")
  }

  @Test("Weights of an offering that is not measured are refused where it looks like one that is")
  func unknownOffering() {
    #expect(problems(with: "offerings: [spring]\nweights: [{spring: {a: 1}, autumn: {a: 1}}]").isEmpty)
    #expect(
      problems(with: "offerings: [spring]\nweights: [{sprig: {a: 1}}]") == [
        "line 6: weights: the job measures no offering \"sprig\"; did you mean \"spring\"?"
      ])
  }

  @Test("Names of the weights that nobody has, and that look like one without a weight, are refused")
  func misspelt() throws {
    let job = try job("weights: [{spring: {control: 1, late: 1}}, {from: 2026-03-08, sumer: {control: 1}}]")
    func problems(_ offerings: [Identifier: Set<Identifier>]) -> [String] {
      do {
        try WeightRule(job: job).verify(offerings)
        return []
      } catch let error as OfferliftError {
        return error.message.split(separator: "\n").map(String.init)
      } catch {
        return ["\(error)"]
      }
    }
    #expect(problems(["spring": ["control", "late"], "sumer": ["control"]]).isEmpty)
    // A group that nobody is in yet, and an offering without users, are no slip of the pen.
    #expect(problems(["spring": ["control", "treatment"]]).isEmpty)
    let found = problems(["spring": ["control", "latte"], "summer": ["control"]])
    #expect(found.count == 2)
    #expect(found.first?.contains("the offering \"spring\" has no group \"late\"; did you mean \"latte\"?") == true)
    #expect(found.last?.contains("to an offering \"sumer\"; did you mean \"summer\"?") == true, "\(found)")
  }

  @Test("Days are no attribute")
  func days() throws {
    #expect(try metric("{name: charges, stratify: day}").stratify == .day)
    let least = Self.least.replacingOccurrences(of: "{path: a.csv}", with: "{path: a.csv, attributes: [day]}")
      .replacingOccurrences(of: "{name: charges}", with: "{name: charges, stratify: day}")
    #expect(
      problems(least) == [
        "line 4: stratify: day is the day of the assignment, and the assignments have an attribute \"day\" too; give "
          + "that attribute another name."
      ])
  }
}
