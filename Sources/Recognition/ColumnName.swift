/// A column's name, taken apart: `created_at.$date` and `Created At` are both called `createdat`.
struct ColumnName {
  /// In small letters and digits alone, without the objects around it.
  let plain: String
  /// The words of it, in small letters: `unitPrice` is `unit` and `price`.
  let words: [String]
  /// The names of the objects around it.
  let parents: [String]
  /// The same with the object that holds a value and how it is written, or its currency: `price` of `price.value`.
  let objects: [String]

  /// Members that say how a value is written rather than what it is: MongoDB's Extended JSON, and a value beside its
  /// currency.
  private static let wrappers: Set<String> = [
    "$date", "$numberDecimal", "$numberLong", "$numberInt", "$numberDouble", "$oid", "value",
  ]

  init(_ name: String) {
    var parts = Self.parts(of: name)
    objects = parts.dropLast()
    if let last = parts.last, parts.count > 1, Self.wrappers.contains(last) { parts.removeLast() }
    let own = parts.last ?? name
    plain = own.lowercased().filter { $0.isLetter || $0.isNumber }
    words = Self.words(of: own)
    parents = parts.dropLast()
  }

  /// `data.price` is `price` in `data`; `Amount (incl. tax)` is one name, and so is `No.`.
  static func parts(of name: String) -> [String] {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let areNames = parts.allSatisfy { part in
      part.first.map { !$0.isWhitespace } ?? false && part.last.map { !$0.isWhitespace } ?? false
    }
    return areNames ? parts : [name]
  }

  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    for letter in name {
      guard letter.isLetter || letter.isNumber else {
        if !word.isEmpty { words.append(word.lowercased()) }
        (word, wasSmall) = ("", false)
        continue
      }
      if letter.isUppercase, wasSmall {
        words.append(word.lowercased())
        word = ""
      }
      word.append(letter)
      wasSmall = letter.isLowercase || letter.isNumber
    }
    return word.isEmpty ? words : words + [word.lowercased()]
  }

  /// Both are members of one object.
  func isBeside(_ other: ColumnName) -> Bool {
    !objects.isEmpty && objects == other.objects || !parents.isEmpty && parents == other.parents
  }

  /// Some word is one of these, or the whole name is.
  func holds(_ others: Set<String>) -> Bool { others.contains(plain) || words.contains { others.contains($0) } }
}
