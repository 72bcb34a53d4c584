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
    let isMany = verdict.groups.count > Self.mostCalls
    let (shown, rest) = (
      isMany ? Array(verdict.groups.prefix(Self.shownCalls)) : verdict.groups,
      isMany ? Array(verdict.groups.dropFirst(Self.shownCalls)) : []
    )
    return [
      "number": number, "offering": offering.offering.text, "isUntrusted": verdict.isUntrusted,
      "obstacle": verdict.obstacle ?? "", "hasObstacle": verdict.obstacle != nil,
      "calls": shown.map(call), "isMany": verdict.groups.count > 3, "isCrowd": verdict.groups.count > 8,
      "rest": rest.map(call), "hasRest": !rest.isEmpty, "restWords": Self.words(of: rest),
      "past": past ?? "", "hasPast": past != nil,
      "note": verdict.note ?? "", "isSaid": true, "guidePage": guide ?? "", "isAlone": guide != nil,
      "users": isMany
        ? [] : offering.arrivals.map { ["group": $0.group.text, "users": Phrase.count($0.users)] },
      "crowd": isMany ? crowd : "", "hasUsers": !offering.arrivals.isEmpty,
    ]
  }

  /// Of more groups the first are called in the open, the others on a click.
  private static let mostCalls = 12
  private static let shownCalls = 8

  /// `51 more groups: 3 drop, 48 keep.`
  private static func words(of rest: [Verdict.GroupVerdict]) -> String {
    let kinds = Dictionary(grouping: rest, by: \.call).mapValues(\.count).sorted { $0.key.rawValue < $1.key.rawValue }
    let counts = kinds.map { "\(Phrase.count($0.value)) \($0.key.words)" }
    return "\(Phrase.count(rest.count, "more group")): \(Phrase.list(counts))."
  }

  /// `30,000 in 60 groups, 482 to 523 in each.`
  private var crowd: String {
    let users = offering.arrivals.map(\.users)
    let (least, most) = (users.min() ?? 0, users.max() ?? 0)
    let each = least == most ? Phrase.count(least) : "\(Phrase.count(least)) to \(Phrase.count(most))"
    return "\(Phrase.count(users.reduce(0, +))) in \(Phrase.count(users.count, "group")), \(each) in each."
  }

  private func call(_ verdict: Verdict.GroupVerdict) -> [String: Any] {
    [
      "call": verdict.headline, "reason": verdict.reason, "kind": verdict.call.rawValue,
      "worth": verdict.worth ?? "", "hasWorth": verdict.worth != nil,
    ]
  }

  /// Everything below it.
  var details: [String: Any] {
    let figures = OfferingFigures(offering: offering)
    let questions = QuestionAnswers(story: story, offering: offering).all.map { answered in
      ["ask": answered.question, "sentences": answered.sentences.map { ["text": $0] }] as [String: Any]
    }
    return [
      "number": number, "offering": offering.offering.text,
      "isOneOfMany": (2...Report.mostOnOnePage).contains(story.offerings.count),
      "questions": questions, "hasQuestions": !questions.isEmpty,
      "primary": [Lift.figure(of: offering.lifts, values: offering.values, rule: story.rule)]
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
