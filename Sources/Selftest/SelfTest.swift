import Domain
import Foundation
import Platform

/// Whether the program that is installed here computes what it should: published cases, reference data, files there and
/// back, and made-up tests with a known truth. It needs no checkout, and leaves nothing behind.
package enum SelfTest {
  /// - Parameter expected: the SHA-256 that the program should have; nil is what the stamp it was installed with says.
  /// - Throws: `OfferliftError` 64 where `expected` is none, 73 or 74 where there is no room for files.
  package static func report(expecting expected: String?) async throws -> SelfTestReport {
    let folder = (NSTemporaryDirectory() as NSString).appendingPathComponent("offerlift-selftest-\(UUID().uuidString)")
    try Folder.create(folder)
    defer { try? Folder.remove(folder) }
    let program = try ProgramTrial(expecting: expected)
    var outcomes: [Outcome] = []
    let meter = ProgressMeter.current
    for trial in program.trials + trials(in: folder) {
      meter?.begin("\(trial.part.rawValue): \(trial.name)")
      outcomes.append(await Outcome(of: trial))
    }
    return SelfTestReport(program: program, outcomes: outcomes)
  }

  private static func trials(in folder: String) -> [Trial] {
    let cases: [PublishedCase]
    do { cases = try PublishedCase.all() } catch {
      let unread = Finding.same("published cases", found: "\(error)", expected: "JSON")
      return [
        Trial(
          part: .statistics, name: "cases", source: "the program", input: PublishedCases.text, findings: { [unread] })
      ]
    }
    return Arithmetic.trials(cases) + StatisticsTrials.trials(cases) + ReferenceTrials.trials
      + PackingTrials.trials(in: folder) + WorldTrials.trials(in: folder)
  }
}

/// What a trial came to.
struct Outcome: Sendable {
  let trial: Trial
  let findings: [Finding]

  /// A trial that ends in an error has found that.
  init(of trial: Trial) async {
    self.trial = trial
    do {
      let found = try await trial.findings()
      findings = found.isEmpty ? [.same(trial.name, found: "nothing", expected: "something")] : found
    } catch {
      findings = [.same(trial.name, found: "\(error)", expected: "no error")]
    }
  }

  var faults: [Finding] { findings.filter { !$0.isSound } }
  var isSound: Bool { faults.isEmpty }
  var name: String { "\(trial.part.rawValue): \(trial.name)" }

  /// Of all that the result depends on.
  var inputDigest: String { FileDigest.sha256(trial.input).hexadecimal }
  /// Of all that was found.
  var resultDigest: String {
    FileDigest.sha256(findings.map { "\($0.name) = \($0.found)\n" }.joined()).hexadecimal
  }
}
