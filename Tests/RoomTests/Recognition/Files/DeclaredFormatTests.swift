import Foundation
import GRDB
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Recognition

@Suite("Files that are not text in UTF-8")
struct ForeignFileTests {
  private static let text = "user,offering,group,assigned_at\nu1,test,control,2026-03-01\n"

  /// A table, deflated, and the same with zlib's header and end.
  private static let deflated: [UInt8] = [
    0x2b, 0x2d, 0x4e, 0x2d, 0xd2, 0xc9, 0x4f, 0x4b, 0x4b, 0x2d, 0xca, 0xcc, 0x4b, 0xd7, 0x49, 0x2f,
    0xca, 0x2f, 0x2d, 0xd0, 0x49, 0x2c, 0x2e, 0xce, 0x4c, 0xcf, 0x4b, 0x4d, 0x89, 0x4f, 0x2c, 0xe1,
    0x2a, 0x35, 0xd4, 0x29, 0x49, 0x2d, 0x2e, 0xd1, 0x49, 0xce, 0xcf, 0x2b, 0x29, 0xca, 0xcf, 0xd1,
    0x31, 0x32, 0x30, 0x32, 0xd3, 0x35, 0x30, 0xd6, 0x35, 0x30, 0xe4, 0x2a, 0x1d, 0x10, 0xad, 0x00,
  ]
  private static let zlib: [UInt8] = [0x78, 0x9c] + deflated + [0xc2, 0xee, 0x3c, 0x7c]

  private static let files: [(bytes: [UInt8], words: String)] = [
    (UTF16Bytes.of(text, bigEndian: false, mark: false), "iconv -f UTF-16LE"),
    (UTF16Bytes.of(text, bigEndian: true, mark: false), "iconv -f UTF-16BE"),
    ([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], "UTF-32"),
    (Zip.archive([Zip.Member("[Content_Types].xml", [])]), "Excel workbook (.xlsx)"),
    (Array("users.csv".utf8) + Array(repeating: 0, count: 248) + Array("ustar\0".utf8), "tar -x"),
    ([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0], "(.xls)"),
    (Array("BZh9".utf8) + [0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 1], "bzip2 -dc"),
    ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4], "xz -dc"),
    ([0x04, 0x22, 0x4d, 0x18, 0x64], "lz4 -dc"), ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0], "7z x"),
    (Array("PAR1".utf8) + [0x15, 4], "Parquet"), (Array("Obj".utf8) + [1, 4], "Avro"),
    (Array("ARROW1\0\0".utf8), "Arrow"),
    (Array("SQLite format 3\0".utf8), "format: sqlite"), (Array("%PDF-1.7\n".utf8), "PDF"),
    (Array("\n<!DOCTYPE html><html>".utf8), "web page"),
    (Array("sep=;\r\nuser;group\r\n".utf8), "tail -n +2"),
    (Array("\u{feff}\"sep=,\"\nuser,group\n".utf8), "tail -n +2"),
    (zlib, "zlib.decompress(sys.stdin.buffer.read())"), (deflated, "zlib.decompress(sys.stdin.buffer.read(), -15)"),
    (
      Array("--\n-- PostgreSQL database dump\n--\n\nCOPY public.users (id, \"grp\") FROM stdin;\nu1\ta\n\\.\n".utf8),
      "/^COPY public\\.users /,/^\\\\\\.$/{/"
    ),
    (
      Array("--\n-- PostgreSQL database dump\n--\n\nCOPY public.users (id, \"grp\") FROM stdin;\nu1\ta\n\\.\n".utf8),
      "format: mysql and dialect: {header: true}; of a purchase log say format: events-csv"
    ),
    (Array("PGDMP\u{1}\u{e}".utf8), "pg_restore"),
    (
      Array("/*M!999999\\- enable the sandbox mode */\n-- MariaDB dump 10.19\nINSERT INTO `users` VALUES (1);\n".utf8),
      "mysqldump --tab=FOLDER DATABASE users"
    ),
    (Array("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nINSERT INTO users VALUES(1);\n".utf8), "sqlite3 FILE.db"),
    (Array("INSERT INTO users (id) VALUES (1);\n".utf8), "as CSV with a header"),
    (Array("<?xml version=\"1.0\"?><Error>".utf8), "fetch it again"),
  ]

  @Test("What another program unpacks may be unpacked by it anew for each run")
  func command() async throws {
    let refusal = try Refusal()
    let packed: [UInt8] = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4]
    let reported = try await refusal.ofLog("events", packed)
    #expect(reported?.message.contains("command: [\"xz\", \"-dc\", \"log.txt\"] in place of path:") == true)
    #expect(reported?.message.contains("--allow-commands") == true)
    // Of what is packed twice one program does not make it.
    #expect(try await refusal.ofLog("events", Gzip.member(packed))?.message.contains("command:") == false)
  }

  @Test(
    "A file of another kind is refused by name with what to do, in every format, packed or not",
    arguments: files.map(\.words).indices)
  func kinds(number: Int) async throws {
    let (bytes, words) = Self.files[number]
    let refusal = try Refusal()
    for contents in [bytes, Array(Gzip.member(bytes))] {
      for format in PurchaseCatalog.all {
        let error = try await refusal.ofLog(format.name, contents)
        #expect(error?.exit == .badData)
        #expect(error?.message.hasPrefix("log.txt is ") == true)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "read")")
      }
      for table in ["format: csv", "format: jsonl", "format: mysql, columns: [user, offering, group, assigned_at]"] {
        let error = try await refusal.ofTable(table, contents)
        #expect(error?.exit == .badData)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "read")")
      }
    }
  }

  @Test("Of a packed file the line to type unpacks it first")
  func packed() async throws {
    let refusal = try Refusal()
    let lines = [
      (UTF16Bytes.of(Self.text, bigEndian: false, mark: false), "iconv -f UTF-16LE -t UTF-8"),
      (Array("[{\"user\":\"u1\"},{\"user\":\"u2\"}]\n".utf8), "jq -c '.[]'"),
      (Array("{\n\"user\": \"u1\"\n}\n".utf8), "jq -c ."),
    ]
    for (bytes, program) in lines {
      let plain = try await refusal.ofTable("format: jsonl", bytes)?.message
      #expect(plain?.contains(": \(program) 'table.txt' > FILE") == true, "\(plain ?? "read")")
      let packed = try await refusal.ofTable("format: jsonl", Gzip.member(bytes))?.message
      #expect(packed?.contains(": gunzip -c 'table.txt' | \(program) > FILE") == true, "\(packed ?? "read")")
    }
    let tar = Array("users.csv".utf8) + Array(repeating: 0, count: 248) + Array("ustar\0".utf8)
    #expect(try await refusal.ofTable("format: csv", tar)?.message.contains("(tar -xf 'table.txt')") == true)
    #expect(
      try await refusal.ofTable("format: csv", Gzip.member(tar))?.message.contains("(tar -xzf 'table.txt')") == true)
  }

  @Test("A header in another encoding whose names are asked for is refused with the line that mends it")
  func legacyHeader() async throws {
    let refusal = try Refusal()
    let text = Array("user,offering,gr".utf8) + [0xfc] + Array("n,assigned_at\nu1,test,control,2026-03-01\n".utf8)
    let error = try await refusal.ofTable("format: csv, columns: {group: grün}", text)
    #expect(error?.exit == .badData)
    #expect(
      error?.message.contains("iconv -f WINDOWS-1252 -t UTF-8 'table.txt' > FILE") == true,
      "\(error?.message ?? "read")")
  }

  @Test("What only resembles one is read: a mark of UTF-8, a name that begins as another format's mark does")
  func text() async throws {
    let refusal = try Refusal()
    let row = "u1,test,control,2026-03-01\n"
    for beginning in ["\u{feff}user", "user", "PAR,user", "BZh,user", "ORC,user", "Obj,user", "PK,user", "sep=,user"] {
      let row = beginning.contains(",") ? "x," + row : row
      let text = "\(beginning),offering,group,assigned_at\n\(row)"
      #expect(try await refusal.ofTable("format: csv", text.utf8)?.message == nil, "\(beginning)")
    }
  }
}

