import Crypto
import Foundation

/// Signatures that an earlier simulation has left in its files.
///
/// ECDSA draws a new number for each signature, so the same notification signed twice differs. A folder that is
/// written anew keeps the signatures it has, where they still hold, and so all of its bytes.
struct SignatureBook: Sendable {
  private var known: [Data: String] = [:]

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
  private mutating func note(_ value: Any?) {
    switch value {
    case let object as [String: Any]: for member in object.values { note(member) }
    case let array as [Any]: for member in array { note(member) }
    case let text as String: note(token: text)
    default: break
    }
  }

  private mutating func note(token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return }
    known[Self.key("\(parts[0]).\(parts[1])")] = String(parts[2])
    if let payload = Data(base64URL: parts[1]) { note(try? JSONSerialization.jsonObject(with: payload)) }
  }

  /// The signature of an earlier simulation if it holds, else a new one.
  func signature(of input: String, by key: P256.Signing.PrivateKey) throws -> String {
    if let text = known[Self.key(input)], let raw = Data(base64URL: text[...]),
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw),
      key.publicKey.isValidSignature(signature, for: Data(input.utf8))
    {
      return text
    }
    return try key.signature(for: Data(input.utf8)).rawRepresentation.base64URL
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
