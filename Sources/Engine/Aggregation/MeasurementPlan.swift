import Domain
import Jobs
import Measurement

/// What is taken of every user, with the job's names resolved to numbers: the same for all partitions.
final class MeasurementPlan: Sendable {
  /// How events become histories.
  let history: HistoryRules
  /// Who counts, and from when on.
  let population: Population
  let metrics: [CompiledMetric]
  /// Attributes some metric is split by.
  let attributes: [String]
  /// How users are parted beside them.
  let strata: AssignmentStrata
  /// What is counted beside the metrics.
  let tables: GroupTablePlan
  /// The nights to look back on.
  let nights: Nights
  /// What tells why the night is not an earlier one; nil where there is none.
  let changes: ChangePlan?
  /// The cut-off, in milliseconds since 1970.
  let cutoff: Int64
  /// Tells times that are days alone.
  let days: DayTimes
  /// The type of a served offering, where the job has a log of such calls.
  let offeringServed: EventType?

  /// - Throws: `OfferliftError` 78, where a metric is none.
  init(
    job: Job, cutoff: Instant, looksBack: Bool, roster: Roster, reference: ReferenceTables, types: EventTypes,
    feeds: FeedIndex, since: (earlier: EarlierCount, assignments: [FileReading], logs: [FileReading])? = nil
  ) throws {
    let names = roster.names
    let facts = ProductFacts(
      names: names.products.names, products: reference.products, catalog: reference.catalog, usualTrial: job.trial)
    let details = ChargeDetailsIndex(names, attributes: job.chargeAttributes)
    let defaults = reference.catalog.defaultProducts(names: names, facts: facts)
    history = HistoryRules(
      facts: facts, types: types, rates: reference.rates, names: RosterOrder(roster, without: job.excludedGroups),
      feeds: feeds, details: details)
    population = Population(rule: job.population, enrolment: job.enrolment, newCustomersOnly: job.newCustomersOnly)
    attributes = roster.attributes
    strata = AssignmentStrata(job, offerings: names.offerings.names)
    let definitions = try job.metrics.map { try MetricCatalog.definition(of: $0, in: job) }
    let wordings = MetricWording.all(of: job.metrics, definitions)
    let contexts = job.metrics.map { MetricContext(request: $0, types: types, facts: facts, defaults: defaults) }
    metrics = zip(contexts, zip(definitions, wordings)).map { [strata] context, known in
      CompiledMetric(
        known.0, known.1, job: job, context: context, attributes: roster.attributes, strata: strata, cutoff: cutoff)
    }
    changes = since.map { [metrics] since in
      let isLogged = job.population == .logged
      return ChangePlan(
        since.earlier, assignments: isLogged ? since.logs : since.assignments, logs: since.logs, metrics: metrics)
    }
    tables = GroupTablePlan(
      job: job, types: types, details: details,
      displayedPrices: reference.catalog.displayedPrices(
        names: names, facts: facts, reporting: reference.rates.reporting),
      payments: PaymentPlan(metrics, cutoff: cutoff.milliseconds),
      credits: CreditPlan(contexts, types: types, codes: names.codes.names))
    nights = Nights(
      from: looksBack ? roster.firstAssignment.map { max($0, job.enrolment?.from ?? $0) } : nil, to: cutoff)
    self.cutoff = cutoff.milliseconds
    days = DayTimes(job)
    offeringServed = types.type(named: APIEventType.offeringServed.rawValue)
  }

  /// How many ways there are in which users are parted: the attributes, then the strata.
  var splitCount: Int { attributes.count + strata.kinds.count }

  /// Which of them are phases or days; nil where users are not parted so.
  func split(by kind: AssignmentStrata.Kind) -> Int? {
    strata.kinds.firstIndex(of: kind).map { attributes.count + $0 }
  }

  /// The sums of nobody, to add to.
  var emptySums: PartitionSums { PartitionSums(shape) }

  /// What all of the run's sums are like.
  var shape: SumsShape {
    SumsShape(
      files: history.fileCount, inputs: history.feeds.inputCount,
      assignmentFiles: changes?.isNewAssignments.count ?? 0, nights: nights.count, metrics: metrics.count,
      followedMetrics: changes?.metrics.count ?? 0,
      splits: history.names.values.prefix(attributes.count).map(\.count) + strata.kinds.map { _ in nil },
      offerings: history.names.offerings.count, groups: history.names.groups.count, products: history.facts.ids.count,
      eventTypes: history.types.names.count, codes: history.names.codes.count,
      chargeValues: tables.details.values.map(\.count), funnels: tables.funnels.map(\.steps.count))
  }
}

extension MetricCatalog {
  /// What a request asks for.
  ///
  /// - Throws: `OfferliftError` 78 where there is no such metric.
  fileprivate static func definition(of request: MetricRequest, in job: Job) throws -> MetricDefinition {
    if let definition = metric(named: request.quantile?.of ?? request.name) { return definition }
    throw OfferliftError(
      .badJobFile, "\(job.file.lastPathComponent), line \(request.line): no metric \(request.name)")
  }
}