@Suite("Files of another format than the job says")
struct DeclaredFormatTests {
  private static let event = RoomTests.event("purchase", march(3))
  private static let notification = StoreNotification("SUBSCRIBED").posted
  private static let webhook = #"{"api_version":"1.0","event":{"type":"RENEWAL","app_user_id":"u1"}}"#
  private static let call = #"{"userId":"u1","occurredAt":"2026-03-02T00:00:00Z","endpoint":"/x","response":{}}"#
  private static let export = ExportRows.columns.joined(separator: ";") + "\n"
  private static let eventsCSV = "userId,eventType,occurredAt,price\nu1,purchase,2026-03-02,1\n"

  private static let logs: [(format: String, text: String, words: String)] = [
    ("events", notification, "format: app-store-notifications"), ("events", webhook, "format: revenuecat-webhooks"),
    ("events", call, "format: api-log"),
    ("events", export, "format: revenuecat-export"), ("events", eventsCSV, "format: events-csv"),
    ("events", "[\(event),\(event)]", "jq -c '.[]' 'log.txt'"),
    ("events", "[\n  \(event)\n]\n", "jq -c '.[]' 'log.txt'"),
    ("events", "{\n  \"userId\": \"u1\"\n}\n", "jq -c . 'log.txt'"), ("events-csv", event, "format: events"),
    ("events-csv", "[\(event),\(event)]", "jq -c '.[]' 'log.txt' > FILE.jsonl, and say format: events"),
    ("events-csv", webhook, "format: revenuecat-webhooks"), ("events-csv", export, "format: revenuecat-export"),
    ("events-csv", "u1,purchase,2026-03-02T00:00:00Z,1\n", "a line above it that names them"),
    ("revenuecat-export", eventsCSV, "format: events-csv"),
    ("revenuecat-export", webhook, "format: revenuecat-webhooks"),
    ("revenuecat-webhooks", notification, "format: app-store-notifications"),
    ("revenuecat-webhooks", event, "format: events"), ("revenuecat-webhooks", export, "format: revenuecat-export"),
    ("app-store-notifications", event, "format: events"), ("app-store-notifications", call, "format: api-log"),
    ("api-log", notification, "format: app-store-notifications"), ("api-log", event, "format: events"),
  ]

