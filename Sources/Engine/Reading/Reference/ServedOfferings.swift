import Domain
import Jobs
import Measurement

/// The catalog as stored bodies of `POST /v1/getSubscriptionOffering` show it, one a line: what each group was
/// served, as often as it was.
///
/// `{"Success":1,"Body":{"offeringId":…,"testGroupId":…,"products":[{"productId":…,"type":…,
/// "fallbackDisplayPrice":…,"isDefault":…}]}}`, a body without `Success` and `Body` around it, and the same
/// members named as the catalog's columns are.
struct ServedOfferings {
  /// How often each group was served each list of products, the list ordered by what is in it.
  private var versions: [Catalog.GroupID: [[Catalog.Product]: Version]] = [:]
  /// How often each product was served as each type.
  private var typeCounts: [Identifier: [Identifier: Int]] = [:]

  /// One list of products, and the cards it was part of: what else the responses showed.
  private struct Version {
    var count = 0
    var cards: [PaywallCard: Int] = [:]

    mutating func add(_ card: PaywallCard) {
      count += 1
      cards[card, default: 0] += 1
    }
  }

  /// Behind these the copy, in as many spellings of each field as `copySpellings` says.
  private static let members =
    ["offeringId", "offering_id", "testGroupId", "test_group_id", "group_name", "products"]
    + zip(PaywallCard.copyFields, ["headerTitle", "headerSubtitle", "ctaButtonText", "supportingText"])
    .flatMap { column, name in [name, column] + [name, column].map { SourceField.path("copy", $0).name } }
  private static let firstCopyMember = 6
  private static let copySpellings = 4
  /// The members at the top, in `Body` and in `body`, behind `Success`, `success`, `Body`, `body`.
  private static let fields =
    ["Success", "success", "Body", "body"] + members
    + ["Body", "body"].flatMap { body in members.map { SourceField.path(body, $0).name } }

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

  /// Reads every file of `input`; a damaged one that the job skips leaves nothing behind.
  ///
  /// - Throws: as `TableFile.read`.
  mutating func read(_ input: TableInput, job: Job) throws -> [FileReading] {
    let reader = JSONObjectReader<ProductMember>()
    return try input.countedFiles(relativeTo: job.file).map { file in
      let before = self
      let table = TableFile(
        input: input, file: file, fields: Self.fields, isRequired: Self.fields.map { _ in false },
        job: job)
      let result = try table.read { batch, reading in
        for row in 0..<batch.count {
          if let reject = batch.fault(of: row) ?? take(row, of: batch, reader) {
            reading.reject(reject)
          } else {
            reading.account.fates.use()
          }
        }
      }
      if !result.isWhole { self = before }
      return result.reading
    }
  }

  /// Takes what one response says; the reject it becomes where it cannot be read.
  private mutating func take(_ row: Int, of batch: RecordBatch, _ reader: JSONObjectReader<ProductMember>) -> Reject? {
    defer { reader.forget() }
    do throws(EventDecoder.Fault) {
      guard let body = try body(batch.fields(of: row)) else { return nil }
      try take(body, reader)
      return nil
    } catch {
      return batch.reject(row, error.reason, error.detail)
    }
  }

  /// Where the members of the response's body begin; nil where it has none that tells anything: no test is
  /// active, or the server refused.
  private func body(_ fields: Fields) throws(EventDecoder.Fault) -> Fields? {
    let success = fields[0].isAbsent ? fields[1] : fields[0]
    if !success.isAbsent, success.string != "1" { return nil }
    for (index, start) in [(2, 4 + Self.members.count), (3, 4 + 2 * Self.members.count)] {
      guard !fields[index].isAbsent else { continue }
      if fields[index].isMissing { return nil }
      guard fields[index].isObject else {
        throw EventDecoder.Fault(reason: .malformed, detail: "Body is neither an object nor null")
      }
      return fields.slice(start..<start + Self.members.count)
    }
    return success.isAbsent ? fields.slice(4..<4 + Self.members.count) : nil
  }

