import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("What MySQL writes")
struct MySQLFormatTests {
  private static let names = ["a", "b"]

  private static let enclosed = MySQLDialect(terminatedBy: [UInt8(ascii: ",")], enclosedBy: UInt8(ascii: "\""))
  private static let optionally = MySQLDialect(
    terminatedBy: [UInt8(ascii: ",")], enclosedBy: UInt8(ascii: "\""), isOptional: true)

  private func read(
    _ text: String, _ dialect: MySQLDialect = MySQLDialect(), order: [String]? = names, step: Int = .max
  ) throws -> [PlainRow] {
    let format = { try MySQLFormat(dialect: dialect, binding: columns(Self.names), columnOrder: order) }
    return try rows(text, as: format(), width: 2, step: step)
  }

  @Test(
    "Escapes are undone and \\N is NULL",
    arguments: [
      ("x\ty", ["x", "y"]), ("\t", ["", ""]), ("\\N\ty", [nil, "y"]), ("x\t\\N", ["x", nil]), ("\\N\t\\N", [nil, nil]),
      ("N\tNULL", ["N", "NULL"]), ("\\NN\tx", ["NN", "x"]), ("x\\N\ty", ["xN", "y"]), ("\\\\N\tx", ["\\N", "x"]),
      ("a\\tb\tc\\nd", ["a\tb", "c\nd"]), ("\\0\t\\\\", ["\0", "\\"]),
      ("\\b\\r\\Z\t\\'\\\"", ["\u{8}\r\u{1a}", "'\""]),
      ("a\\\nb\tc", ["a\nb", "c"]), ("a\\\tb\tc", ["a\tb", "c"]), ("\\x\ty", ["x", "y"]), ("é\t😀", ["é", "😀"]),
      ("\"x\"\t'y'", ["\"x\"", "'y'"]), ("a,b\tc;d", ["a,b", "c;d"]), (" x \ty", [" x ", "y"]),
    ] as [(String, [String?])])
  func escapes(line: String, values: [String?]) throws {
    for end in ["\n", "\r\n"] {
      let found = try read("\(line)\(end)last\trow\(end)")
      #expect(found.map(\.fields) == [values, ["last", "row"]])
    }
    #expect(try read(line).map(\.fields) == [values])
  }

  @Test("Rows with too few or too many fields are rejected", arguments: ["x", "x\ty\tz", "x\ty\t"])
  func ragged(line: String) throws {
    #expect(try read("\(line)\nx\ty\n").map(\.fault) == [.malformed, nil])
  }

  @Test("Columns come in the order the job lists them, or as the header names them")
  func order() throws {
    #expect(try read("1\t2\t3\n", order: ["b", "other", "a"]).map(\.fields) == [["3", "1"]])
    var dialect = MySQLDialect()
    dialect.hasHeader = true
    #expect(try read("b\ta\n1\t2\n", dialect, order: nil).map(\.fields) == [["2", "1"]])
  }

  @Test(
    "Where rows have no end, as of a quote that stands open or an escape before every line end, that is said soon",
    arguments: ["\"x,y\n", "x\\\n"])
  func withoutEnd(line: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("t", "1\t2\n" + String(repeating: line, count: 1_500_000))
    let dialect = MySQLDialect(enclosedBy: UInt8(ascii: "\""))
    let format = try MySQLFormat(dialect: dialect, binding: columns(Self.names), columnOrder: Self.names)
    let error = #expect(throws: OfferliftError.self) { try reading(file, as: format, width: 2) }
    #expect(error?.exit == .badData)
    #expect(error?.message.contains("have no end") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("Check dialect: (job.yml, line 7)") == true)
  }

