/// The numbers of names met lately: rows of one log repeat few of them, and finding one here costs no hash.
///
/// Names are kept where they stay, so that a row's text is compared with a few bytes and nothing else.
struct NameMemo {
  private var names: [Text]
  private var numbers: [UInt32]
  private let arena = TextArena()
  private var used = 0

  private static let size = 16
  /// How much room names may take before all are forgotten.
  private static let limit = 1 << 12

  init() {
    names = Array(repeating: .empty, count: Self.size)
    numbers = Array(repeating: 0, count: Self.size)
  }

  /// The number kept of a name that is not empty; nil where it is not kept.
  @inline(__always)
  func number(of name: Text) -> UInt32? {
    let position = Self.position(of: name)
    return names[position] == name ? numbers[position] : nil
  }

  /// Keeps the number of a name that is not empty.
  mutating func retain(_ number: UInt32, of name: Text) {
    guard name.count <= 64 else { return }
    used += name.count
    if used > Self.limit {
      names = Array(repeating: .empty, count: Self.size)
      arena.clear()
      used = name.count
    }
    let position = Self.position(of: name)
    names[position] = arena.copy(name)
    numbers[position] = number
  }

  /// By length and the last two bytes, in which names of one log differ soonest.
  @inline(__always)
  private static func position(of name: Text) -> Int {
    let count = name.count
    let before = count > 1 ? Int(name[count - 2]) : 0
    return (count &+ Int(name[count - 1]) &* 5 &+ before &* 3) & (size - 1)
  }
}
