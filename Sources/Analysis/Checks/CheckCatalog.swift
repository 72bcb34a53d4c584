import Domain
import Jobs
import Measurement

/// Every health check there is, in the order of a night's rows.
package enum CheckCatalog {
  static let all: [any HealthCheck] =
    [AccountingCheck(), RejectsCheck(), CorruptFileCheck()] + NoticeCheck.all + SetAsideCheck.all
    + [OrphanRefundCheck(), RefundExceedsChargeCheck(), OrderItemsCheck(), ReportedTwiceCheck(), ReportedRatesCheck()]
    + OfferingCallCheck.all
    + [EmptyInputCheck(), UserIDCheck(), TimeRangeCheck(), PriceSanityCheck(), FreshnessCheck(), LastNightCheck()]
    + [NoChargesCheck()]
    + [ChangedPastCheck()]
    + [
      SimilarGroupsCheck(), SampleRatioOverTimeCheck(), SampleRatioCheck(), EnrolmentCheck(), ExcludedGroupsCheck(),
      MultipleGroupsCheck(), GroupMismatchCheck(), BeforeAssignmentCheck(), DayOnlyCheck(), ConcentrationCheck(),
      WhalesCheck(), DisplayPriceCheck(), CreditsCheck(), BalanceCheck(), CovariateCheck(), MaturityCheck(),
      SmallCountsCheck(), NotComputableCheck(), BaselineCheck(), ServedTwoGroupsCheck(), NeverShownCheck(),
      NotExposedCheck(), PlannedEndCheck(), UndecidedPrimaryCheck(),
    ]

  /// Their names and levels, for the reader of job files.
  package static let vocabulary = CheckVocabulary(all.flatMap { [$0.terms] + $0.companions })

  /// The checks whose warnings are remarks: good to know, and nothing that anybody has to mend.
  package static let remarks = Set(all.filter(\.isRemark).map(\.name))

  /// What is to be said of the inputs whatever the cut-off is, their rows being accounted for.
  package static func checks(ofInputs measurement: RunMeasurement, job: Job) -> [Check] {
    let inputs = CheckedInputs(measurement: measurement, job: job)
    return all.flatMap { $0.checks(of: inputs) }
  }

  static func checks(of night: CheckedNight) -> [Check] { all.flatMap { $0.checks(of: night) } }
  static func checks(of offering: CheckedOffering) -> [Check] { all.flatMap { $0.checks(of: offering) } }
  static func checks(of metric: CheckedMetric) -> [Check] { all.flatMap { $0.checks(of: metric) } }
  static func checks(of comparisons: CheckedComparisons) -> [Check] { all.flatMap { $0.checks(of: comparisons) } }
  static func checks(of changes: CheckedChanges) -> [Check] { all.flatMap { $0.checks(of: changes) } }

  /// What is to be said of what users of all offerings were shown; offerings nobody is measured in are left out.
  static func checks(ofExposureIn offerings: [OfferingMeasurement], job: Job) -> [Check] {
    let isLogged = offerings.contains { $0.groups.contains { $0.shown.any > 0 } }
    let viewsAreLogged = offerings.contains { $0.groups.contains { $0.shown.viewed > 0 } }
    return offerings.flatMap { offering -> [Check] in
      let users = offering.groups.reduce(0) { $0 + $1.measuredUsers }
      guard users > 0 else { return [] }
      let exposure = CheckedExposure(
        offering: offering, measuredUsers: users, isLogged: isLogged, viewsAreLogged: viewsAreLogged, job: job)
      return all.flatMap { $0.checks(of: exposure) }
    }
  }
}
