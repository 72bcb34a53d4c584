import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Jobs

@Suite("Job files: lives of subscriptions and funnels")
struct LifecycleJobTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func job(_ metric: String, _ lines: String = "") throws -> Job {
    try folder.write(
      "job.yml",
      """
      job: night
      assignments: {path: a.csv}
      purchases: {path: e.jsonl, format: events}
      metrics: [{name: charges}, {\(metric)}]
      \(lines)

      """)
    return try JobReader.read(folder.path("job.yml"))
  }

  /// What is wrong with the job, without the file's name.
  private func problem(_ metric: String, _ lines: String = "") -> String {
    do {
      _ = try job(metric, lines)
      return ""
    } catch {
      let message = (error as? OfferliftError)?.message ?? "\(error)"
      return message.replacing(folder.path("job.yml") + ", ", with: "")
    }
  }

  @Test("What follows has a time of its own")
  func options() throws {
    let within = MetricOption.duration("within", "", usual: -1)
    #expect(try job("name: trial_to_paid, window: 7d, within: 28d").metrics[1][within] == 28 * 86_400_000)
    #expect(try job("name: trial_to_paid, window: 7d").metrics[1][within] == -1)
    #expect(try job("name: one_time_to_subscription, within: 36h").metrics[1][within] == 36 * 3_600_000)
    #expect(try job("name: renewal_rate, grace: 0d").metrics[1][MetricOption.duration("grace", "", minimum: 0)] == 0)
    #expect(try job("name: retention").metrics[1].reading == .renewals(1))
    #expect(try job("name: retention, renewals: 3").metrics[1].reading == .renewals(3))
    #expect(try job("name: retention, day: 90").metrics[1].reading == .day(90))
    #expect(try job("name: trial_to_paid, window: 14d").metrics[1].id == "trial_to_paid_14d")
    #expect(try job("name: retention").metrics[1].id == "retention")
    #expect(try job("name: quantile, of: mrr, q: 0.9").metrics[1].quantile?.of == "mrr")
  }

  @Test(
    "What makes no sense is said, with what to write instead",
    arguments: [
      ("name: trial_to_paid, within: soon", "line 4: within: \"soon\" is no length of time; write 16d, 36h or 2w."),
      ("name: trial_to_paid, within: 0d", "line 4: within: \"0d\" is no length"),
      ("name: renewal_rate, grace: -1d", "line 4: grace: \"-1d\" is no length"),
      ("name: renewal_rate, within: 3d", "line 4: metrics has no key \"within\""),
      ("name: charges, id: b, day: 3", "line 4: metrics has no key \"day\""),
      ("name: retention, day: 0", "line 4: day: \"0\" is not a whole number from 1"),
      ("name: retention, day: 1.5", "line 4: day: \"1.5\" is not a whole number from 1."),
      ("name: retention, renewals: 0", "line 4: renewals: \"0\" is not a whole number from 1"),
      ("name: retention, day: 30, renewals: 1", "line 4: renewals: a curve is read at one place; leave out day:."),
      (
        "name: retention, window: 7d",
        "line 4: window: retention takes none: it follows everybody from the first payment"
      ),
      ("name: mrr, window: none", "line 4: window: mrr takes none: it is what stands at the cut-off; leave it out."),
      ("name: active_subscription, window: 30d", "line 4: window: active_subscription takes none"),
      ("name: quantile, of: mrr, q: 0.5, window: 7d", "line 4: window: mrr takes none"),
      ("name: set_to_renew, covariate: {lookback: 30d}", "line 4: covariate: set_to_renew is taken at the cut-off"),
      ("name: retention, cap: {value: 3}", "line 4: cap: a survival curve has nothing to cut."),
      ("name: retention, robust: true", "line 4: robust: only metrics that are means have it."),
      ("name: retention, stratify: country", "line 4: stratify: a survival curve takes none."),
      ("name: quantile, of: retention, q: 0.5", "line 4: of: \"retention\" is no metric of kind mean"),
      ("name: default_uptake", "line 4: default_uptake needs catalog:, whose products table says"),
    ])
  func mistakes(metric: String, message: String) {
    #expect(problem(metric).hasPrefix(message), "\(problem(metric))")
  }

  @Test("A funnel names its steps, whose types are known from then on")
  func funnels() throws {
    let job = try job(
      "name: exposure",
      "funnels:\n  - {name: pay, steps: [plan_view, purchase_tap, purchase], within: 24h}\n  - {name: all, steps: scan}"
    )
    #expect(job.funnels.map(\.name) == ["pay", "all"])
    #expect(
      job.funnels.map { $0.steps.map(\.events) } == [[["plan_view"], ["purchase_tap"], ["purchase"]], [["scan"]]])
    #expect(job.funnels.map(\.withinMilliseconds) == [86_400_000, nil])
    #expect(Set(job.namedEventTypes).isSuperset(of: ["plan_view", "purchase_tap", "scan"]))
  }

  @Test("A step is an event, any of several, any charge, or one that only some groups can take")
  func funnelSteps() throws {
    let job = try job(
      "name: exposure",
      """
      funnels:
        - {name: a, steps: [trial_start, {event: banner, only: [b]}, [tap, charge]], within: 30d, split_by: nudge}
        - {name: b, steps: [one, {event: [two, three]}], only: [a, b]}
      """)
    #expect(
      job.funnels[0].steps == [
        Job.Funnel.Step(events: ["trial_start"]), Job.Funnel.Step(events: ["banner"], only: ["b"]),
        Job.Funnel.Step(events: ["tap", "charge"]),
      ])
    #expect(job.funnels[0].splitBy == "nudge")
    #expect(job.funnels[1].steps.map(\.only) == [["a", "b"], nil])
    #expect(job.funnels[1].steps.map(\.name) == ["one", "two or three"])
    #expect(Set(job.namedEventTypes) == ["trial_start", "banner", "tap", "nudge", "one", "two", "three"])
  }

  @Test(
    "A funnel that is none is said",
    arguments: [
      ("{steps: [a]}", "line 5: funnels needs name:."), ("{name: f}", "line 5: a funnel needs steps:"),
      ("{name: f, steps: []}", "line 5: a funnel needs steps:"),
      ("{name: f, steps: [a], within: x}", "line 5: within: \"x\" is no length of time"),
      ("{name: f, steps: [a, {only: [b]}]}", "line 5: a step needs event:, one event type or several."),
      ("{name: f, steps: [a, {event: b, onyl: [b]}]}", "line 5: a step has no key \"onyl\"; did you mean \"only\"?"),
      ("{name: f, steps: [a, [b, [c]]]}", "line 5: steps: a step is an event type, a list of them, or {event:"),
      ("{name: f, steps: [a, []]}", "line 5: steps: a step is an event type"),
      ("{name: f, steps: [a], split_by: b}", "line 5: split_by: users are parted before the second step;"),
      ("{name: f, step: [a]}", "line 5: funnels has no key \"step\"; did you mean \"steps\"?"),
      ("[{name: f, steps: [a]}, {name: f, steps: [b]}]", "line 5: name: the funnel of line 5 is called \"f\" too."),
    ])
  func badFunnels(funnels: String, message: String) {
    #expect(
      problem("name: exposure", "funnels: \(funnels)").hasPrefix(message),
      "\(problem("name: exposure", "funnels: \(funnels)"))")
  }
}
