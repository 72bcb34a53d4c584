import Crypto
import Foundation

/// Puts payloads into JSON Web Signatures of a test authority: ES256, three certificates in `x5c`.
///
/// Source: RFC 7515; RFC 7518, section 3.4.
struct NotificationSigner: Sendable {
  private let key: P256.Signing.PrivateKey
  private let header: String
  private let forgers: [Forger]
  private let ledger: SignatureCache

  /// Who signs with another header or key than the genuine one.
  private struct Forger: Sendable {
    var key: P256.Signing.PrivateKey
    var header: String
  }

  /// What is wrong with a signature.
  enum Forgery: UInt64, CaseIterable { case altered, unsigned, shortChain, otherRoot }

  let authority: TestAuthority
  /// Another authority, which nobody trusts.
  let stranger: TestAuthority

  static let authorityFile = "test-authority.pem"
  static let strangerFile = "test-stranger.pem"

  /// - Parameters:
  ///   - folder: where certificates and signatures of an earlier simulation lie, if there are any.
  ///   - names: the files with signatures in them.
  init(seed: UInt64, folder: String, names: [String]) throws {
    authority = try TestAuthority(seed: seed, retainedAt: "\(folder)/\(Self.authorityFile)")
    stranger = try TestAuthority(seed: ~seed, retainedAt: "\(folder)/\(Self.strangerFile)")
    key = authority.key
    header = Self.header("ES256", authority.chain)
    ledger = SignatureCache(folder: folder, names: names)
    forgers = [
      Forger(key: key, header: header), Forger(key: key, header: Self.header("none", authority.chain)),
      Forger(key: key, header: Self.header("ES256", Array(authority.chain.dropLast()))),
      Forger(key: stranger.key, header: Self.header("ES256", stranger.chain)),
    ]
  }

  private static func header(_ algorithm: String, _ chain: [String]) -> String {
    var header = JSONObjectWriter()
    header.add("alg", algorithm)
    header.add("x5c", raw: "[" + chain.map { "\"\($0)\"" }.joined(separator: ",") + "]")
    return Data(header.object).base64URL
  }

  /// The payload, signed.
  func sign(_ payload: [UInt8]) throws -> String { try sign(payload, key, header) }

  /// The payload with a signature that does not hold.
  ///
  /// - Parameter other: a genuine token, whose signature an altered payload borrows.
  func forge(_ payload: [UInt8], _ forgery: Forgery, borrowing other: String) throws -> String {
    let forger = forgers[Int(forgery.rawValue)]
    switch forgery {
    case .altered: return "\(header).\(Data(payload).base64URL).\(other.split(separator: ".").last ?? "")"
    case .unsigned: return "\(forger.header).\(Data(payload).base64URL)."
    case .shortChain, .otherRoot: return try sign(payload, forger.key, forger.header)
    }
  }

  private func sign(_ payload: [UInt8], _ key: P256.Signing.PrivateKey, _ header: String) throws -> String {
    let input = "\(header).\(Data(payload).base64URL)"
    return "\(input).\(try ledger.signature(of: input, by: key))"
  }
}

extension Data {
  /// Base64 with `-` and `_`, without padding. Source: RFC 4648, section 5.
  var base64URL: String {
    String(
      decoding: base64EncodedString().utf8.compactMap { byte -> UInt8? in
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "="): nil
        default: byte
        }
      }, as: UTF8.self)
  }
}