  @Test("A needed column that is not listed is an error of the job")
  func missing() {
    let error = #expect(throws: OfferliftError.self) {
      try MySQLFormat(
        dialect: MySQLDialect(), binding: columns(["user"], isRequired: true), columnOrder: ["usr", "group"])
    }
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.contains("Did you mean \"usr\"?") == true)
  }

  @Test("Blank lines are not rows, and lines behind a backslash count as lines")
  func lines() throws {
    let found = try read("\n1\t2\n\r\n3\\\n3\t4\n5\t6\n\n")
    #expect(found.map(\.fields) == [["1", "2"], ["3\n3", "4"], ["5", "6"]])
    #expect(found.map(\.line) == [2, 4, 6])
    for text in ["", "\n", "\r\n\n"] { #expect(try read(text).isEmpty) }
  }

  @Test("A file that ends behind a backslash ends within a field")
  func cutEscape() throws {
    #expect(try read("1\t2\\").map(\.fault) == [.malformed])
    #expect(try read("\"1\",\"2", Self.enclosed).map(\.fault) == [.malformed])
  }

  @Test(
    "Enclosed fields lose their quotes",
    arguments: [
      (#""x","y""#, ["x", "y"]), (#""x,x","y""#, ["x,x", "y"]), (#""x\"x","y\\""#, [#"x"x"#, #"y\"#]),
      (#""x""x","""y""#, [#"x"x"#, #""y"#]), ("\"x\nx\",\"y\"", ["x\nx", "y"]), (#""","""#, ["", ""]),
      (#"\N,"y""#, [nil, "y"]), (#""N","NULL""#, ["N", "NULL"]), (#"1,"y""#, ["1", "y"]), (#"1,2"#, ["1", "2"]),
      (#"1,\N"#, ["1", nil]),
    ] as [(String, [String?])])
  func enclosed(line: String, values: [String?]) throws {
    for dialect in [Self.enclosed, Self.optionally] {
      for end in ["\n", "\r\n"] {
        #expect(try read(line + end + "3,4" + end, dialect).map(\.fields) == [values, ["3", "4"]])
      }
      #expect(try read(line, dialect).map(\.fields) == [values])
    }
  }

  @Test("Other separators and escapes are taken as the dialect says")
  func otherBytes() throws {
    let pipe = MySQLDialect(terminatedBy: [UInt8(ascii: "|")], escapedBy: UInt8(ascii: "^"))
    #expect(try read("a\tb|c^|d\n^N|\\N\n", pipe).map(\.fields) == [["a\tb", "c|d"], [nil, "\\N"]])
    let none = MySQLDialect(escapedBy: nil)
    #expect(try read("a\\tb\tc\\\n", none).map(\.fields) == [["a\\tb", "c\\"]])
  }

  @Test("Bytes that are not UTF-8 spoil their own row alone")
  func invalidUTF8() throws {
    let text = Array("1\té\n".utf8) + [0x33, 0x09, 0xe9, 0x0a] + Array("5\t6\n".utf8)
    let format = try MySQLFormat(dialect: MySQLDialect(), binding: columns(Self.names), columnOrder: Self.names)
    #expect(try rows(text, as: format, width: 2).map(\.fault) == [nil, .invalidUTF8, nil])
  }

  @Test("Rows longer than a MiB are set aside, and the next is read", arguments: [1, 2, 3])
  func tooLong(mebibytes: Int) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("t", "1\t2\n\(String(repeating: "x", count: mebibytes << 20))\t3\n4\t5\n")
    let format = try MySQLFormat(dialect: MySQLDialect(), binding: columns(Self.names), columnOrder: Self.names)
    let (rows, reading) = try reading(file, as: format, width: 2)
    #expect(rows.filter { $0.fault == nil }.map(\.fields) == [["1", "2"], ["4", "5"]])
    #expect(reading.account.setAside == [.lineTooLong: 1])
  }

  @Test("Where a window ends changes nothing", arguments: 1...25)
  func windows(step: Int) throws {
    let plain = "1\t2\n\n\\N\ta\\\nb\r\nx\ny\\\\\tz\\0\r\n\té"
    #expect(try read(plain, step: step) == read(plain))
    let quoted = "\"1\",\"2\"\n\n\\N,\"a\nb\"\r\n\"x\"\"x\",\"\\\"\"\r\n3,4\n\"5\""
    for dialect in [Self.enclosed, Self.optionally] {
      #expect(try read(quoted, dialect, step: step) == read(quoted, dialect))
    }
  }

  @Test("Random tables come back in every dialect")
  func randomTables() throws {
    let seed: UInt64 = 3306
    var random = Dice(seed: seed)
    let texts: [String?] = [
      nil, "", "x", "N", "NULL", "\\", "\\N", "\"", "tab\there", "a,b", "line\nbreak", "é", "\0", "cr\rx", "''",
    ]
    for round in 0..<200 {
      let dialect = random.pick([MySQLDialect(), Self.enclosed, Self.optionally])
      let end = random.pick(["\n", "\r\n"])
      // A row of one NULL-free empty field would be a blank line; two fields never are.
      let table = (0..<random.below(6)).map { _ in [random.pick(texts), random.pick(texts)] }
      let text = table.map { $0.map { Self.encoded($0, dialect) }.joined(separator: dialect.separator) + end }.joined()
      let found = try read(text, dialect, step: 1 + random.below(30))
      #expect(found.map(\.fields) == table, "seed \(seed), round \(round): \(text)")
    }
  }

  /// As the server writes a value.
  private static func encoded(_ value: String?, _ dialect: MySQLDialect) -> String {
    guard let value else { return "\\N" }
    let special = dialect.enclosedBy == nil ? "\\\t\n\r" : "\\\""
    let escaped = value.unicodeScalars.map { scalar in
      if scalar == "\0" { return "\\0" }
      return (special.unicodeScalars.contains(scalar) ? "\\" : "") + String(Character(scalar))
    }.joined()
    return dialect.enclosedBy == nil ? escaped : "\"\(escaped)\""
  }

  @Test("Any bytes end in rows or in a refusal, the same wherever windows end")
  func rubbish() throws {
    let seed: UInt64 = 77
    var random = Dice(seed: seed)
    let alphabet = Array("\t,\"\"\\\\N\n\r x".utf8) + [0xff]
    for round in 0..<1200 {
      let bytes = random.bytes(random.below(40), from: alphabet)
      var dialect = random.pick([
        MySQLDialect(), Self.enclosed, Self.optionally, MySQLDialect(terminatedBy: [44, 44]),
        MySQLDialect(terminatedBy: [44, 44], escapedBy: nil),
        MySQLDialect(terminatedBy: [44], enclosedBy: 34, escapedBy: 34),
      ])
      dialect.linesTerminatedBy = random.pick([nil, nil, [0x0a], [0x0d], [0x0d, 0x0a], [0x78, 0x0a]])
      dialect.linesStartingBy = random.chance(0.2) ? [0x20] : []
      func outcome(_ step: Int) -> [PlainRow]? {
        try? rows(
          bytes, as: MySQLFormat(dialect: dialect, binding: columns(Self.names), columnOrder: Self.names), width: 2,
          step: step)
      }
      #expect(outcome(1 + random.below(5)) == outcome(.max), "seed \(seed), round \(round): \(bytes)")
    }
  }
}

extension MySQLDialect {
  fileprivate var separator: String { String(decoding: terminatedBy, as: UTF8.self) }
}
