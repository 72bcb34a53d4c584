import ArgumentParser
import Foundation
import Jobs

/// Whether a night may be still to come.
struct FutureOptions: ParsableArguments {
  @Flag(help: "Take a night that is still to come, as of a made-up test; it becomes the latest one.")
  var allowFuture = false

  /// The moment up to the end of whose day nights are taken; nil takes any.
  var today: Date? { allowFuture ? nil : Date() }
}

/// The night that a command is about.
struct NightOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Count what happened before this instant.", valueName: "time"))
  var asOf: String?

  @Option(help: ArgumentHelp("Count to the end of this day. (default: the last whole day)", valueName: "day"))
  var date: String?

  /// An instant or a day was given.
  var isGiven: Bool { asOf != nil || date != nil }

  /// - Throws: `ValidationError` where both are given.
  func requireOne() throws {
    guard asOf == nil || date == nil else { throw ValidationError("Give one of --as-of and --date.") }
  }

  var choice: NightChoice {
    if let asOf { return .asOf(asOf) }
    if let date { return .date(date) }
    return .yesterday(now: Date())
  }
}
