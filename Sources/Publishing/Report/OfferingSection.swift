import Domain

/// One offering's part of the page: what to do, the owner's questions, what users saw, and all its figures.
struct OfferingSection {
  let story: NightStory
  let offering: OfferingStory
  /// From 0; makes the section's anchors its own.
  let number: Int

  /// The first screen's part.
  var decision: [String: Any] {
    let verdict = offering.verdict
    return [
      "offering": offering.offering.text, "isUntrusted": verdict.isUntrusted,
      "obstacle": verdict.obstacle ?? "", "hasObstacle": verdict.obstacle != nil,
      "calls": verdict.groups.map(call), "isMany": verdict.groups.count > 3,
      "isCrowd": verdict.groups.count > 8,
      "note": verdict.note ?? "", "isSaid": true,
      "users": offering.arrivals.map { ["group": $0.group.text, "users": Phrase.count($0.users)] },
      "hasUsers": !offering.arrivals.isEmpty,
    ]
  }

  private func call(_ verdict: Verdict.GroupVerdict) -> [String: Any] {
    let isWorthSaying = verdict.decision == .better || verdict.decision == .worse
    return [
      "call": verdict.call, "reason": verdict.reason, "decision": verdict.decision.rawValue,
      "worth": isWorthSaying ? verdict.worth ?? "" : "", "hasWorth": isWorthSaying && verdict.worth != nil,
    ]
  }

  /// Everything below it.
  var details: [String: Any] {
    let figures = OfferingFigures(offering: offering)
    let isSequential = story.isSequential
    let questions = QuestionAnswers(story: story, offering: offering).all.map { answered in
      ["ask": answered.question, "sentences": answered.sentences.map { ["text": $0] }] as [String: Any]
    }
    return [
      "number": number, "offering": offering.offering.text, "isOneOfMany": story.offerings.count > 1,
      "questions": questions, "hasQuestions": !questions.isEmpty,
      "primary": [Lift.figure(of: offering.lifts, isSequential: isSequential)].compactMap { $0?.context },
      "changes": ValueChange.figures(of: offering.changes).map(\.context), "hasChanges": !offering.changes.isEmpty,
      "since": offering.changes.first.map { DayWords.day($0.since) } ?? "",
      "cards": offering.offers.map(card), "hasCards": !offering.offers.isEmpty,
      "money": [MoneyWay.figure(of: offering.money)].compactMap { $0?.context },
      "nights": figures.nights.map(\.context), "hasNights": !figures.nights.isEmpty,
      "arrivals": [arrivals].compactMap { $0?.context },
      "more":
        ([Lift.othersFigure(of: offering.lifts), Lift.segmentsFigure(of: offering.segments)].compactMap(\.self)
        + figures.details).map(\.context),
    ]
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
