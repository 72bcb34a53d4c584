import Domain
import Jobs
import Measurement

/// What one stored answer of `POST /v1/getSubscriptionOffering` tells.
enum StoredResponse {
  /// What a group is sold, and what else its paywall shows.
  case offering(ServedOffering)
  /// No product.
  case silent(Silence)
  /// The row is a call of another endpoint.
  case otherCall

  /// Why it tells no product; in the order in which it is said.
  enum Silence: CaseIterable {
    /// There is no test for the user: `Body` is null.
    case noTest
    /// Nobody is known: `Success` is 5.
    case unknownUser
    /// `Success` is 0, or anything else.
    case serverError
    /// An offering without a list of products, or with an empty one.
    case noProducts
  }
}

/// An offering as one response shows it to a group.
struct ServedOffering {
  var group: Catalog.GroupID
  /// As they were listed.
  var products: [Catalog.Product] = []
  /// What the server calls each product's kind, where it does.
  var types: [(product: Identifier, type: Identifier)] = []
  var card: PaywallCard
}

/// Finds the offering in a row of stored responses.
///
/// A row is what the server answered, `{"Success":1,"Body":{"offeringId":…,"testGroupId":…,"subscriptions":[{"productId":…,
/// "type":…,"fallbackDisplayPrice":…,"position":…,"isDefault":…}],"copy":{…}}}`, or the body alone; a line of an `api-log`,
/// or a row of any table, whose `response` holds that as an object or as JSON in a text. A list may be called `products`,
/// and every member as the catalog's column for it is.
struct StoredResponseReader {
  /// What is read of a row: which call it was, what was answered; where the row is the answer, the answer's members.
  static let fields = ["endpoint", "response"] + response
  private static let response = ["Success", "success", "Body", "body"] + body
  /// Behind these the copy, in as many spellings of each field as `copySpellings` says.
  private static let body =
    ["offeringId", "offering_id", "testGroupId", "test_group_id", "group_name", "subscriptions", "products"]
    + zip(PaywallCard.copyFields, ["headerTitle", "headerSubtitle", "ctaButtonText", "supportingText"])
    .flatMap { column, name in [name, column] + [name, column].map { SourceField.path("copy", $0).name } }
  private static let lists = 5...6
  private static let firstCopyMember = 7
  private static let copySpellings = 4

  /// What is read of a product.
  private enum ProductMember: Int, JSONMember {
    case productId, fallbackDisplayPrice, displayPrice, type, isDefault
    case position, badgeText, subtitleText
    case productIdColumn, fallbackDisplayPriceColumn, displayPriceColumn, isDefaultColumn
    case badgeTextColumn, subtitleTextColumn

    var source: SourceField {
      switch self {
      case .productIdColumn: SourceField(name: "product_id")
      case .fallbackDisplayPriceColumn: SourceField(name: "fallback_display_price")
      case .displayPriceColumn: SourceField(name: "display_price")
      case .isDefaultColumn: SourceField(name: "is_default")
      case .badgeTextColumn: SourceField(name: "badge_text")
      case .subtitleTextColumn: SourceField(name: "subtitle_text")
      default: SourceField(name: String(describing: self))
      }
    }
  }

  /// No response lists more.
  private static let productLimit = 10_000

  typealias Fault = EventDecoder.Fault

  private let responses = JSONTextReader(names: Self.response)
  private let bodies = JSONTextReader(names: Self.body)
  private let products = JSONObjectReader<ProductMember>()
  /// The paths that an offering is asked for by.
  private let paths: Set<Identifier>

  init(job: Job) {
    paths = APIEndpoint.paths(to: .getOffering, in: job)
  }

  /// What a row's fields tell.
  func read(_ row: Fields) throws(Fault) -> StoredResponse {
    defer {
      responses.forget()
      bodies.forget()
      products.forget()
    }
    let path = row[0].text.orNone
    if path.isEmpty, row[1].isAbsent { return try reported(by: row.slice(2..<row.count)) }
    // What stands behind a `?` is no part of the path.
    guard path.isEmpty || paths.contains(Identifier(Text(path.prefix { $0 != UInt8(ascii: "?") }))) else {
      return .otherCall
    }
    guard let response = Self.object(row[1], responses) else {
      throw Fault(reason: .malformed, detail: "response is neither an object nor a text that holds one")
    }
    return try reported(by: response)
  }

