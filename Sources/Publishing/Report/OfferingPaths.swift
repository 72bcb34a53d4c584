import Domain
import Measurement
import Platform

/// Where the pages of a night's offerings lie, from its folder: `offerings/checkout.html`.
///
/// An offering's page has the same path every night, whichever others there are.
struct OfferingPaths {
  /// The folder of the pages.
  static let folder = "offerings"
  /// The night's first page, from one of them.
  static let firstPage = "../\(NightFiles.report)"

  private let paths: [String]

  init(_ offerings: [Identifier]) { paths = offerings.map(Self.path) }

  /// The path of the offering of that number, from 0.
  subscript(number: Int) -> String { paths[number] }

  private static let longest = 80

  /// An id that is not a plain name has its checksum behind what is plain in it.
  private static func path(_ offering: Identifier) -> String {
    let bytes = Array(offering.text.utf8)
    let plain = bytes.prefix(longest).map { isPlain($0) ? $0 : UInt8(ascii: "-") }
    let isName = plain == bytes && bytes.first != UInt8(ascii: ".")
    var checksum = Checksum()
    checksum.update(bytes)
    let stem = String(decoding: plain.drop { $0 == UInt8(ascii: ".") }, as: UTF8.self)
    return "\(folder)/\(stem)\(isName ? "" : "~\(NumberText.checksum(checksum.crc32))").html"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || "-_.".utf8.contains(byte)
  }
}