  @Test("A purchase log of another format is refused with the line to type", arguments: logs.map(\.words).indices)
  func otherLog(number: Int) async throws {
    let (format, text, words) = Self.logs[number]
    let error = try await Refusal().ofLog(format, text.utf8)
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.hasPrefix("log.txt is declared as format: \(format), but ") == true)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "read")")
    #expect(error?.message.hasSuffix("(job.yml, line 4).") == true)
  }

  private static let mysql = "u1\ttest\tcontrol\t2026-03-01 00:00:00\n"
  private static let csv = "user,offering,group,assigned_at\nu1,test,control,2026-03-01\n"
  private static let columns = "columns: [user, offering, group, assigned_at]"

  private static let tables: [(input: String, text: String, words: String)] = [
    ("format: csv", mysql, "say format: mysql and columns: with its 4 columns in order"),
    (
      "format: csv", "1,u1,t,c,\\N\n",
      "say format: mysql, dialect: {terminated_by: ','} and columns: with its 5 columns"
    ),
    ("format: csv", #"{"user":"u1"}"#, "say format: jsonl"), ("format: jsonl", csv, "say format: csv"),
    ("format: mysql, \(columns)", csv, "with the columns user, offering, group, assigned_at; say format: csv"),
    ("format: mysql, \(columns)", #"{"user":"u1"}"#, "say format: jsonl"),
    ("format: mysql, \(columns)", csv.replacingOccurrences(of: ",", with: "\t"), "say header: true within dialect:"),
    ("format: sqlite, table: t", csv, "say format: csv"),
    ("format: sqlite, table: t", #"{"user":"u1"}"#, "format: jsonl"),
  ]

  @Test("A table of another format is refused with the line to type", arguments: tables.map(\.words).indices)
  func otherTable(number: Int) async throws {
    let (input, text, words) = Self.tables[number]
    let error = try await Refusal().ofTable(input, text.utf8)
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.hasPrefix("table.txt is declared as format: ") == true)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "read")")
  }

  @Test("SQLite packed with gzip is refused by name, because SQLite reads it in place")
  func packedDatabase() async throws {
    let refusal = try Refusal()
    let queue = try DatabaseQueue(path: refusal.folder.path("x.sqlite"))
    try await queue.write { try $0.execute(sql: "CREATE TABLE t (user)") }
    try queue.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: refusal.folder.path("x.sqlite")))
    let error = try await refusal.ofTable("format: sqlite, table: t", Gzip.member(bytes))
    #expect(error?.message.contains("packed with gzip") == true)
  }

  @Test("A log that is only damaged is read: its bad rows are rejected one by one")
  func damaged() async throws {
    let texts = [
      "garbage\n\(Self.event)\n", "\(Self.notification)\n\(Self.event)\n", "\(Self.webhook)\nx\n\(Self.event)",
      "a, b\n1\n",
      "[1,2]\n", "[\(Self.event)]\n\(Self.event)\n\(Self.event)\n", "[\(Self.event),\n\(Self.event)\n", "a,b",
      "{\n\"a\"\n\(Self.event)\n", "\0\0\0\0", "{}\n", "{\"other\":1}\n", "",
    ]
    for text in texts {
      #expect(try await Refusal().ofLog("events", text.utf8)?.message == nil, "\(text)")
    }
    // An API log has members of an event's names, and the other way round.
    #expect(try await Refusal().ofLog("api-log", "\(Self.call)\n\(Self.event)".utf8)?.message == nil)
    #expect(try await Refusal().ofLog("events", Self.call.utf8, ", defaults: {eventType: paywall_view}") == nil)
  }

  @Test("A bad first row of a table without a header is one bad row")
  func damagedTable() async throws {
    let found = try await Refusal().ofTable("format: mysql, \(Self.columns)", "bad,row\n\(Self.mysql)".utf8)
    #expect(found?.message == nil)
  }

  @Test("A log whose columns have other names is still what the job says")
  func renamed() async throws {
    let line = #"{"endpoint":"u1","response":"purchase","at":"2026-03-02","type":"x","event_timestamp_ms":1}"#
    let keys = ", columns: {userId: endpoint, eventType: response, occurredAt: at}"
    #expect(try await Refusal().ofLog("events", line.utf8, keys)?.message == nil)
  }
}
