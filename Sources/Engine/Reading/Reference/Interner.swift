import Domain
import Synchronization

/// Numbers for names (products, offerings, groups, attribute values), shared by all threads of a run.
///
/// Which number a name gets depends on who asks first, so nothing that is printed may follow from it: order
/// is always taken from the names' bytes.
package final class Interner: Sendable {
  private let table = Mutex(ByteTable())
  /// No other name is taken from bytes of another process: sums are numbered by these.
  private let isClosed = Atomic(false)
  /// `NULL` and words like it, in a row, stand for no name.
  fileprivate let knowsNull: Bool

  package init(knowsNull: Bool = false) {
    self.knowsNull = knowsNull
  }

  /// The number that stands for no name.
  package static let none = UInt32.max

  /// The name's number.
  package func code(_ text: Text) -> UInt32 {
    let hash = ByteHash.hash64(text)
    return table.withLock { UInt32($0.insert(text, hash: hash)) }
  }

  /// All names are known from here on.
  func close() { isClosed.store(true, ordering: .relaxed) }

  /// The name's number; nil where all are known and it is none of them.
  func number(of text: Text) -> UInt32? {
    let hash = ByteHash.hash64(text)
    return table.withLock { table in
      isClosed.load(ordering: .relaxed)
        ? table.find(text, hash: hash).map { UInt32($0) }
        : UInt32(table.insert(text, hash: hash))
    }
  }

  /// The name's number.
  package func code(_ name: Identifier) -> UInt32 {
    name.utf8.withText { code($0) }
  }

  /// The name of a number; nil for `none`.
  func name(_ code: UInt32) -> Identifier? {
    code == Self.none ? nil : table.withLock { Identifier($0.text(Int(code))) }
  }

  /// The name of a number that is not `none`.
  func known(_ code: UInt32) -> Identifier { table.withLock { Identifier($0.text(Int(code))) } }

  /// Every name so far, by number.
  package var names: [Identifier] {
    table.withLock { table in (0..<table.count).map { Identifier(table.text($0)) } }
  }
}

/// One thread's view of an interner: names seen before are found without asking the others.
struct InternerCache {
  private let shared: Interner
  private let seen = ByteTable()
  private var codes: [UInt32] = []
  private var lately = NameMemo()

  init(_ shared: Interner) {
    self.shared = shared
  }

  /// The number of the name; `Interner.none` where the text is empty.
  @inline(__always)
  mutating func code(_ text: Text) -> UInt32 {
    text.isEmpty ? Interner.none : code(ofValue: text)
  }

  /// The number of an attribute's value, of which the empty text is one.
  @inline(__always)
  mutating func code(ofValue text: Text) -> UInt32 {
    if !text.isEmpty, let code = lately.number(of: text) { return code }
    let code = search(text)
    if !text.isEmpty { lately.retain(code, of: text) }
    return code
  }

  private mutating func search(_ text: Text) -> UInt32 {
    if shared.knowsNull, text.isNullWord { return Interner.none }
    let hash = ByteHash.hash64(text)
    if let number = seen.find(text, hash: hash) { return codes[number] }
    let code = shared.code(text)
    _ = seen.insert(text, hash: hash)
    codes.append(code)
    return code
  }
}
