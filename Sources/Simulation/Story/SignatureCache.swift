import Crypto
import Foundation
import Platform
import Synchronization

/// Signatures made so far, those included that an earlier simulation has left in its files.
///
/// ECDSA draws a new number for each signature, so the same notification signed twice would differ. A copy of a
/// notification has the signature of the first, and a folder that is written anew keeps the signatures it has,
/// where they still hold, and so all of its bytes.
final class SignatureCache: Sendable {
  private let known = Mutex<[Data: String]>([:])

  /// Reads the tokens of the notification files in `folder`.
  ///
  /// - Parameter names: files that need not be there.
  init(folder: String, names: [String]) {
    for name in names {
      guard let bytes = try? Self.unpacked("\(folder)/\(name)") else { continue }
      note(tokensIn: bytes[...])
    }
  }

  private static func unpacked(_ path: String) throws -> [UInt8] {
    let source = try ByteSource(path: path, displayName: path)
    var bytes: [UInt8] = []
    while case let piece = try source.read(upTo: 1 << 16), !piece.isEmpty { bytes += piece }
    return bytes
  }

  /// Notes every token in a text, be it JSON or not, and those inside its payload.
  private func note(tokensIn bytes: ArraySlice<UInt8>) {
    for run in bytes.split(whereSeparator: { !Self.isOfToken($0) }) where run.count > 100 {
      let parts = run.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let input = String(decoding: run[..<parts[1].endIndex], as: UTF8.self)
      let signature = String(decoding: parts[2], as: UTF8.self)
      known.withLock { $0[Self.key(input)] = signature }
      if let payload = Data(base64URL: String(decoding: parts[1], as: UTF8.self)[...]) {
        note(tokensIn: Array(payload)[...])
      }
    }
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The signature that is known if it holds, else a new one.
  func signature(of input: String, by key: P256.Signing.PrivateKey) throws -> String {
    let data = Data(input.utf8)
    let entry = Self.key(input)
    if let text = known.withLock({ $0[entry] }), Self.holds(text, for: data, key) { return text }
    let text = try key.signature(for: data).rawRepresentation.base64URL
    return known.withLock { known in
      if let other = known[entry], Self.holds(other, for: data, key) { return other }
      known[entry] = text
      return text
    }
  }

  private static func holds(_ text: String, for data: Data, _ key: P256.Signing.PrivateKey) -> Bool {
    guard let raw = Data(base64URL: text[...]), let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
    else { return false }
    return key.publicKey.isValidSignature(signature, for: data)
  }

  private static func key(_ input: String) -> Data { Data(SHA256.hash(data: Data(input.utf8))) }
}

extension Data {
  /// Reads base64 with `-` and `_`, without padding.
  package init?(base64URL text: Substring) {
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
  }
}
