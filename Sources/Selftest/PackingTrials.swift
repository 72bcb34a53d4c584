import Domain
import Foundation
import Parquet
import Platform

/// What is packed comes out as it went in, and a bit that has flipped is noticed.
enum PackingTrials {
  private static let text = (0..<2000).map { "\($0 % 50) line é \($0 % 7)\n" }.joined()

  /// The same text as a frame of zstd with its checksum, packed by the zstd command line tool 1.5.
  private static let frame = """
    KLUv/WQAY+UOAJbaMBbApTAc//r/ZjOs//fuvfeWMvVDtScEMwAuACMA2nNiR0ZFREOTtJTQ2Vwmj7d+Fx+NReJwylVh+ARNECUQ
    EsYIW5DCBw1iQFAwABgIEBiI04ozszKysU17TuzIqIhoaJKWEjqby+Tx1u/io7FIHE65KjymkDGtODMrIxvbAv//qqrqtm3bJkmS
    JP3/v6qqum3btkmSJEn//6+qqsJjChkB27ZtmyRJkvT//6qq6rZt2yZJkiT9/7+qqrpt27ZJkiRJH4FeqHG0b/YNoapAokpeAxJY
    QoCTv////xl90mCMUslRjh3GhqvwEf7BT/ADX8BvtLP4SnxxPnu4vj0n8aTTiveH1zAoXMJ/8BP8wB/wDe8lvzIfjm8vrm+vSVzo
    sOL84TUMCpfwH3yCL/AHfMNryafMh+Pbi/PZe5EWPlZ5PzwNQ+Em/Aef4A/8gM/4LvMr+eB89+J8907EiaUV7g9Pw1C4CP/gJ/iB
    P+Dz937L49F3/sftfIWYLBNqwqYfer90HBqP5eRlaDiuk47DYbFeOizQi3XCnMRNStNfemJeAUyaSZq0yT8SHqqe7ENysHYyD9NB
    1dM8SA+VlvTCOnlO4CakyTOBxwQK/OZPP/jmm37wB/N/alYBl9yrMQ==
    """

  /// - Parameter folder: where files may be written.
  static func trials(in folder: String) -> [Trial] {
    func trial(_ name: String, _ source: String, _ findings: @escaping @Sendable () throws -> [Finding]) -> Trial {
      Trial(part: .packing, name: name, source: source, input: text + frame, findings: findings)
    }
    return [
      trial("gzip", "RFC 1952: a member packed here and unpacked by another library") {
        try unpacking(GzipWriter.pack(Array(text.utf8)), "\(folder)/text.gz")
      },
      trial("zstd", "RFC 8878: a frame of the zstd command line tool") {
        try unpacking(
          [UInt8](Data(base64Encoded: frame, options: .ignoreUnknownCharacters) ?? Data()), "\(folder)/text.zst")
      },
      trial("parquet", "the values that were written, as rows of a log have them") {
        try parquet("\(folder)/t.parquet")
      },
    ]
  }

  private static func digest(_ bytes: [UInt8]) -> String {
    FileDigest.sha256(String(decoding: bytes, as: UTF8.self)).hexadecimal
  }

  /// The packed text is unpacked; and it is refused where a bit of it, any of thirty, is another.
  private static func unpacking(_ packed: [UInt8], _ path: String) throws -> [Finding] {
    let whole = Finding.same(
      "unpacked bytes", found: digest(try unpacked(packed, path)), expected: digest(Array(text.utf8)))
    let positions = (0..<30).map { 10 + $0 * (packed.count - 11) / 29 }
    let missed = positions.filter { position in
      var spoilt = packed
      spoilt[position] ^= 0x10
      return (try? unpacked(spoilt, path)).map { $0 != Array(text.utf8) } ?? false
    }
    return [whole, .same("flipped bits that are not noticed", found: "\(missed.count)", expected: "0")]
  }

  private static func unpacked(_ bytes: [UInt8], _ path: String) throws -> [UInt8] {
    try FileWriter.write(bytes, replacing: path)
    let source = try ByteSource(path: path, displayName: path)
    var found: [UInt8] = []
    while true {
      let piece = try source.read(upTo: 1 << 16)
      if piece.isEmpty { return found }
      found += piece
    }
  }

  // MARK: - Parquet

  private static let columns: [ParquetWriter.Column] = [
    .init(name: "text", type: .text), .init(name: "flag", type: .flag), .init(name: "integer", type: .integer),
    .init(name: "real", type: .real), .init(name: "date", type: .date), .init(name: "money", type: .decimal(scale: 6)),
  ]

  private static let rows: [(values: [ParquetWriter.Value], texts: [String?])] = [
    (
      [.text("é \"quoted\""), .flag(true), .integer(.max), .real(0.1), .integer(20_543), .decimal(-1_250_000)],
      ["é \"quoted\"", "true", "9223372036854775807", "0.1", "2026-03-31", "-1.25"]
    ),
    ([.null, .null, .null, .null, .null, .null], [nil, nil, nil, nil, nil, nil]),
    (
      [.text(""), .flag(false), .integer(.min), .real(-12345.678), .integer(0), .decimal(12_345_678_901_234_567_890)],
      ["", "false", "-9223372036854775808", "-12345.678", "1970-01-01", "12345678901234.56789"]
    ),
  ]

  private static func parquet(_ path: String) throws -> [Finding] {
    var bytes: [UInt8] = []
    var writer = ParquetWriter(columns, rowsOfGroup: 2)
    for row in rows { writer.append(row.values) { bytes += $0 } }
    writer.finish { bytes += $0 }
    try FileWriter.write(bytes, replacing: path)
    let file = try ParquetFile(path, displayName: path)
    var reader = ParquetRows(file, file.columns.map(\.node))
    var found: [[String?]] = columns.map { _ in [] }
    while true {
      let count = try reader.next(atMost: 100)
      if count == 0 { break }
      for (column, cells) in reader.cells.enumerated() {
        found[column] += (0..<count).map {
          cells.isNull[$0] ? nil : String(decoding: cells.bytes[cells.range($0)], as: UTF8.self)
        }
      }
    }
    return columns.indices.map { column in
      .same("column \(column + 1)", found: "\(found[column])", expected: "\(rows.map { $0.texts[column] })")
    }
  }
}
