import Domain

/// One offering's part of the page: what to do, the owner's questions, what users saw, and all its figures.
struct OfferingSection {
  let story: NightStory
  let offering: OfferingStory
  /// From 0; makes the section's anchors its own.
  let number: Int

  /// The first screen's part.
  ///
  /// - Parameter guide: the page that says how to read it, where the offering has one of its own.
  func decision(guide: String? = nil) -> [String: Any] {
    let verdict = offering.verdict
    let isMany = verdict.calls.count > Self.mostCalls
    let isCrowded = offering.arrivals.count > Self.namedGroups
    let (shown, rest) = (
      isMany ? Array(verdict.calls.prefix(Self.shownCalls)) : verdict.calls,
      isMany ? Array(verdict.calls.dropFirst(Self.shownCalls)) : []
    )
    return [
      "number": number, "offering": verdict.name ?? offering.offering.text, "id": offering.offering.text,
      "isNamed": verdict.name != nil, "isUntrusted": verdict.isUntrusted,
      "obstacle": verdict.obstacle ?? "", "hasObstacle": verdict.obstacle != nil,
      "calls": shown.map(call), "isMany": verdict.calls.count > 3, "isCrowd": verdict.calls.count > 8,
      "rest": rest.map(call), "hasRest": !rest.isEmpty, "restWords": Self.words(of: rest),
      "past": past ?? "", "hasPast": past != nil,
      "dates": verdict.dates ?? "", "note": verdict.note ?? "", "isSaid": true, "guidePage": guide ?? "",
      "isAlone": guide != nil,
      "users": isCrowded
        ? []
        : offering.arrivals.map {
          ["group": $0.group.text, "users": Phrase.count($0.users)]
        },
      "counted": isCrowded ? "" : counted,
      "crowd": isCrowded ? crowd : "", "hasUsers": !offering.arrivals.isEmpty,
    ]
  }

  /// `Paying users, 7 days: old_price 197 of 1,962 · new_price 158 of 1,878`, of the first share that the groups are
  /// compared by; empty where there is none.
  private var counted: String {
    guard let values = offering.values.first(where: { $0.groups.contains { $0.counts != nil } }) else { return "" }
    let counts = values.groups.compactMap { value in value.counts.map { "\(value.group.inWords) \($0)" } }
    return "\(values.metric.label): \(counts.joined(separator: " · "))."
  }

  /// Of more groups the first are called in the open, the others on a click.
  private static let mostCalls = 12
  private static let shownCalls = 8

  /// Of more groups users are counted together.
  private static let namedGroups = 6

  /// Of more lifts the picture is folded, too.
  private static let mostOpen = 6

  /// `51 more groups: 3 drop, 48 keep.`
  private static func words(of rest: [Verdict.GroupsCall]) -> String {
    let kinds = Dictionary(grouping: rest, by: \.call).mapValues { $0.reduce(0) { $0 + $1.groups.count } }
    let counts = kinds.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\(Phrase.count($0.value)) \($0.key.words)" }
    return "\(Phrase.count(kinds.values.reduce(0, +), "more group")): \(Phrase.list(counts))."
  }

  /// `30,000 in 60 groups, 482 to 523 in each.`
  private var crowd: String {
    let users = offering.arrivals.map(\.users)
    let (least, most) = (users.min() ?? 0, users.max() ?? 0)
    let each = least == most ? Phrase.count(least) : "\(Phrase.count(least)) to \(Phrase.count(most))"
    return "\(Phrase.count(users.reduce(0, +))) in \(Phrase.count(users.count, "group")), \(each) in each."
  }

  private func call(_ call: Verdict.GroupsCall) -> [String: Any] {
    ["call": call.headline, "reason": call.reason, "kind": call.call.rawValue]
  }

  /// Everything below it.
  var details: [String: Any] {
    let figures = OfferingFigures(offering: offering)
    let questions = QuestionAnswers(story: story, offering: offering).all.map { answered in
      ["ask": answered.question, "sentences": answered.sentences.map { ["text": $0] }] as [String: Any]
    }
    return [
      "number": number, "offering": offering.offering.text,
      "isOpen": story.offerings.count == 1 && offering.lifts.count <= Self.mostOpen,
      "known": offering.verdict.calls.filter { !$0.details.isEmpty }.map { ["text": $0.details] },
      "isOneOfMany": (2...Report.mostOnOnePage).contains(story.offerings.count),
      "questions": questions, "hasQuestions": !questions.isEmpty,
      "primary": [
        Lift.figure(of: offering.lifts, values: offering.values, rule: story.rule, confidence: story.confidence)
      ]
      .compactMap { $0?.context },
      "precision": [offering.verdict.isUntrusted ? nil : Plan.figure(of: offering.plans)].compactMap { $0?.context },
      "prices": prices.map(\.context), "hasPrices": !prices.isEmpty,
      "changes": changes.map(\.context), "hasChanges": !changes.isEmpty,
      "since": offering.changes.first.map { DayWords.day($0.since) } ?? "",
      "cards": offering.offers.map(card), "hasCards": !offering.offers.isEmpty,
      "money": [MoneyWay.figure(of: offering.money)].compactMap { $0?.context },
      "nights": figures.nights.map(\.context), "hasNights": !figures.nights.isEmpty,
      "arrivals": [arrivals].compactMap { $0?.context },
      "more":
        ([Lift.othersFigure(of: offering.lifts, values: offering.values), Lift.segmentsFigure(of: offering.segments)]
        .compactMap(\.self)
        + figures.details).map(\.context),
    ]
  }

  /// Why figures are not those of the night before: files first, where there are any.
  private var changes: [ReportFigure] {
    [FileChange.figure(of: story.fileChanges)].compactMap(\.self) + offering.restatements.map(\.figure)
      + ValueChange.figures(of: offering.changes)
  }

  /// The files that moved what the night before had shown, and how; nil where none did.
  private var past: String? {
    let sentences = offering.restatements.flatMap(\.sentences)
    guard !sentences.isEmpty else { return nil }
    return ([FileChange.sentence(of: story.fileChanges)].compactMap(\.self) + sentences).joined(separator: " ")
  }

  /// What the prices do, under the call.
  private var prices: [ReportFigure] {
    [
      PricePoint.figure(of: offering.prices), PricePoint.curve(of: offering.prices),
      RevenueSplit.figure(of: offering.revenueParts),
    ].compactMap(\.self)
  }

  private var arrivals: ReportFigure? {
    Arrivals.figure(
      of: offering.arrivals, until: story.night, offering.joining,
      usersPerDay: offering.plans.compactMap(\.usersPerDay).first)
  }

  /// What a group's users saw.
  private func card(_ offer: OfferCard) -> [String: Any] {
    [
      "group": offer.group.text, "style": offer.group.style,
      "copy": offer.copy.map { ["field": CopyWords.name(of: $0.field), "text": $0.text] },
      "hasCopy": !offer.copy.isEmpty,
      "products": offer.products.map { product in
        [
          "product": product.product.text, "price": product.price ?? "", "badge": product.badge ?? "",
          "hasBadge": product.badge != nil, "isDefault": product.isDefault,
          "details": [product.renewal, product.subtitle].compactMap(\.self).joined(
            separator: " · "),
        ] as [String: Any]
      },
    ]
  }
}
