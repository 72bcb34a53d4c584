import Domain
import Jobs
import Measurement

/// The catalog as stored answers of `POST /v1/getSubscriptionOffering` show it: what each group was served, as often as it
/// was.
struct ServedOfferings {
  /// How often each group was served each list of products, the list ordered by what is in it.
  private var versions: [Catalog.GroupID: [[Catalog.Product]: Version]] = [:]
  /// How often each product was served as each type.
  private var typeCounts: [Identifier: [Identifier: Int]] = [:]
  /// How many responses told no product, by why.
  private var silences: [StoredResponse.Silence: Int] = [:]

  /// One list of products, and the cards it was part of: what else the responses showed.
  private struct Version {
    var count = 0
    var cards: [PaywallCard: Int] = [:]

    mutating func add(_ card: PaywallCard) {
      count += 1
      cards[card, default: 0] += 1
    }
  }

  /// Reads every file of `input`; a damaged one that the job skips leaves nothing behind.
  ///
  /// - Throws: as `TableFile.read`.
  mutating func read(_ input: TableInput, job: Job, in context: RunContext) throws -> [FileReading] {
    let reader = StoredResponseReader(job: job)
    return try input.countedFiles(relativeTo: job.file, in: context).map { file in
      let before = self
      let table = TableFile(
        input: input, file: file, fields: StoredResponseReader.fields,
        // Of a table the column must be there; a line of JSON may be the response itself.
        isRequired: StoredResponseReader.fields.map { $0 == "response" && input.format != .jsonl }, job: job)
      let result = try table.read { batch, reading in
        for row in 0..<batch.count {
          if let reject = batch.fault(of: row) {
            reading.reject(reject)
          } else {
            accept(row, of: batch, reader, &reading)
          }
        }
      }
      if !result.isWhole { self = before }
      return result.reading
    }
  }

  /// Takes what one row says, and counts it.
  private mutating func accept(
    _ row: Int, of batch: RecordBatch, _ reader: StoredResponseReader, _ reading: inout FileReading
  ) {
    do throws(StoredResponseReader.Fault) {
      switch try reader.read(batch.fields(of: row)) {
      case .offering(let served): accept(served)
      case .silent(let why): silences[why, default: 0] += 1
      // Whether such calls are measured is for the logs to say.
      case .otherCall: return reading.account.outcomes.setAside(.notMeasured)
      }
      reading.account.outcomes.use()
    } catch {
      reading.reject(batch.reject(row, error.reason, error.detail))
    }
  }

  private mutating func accept(_ served: ServedOffering) {
    if served.products.isEmpty { silences[.noProducts, default: 0] += 1 }
    for (product, type) in served.types { typeCounts[product, default: [:]][type, default: 0] += 1 }
    let version = served.products.sorted { Self.key($0).lexicographicallyPrecedes(Self.key($1)) }
    versions[served.group, default: [:]][version, default: Version()].add(served.card.inOrder)
  }

  /// What versions are ordered by.
  private static func key(_ product: Catalog.Product) -> [Identifier] {
    [product.id, Identifier(product.displayPrice ?? ""), product.isDefault ? "1" : "0"]
  }
}

// MARK: - What was served most

extension ServedOfferings {
  /// What each group sells: the list it was served most often, of equally frequent ones the first by bytes. A group that no
  /// response shows a product of is not among them.
  var products: [Catalog.GroupID: [Catalog.Product]] { served.mapValues(\.key).filter { !$0.value.isEmpty } }

  /// What else each group was shown with that list: the card it was served most often.
  var cards: [Catalog.GroupID: PaywallCard] {
    served.compactMapValues { list in
      list.value.cards.min { left, right in
        left.value != right.value ? left.value > right.value : left.key.key.lexicographicallyPrecedes(right.key.key)
      }?.key
    }
    .filter { $0.value != PaywallCard() }
  }

  private var served: [Catalog.GroupID: (key: [Catalog.Product], value: Version)] {
    versions.compactMapValues { lists in
      lists.min { left, right in
        if left.key.isEmpty != right.key.isEmpty { return right.key.isEmpty }
        if left.value.count != right.value.count { return left.value.count > right.value.count }
        return left.key.flatMap(Self.key).lexicographicallyPrecedes(right.key.flatMap(Self.key))
      }
    }
  }

  /// Each product's type, as it was served most often; of hints that say how it renews, where there is one.
  var types: [(product: Identifier, type: Identifier)] {
    typeCounts.compactMap { product, counts in
      let report = counts.filter { Catalog.isKind($0.key.text) }
      let most = report.min { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
      return most.map { (product, $0.key) }
    }
  }

  /// Groups that were served lists which differ, and how many, in order.
  var conflicts: [(group: Catalog.GroupID, versions: Int)] {
    versions.mapValues { lists in lists.keys.count { !$0.isEmpty } }
      .filter { $0.value > 1 }
      .map { ($0.key, $0.value) }
      .sorted { ($0.0.offering, $0.0.group) < ($1.0.offering, $1.0.group) }
  }
}

// MARK: - Where nothing was served

extension ServedOfferings {
  /// What responses hold of which none tells a product.
  struct Silence {
    /// Responses by why they tell none, in the order of the reasons.
    var counts: [(why: StoredResponse.Silence, responses: Int)]

    var responses: Int { counts.reduce(0) { $0 + $1.responses } }
  }

  /// Nil where a response tells a product.
  var silence: Silence? {
    guard products.isEmpty else { return nil }
    return Silence(counts: StoredResponse.Silence.allCases.compactMap { why in silences[why].map { (why, $0) } })
  }
}
