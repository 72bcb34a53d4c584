import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate authority that signs notifications as Apple does, or not quite: each member that a test sets
/// makes one thing about it wrong.
struct StoreAuthority {
  let rootKey = P256.Signing.PrivateKey()
  let intermediateKey = P256.Signing.PrivateKey()
  let leafKey = P256.Signing.PrivateKey()

  var leafMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
  var intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]
  var intermediateConstraints = BasicConstraints.isCertificateAuthority(maxPathLength: 0)
  var rootConstraints = BasicConstraints.isCertificateAuthority(maxPathLength: nil)
  /// What each certificate's key is said to be for, from the leaf's to the root's; nil says nothing.
  var keyUsages: [KeyUsage?] = [
    KeyUsage(digitalSignature: true), KeyUsage(keyCertSign: true, cRLSign: true),
    KeyUsage(keyCertSign: true, cRLSign: true),
  ]
  /// One more extension of the leaf, the intermediate, the root.
  var extensions: [Certificate.Extension?] = [nil, nil, nil]
  /// Days of March 2026.
  var leafDays = 1...60
  /// Nil is `leafKey`'s.
  var leafPublicKey: Certificate.PublicKey?
  /// What the leaf calls its issuer.
  var leafIssuer = "Intermediate"

  func root() throws -> Certificate {
    try certificate("Root", .init(rootKey.publicKey), issuer: "Root", rootKey, days: -3000...3000) {
      Critical(rootConstraints)
      for more in try more(2) { more }
    }
  }

  func intermediate() throws -> Certificate {
    try certificate("Intermediate", .init(intermediateKey.publicKey), issuer: "Root", rootKey, days: -2000...2000) {
      Critical(intermediateConstraints)
      for more in try more(1) { more }
      mark(intermediateMark)
    }
  }

  func leaf() throws -> Certificate {
    let key = leafPublicKey ?? .init(leafKey.publicKey)
    return try certificate("Leaf", key, issuer: leafIssuer, intermediateKey, days: leafDays) {
      Critical(BasicConstraints.notCertificateAuthority)
      for more in try more(0) { more }
      mark(leafMark)
    }
  }

  /// What the certificate has beside its constraints and its mark.
  private func more(_ position: Int) throws -> [Certificate.Extension] {
    let usage = try keyUsages[position].map { try Certificate.Extension($0, critical: true) }
    return [usage, extensions[position]].compactMap(\.self)
  }

  private func mark(_ oid: ASN1ObjectIdentifier) -> Certificate.Extension {
    Certificate.Extension(oid: oid, critical: false, value: [5, 0])
  }

  private func certificate(
    _ name: String, _ key: Certificate.PublicKey, issuer: String, _ issuerKey: P256.Signing.PrivateKey,
    days: ClosedRange<Int>, @ExtensionsBuilder extensions: () throws -> Result<Certificate.Extensions, any Error>
  ) throws -> Certificate {
    try Certificate(
      version: .v3, serialNumber: .init(), publicKey: key, notValidBefore: Self.noon(days.lowerBound),
      notValidAfter: Self.noon(days.upperBound), issuer: DistinguishedName { OrganizationName(issuer) },
      subject: DistinguishedName { OrganizationName(name) }, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: Certificate.Extensions(builder: extensions), issuerPrivateKey: .init(issuerKey))
  }

  private static func noon(_ day: Int) -> Date { Date(timeIntervalSince1970: Double(milliseconds(day)) / 1000) }

  // MARK: - Signing

  static func der(_ certificate: Certificate) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }

  func chain() throws -> [Certificate] { try [leaf(), intermediate(), root()] }

  /// A signed text; `x5c` stands for the chain as JSON.
  ///
  /// - Parameter more: further members of the header, `,"crit":[]`.
  func sign(
    _ payload: String, chain: [Certificate], algorithm: String = "ES256", x5c: String? = nil, more: String = ""
  ) throws -> String {
    let certificates = try chain.map { "\"\(Data(try Self.der($0)).base64EncodedString())\"" }
    let list = x5c ?? "[\(certificates.joined(separator: ","))]"
    let header = "{\"alg\":\"\(algorithm)\",\"x5c\":\(list),\"typ\":\"JWT\"\(more)}"
    let signed = "\(base64URL(Array(header.utf8))).\(base64URL(Array(payload.utf8)))"
    return "\(signed).\(base64URL(try leafKey.signature(for: Data(signed.utf8)).rawRepresentation))"
  }
}

/// A chain made once, and lines signed by it.
struct SignedStore {
  let authority: StoreAuthority
  let chain: [Certificate]

  init(_ authority: StoreAuthority = StoreAuthority()) throws {
    self.authority = authority
    chain = try authority.chain()
  }

  var fingerprint: String { get throws { try Self.fingerprint(chain[2]) } }

  static func fingerprint(_ certificate: Certificate) throws -> String {
    SHA256.hash(data: try StoreAuthority.der(certificate)).map { hex($0) }.joined()
  }

  static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  func sign(_ payload: String) throws -> String { try authority.sign(payload, chain: chain) }

  /// A notification all of whose layers are signed.
  func line(_ notification: StoreNotification) throws -> String {
    let inner = try [notification.transactionJSON, notification.renewalJSON ?? ""].reduce(into: [:]) {
      $0[$1] = "\"\(try sign($1))\""
    }
    return try post(sign(notification.json { inner[$0] ?? "" }))
  }

  func post(_ text: String) -> String { "{\"signedPayload\":\"\(text)\"}" }

  /// What verified reading of lines comes to.
  func read(_ lines: [String], options: String = "", root: String? = nil) throws -> StoreLog {
    let root = try root ?? fingerprint
    return try StoreLog(lines, options: "verify: true, root: \"\(root)\"\(options.isEmpty ? "" : ", \(options)")")
  }
}