  private mutating func take(
    _ body: Fields, _ reader: JSONObjectReader<ProductMember>
  ) throws(EventDecoder.Fault) {
    guard let offering = first(body, 0...1) else { throw .missing("offeringId") }
    guard let group = first(body, 2...4) else { throw .missing("testGroupId") }
    let list = body[5]
    if list.isMissing { return }
    guard let elements = list.elements(limit: Self.productLimit) else {
      throw EventDecoder.Fault(reason: .malformed, detail: "products is not a list of products")
    }
    var products: [(product: Catalog.Product, type: Identifier?)] = []
    var card = PaywallCard(copy: Self.copy(body))
    for (number, element) in elements.enumerated() {
      guard let members = reader.read(element) else {
        throw EventDecoder.Fault(reason: .malformed, detail: "products[\(number)] is not an object")
      }
      guard let id = Self.first(members, .productId, .productIdColumn) else {
        throw .missing("products[\(number)]: productId")
      }
      let (product, type) = (product(id, members), Self.first(members, .type))
      products.append((product, type))
      card.products.append(
        PaywallCard.Product(
          id: id, position: Self.first(members, .position).map { Int($0.text) } ?? number + 1,
          displayPrice: product.displayPrice, type: type?.text, isDefault: product.isDefault,
          badge: Self.first(members, .badgeText, .badgeTextColumn)?.text,
          subtitle: Self.first(members, .subtitleText, .subtitleTextColumn)?.text))
    }
    for case (let product, let type?) in products { typeCounts[product.id, default: [:]][type, default: 0] += 1 }
    let version = products.map(\.product).sorted { Self.key($0).lexicographicallyPrecedes(Self.key($1)) }
    versions[Catalog.GroupID(offering: offering, group: group), default: [:]][version, default: Version()]
      .add(card.inOrder)
  }

  /// The texts that a body carries, each once.
  private static func copy(_ body: Fields) -> [PaywallCard.CopyLine] {
    PaywallCard.copyFields.enumerated().compactMap { number, field in
      let start = firstCopyMember + number * copySpellings
      let text = (start..<start + copySpellings).lazy.map { body[$0].text }.first { !$0.isEmpty }
      return text.map { PaywallCard.CopyLine(field: field, text: Identifier($0).text) }
    }
  }

  private func product(_ id: Identifier, _ members: Record<ProductMember>) -> Catalog.Product {
    let isDefault = members[.isDefault].isMissing ? members[.isDefaultColumn] : members[.isDefault]
    return Catalog.Product(
      id: id,
      displayPrice: Self.first(
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

  /// What versions are ordered by.
  private static func key(_ product: Catalog.Product) -> [Identifier] {
    [product.id, Identifier(product.displayPrice ?? ""), product.isDefault ? "1" : "0"]
  }
}

// MARK: - What was served most

extension ServedOfferings {
  /// What each group sells: the list it was served most often, of equally frequent ones the first by bytes.
  var products: [Catalog.GroupID: [Catalog.Product]] { served.mapValues(\.key) }

  /// What else each group was shown with that list: the card it was served most often.
  var cards: [Catalog.GroupID: PaywallCard] {
    served.compactMapValues { list in
      list.value.cards.min { left, right in
        left.value != right.value ? left.value > right.value : left.key.key.lexicographicallyPrecedes(right.key.key)
      }?.key
    }
  }

  private var served: [Catalog.GroupID: (key: [Catalog.Product], value: Version)] {
    versions.compactMapValues { lists in
      lists.min { left, right in
        if left.value.count != right.value.count { return left.value.count > right.value.count }
        return left.key.flatMap(Self.key).lexicographicallyPrecedes(right.key.flatMap(Self.key))
      }
    }
  }

  /// Each product's type, as it was served most often.
  var types: [(product: Identifier, type: Identifier)] {
    typeCounts.compactMap { product, counts in
      let most = counts.min { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
      return most.map { (product, $0.key) }
    }
  }

  /// Groups that were served lists which differ, and how many, in order.
  var conflicts: [(group: Catalog.GroupID, versions: Int)] {
    versions.filter { $0.value.count > 1 }
      .map { ($0.key, $0.value.count) }
      .sorted { ($0.0.offering, $0.0.group) < ($1.0.offering, $1.0.group) }
  }
}