  /// The members of an object, or of one that stands in a text as JSON; nil where the field holds neither.
  private static func object(_ field: Field, _ reader: JSONTextReader) -> Fields? {
    if field.isObject { return reader.read(field.bytes) }
    guard field.kind == .string else { return nil }
    let text = Text(field.bytes.drop { $0 <= 0x20 })
    return text.first == UInt8(ascii: "{") ? reader.read(text) : nil
  }

  private func reported(by response: Fields) throws(Fault) -> StoredResponse {
    let status = response[0].isAbsent ? response[1] : response[0]
    if !status.isAbsent, status.string != "1" {
      return .silent(status.string == "5" ? .unknownUser : .serverError)
    }
    let body = response[2].isAbsent ? response[3] : response[2]
    if body.isAbsent, status.isAbsent { return try offering(response.slice(4..<response.count)) }
    if body.isMissing { return .silent(.noTest) }
    guard let members = Self.object(body, bodies) else {
      throw Fault(reason: .malformed, detail: "Body is neither an object nor null")
    }
    return try offering(members)
  }

  private func offering(_ body: Fields) throws(Fault) -> StoredResponse {
    guard let offering = first(body, 0...1) else { throw .missing("offeringId") }
    guard let group = first(body, 2...4) else { throw .missing("testGroupId") }
    var served = ServedOffering(
      group: Catalog.GroupID(offering: offering, group: group), card: PaywallCard(copy: Self.copy(body)))
    for list in Self.lists where served.products.isEmpty && !body[list].isMissing {
      try add(body[list], Self.body[list], to: &served)
    }
    return .offering(served)
  }

  private func add(_ list: Field, _ name: String, to served: inout ServedOffering) throws(Fault) {
    guard let elements = list.elements(limit: Self.productLimit) else {
      throw Fault(reason: .malformed, detail: "\(name) is not a list of products")
    }
    for (number, element) in elements.enumerated() {
      guard let members = products.read(element) else {
        throw Fault(reason: .malformed, detail: "\(name)[\(number)] is not an object")
      }
      guard let id = Self.first(members, .productId, .productIdColumn) else {
        throw .missing("\(name)[\(number)]: productId")
      }
      let product = Self.product(id, members)
      let type = Self.first(members, .type)
      served.products.append(product)
      if let type { served.types.append((id, type)) }
      served.card.products.append(
        PaywallCard.Product(
          id: id, position: Self.first(members, .position).map { Int($0.text) } ?? number,
          displayPrice: product.displayPrice, type: type?.text, isDefault: product.isDefault,
          badge: Self.first(members, .badgeText, .badgeTextColumn)?.text,
          subtitle: Self.first(members, .subtitleText, .subtitleTextColumn)?.text))
    }
  }

  /// The texts that a body carries, each once.
  private static func copy(_ body: Fields) -> [PaywallCard.CopyLine] {
    PaywallCard.copyFields.enumerated().compactMap { number, field in
      let start = firstCopyMember + number * copySpellings
      let text = (start..<start + copySpellings).lazy.map { body[$0].text }.first { !$0.isEmpty }
      return text.map { PaywallCard.CopyLine(field: field, text: Identifier($0).text) }
    }
  }

  private static func product(_ id: Identifier, _ members: Record<ProductMember>) -> Catalog.Product {
    let isDefault = members[.isDefault].isMissing ? members[.isDefaultColumn] : members[.isDefault]
    return Catalog.Product(
      id: id,
      displayPrice: first(
        members, .fallbackDisplayPrice, .fallbackDisplayPriceColumn, .displayPrice, .displayPriceColumn)?.text,
      isDefault: ["1", "true", "t"].contains(isDefault.string.lowercased()))
  }

  /// The first of the members that is a text or a number, as it was typed.
  private func first(_ members: Fields, _ range: ClosedRange<Int>) -> Identifier? {
    range.lazy.map { members[$0].text }.first { !$0.isEmpty }.map { Identifier($0) }
  }

  private static func first(_ object: Record<ProductMember>, _ members: ProductMember...) -> Identifier? {
    members.lazy.map { object[$0].text }.first { !$0.isEmpty }.map { Identifier($0) }
  }
}

extension APIEndpoint {
  /// The paths by which a job's logs of calls name an endpoint: its own, unless a log maps that to another, and those
  /// that a log maps to it.
  fileprivate static func paths(to endpoint: APIEndpoint, in job: Job) -> Set<Identifier> {
    let mapped = job.purchases.flatMap(\.endpoints)
    var paths = Set(mapped.filter { $0.value == endpoint.rawValue }.map { Identifier($0.key) })
    if !mapped.contains(where: { $0.key == endpoint.rawValue }) { paths.insert(Identifier(endpoint.rawValue)) }
    return paths
  }
}
