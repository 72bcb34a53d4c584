import Domain
import Foundation
import Jobs

/// Times without an offset in a job whose nights end at a midnight elsewhere than in UTC: whose clock they are by nobody has
/// said.
package struct ZonelessTimes {
  /// What there is, and what to write for either reading.
  package let sentence: String

  /// Nil where every time tells its offset, the input or the column's name says the zone, or the job's is UTC.
  ///
  /// - Parameters:
  ///   - field: the input's field of times, `assigned_at` or `occurredAt`.
  ///   - zone: the job's `timezone:`.
  package init?(_ sample: FileSample, _ input: TableInput, field: String, zone: TimeZone) {
    guard zone.secondsFromGMT() != 0 || zone.nextDaylightSavingTimeTransition != nil, !input.reportsTimezone,
      let column = sample.bound(by: input, [field])[field],
      ZoneGuess.zone(column, reported: nil).sureness != .certain
    else { return nil }
    let values = sample.values(of: column).filter { !$0.isEmpty }
    guard let first = values.first, let guess = TimeGuess.best(values, zone: .gmt), !guess.value.reportsOffset else {
      return nil
    }
    sentence =
      "\(sample.file): times of \"\(column)\" tell no zone (\(first)) and are read in UTC, but the job's timezone: is "
      + "\(zone.identifier). If they are local there, write timezone: \(zone.identifier) under \(input.name):; if they are "
      + "UTC, write timezone: UTC there."
  }
}
