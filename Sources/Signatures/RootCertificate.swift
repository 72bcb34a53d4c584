import Crypto
import Domain
import Foundation
import SwiftASN1
import X509

/// The root that signed notifications must lead to.
package enum RootCertificate {
  /// SHA-256 of Apple Root CA – G3. Source: Apple PKI, https://www.apple.com/certificateauthority/.
  static let apple = "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"

  /// SHA-256 of the root a job names: by that very fingerprint, or by its file in PEM or DER.
  ///
  /// - Throws: `OfferliftError`: no such file (66), or no certificate in it (78).
  package static func fingerprint(_ root: String?, relativeTo jobFile: URL) throws -> [UInt8] {
    if let fingerprint = bytes(root ?? apple) { return fingerprint }
    let file = URL(fileURLWithPath: root ?? "", relativeTo: jobFile.deletingLastPathComponent())
    let position = "\(jobFile.lastPathComponent): root: \"\(root ?? "")\""
    guard isFile(file), let content = try? Data(contentsOf: file) else {
      throw OfferliftError(
        .inputMissing, "\(position) is neither the 64 hexadecimal digits of a SHA-256 nor a file that can be read.")
    }
    guard let certificate = certificate(content) else {
      throw OfferliftError(.badJobFile, "\(position) holds no certificate; name a file in PEM or DER.")
    }
    return Array(SHA256.hash(data: certificate))
  }

  /// A pipe or a device may have no end.
  private static func isFile(_ url: URL) -> Bool {
    let values = try? url.resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey])
    return values?.isRegularFile == true
  }

  /// The bytes that 64 hexadecimal digits stand for, with or without colons between them.
  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }.map { Character(UnicodeScalar($0)).hexDigitValue }
    let values = digits.compactMap(\.self)
    guard values.count == 64, digits.count == 64 else { return nil }
    return stride(from: 0, to: 64, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }

  /// The DER of a file's certificate.
  private static func certificate(_ content: Data) -> [UInt8]? {
    let document = try? PEMDocument(pemString: String(decoding: content, as: UTF8.self))
    let bytes = document?.derBytes ?? Array(content)
    return (try? Certificate(derEncoded: bytes)) == nil ? nil : bytes
  }
}
