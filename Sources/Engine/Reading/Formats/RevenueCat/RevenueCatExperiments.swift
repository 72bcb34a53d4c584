/// Reads which offering and group a purchase was logged with: the experiment and its variant where the customer was
/// enrolled in one, else the offering that was presented, which has no groups.
///
/// A customer may be enrolled in several: an event is logged with the first one written, and the others are told beside it.
struct RevenueCatExperiments {
  private var offerings: InternerCache
  private var groups: InternerCache
  private let cells = JSONCells<JSONValue>()
  private let enrolments = JSONCells<Enrolment>()
  /// Texts that tell enrolments, and what each came to: rows of one log repeat few.
  private let known = ByteTable()
  private var groupsOfKnown: [[LoggedGroup]] = []

  /// How many texts are kept; a log in which all differ must not fill the memory.
  private static let knownLimit = 1000

  /// Numbers of an offering and a group, `Interner.none` where none was logged.
  package typealias LoggedGroup = (offering: UInt32, group: UInt32)

  /// What an enrolment may be written with: exports and webhooks, now and before, name its parts in their own ways.
  private enum Enrolment: Int, JSONMember {
    case experiment, priceExperiment, experimentVariant, variant, priceExperimentVariant

    var source: SourceField {
      switch self {
      case .experiment: SourceField(name: "experiment_id")
      case .priceExperiment: SourceField(name: "price_experiment_id")
      case .experimentVariant: SourceField(name: "experiment_variant")
      case .variant: SourceField(name: "variant")
      case .priceExperimentVariant: SourceField(name: "price_experiment_variant")
      }
    }
  }

  init(names: EventNames) {
    offerings = InternerCache(names.offerings)
    groups = InternerCache(names.groups)
  }

  /// Gives back what the texts read so far took.
  func forget() {
    cells.forget()
    enrolments.forget()
  }

  /// What an export's row was logged with.
  ///
  /// - Parameter byLayer: from version 7 on, an object of lists of enrolments; what is not JSON names none.
  mutating func groups(offering: Text, experiment: Text, variant: Text, byLayer: Text) -> [LoggedGroup] {
    var enrolled: [LoggedGroup] = []
    if !experiment.isEmpty, !variant.isEmpty { enrolled.append((offerings.code(experiment), groups.code(variant))) }
    if !byLayer.isEmpty { enrolled += once(byLayer, { $0.enrolments(inLayers: byLayer) }) }
    return enrolled.isEmpty ? [(offerings.code(offering), Interner.none)] : enrolled
  }

  /// What a webhook was logged with; `lists` hold enrolments.
  mutating func groups(offering: Text, lists first: Field, _ second: Field) -> [LoggedGroup] {
    let enrolled = enrolments(in: first) + enrolments(in: second)
    return enrolled.isEmpty ? [(offerings.code(offering), Interner.none)] : enrolled
  }

  private mutating func enrolments(in list: Field) -> [LoggedGroup] {
    list.kind == .other ? once(list.bytes, { $0.readEnrolments(in: list) }) : []
  }

  /// What a text came to that was read before, or what `read` makes of it.
  private mutating func once(_ text: Text, _ read: (inout Self) -> [LoggedGroup]) -> [LoggedGroup] {
    let hash = ByteHash.hash64(text)
    if let number = known.find(text, hash: hash) { return groupsOfKnown[number] }
    let groups = read(&self)
    if groupsOfKnown.count < Self.knownLimit {
      _ = known.insert(text, hash: hash)
      groupsOfKnown.append(groups)
    }
    return groups
  }

  /// The enrolments of an object of lists of them.
  private mutating func enrolments(inLayers text: Text) -> [LoggedGroup] {
    guard let layers = cells.value(text) else { return [] }
    var enrolled: [LoggedGroup] = []
    for layer in layers.memberValues {
      if let list = cells.value(layer) { enrolled += readEnrolments(in: list) }
    }
    return enrolled
  }

  /// The enrolments of an array that name experiment and variant.
  private mutating func readEnrolments(in list: Field) -> [LoggedGroup] {
    var enrolled: [LoggedGroup] = []
    for element in list.elements(limit: 1000) ?? [] {
      guard let enrolment = enrolments.read(element) else { continue }
      let experiment = [Enrolment.experiment, .priceExperiment].lazy.map { enrolment[$0].text }.first { !$0.isEmpty }
      let variant = [Enrolment.experimentVariant, .variant, .priceExperimentVariant].lazy
        .map { enrolment[$0].text }.first { !$0.isEmpty }
      if let experiment, let variant { enrolled.append((offerings.code(experiment), groups.code(variant))) }
    }
    return enrolled
  }
}
