import Crypto
import Domain
import Foundation
import SwiftASN1
import X509

/// A certificate authority of a scenario's own, which signs notifications as Apple signs its.
///
/// Root, intermediate and leaf with the marker extensions that a reader looks for. The keys follow from the seed;
/// the certificates are kept beside the data once they are made, as an ECDSA signature is new each time.
struct TestAuthority: Sendable {
  /// The three certificates, root last, as `x5c` holds them.
  let chain: [String]
  let key: P256.Signing.PrivateKey
  /// The three certificates as PEM, one after the other; and the root alone.
  let pem: String
  let rootPEM: String

  static let rootFile = "test-root.pem"
  static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
  static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

  /// The authority whose certificates are in the file at `path`, else a new one.
  init(seed: UInt64, retainedAt path: String) throws {
    let keys = try (0..<3).map { try Self.key(seed: seed, index: $0) }
    let certificates = try Self.retained(at: path, keys) ?? Self.issue(keys)
    key = keys[0]
    chain = try certificates.map { Data(try Self.der($0)).base64EncodedString() }
    let texts = try certificates.map { try $0.serializeAsPEM().pemString + "\n" }
    pem = texts.joined()
    rootPEM = texts[2]
  }

  /// A key that is a function of the seed; for tests only, as whoever knows the seed knows the key.
  static func key(seed: UInt64, index: UInt64) throws -> P256.Signing.PrivateKey {
    var draws = SeededGenerator(seed: seed, stream: .key, index: index)
    var bytes: [UInt8] = [1]
    while bytes.count < 32 { bytes.append(UInt8(truncatingIfNeeded: draws.next())) }
    return try P256.Signing.PrivateKey(rawRepresentation: bytes)
  }

  /// Certificates made earlier for the same keys.
  private static func retained(at path: String, _ keys: [P256.Signing.PrivateKey]) -> [Certificate]? {
    guard let data = FileManager.default.contents(atPath: path),
      let documents = try? PEMDocument.parseMultiple(pemString: String(decoding: data, as: UTF8.self))
    else { return nil }
    let certificates = documents.compactMap { try? Certificate(pemDocument: $0) }
    return certificates.map(\.publicKey) == keys.map { Certificate.PublicKey($0.publicKey) } ? certificates : nil
  }

  private static func issue(_ keys: [P256.Signing.PrivateKey]) throws -> [Certificate] {
    let root = try name("Offerlift Test Root CA")
    let intermediate = try name("Offerlift Test Intermediate CA")
    let leaf = try name("Offerlift Test Notifications")
    return [
      try certificate(
        leaf, keys[0], serial: 3, issuer: intermediate, keys[1],
        Certificate.Extensions {
          Critical(BasicConstraints.notCertificateAuthority)
          Critical(KeyUsage(digitalSignature: true))
          marker(leafMarker)
        }),
      try certificate(
        intermediate, keys[1], serial: 2, issuer: root, keys[2],
        Certificate.Extensions {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
          Critical(KeyUsage(keyCertSign: true, cRLSign: true))
          marker(intermediateMarker)
        }),
      try certificate(
        root, keys[2], serial: 1, issuer: root, keys[2],
        Certificate.Extensions {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
          Critical(KeyUsage(keyCertSign: true, cRLSign: true))
        }),
    ]
  }

  private static func certificate(
    _ subject: DistinguishedName, _ key: P256.Signing.PrivateKey, serial: Int, issuer: DistinguishedName,
    _ issuerKey: P256.Signing.PrivateKey, _ extensions: Certificate.Extensions
  ) throws -> Certificate {
    try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(serial), publicKey: .init(key.publicKey),
      notValidBefore: day(2024), notValidAfter: day(2035), issuer: issuer, subject: subject,
      signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions, issuerPrivateKey: .init(issuerKey))
  }

  private static func name(_ commonName: String) throws -> DistinguishedName {
    try DistinguishedName { CommonName(commonName) }
  }

  private static func marker(_ oid: ASN1ObjectIdentifier) -> Certificate.Extension {
    Certificate.Extension(oid: oid, critical: false, value: [0x05, 0x00])
  }

  /// New Year of a year, UTC.
  private static func day(_ year: Int64) -> Date {
    Date(timeIntervalSince1970: Double(CivilDate(year: year, month: 1, dayOfMonth: 1).day * 86_400))
  }

  private static func der(_ certificate: Certificate) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }
}
