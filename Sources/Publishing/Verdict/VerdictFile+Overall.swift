import Analysis
import Domain
import Measurement

/// What all offerings of a night come to together.
extension VerdictFile {
  private typealias Member = DocumentMembers<VerdictFile>.Member

  /// No check failed, so that the night may be acted on.
  var isTrusted: Bool { !night.hasFailedCheck && night.verdicts.allSatisfy { $0.decision != .doNotTrust } }

  /// The call that is to be seen first; nil where no offering has users yet.
  var call: Call? {
    Call.foremost(of: night.verdicts.map(\.foremost)) ?? (night.hasFailedCheck ? .doNotTrust : nil)
  }

  static var overall: DocumentMembers<VerdictFile> {
    DocumentMembers([
      Member("trusted", "no check failed, of no offering: all of it may be acted on", .flag) { .flag($0.isTrusted) },
      Member("call", "of all offerings' calls the one to be seen first; null where none has users", callSchema.orNull) {
        .text(orNull: $0.call?.rawValue)
      },
      Member("sentence", "the last line of the run: of few offerings all, of many those to act on first", .text) {
        .text(NightLine.text(of: $0.night.verdicts))
      },
      Member("offerings", "how many there are", .whole(from: 0)) { .whole($0.night.verdicts.count) },
      .object("calls", "how many offerings have which call as that to be seen first", calls) { $0 },
      .object("health", "how many checks, by name, came to what at worst", health) { $0 },
      .object("data", "how far the data reach", data) { $0 },
    ])
  }

  /// Which calls there are, with their meanings.
  static var callSchema: JSONSchema { .words(meaning: Call.allCases.map { ($0.rawValue, $0.meaning) }) }

  private static var calls: DocumentMembers<VerdictFile> {
    DocumentMembers(
      Call.allCases.map { call in
        Member(call.rawValue, call.meaning, .whole(from: 0)) { file in
          .whole(file.night.verdicts.count { $0.foremost == call })
        }
      })
  }

  private static var health: DocumentMembers<VerdictFile> {
    let meanings: [CheckFinding.Weight: String] = [
      .fail: "failed: the figures may be wrong", .warn: "warn: to be looked at",
      .remark: "warn of the test's design or the data's shape: good to know", .pass: "passed",
    ]
    return DocumentMembers(
      CheckFinding.Weight.allCases.map { weight in
        Member(weight.rawValue, meanings[weight] ?? "", .whole(from: 0)) { file in
          .whole(file.story.health.byName.count { $0.weight == weight })
        }
      } + [
        Member("checks", "all of them", .whole(from: 0)) { .whole($0.story.health.byName.count) },
        Member("sentence", "the same in a sentence", .text) { .text($0.story.health.line) },
      ])
  }

  private static var data: DocumentMembers<VerdictFile> {
    DocumentMembers([
      Member("hours_before_cutoff", "how long before the cut-off the last event came", .number.orNull) {
        .real($0.story.health.hoursSinceLastEvent)
      },
      Member("last_event", "when it came, UTC", .instant.orNull) {
        .text(orNull: $0.story.health.lastEvent(cutoff: $0.story.cutoff)?.rfc3339)
      },
      Member("sentence", "the same in a sentence", .text.orNull) {
        .text(orNull: $0.story.health.freshness(cutoff: $0.story.cutoff))
      },
    ])
  }
}
