import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// The check that metrics of money rest on some charge.
struct NoChargesCheckTests {
  private func checks(_ formats: [PurchaseFormat], metrics: [MetricRequest], charges: Int = 0) -> [Check] {
    var measurement = HandMade.measurement(OfferingMeasurement(id: "spring", groups: []))
    measurement.freshness.lastEvent = HandMade.asOf
    measurement.userIDs.purchases = charges
    let job = HandMade.job { job in
      job.purchases = formats.map { PurchaseInput(TableInput("purchases", path: "log", format: $0.table), format: $0) }
      job.metrics = metrics
    }
    return NoChargesCheck().checks(of: CheckedInputs(measurement: measurement, job: job))
  }

  private func metric(_ name: String, ofCharges: Bool, primary: Bool = false) -> MetricRequest {
    var metric = MetricRequest(name: name, id: name, line: 1)
    (metric.isOfCharges, metric.primary) = (ofCharges, primary)
    return metric
  }

  @Test("Money that decides fails where no input could tell a charge, and where to find it is said")
  func fails() throws {
    let check = try #require(checks([.apiLog], metrics: [metric("revenue_net_7d", ofCharges: true)]).first)
    #expect(check.status == .fail)
    #expect(
      check.message == """
        No input of this job tells charges (api-log): revenue_net_7d measures nothing. Add what tells them: the App \
        Store's notifications, Google Play's orders, RevenueCat's webhooks or export. Without that, measure events by \
        event_rate.
        """)
  }

  @Test("Where money does not decide, or a log might tell it on another night, it warns")
  func warns() {
    let beside = [metric("event_rate_7d", ofCharges: false, primary: true), metric("mrr", ofCharges: true)]
    #expect(checks([.apiLog], metrics: beside).map(\.status) == [.warn])
    #expect(checks([.events], metrics: [metric("mrr", ofCharges: true)]).map(\.status) == [.warn])
  }

  @Test("It says nothing where charges were read, or no metric is made of them")
  func silent() {
    #expect(checks([.apiLog, .events], metrics: [metric("mrr", ofCharges: true)], charges: 1).isEmpty)
    #expect(checks([.apiLog], metrics: [metric("event_rate_7d", ofCharges: false)]).isEmpty)
  }

  @Test("Metrics that are nothing without a charge say so, those of trials and events do not")
  func definitions() {
    let ofCharges = Set(MetricCatalog.vocabulary.all.filter(\.isOfCharges).map(\.name))
    #expect(ofCharges.isSuperset(of: ["revenue_net", "paying_conversion", "trial_to_paid", "mrr", "retention"]))
    #expect(ofCharges.isDisjoint(with: ["event_rate", "exposure", "trial_start_rate", "initial_conversion"]))
  }
}
