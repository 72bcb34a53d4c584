import Testing

@testable import Analysis
@testable import Domain
@testable import Jobs
@testable import Measurement

@Suite("What a job's owner tells the readers")
struct NotesTests: JobTexts {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("Notes are text of any lines, and none are needed")
  func notes() throws {
    #expect(try job("").notes == nil)
    #expect(try job("notes: Prices rose in May.").notes == "Prices rose in May.")
    #expect(try job("notes: |\n  First.\n\n  Second.").notes == "First.\n\nSecond.\n")
  }

  @Test("A list is no text")
  func list() {
    let first = problems(Self.least + "\nnotes: [a, b]\n").first
    #expect(first?.contains("notes: one value is expected here") == true)
  }

  @Test("A night carries them, with the rules of who is counted")
  func carried() throws {
    let job = HandMade.job {
      $0.notes = "Read me."
      $0.newCustomersOnly = true
      $0.enrolment = Job.Enrolment(from: HandMade.asOf, to: nil)
    }
    let night = try HandMade.night(
      HandMade.offering(HandMade.group("control", users: 10, HandMade.proportion(1, of: 10))),
      metrics: [HandMade.conversion], job: job)
    #expect(night.notes == "Read me.")
    #expect(night.enrolment.newCustomersOnly && night.enrolment.from == HandMade.asOf && night.enrolment.to == nil)
  }
}
