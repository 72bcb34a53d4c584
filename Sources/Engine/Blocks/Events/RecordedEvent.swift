/// An event as the record of its kind, on its way to its user's partition.
enum RecordedEvent: BitwiseCopyable {
  case charge(ChargeRecord)
  case unpriced(UnpricedCharge)
  case refund(RefundRecord)
  case occurrence(OccurrenceRecord)
  case snapshot(SnapshotOccurrence)

  /// - Parameters:
  ///   - file: index among the log's files.
  ///   - reject: the number of the reject it becomes where no exchange rate is known; nil where that cannot be.
  @inline(__always)
  init(_ event: PurchaseEvent, file: UInt32, reject: UInt32? = nil) {
    if event.type.isCharge {
      self =
        reject.map { .unpriced(UnpricedCharge(event, file: file, reject: $0)) }
        ?? .charge(ChargeRecord(event, file: file))
    } else if event.type.isRefund {
      self = .refund(RefundRecord(event, file: file, reject: reject ?? Interner.none))
    } else if event.version == nil {
      self = .occurrence(OccurrenceRecord(event, file: file))
    } else {
      self = .snapshot(SnapshotOccurrence(event, file: file))
    }
  }

  /// What every event says.
  var head: EventHead {
    @inline(__always) get {
      switch self {
      case .charge(let record): record.head
      case .unpriced(let record): record.head
      case .refund(let record): record.head
      case .occurrence(let record): record.head
      case .snapshot(let record): record.head
      }
    }
  }
}
