/// Which feed and which input of the job each file of a run belongs to. A feed is one way a purchase is told: a purchase
/// format.
///
/// Within a feed, what is told twice has the same key. Two feeds of one store tell of the same charge, and of
/// the same refund, under keys of their own. A class, because every user's history asks it: a copy would count references.
final class FeedIndex: Sendable {
  /// By index of the log's files.
  private let ofFile: [UInt8]
  /// The run has more than one.
  let areSeveral: Bool
  /// Files are of several inputs, so that one sale may be told by two.
  let areOfSeveralInputs: Bool
  /// The place among the job's purchases, by index of the log's files; of none where all are of one input.
  private let inputs: [UInt16]
  /// The place of each file in the order of the files' names, and which file is at each.
  private let positions: [UInt32]
  private let filesInOrder: [Int]
  /// How many inputs have files.
  let inputCount: Int

  /// - Parameters:
  ///   - inputs: by file the place of its input among the job's purchases.
  ///   - names: by file what it is called.
  init(ofFiles feeds: [UInt8] = [], inputs: [Int] = [], names: [String] = []) {
    ofFile = feeds
    areSeveral = Set(feeds).count > 1
    inputCount = (inputs.max() ?? -1) + 1
    areOfSeveralInputs = Set(inputs).count > 1
    self.inputs = areOfSeveralInputs ? inputs.map { UInt16(clamping: $0) } : []
    filesInOrder = names.indices.sorted {
      names[$0] == names[$1] ? $0 < $1 : names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8)
    }
    var positions = [UInt32](repeating: 0, count: names.count)
    for (position, file) in filesInOrder.enumerated() { positions[file] = UInt32(position) }
    self.positions = positions
  }

  /// The files of a part of a run.
  ///
  /// - Parameter run: the feeds of all its files.
  init(ofFiles feeds: [UInt8], of run: FeedIndex) {
    ofFile = feeds
    areSeveral = run.areSeveral
    areOfSeveralInputs = false
    (inputs, inputCount, positions, filesInOrder) = ([], 0, [], [])
  }

  /// How many files the log has.
  var fileCount: Int { ofFile.count }

  /// The file at a place in the order of names, and the place of its input among the job's purchases.
  func file(at position: UInt32) -> (number: Int, input: UInt16) {
    let file = filesInOrder[Int(position)]
    return (file, inputs[file])
  }

  /// The place of the event's file in the order of names, where there are several inputs.
  @inline(__always)
  func position(of event: PurchaseEvent) -> UInt32 { positions[Int(event.file)] }

  /// The bit of the event's input, where there are several; inputs beyond the last bit share it.
  @inline(__always)
  func inputBit(of event: PurchaseEvent) -> UInt64 { 1 << min(63, UInt64(inputs[Int(event.file)])) }

  @inline(__always)
  func feed(of event: PurchaseEvent) -> UInt8 { areSeveral ? ofFile[Int(event.file)] : 0 }

  /// A key that only copies within the event's own feed share.
  @inline(__always)
  func key(_ key: UInt64, of event: PurchaseEvent) -> UInt64 {
    areSeveral ? key ^ UInt64(feed(of: event)) &* Spread.multiplier : key
  }
}
