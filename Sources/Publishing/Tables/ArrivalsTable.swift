import Analysis
import Domain
import Measurement

/// `arrivals.csv`: how many of each group's measured users began on each UTC day.
///
/// The `users` of a group's days add up to its measured users.
struct ArrivalsTable: GroupTable {
  typealias Record = CountedRow<ArrivalDay>
  let name = "arrivals"
  let meaning = "How many of each group's measured users began on each day; days on which nobody did have no row."
  let records = Records<Record>.ofGroups(\.arrivals)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let day = Text(
    "day", "the UTC day of the assignment; of an exposed population that of the first paywall view", as: .date,
    isKey: true
  ) { CivilDate(day: $0.counted.day).description }
  let users = Integer("users", "measured users who began on it", \.counted.users)
}
