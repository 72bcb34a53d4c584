/// Texts one behind another: what values are as JSON or a table's cells would have them, texts without quotes.
package struct Cells {
  package fileprivate(set) var bytes: [UInt8] = []
  /// Where each ends.
  package fileprivate(set) var ends: [Int] = []
  /// Which are NULL; an array as long as `ends`.
  package fileprivate(set) var isNull: [Bool] = []

  package init() {}

  package var count: Int { ends.count }

  /// Where a text lies among the bytes.
  package func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

  /// So much is held at once: what a short file says may be long, but is handed on in parts.
  static let mostBytes = 1 << 29

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    isNull.removeAll(keepingCapacity: true)
  }

  mutating func append(_ text: ArraySlice<UInt8>) {
    bytes.append(contentsOf: text)
    end()
  }

  mutating func appendNull() {
    ends.append(bytes.count)
    isNull.append(true)
  }

  /// The last one turns out to be none.
  mutating func makeLastNull() {
    guard let last = isNull.indices.last else { return }
    isNull[last] = true
  }

  /// Appends the text that `body` writes at the end of the bytes.
  mutating func append(_ body: (inout [UInt8]) throws -> Void) rethrows {
    try body(&bytes)
    end()
  }

  private mutating func end() {
    ends.append(bytes.count)
    isNull.append(false)
  }

  /// Takes over bytes and where each text in them ends.
  mutating func append(_ texts: ByteStrings) {
    let start = bytes.count
    bytes.append(contentsOf: texts.bytes)
    for end in texts.ends {
      ends.append(start + end)
      isNull.append(false)
    }
  }

  /// Appends texts of another's, by their numbers; false where it has none of a number, or they are too long.
  mutating func append(_ numbers: [UInt32], of other: Cells) -> Bool {
    let (texts, ends, nulls) = (other.bytes, other.ends, other.isNull)
    for number in numbers {
      let number = Int(number)
      guard number < ends.count, bytes.count <= Self.mostBytes else { return false }
      bytes.append(contentsOf: texts[(number == 0 ? 0 : ends[number - 1])..<ends[number]])
      self.ends.append(bytes.count)
      isNull.append(nulls[number])
    }
    return true
  }

  /// Spreads the cells from `start` on so that NULL stands where `isThere` is false; there are as many as it has trues.
  mutating func spread(from start: Int, over isThere: [Bool]) {
    let (ends, nulls) = (Array(self.ends[start...]), Array(isNull[start...]))
    self.ends.removeLast(ends.count)
    isNull.removeLast(ends.count)
    var (next, end) = (0, start == 0 ? 0 : self.ends[start - 1])
    for flag in isThere {
      if flag, next < ends.count {
        end = ends[next]
        isNull.append(nulls[next])
        next += 1
      } else {
        isNull.append(true)
      }
      self.ends.append(end)
    }
  }
}

/// Values of any length as they lie in a file.
struct ByteStrings {
  var bytes: [UInt8] = []
  var ends: [Int] = []

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}
