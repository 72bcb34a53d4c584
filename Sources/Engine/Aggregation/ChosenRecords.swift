import Domain

/// What happened to a user at some time, by product.
protocol DatedRecord: BitwiseCopyable {
  /// Milliseconds since 1970.
  var time: Int64 { get }
  var product: UInt32 { get }
  /// The product's kind, as far as it is known.
  var knownKind: ProductKind? { get }
}

extension UserHistory.Charge: DatedRecord {
  var knownKind: ProductKind? { kind }
}

extension UserHistory.Event: DatedRecord {
  var knownKind: ProductKind? { kind }
}

/// The records inside a window that a metric's `where` lets through. Every user's are walked for every metric, so that
/// they are walked as they lie.
struct ChosenRecords<Record: DatedRecord>: Sequence {
  private let records: RecordSpan<Record>
  private let window: Range<Int64>
  /// Nil where nothing is asked for; it lives as long as the metric that asks.
  private let products: UnownedReference<ProductChoice>?

  /// - Parameter records: in order of time.
  @inline(__always)
  init(_ records: RecordSpan<Record>, in window: Range<Int64>, of products: ProductChoice) {
    self.records = records
    self.window = window
    self.products = products.includesAll ? nil : UnownedReference(products)
  }

  @inline(__always)
  func makeIterator() -> Iterator { Iterator(rest: records.makeIterator(), window: window, products: products) }

  /// Passes over what is not inside the window.
  struct Iterator: IteratorProtocol {
    fileprivate var rest: RecordSpan<Record>.Iterator
    fileprivate let window: Range<Int64>
    fileprivate let products: UnownedReference<ProductChoice>?

    @inline(__always)
    mutating func next() -> Record? {
      while let record = rest.next() {
        guard record.time >= window.lowerBound else { continue }
        guard record.time < window.upperBound else { return nil }
        guard let products else { return record }
        if products.with({ $0.contains(record.product, record.knownKind) }) { return record }
      }
      return nil
    }
  }
}
