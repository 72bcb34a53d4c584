/// Which feed each file of a run belongs to. A feed is one way a purchase is told: a purchase format.
///
/// Within a feed, what is told twice has the same key. Two feeds of one store tell of the same charge, and of
/// the same refund, under keys of their own.
struct FeedIndex: Sendable {
  /// By index of the log's files.
  private let ofLogFile: [UInt8]
  /// Index of the first of them among all files of the run.
  private let firstLogFile: Int
  /// The run has more than one.
  let areSeveral: Bool

  /// One value for each feed there may be; they are numbered from 0.
  package typealias Each<Value> = InlineArray<4, Value>

  init(ofLogFile: [UInt8] = [], firstLogFile: Int = 0) {
    self.ofLogFile = ofLogFile
    self.firstLogFile = firstLogFile
    areSeveral = Set(ofLogFile).count > 1
  }

  @inline(__always)
  func feed(of event: EventRecord) -> UInt8 { areSeveral ? ofLogFile[Int(event.file) - firstLogFile] : 0 }

  /// A key that only copies within the event's own feed share.
  @inline(__always)
  func key(_ key: UInt64, of event: EventRecord) -> UInt64 {
    areSeveral ? key ^ UInt64(feed(of: event)) &* 0x9e37_79b9_7f4a_7c15 : key
  }
}
