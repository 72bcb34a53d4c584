import Foundation
import Testing

/// `Sources/README.md` is held to the code: a map that lies is worse than none.
@Suite("The map of the sources")
struct MapTests {
  private static let map = text("Sources/README.md")
  private static let manifest = text("Package.swift")

  private static func text(_ path: String) -> String {
    (try? String(contentsOf: repository.appending(path: path), encoding: .utf8)) ?? ""
  }

  /// What each room knows, by the map's table.
  private static var rooms: [String: Set<String>] {
    var rooms: [String: Set<String>] = [:]
    for match in map.matches(of: /(?m)^\| `(\w+)` \| [^|]+ \| ([\w, –]+) \|$/) {
      rooms[String(match.1)] = Set(match.2.matches(of: /\w+/).map { String($0.0) })
    }
    return rooms
  }

  /// The rooms a target depends on, by Package.swift.
  private static func dependencies(of room: String) throws -> Set<String> {
    let targets = manifest.components(separatedBy: "arget(")
    let target = try #require(
      targets.first { $0.firstMatch(of: /^\s*name: "(\w+)"/).map { $0.1 == room } ?? false }, "\(room)")
    let plain = target.replacing(/\.product\([^)]*\)/, with: "")
    guard let list = plain.firstMatch(of: /dependencies: \[([^\]]*)\]/) else { return [] }
    return Set(list.1.matches(of: /"(\w+)"/).map { String($0.1) }.filter { rooms[$0] != nil })
  }

  /// The rooms that the files of a room import.
  private static func imports(of room: String) throws -> Set<String> {
    var found: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: repository.appending(path: "Sources/\(room)").path)
    where path.hasSuffix(".swift") {
      let text = text("Sources/\(room)/\(path)")
      found.formUnion(text.matches(of: /(?m)^import (\w+)$/).map { String($0.1) })
    }
    return found.intersection(rooms.keys)
  }

  @Test("It shows every room")
  func everyRoom() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: repository.appending(path: "Sources").path)
    let swift = folders.filter { !$0.hasPrefix("C") && !$0.hasSuffix(".md") && !$0.hasPrefix(".") }
    #expect(Set(swift) == Set(Self.rooms.keys))
  }

  @Test("Its arrows are Package.swift's and those of the imports", arguments: Array(rooms.keys))
  func arrows(room: String) throws {
    let drawn = try #require(Self.rooms[room])
    #expect(try Self.dependencies(of: room) == drawn)
    #expect(try Self.imports(of: room) == drawn)
  }

  @Test("Every file it names is there")
  func files() throws {
    let sources = try FileManager.default.subpathsOfDirectory(atPath: repository.appending(path: "Sources").path)
    let names = Self.map.matches(of: /`([\w\/+]+\.swift)`/).map { String($0.1) }
    #expect(names.count > 30)
    for name in names where !name.hasPrefix("Package") {
      #expect(sources.contains { $0 == name || $0.hasSuffix("/" + name) }, "\(name)")
    }
  }

  /// The rooms within the engine, in the direction of the data.
  private static let engineRooms = map.matches(of: /(?m)^\| `Engine\/(\w+)` \|/).map { String($0.1) }

  @Test("Within the engine no room names a type of a later one")
  func engineDirection() throws {
    let engine = repository.appending(path: "Sources/Engine")
    let files = try FileManager.default.subpathsOfDirectory(atPath: engine.path).filter { $0.hasSuffix(".swift") }
    let folders = Set(files.compactMap { $0.split(separator: "/").first.map(String.init) })
    #expect(folders == Set(Self.engineRooms))
    let code = Dictionary(uniqueKeysWithValues: files.map { ($0, Self.code("Sources/Engine/\($0)")) })
    func room(_ path: String) -> Int { Self.engineRooms.firstIndex { path.hasPrefix($0 + "/") } ?? 0 }
    var home: [Substring: Int] = [:]
    for (path, text) in code {
      for found in text.matches(of: Self.declaration) { home[found.1] = min(home[found.1] ?? .max, room(path)) }
    }
    #expect(home.count > 300)
    for (path, text) in code {
      let words = Set(text.matches(of: /\b[A-Z]\w+/).map(\.0))
      let later = words.filter { home[$0, default: 0] > room(path) }
      #expect(later.isEmpty, "\(path)")
    }
  }

  /// A type at a file's top level that other files see.
  private static var declaration: Regex<(Substring, Substring)> {
    /(?m)^(?:package )?(?:final )?(?:indirect )?(?:struct|enum|class|actor|protocol|typealias) (\w+)/
  }

  /// A file's text without comments and words in quotes.
  private static func code(_ path: String) -> String {
    text(path).replacing(/\/\/.*/, with: "").replacing(/"(?:\\.|[^"\\\n])*"/, with: "")
  }

  /// The rooms with a page of their own; those of the engine have one each.
  private static let described =
    rooms.keys.filter { $0 != "Engine" }.sorted() + engineRooms.map { "Engine/\($0)" }

  /// The names that some file declares a type by.
  private static let types: Set<Substring> = {
    let keywords: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    let sources = repository.appending(path: "Sources")
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: sources.path)) ?? []
    var types: Set<Substring> = []
    for path in paths where path.hasSuffix(".swift") {
      let words = text("Sources/\(path)").split { !$0.isLetter && !$0.isNumber }
      for (word, next) in zip(words, words.dropFirst()) where keywords.contains(word) { types.insert(next) }
    }
    return types
  }()

  @Test("Each room's page says what it should, by names that there are", arguments: described)
  func page(room: String) throws {
    let page = Self.text("Sources/\(room)/README.md")
    #expect(page.hasPrefix("# \(room.replacing("Engine/", with: ""))\n"))
    for part in ["Nouns", "The way through", "What one may touch", "Leaky places"] {
      #expect(page.contains("**\(part)"), "\(part)")
    }
    let files = try FileManager.default.subpathsOfDirectory(atPath: repository.appending(path: "Sources/\(room)").path)
    let names = page.matches(of: /`([\w\/+.]+)`/).map { String($0.1) }
    for name in names where name.hasSuffix(".swift") {
      #expect(files.contains { $0 == name || $0.hasSuffix("/" + name) }, "\(name)")
    }
    for name in names where !name.hasSuffix(".swift") && !name.contains("/") {
      guard let type = name.firstMatch(of: /^[A-Z]\w*/)?.0 else { continue }
      #expect(Self.types.contains(type), "\(name)")
    }
  }

  /// Where pointers and C names of the engine may stand.
  private static let bytesFolder = "Reading/Bytes/"

  @Test("Only Engine/Reading/Bytes holds pointers and C names")
  func pointers() throws {
    let engine = repository.appending(path: "Sources/Engine")
    let files = try FileManager.default.subpathsOfDirectory(atPath: engine.path).filter { $0.hasSuffix(".swift") }
    let pointers = files.filter { path in
      Self.text("Sources/Engine/\(path)").contains(/[uU]nsafe|\bol_|import CJSON|import GRDBSQLite/)
    }
    #expect(pointers.filter { !$0.hasPrefix(Self.bytesFolder) } == [])
    #expect(pointers.contains { $0.hasPrefix(Self.bytesFolder) })
  }

  @Test("Of the rooms beside the engine only Platform and Signatures hold pointers")
  func safeRooms() throws {
    let sources = repository.appending(path: "Sources")
    for room in Self.rooms.keys where !["Engine", "Platform", "Signatures"].contains(room) {
      for path in try FileManager.default.subpathsOfDirectory(atPath: sources.appending(path: room).path)
      where path.hasSuffix(".swift") {
        #expect(!Self.text("Sources/\(room)/\(path)").contains(/[uU]nsafe[A-Z]/), "\(room)/\(path)")
      }
    }
  }
}
