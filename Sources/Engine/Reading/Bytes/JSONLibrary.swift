import CSimdjson
import Domain

/// The simdjson library that was loaded, held against the one this program was tested with.
///
/// The program uses simdjson's internal first stage, whose form may change with any version. At build the header's
/// version is checked; the shared object, which tells none, is asked for answers that are known.
struct JSONLibrary {
  /// The version of the header that the program was built with.
  var builtWith = String(cString: ol_json_built_with())
  /// The library's file.
  var file = String(cString: ol_json_library())
  /// Where the library finds that the tokens of a text begin; nil where it refuses the text.
  var tokens: (String) -> [UInt32]? = { Self.tokens(of: $0) }
  /// The texts of the members `a` and `b` of an object, escapes undone; nil where the library refuses the object.
  var members: (String) -> [String]? = { Self.members(of: $0) }

  /// What is wrong with the loaded library, found out once; nil where it answers as the one tested.
  private static let problem = JSONLibrary().problem

  /// - Throws: `OfferliftError`, exit 70, where the library is not one this program can be used with.
  static func check() throws {
    if let problem { throw OfferliftError(.internalError, problem) }
  }

  /// What is wrong with the library; nil where every answer is the known one.
  var problem: String? {
    guard let question = wrongAnswer else { return nil }
    let place = file.isEmpty ? "" : " (\(file))"
    return "the simdjson library that was loaded\(place) does not read JSON as simdjson \(builtWith) does, which alone "
      + "was tested: it answers wrongly about \(question). Install libsimdjson \(builtWith), or build Offerlift anew "
      + "with the version that is installed."
  }

  /// More than one block of 64 bytes, with a text across the blocks' border that holds quotes, backslashes and marks.
  private static let object =
    #"{"a":"one \"two\" \\ {three}: [four], five, six, seven, eight, é", "b" : [1,-2.5e3,null]}"#
  private static let starts: [UInt32] = [0, 1, 4, 5, 66, 68, 72, 74, 75, 76, 77, 83, 84, 88, 89]
  private static let refused = [
    ("a text that is not closed", #"{"a":"x}"#), ("a control character in a text", "{\"a\":\"\u{1}\"}"),
  ]

  /// What the first wrong answer is about.
  private var wrongAnswer: String? {
    if tokens(Self.object) != Self.starts { return "where tokens begin" }
    for (what, text) in Self.refused where tokens(text) != nil { return what }
    if members(#"{"a":"\u00e9\"\\","b":"\ud83d\ude00"}"#) != ["é\"\\", "😀"] { return "escapes in a text" }
    return nil
  }

  private static func padded(_ text: String) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: ol_json_padding())
  }

  private static func tokens(of text: String) -> [UInt32]? {
    var starts = [UInt32](repeating: 0, count: text.utf8.count)
    let count = ol_json_tokens(padded(text), text.utf8.count, &starts, starts.count)
    return count < 0 || count > starts.count ? nil : Array(starts.prefix(Int(count)))
  }

  private static func members(of text: String) -> [String]? {
    let arena = TextArena()
    let reader = JSONObjectReader<Member>()
    return reader.read(arena.copy(text.utf8)).map { [$0[.a].string, $0[.b].string] }
  }

  private enum Member: Int, JSONMember {
    case a, b
    var source: SourceField { SourceField(name: String(describing: self)) }
  }
}
