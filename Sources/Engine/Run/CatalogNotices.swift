import Domain
import Jobs
import Measurement

extension Catalog {
  /// What a reader of the results should know of the catalog.
  ///
  /// - Parameter measured: the offerings, and their groups with users.
  func notices(job: Job, measured: [OfferingMeasurement]) -> [Notice] {
    defaultNotices + conflictNotices + productNotices(job, measured) + endNotices(measured)
  }

  private var defaultNotices: [Notice] {
    groupsWithoutOneDefault.map { group, defaults in
      Notice(
        kind: .catalogDefault, offering: group.offering, count: defaults,
        message: "group \(group.group) has \(defaults) products with is_default; exactly one is expected.")
    }
  }

  private var conflictNotices: [Notice] {
    conflicts.map { group, versions in
      Notice(
        kind: .catalogConflict, offering: group.offering, subject: "group \(group.group.text)", count: versions,
        message:
          "group \(group.group) was served \(versions) lists of products that differ in a product, a price or the "
          + "default; the one served most often was taken. See which answers are from before a change.")
    }
  }

  // MARK: - Products that are not told

  /// Groups whose products the catalog is there to tell, and does not.
  private func productNotices(_ job: Job, _ measured: [OfferingMeasurement]) -> [Notice] {
    guard let input = job.catalog, input.isOfProducts || job.metrics.contains(where: { $0.name == Self.uptake }) else {
      return []
    }
    let groups = measured.reduce(0) { $0 + $1.groups.count }
    guard groups > 0 else { return [] }
    if products.isEmpty {
      return [
        Notice(
          kind: .catalogProducts, count: groups,
          message: "\(source(input)): what groups were offered is not known, and default_uptake is 0.")
      ]
    }
    return measured.compactMap { offering in
      let untold = offering.groups.map(\.id).filter { products[GroupID(offering: offering.id, group: $0)] == nil }
      guard !untold.isEmpty else { return nil }
      return Notice(
        kind: .catalogProducts, offering: offering.id, count: untold.count,
        message:
          "the catalog tells no product of \(Phrase.list(untold.map(\.text), most: 3)): what was offered there is not "
          + "known, and default_uptake is 0.")
    }
  }

  private static let uptake = MetricDefinition.defaultUptake.name

  /// `none of 5 stored responses tells a product (3 without a Body, 2 with Success 5)`
  private func source(_ input: CatalogInput) -> String {
    guard input.responses != nil else {
      return input.products == nil
        ? "the catalog has no products: table" : "the products table of the catalog has no row"
    }
    guard let silence, silence.responses > 0 else {
      return "catalog.responses holds no answer of \(APIEndpoint.getOffering.rawValue)"
    }
    let reasons = silence.counts.map { "\(Phrase.count($0.responses)) \($0.why.words)" }
    return "none of \(Phrase.count(silence.responses, "stored response")) tells a product (\(Phrase.list(reasons)))"
  }

  // MARK: - Ends

  private func endNotices(_ measured: [OfferingMeasurement]) -> [Notice] {
    let offerings = measured.map(\.id)
    let ended = offerings.filter(endedOfferings.contains).map { offering in
      Notice(
        kind: .offeringEnded, offering: offering, count: 1,
        message:
          "is_active of \(offering) is false in the catalog: the test has ended, and nobody is shown it any more.")
    }
    let unread = offerings.compactMap { offering in
      oddFlags[offering].map { text in
        Notice(
          kind: .unknownValue, offering: offering, subject: "is_active=\(text)", count: 1,
          message:
            "is_active of \(offering) is \"\(text)\" in the catalog, neither 1 nor 0: the test is taken to go on.")
      }
    }
    return ended + unread
  }
}

extension StoredResponse.Silence {
  fileprivate var words: String {
    switch self {
    case .noTest: "without a Body"
    case .unknownUser: "with Success 5"
    case .serverError: "with another Success than 1"
    case .noProducts: "without a list of products"
    }
  }
}
