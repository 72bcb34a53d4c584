import Domain

/// The names of one kind in a block, each once, in the order they were asked for.
struct BlockDictionary {
  private var numbers: [UInt32: Int] = [:]
  private var texts: [Identifier] = []

  /// The name's number in the block, from 1; 0 for no name. `added` takes the bytes of one that was not there.
  @inline(__always)
  mutating func number(of code: UInt32, adding added: inout Int, name: () -> Identifier) -> Int {
    guard code != Interner.none else { return 0 }
    return numbers[code] ?? add(code, name(), &added)
  }

  private mutating func add(_ code: UInt32, _ name: Identifier, _ added: inout Int) -> Int {
    texts.append(name)
    added += name.utf8.count
    numbers[code] = texts.count
    return texts.count
  }

  /// Writes how many names there are, and the names.
  func write(to column: ColumnWriter) {
    column.append(texts.count)
    for text in texts { column.append(text.utf8) }
  }
}
