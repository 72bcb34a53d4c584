import Domain
import Foundation
import Statistics

/// What a job file says, every default filled in, every path made absolute: the plan of a run.
///
/// Field names follow the job file's keys; `jobs/offering-price-test.yml` shows them in use.
package struct Job: Sendable {
  /// Names the output folder.
  package var name: String
  /// The job file, absolute.
  package var file: URL
  /// CRC-32 of the job file, which `run.json` keeps: which version of the job ran.
  package var fileChecksum: UInt32 = 0
  /// What its owner tells the report's readers; nil where nothing.
  package var notes: String?
  /// Where its readers open reports; nil where nobody says.
  package var reports: ReportAddress?
  /// Whose midnight ends a night.
  package var timezone: TimeZone = .gmt
  /// The reporting currency, three capital letters.
  package var currency = "USD"
  package var baseline = Baseline()
  package var population = Population.assigned
  package var multipleGroups = MultipleGroups.exclude
  package var newCustomersOnly = false
  /// Users in no offering are counted too, beside the groups.
  package var countsOutside = false
  /// 1 − α.
  package var confidence = 0.95
  /// The name of the rule that decides; nil is the usual one, of a test with a plan that of planned ends.
  package var decideBy: String?
  /// When the test is to end; nil where nothing says.
  package var plan: PlannedTest?
  /// The few looks that it is decided at; nil where every night is one.
  package var looks: LookSchedule?
  /// N* of the confidence sequence: the sample size at which it is tightest.
  package var tuning = 5000.0
  package var liftInterval = LiftIntervalMethod.fieller
  package var adjust = Adjustment.holm
  package var exact = ExactTest.fisher
  /// Prior of the lift for the Bayesian view; nil is flat.
  package var prior: NormalPrior?
  /// What each charge costs, in units of the reporting currency: what a change of price has to earn beside it.
  package var unitCost = 0.0
  package var maxRejectRatio = 0.01
  /// Whether rejected rows are published with how they begin, users' ids and all.
  package var retainsExcerpts = true
  package var onCorrupt = OnCorrupt.fail
  /// The offerings to measure; nil is every offering that has assignments.
  package var offerings: [Identifier]?
  package var enrolment: Enrolment?
  /// Groups that are no part of their test.
  package var excludedGroups = ExcludedGroups()
  /// Weights by offering and group from the job itself; the catalog's come first.
  package var weights: [Identifier: [Identifier: Double]] = [:]
  /// Weights that changed with time, by offering, in order of time; they come before the catalog's, which tells
  /// today's alone.
  package var weightPhases: [Identifier: [WeightPhase]] = [:]
  /// Line of the job file that gives weights, for messages.
  package var weightsLine: Int?
  package var catalog: CatalogInput?
  package var assignments: [TableInput] = []
  package var purchases: [PurchaseInput] = []
  /// Names of the attributes of charges that purchase logs give, each once, in the order they come.
  package var chargeAttributes: [String] = []
  package var products: TableInput?
  package var identities: TableInput?
  package var exchangeRates: TableInput?
  /// Attribute names whose values become segments.
  package var segments: [String] = []
  package var metrics: [MetricRequest] = []
  package var funnels: [Funnel] = []
  /// What the report answers first.
  package var questions: [Question] = []
  /// Event types the job names beside the built-in ones.
  package var eventTypes: [String] = []
  /// How long trials are of which neither log nor products table tells it; nil where nothing tells.
  package var trial: Period?
  /// Warn levels by check name, as shares.
  package var warnLevels: [String: Double] = [:]
  /// The first night that later ones are compared with, `2026-03-31`; nil is the first there is.
  package var compareSince: String?
  /// How many of the newest nights keep their folders; nil keeps all.
  package var keepNights: Int?
  /// Where results go when the command line does not say.
  package var output: URL?
  /// Where it keeps what files of purchases and assignments held; nil reads them all every night.
  package var state: StateFolder?
  /// Who measures it, unless the command line says.
  package var engine = EngineChoice()
  /// Looks at its files before they are read.
  package var inspection: any FileInspection = UninspectedFiles()

  /// The job with every default filled in, before anything is read.
  package init(name: String, file: URL) {
    self.name = name
    self.file = file
  }

  package struct Baseline: Sendable {
    /// One name for all offerings.
    package var group: Identifier?
    /// A group by offering.
    package var byOffering: [Identifier: Identifier] = [:]
    /// Line of the job file, for messages; nil where it says nothing.
    package var line: Int?
    /// Line of each offering in it.
    package var lines: [Identifier: Int] = [:]

    /// Whether the job says anything.
    var isNamed: Bool { group != nil || !byOffering.isEmpty }
  }

  package enum Population: String, Sendable, CaseIterable { case assigned, exposed, logged }
  package enum MultipleGroups: String, Sendable, CaseIterable { case exclude, first }
  package enum OnCorrupt: String, Sendable, CaseIterable { case fail, skip }

  /// Steps that users take one after the other.
  package struct Funnel: Sendable {
    package var name: String
    package var steps: [Step]
    /// How long after the first step each of the others may come; nil: any time before the cut-off.
    package var withinMilliseconds: Int64?
    /// An event by which users of the first step are parted: it came after that step and before the second, or not.
    package var splitBy: String?

    /// One step: any of some events.
    package struct Step: Sendable, Hashable {
      /// Event types, or `charge`.
      package var events: [String]
      /// The groups that can take the step; nil: all can.
      package var only: [Identifier]?

      /// The step that is any charge.
      package static let anyCharge = "charge"

      /// `purchase`, or `purchase or renewal`.
      package var name: String { events.joined(separator: " or ") }
    }
  }

  /// Users count whose first assignment lies in `from ≤ assigned_at < to`.
  package struct Enrolment: Sendable {
    package var from: Instant?
    package var to: Instant?
  }
}
