import Testing

@testable import Domain
@testable import Jobs

/// That a baseline is there is settled before anything is counted.
struct BaselineRuleTests {
  /// What is wrong, a line each.
  private func problems(
    _ offerings: [Identifier: Set<Identifier>], _ change: (inout Job) -> Void = { _ in }
  ) -> [String] {
    do {
      try BaselineRule(job: HandMade.job(change)).verify(offerings)
      return []
    } catch let error as OfferliftError {
      #expect(error.exit == .badJobFile)
      return error.message.split(separator: "\n").map(String.init)
    } catch {
      return ["\(error)"]
    }
  }

  @Test("Several groups without control or baseline are listed, with what to type")
  func severalGroupsWithout() {
    #expect(
      problems(["spring": ["E-Mail", "No E-Mail", "Phone"]]) == [
        "test-job.yml: the offering \"spring\" has the groups \"E-Mail\", \"No E-Mail\" and \"Phone\", and neither "
          + "is called control nor does the job say which one the others are compared with. Add a line, with the right "
          + "one of them: baseline: \"E-Mail\""
      ])
    #expect(problems(["spring": ["only"]]).isEmpty)
    #expect(problems(["spring": ["control", "a"]]).isEmpty)
    #expect(problems([:]).isEmpty)
  }

  @Test("Every offering is told of, also where another names its own")
  func everyOfferingReported() {
    let found = problems(["one": ["a", "b"], "two": ["a", "b"], "three": ["x", "y"]]) { job in
      job.baseline.byOffering = ["two": "b"]
    }
    #expect(found.count == 2)
    #expect(found[0].hasPrefix("test-job.yml: the offering \"one\""))
    #expect(found[0].hasSuffix("baseline: {\"one\": \"a\"}"))
    #expect(found[1].hasPrefix("test-job.yml: the offering \"three\""))
  }

  @Test("A baseline that is no group is told with its line, the groups there are, and the nearest")
  func baselineGroupReported() {
    let common = problems(["one": ["control", "b"], "two": ["a", "b"], "three": ["x"]]) { job in
      job.baseline.group = "contrl"
      job.baseline.line = 4
    }
    #expect(common.count == 2, "\(common)")
    #expect(
      common[0] == "test-job.yml, line 4: baseline: the offering \"one\" has no group \"contrl\"; it has \"b\" and "
        + "\"control\". Did you mean \"control\"? Write baseline: {\"one\": \"control\"}")
    let own = problems(["one": ["control", "b"], "two": ["only"]]) { job in
      job.baseline.byOffering = ["one": "z", "two": "all"]
      job.baseline.lines = ["one": 5, "two": 6]
    }
    #expect(own.map { String($0.prefix(20)) } == ["test-job.yml, line 5", "test-job.yml, line 6"])
  }

  @Test("An offering that is misspelt under baseline is told; one without users yet is not")
  func offeringMisspeltUnder() {
    let found = problems(["spring": ["control", "b"]]) { $0.baseline.byOffering = ["sprng": "b", "autumn_2027": "b"] }
    #expect(found.count == 1)
    #expect(found.first?.hasSuffix("did you mean \"spring\"?") == true)
  }
}
