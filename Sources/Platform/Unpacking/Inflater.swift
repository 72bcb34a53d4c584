import CISAL

/// One ISA-L stream: what is deflated, one after another.
final class Inflater {
  /// ISA-L looks a few bytes beyond its input where the data is damaged.
  static let slack = 64

  /// What stands around deflated bytes.
  enum Wrapping {
    /// A header, and a trailer whose checksum and length are verified.
    case gzip
    /// Nothing.
    case bare
  }

  private let wrapping: Wrapping
  private let state: UnsafeMutablePointer<inflate_state>
  /// Between two members, or before the first.
  private(set) var isFinished = true

  init(_ wrapping: Wrapping) {
    self.wrapping = wrapping
    state = .allocate(capacity: 1)
    isal_inflate_init(state)
    state.pointee.crc_flag = flag
  }

  private var flag: UInt32 { UInt32(wrapping == .gzip ? ISAL_GZIP : ISAL_DEFLATE) }

  deinit {
    state.deallocate()
  }

  func restart() {
    isal_inflate_reset(state)
    state.pointee.crc_flag = flag
    isFinished = false
  }

  struct Step {
    var consumed: Int
    var produced: Int
    var fault: String?
  }

  func run(from input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Step {
    let inputStart = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress!)
    let outputCount = min(output.count, 1 << 30)
    state.pointee.next_in = inputStart
    state.pointee.avail_in = UInt32(input.count)
    state.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress!
    state.pointee.avail_out = UInt32(outputCount)
    let status = isal_inflate(state)
    isFinished = state.pointee.block_state == ISAL_BLOCK_FINISH
    // In damaged data ISA-L may count below zero.
    let left = max(0, min(input.count, Int(Int32(bitPattern: state.pointee.avail_in))))
    return Step(
      consumed: input.count - left,
      produced: outputCount - Int(state.pointee.avail_out),
      fault: Self.fault(status))
  }

  private static func fault(_ status: Int32) -> String? {
    switch status {
    case ISAL_INCORRECT_CHECKSUM: "fails its gzip checksum"
    case ISAL_INVALID_WRAPPER, ISAL_UNSUPPORTED_METHOD: "has a damaged gzip header"
    case let negative where negative < 0: "has damaged gzip data"
    default: nil
    }
  }
}
