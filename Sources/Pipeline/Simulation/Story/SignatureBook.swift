import Crypto
import Foundation
import Synchronization

/// Signatures made so far, those included that an earlier simulation has left in its files.
///
/// ECDSA draws a new number for each signature, so the same notification signed twice would differ. A copy of a
/// notification has the signature of the first, and a folder that is written anew keeps the signatures it has,
/// where they still hold, and so all of its bytes.
final class SignatureBook: Sendable {
  private let known = Mutex<[Data: String]>([:])

  /// Reads the tokens of the notification files in `folder`.
  ///
  /// - Parameter names: files that need not be there.
  init(folder: String, names: [String]) {
    for name in names {
      guard let bytes = try? Self.unpacked("\(folder)/\(name)") else { continue }
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        note(try? JSONSerialization.jsonObject(with: Data(line)))
      }
    }
  }

  private static func unpacked(_ path: String) throws -> [UInt8] {
    let source = try ByteSource(path: path, displayName: path)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = try buffer.withUnsafeMutableBytes({ try source.read(into: $0) }), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// Every string that is a token, however deep, and what the token itself holds.
  private func note(_ value: Any?) {
    switch value {
    case let object as [String: Any]: for member in object.values { note(member) }
    case let array as [Any]: for member in array { note(member) }
    case let text as String: note(token: text)
    default: break
    }
  }

  private func note(token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return }
    let key = Self.key("\(parts[0]).\(parts[1])")
    known.withLock { $0[key] = String(parts[2]) }
    if let payload = Data(base64URL: parts[1]) { note(try? JSONSerialization.jsonObject(with: payload)) }
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
  init?(base64URL text: Substring) {
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
  }
}
