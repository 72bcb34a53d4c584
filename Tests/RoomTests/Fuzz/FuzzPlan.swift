import Foundation
import Testing

/// How long inputs are made up for, and from which seed: what the environment says, else little.
enum FuzzPlan {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// Seconds for each target; nil where nobody asks for more than a few inputs.
  static let seconds = number("FUZZ_SECONDS").map { Double($0) }
  /// The usual inputs are tried, all of them.
  static var isWhole: Bool { seconds == nil && skipped.isEmpty }
  /// The first input's seed; the next ones count on from it.
  static let seed = number("FUZZ_SEED") ?? 1
  /// Where the input at hand is kept while it is tried, so that it is there when the process is not.
  static let folder = ProcessInfo.processInfo.environment["FUZZ_FOLDER"]

  /// Targets that are left out: they have ended a process of this session already.
  private static let skipped = Set(
    (ProcessInfo.processInfo.environment["FUZZ_SKIP"] ?? "").split(separator: " ").map(String.init))

  /// Tries inputs of seeds one after another, `count` of them or as many as there is time for.
  ///
  /// - Parameters:
  ///   - target: what the inputs are for.
  ///   - body: makes the input of a seed and hands it to `trying` before it is used.
  static func forEach(
    _ target: String, _ count: Int, _ body: (UInt64, (_ trying: [UInt8]) throws -> Void) async throws -> Void
  ) async throws {
    guard !skipped.contains(target) else { return }
    let path = folder.map { "\($0)/\(target).input" }
    let (clock, start) = (ContinuousClock(), ContinuousClock.now)
    var seed = self.seed
    func isOver() -> Bool {
      guard let seconds else { return seed - self.seed >= UInt64(count) }
      return clock.now - start >= .seconds(seconds)
    }
    while !isOver() {
      let began = clock.now
      do {
        try await body(seed) { input in
          guard let path else { return }
          let head = "\(target), seed \(seed)\n"
          try Data(Array(head.utf8) + input).write(to: URL(fileURLWithPath: path))
        }
      } catch {
        Issue.record("\(target), seed \(seed): \(error)")
      }
      let accepted = clock.now - began
      if accepted > longest { Issue.record("\(target), seed \(seed): took \(accepted)") }
      seed += 1
    }
    guard let path else { return }
    try? FileManager.default.removeItem(atPath: path)
    print("fuzz: \(target): \(seed - self.seed) inputs of the seeds \(self.seed) to \(seed - 1)")
  }

  /// No small input takes longer, on a machine however busy: a guard against what never ends.
  private static let longest = Duration.seconds(600)
}
