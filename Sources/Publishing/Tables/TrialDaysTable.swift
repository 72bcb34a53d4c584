import Analysis

/// `trial_days.csv`: on which day of their first trial users first paid for a subscription; days on which nobody of
/// the offering did are left out.
///
/// `trials` are users whose trial began so long before the cut-off that the day is over, `paid` those of them who
/// paid on it.
struct TrialDaysTable: GroupTable {
  typealias Record = TrialDayRow
  let name = "trial_days"
  let meaning = "On which day of their first trial users first paid for a subscription."
  let records = Records<Record>.held(\.trialDays)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let day = Integer("day", "the day of the trial, from 1", in: .days, isKey: true, \.day)
  let trials = Integer("trials", "users whose trial began so long before the cut-off that the day is over", \.trials)
  let paid = Integer("paid", "those of them who first paid on it", \.paid)
  let share = Real("share", "paid of trials", in: .share, \.share)
}
