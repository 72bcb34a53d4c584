import Domain
import Foundation
import Platform

/// What a self-test found, for people and for an auditor's files.
package struct SelfTestReport: Sendable {
  let program: ProgramTrial
  let outcomes: [Outcome]

  /// Whether everything came out as it should.
  package var isSound: Bool { outcomes.allSatisfy(\.isSound) }

  /// The error that a self-test ends with; nil where all is well.
  package var failure: OfferliftError? {
    let failed = outcomes.filter { !$0.isSound }.map(\.name)
    guard !failed.isEmpty else { return nil }
    let more = failed.count > 5 ? ", and \(failed.count - 5) more" : ""
    return OfferliftError(
      .internalError,
      "\(failed.count) of \(outcomes.count) cases did not come out as they should: "
        + "\(failed.prefix(5).joined(separator: "; "))\(more). Trust no figure of this installation: install offerlift "
        + "anew, and if that does not help, look at the machine's C library and memory.")
  }

  /// A line a part, a line a fault, and what it comes to.
  package var lines: [String] {
    let parts = Trial.Part.allCases.flatMap(lines)
    let all = isSound ? "All \(outcomes.count) cases came out as they should." : "NOT everything came out as it should."
    return ["offerlift \(Product.version), \(Self.machine)", program.sentence, ""] + parts + ["", all]
  }

  private func lines(of part: Trial.Part) -> [String] {
    let own = outcomes.filter { $0.trial.part == part }
    guard !own.isEmpty else { return [] }
    let sound = own.count { $0.isSound }
    let name = part.rawValue.padding(toLength: 12, withPad: " ", startingAt: 0)
    let head = "\(sound == own.count ? "ok  " : "FAIL") \(name) \(sound) of \(own.count)  \(part.meaning)"
    return [head]
      + own.filter { !$0.isSound }.flatMap { outcome in
        outcome.faults.prefix(3).map {
          "       \(outcome.trial.name): \($0.name) is \($0.found), and should be \($0.expected) (\(outcome.trial.source))"
        }
      }
  }

  /// What the figures may depend on, in a few words.
  private static var machine: String { "\(architecture), \(LoadedProgram.cLibrary)" }

  private static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "another processor"
    #endif
  }

  // MARK: - For files

  /// The same for programs: no time of day is in it, so that the same installation says the same.
  ///
  /// - Throws: never of its own.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return PrintableText.escaped(json: String(decoding: try encoder.encode(Record(self)), as: UTF8.self)) + "\n"
  }

  private struct Record: Encodable {
    let version = Product.version
    let architecture = SelfTestReport.architecture
    let c_library = LoadedProgram.cLibrary
    let program: Program
    let passed: Bool
    let cases: [Case]

    init(_ report: SelfTestReport) {
      let stamp = report.program.stamp
      program = Program(
        path: report.program.path, sha256: report.program.digest, expected_sha256: stamp?.digest,
        expected_by: stamp?.source)
      passed = report.isSound
      cases = report.outcomes.map(Case.init)
    }
  }

  private struct Program: Encodable {
    let path: String
    let sha256: String
    let expected_sha256: String?
    let expected_by: String?
  }

  private struct Case: Encodable {
    let part: String
    let name: String
    let source: String
    let checks: Int
    let passed: Bool
    let input_sha256: String
    let result_sha256: String
    let faults: [Fault]

    init(_ outcome: Outcome) {
      (part, name, source) = (outcome.trial.part.rawValue, outcome.trial.name, outcome.trial.source)
      (checks, passed) = (outcome.findings.count, outcome.isSound)
      (input_sha256, result_sha256) = (outcome.inputDigest, outcome.resultDigest)
      faults = outcome.faults.map { Fault(name: $0.name, found: $0.found, expected: $0.expected) }
    }
  }

  private struct Fault: Encodable {
    let name: String
    let found: String
    let expected: String
  }
}
