import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import Platform
@testable import Simulation

@Suite("Notifications signed by a test authority")
struct NotificationSignerTests {
  private let signer: NotificationSigner

  init() throws {
    signer = try NotificationSigner(seed: 5, folder: "/nowhere", names: [])
  }

  private struct Header: Decodable {
    var alg: String
    var x5c: [String]
  }

  private func certificates(_ token: String) throws -> [Certificate] {
    let head = try #require(Data(base64URL: token.split(separator: ".")[0]))
    return try JSONDecoder().decode(Header.self, from: head).x5c.map { text in
      let der = try #require(Data(base64Encoded: text))
      return try Certificate(derEncoded: Array(der))
    }
  }

  /// The token's signature is by the key of its first certificate.
  private func holds(_ token: String) throws -> Bool {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    let certificate = try #require(try certificates(token).first)
    let leaf = try #require(P256.Signing.PublicKey(certificate.publicKey))
    guard let raw = Data(base64URL: parts[2]),
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
    else { return false }
    return leaf.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
  }

  @Test("carry three certificates that lead from the marked leaf to the root")
  func chain() async throws {
    let token = try signer.sign(Array("{}".utf8))
    let chain = try certificates(token)
    #expect(chain.count == 3)
    #expect(try holds(token))
    #expect(chain[0].extensions[oid: TestAuthority.leafMarker] != nil)
    #expect(chain[1].extensions[oid: TestAuthority.intermediateMarker] != nil)
    let root = try Certificate(pemEncoded: signer.authority.rootPEM)
    #expect(chain[2] == root)
    var verifier = Verifier(rootCertificates: CertificateStore([root])) {
      RFC5280Policy()
    }
    let result = await verifier.validate(leaf: chain[0], intermediates: CertificateStore([chain[1]]))
    guard case .validCertificate = result else { Issue.record("\(result)"); return }
  }

  @Test("are forged so that each forgery has one fault")
  func forgeries() throws {
    let payload = Array("{\"price\":1}".utf8)
    let genuine = try signer.sign(Array("{}".utf8))
    func forged(_ forgery: NotificationSigner.Forgery) throws -> String {
      try signer.forge(payload, forgery, borrowing: genuine)
    }
    let altered = try forged(.altered)
    #expect(try !holds(altered))
    #expect(try certificates(altered).count == 3)
    #expect(try forged(.unsigned).hasSuffix("."))
    let short = try forged(.shortChain)
    #expect(try holds(short))
    #expect(try certificates(short).count == 2)
    let other = try forged(.otherRoot)
    let root = try Certificate(pemEncoded: signer.authority.rootPEM)
    #expect(try holds(other))
    #expect(try certificates(other)[2] != root)
  }

  @Test("have keys that follow from the seed")
  func keys() throws {
    let key = try TestAuthority.key(seed: 5, index: 0)
    #expect(key.rawRepresentation == signer.authority.key.rawRepresentation)
    for (seed, index) in [(6, 0), (5, 1)] as [(UInt64, UInt64)] {
      let other = try TestAuthority.key(seed: seed, index: index)
      #expect(other.rawRepresentation != key.rawRepresentation)
    }
  }

  @Test("keep one signature for one payload, in this run and in the next")
  func record() throws {
    let folder = NSTemporaryDirectory() + "signer-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let inner = try signer.sign(Array("{\"inner\":1}".utf8))
    let token = try signer.sign(Array("{\"token\":\"\(inner)\"}".utf8))
    #expect(try signer.sign(Array("{\"inner\":1}".utf8)) == inner)
    try FileWriter.write(Array(signer.authority.pem.utf8), replacing: "\(folder)/\(NotificationSigner.authorityFile)")
    let packed = GzipWriter.pack(Array("{\"signedPayload\":\"\(token)\",,\n".utf8))
    try FileWriter.write(packed, replacing: "\(folder)/n.gz")
    let again = try NotificationSigner(seed: 5, folder: folder, names: ["n.gz", "missing.gz"])
    #expect(try again.sign(Array("{\"inner\":1}".utf8)) == inner)
    #expect(try again.sign(Array("{\"token\":\"\(inner)\"}".utf8)) == token)
  }

  @Test("do not take over a signature that does not hold")
  func damaged() throws {
    let folder = NSTemporaryDirectory() + "signer-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let token = try signer.sign(Array("{}".utf8))
    let damaged =
      token.split(separator: ".").dropLast().joined(separator: ".") + "." + String(repeating: "A", count: 86)
    try FileWriter.write(Array(signer.authority.pem.utf8), replacing: "\(folder)/\(NotificationSigner.authorityFile)")
    try FileWriter.write(Array(damaged.utf8), replacing: "\(folder)/n.gz")
    let again = try NotificationSigner(seed: 5, folder: folder, names: ["n.gz"])
    #expect(try holds(again.sign(Array("{}".utf8))))
  }
}
