import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import Domain

@Suite("Chains of certificates")
struct CertificateChainTests: SignedNotification {
  @Test("A chain is exactly three certificates, and each of them one")
  func chains() throws {
    let store = try SignedStore()
    func line(_ chain: [Certificate], x5c: String? = nil) throws -> String {
      try store.post(store.authority.sign(Self.sold.decoded, chain: chain, x5c: x5c))
    }
    let leaf = "\"\(Data(try StoreAuthority.der(store.chain[0])).base64EncodedString())\""
    let root = "\"\(Data(try StoreAuthority.der(store.chain[2])).base64EncodedString())\""
    let cases = [
      (try line(Array(store.chain.prefix(2))), "x5c has 2 certificates, and not exactly three"),
      (try line(store.chain + [store.chain[2]]), "x5c has 4 certificates, and not exactly three"),
      (try line([]), "x5c has 0 certificates, and not exactly three"),
      (try line([], x5c: "null"), "the header has no x5c of three certificates"),
      (try line([], x5c: "{}"), "the header has no x5c of three certificates"),
      (try line([], x5c: "[1,2,3]"), "a certificate of x5c is not base 64"),
      (try line([], x5c: "[\(leaf),\"a-b_\",\(root)]"), "a certificate of x5c is not base 64"),
      (try line([], x5c: "[\(leaf),\"AAAA\",\(root)]"), "the second certificate of x5c cannot be read"),
    ]
    for (line, words) in cases {
      #expect(try doubt(line, store) == "signedPayload: \(words)")
    }
    let missing = "\(base64URL(Array("{\"alg\":\"ES256\",\"x5cwrong\":[]}".utf8))).e30.AAAA"
    #expect(try doubt(store.post(missing), store) == "signedPayload: the header has no x5c of three certificates")
  }

  @Test("Each certificate is signed by the next, and named by it")
  func swapped() throws {
    let store = try SignedStore()
    let other = try SignedStore()
    func line(_ chain: [Certificate]) throws -> String {
      try store.post(store.authority.sign(Self.sold.decoded, chain: chain))
    }
    let unsigned = "signedPayload: the second certificate of x5c did not sign the first"
    #expect(try doubt(line([store.chain[0], other.chain[1], store.chain[2]]), store) == unsigned)
    #expect(try doubt(line([other.chain[0], store.chain[1], store.chain[2]]), store) == unsigned)
    #expect(try doubt(line([store.chain[0], store.chain[2], store.chain[2]]), store) == unsigned)
    #expect(
      try doubt(line([other.chain[0], other.chain[1], store.chain[2]]), store)
        == "signedPayload: the root did not sign the second certificate of x5c")
    #expect(try doubt { $0.leafIssuer = "Somebody" } == unsigned)
  }

  @Test("The marks of Apple's certificates must be there")
  func marks() throws {
    #expect(
      try doubt { $0.leafMark = [1, 2, 840, 113635, 100, 6, 11, 2] }?
        .contains("lacks the mark 1.2.840.113635.100.6.11.1") == true)
    #expect(
      try doubt { $0.intermediateMark = [1, 2, 840, 113635, 100, 6, 2, 2] }?
        .contains("lacks the mark 1.2.840.113635.100.6.2.1") == true)
  }

  @Test("Only authorities issue certificates")
  func authorities() throws {
    #expect(
      try doubt { $0.intermediateConstraints = .notCertificateAuthority }
        == "signedPayload: the second certificate of x5c is no certificate authority's")
    #expect(
      try doubt { $0.rootConstraints = .isCertificateAuthority(maxPathLength: 0) }
        == "signedPayload: the root may not issue certificates of authorities")
    #expect(try doubt { $0.rootConstraints = .notCertificateAuthority } != nil)
    #expect(try doubt { $0.rootConstraints = .isCertificateAuthority(maxPathLength: 1) } == nil)
  }

  @Test("A certificate that says what its key is for may do nothing else")
  func keyUsage() throws {
    let words = [
      "the first certificate of x5c may not sign: its key usage lacks digitalSignature",
      "the second certificate of x5c may not sign certificates: its key usage lacks keyCertSign",
      "the root may not sign certificates: its key usage lacks keyCertSign",
    ]
    let others = [
      KeyUsage(keyCertSign: true), KeyUsage(digitalSignature: true, cRLSign: true), KeyUsage(cRLSign: true),
    ]
    for position in 0..<3 {
      #expect(try doubt { $0.keyUsages[position] = others[position] } == "signedPayload: \(words[position])")
      #expect(try doubt { $0.keyUsages[position] = KeyUsage() } == "signedPayload: \(words[position])")
      // RFC 5280, section 6.1.4: one that says nothing is not restricted.
      #expect(try doubt { $0.keyUsages[position] = nil } == nil)
      let unreadable = Certificate.Extension(oid: .X509ExtensionID.keyUsage, critical: true, value: [4, 1, 0])
      #expect(
        try doubt {
          $0.keyUsages[position] = nil
          $0.extensions[position] = unreadable
        } == "signedPayload: \(words[position])")
    }
  }

  @Test("A critical extension that is not known forbids the certificate, another does not")
  func criticalExtensions() throws {
    for (position, name) in ["first", "second", "third"].enumerated() {
      // Name constraints, extended key usage, and one that nobody knows.
      for oid in [[2, 5, 29, 30], [2, 5, 29, 37], [1, 2, 3, 4]] as [ASN1ObjectIdentifier] {
        #expect(
          try doubt { $0.extensions[position] = .init(oid: oid, critical: true, value: [5, 0]) }
            == "signedPayload: the \(name) certificate of x5c has the critical extension \(oid), which is not known")
        #expect(try doubt { $0.extensions[position] = .init(oid: oid, critical: false, value: [5, 0]) } == nil)
      }
    }
  }

  @Test("The signer's key is on the curve of ES256")
  func curves() throws {
    #expect(
      try doubt { $0.leafPublicKey = .init(P384.Signing.PrivateKey().publicKey) }
        == "signedPayload: the first certificate's key is not on the curve P-256, which ES256 signs with")
    #expect(
      try doubt { $0.leafPublicKey = .init(P256.Signing.PrivateKey().publicKey) }
        == "signedPayload: the signature is not of this payload")
  }

  @Test("Certificates must have been valid when each text was signed, to the second")
  func validity() throws {
    let expired = "the certificates were not valid when it was signed"
    #expect(try doubt { $0.leafDays = -30...1 } == "signedPayload: \(expired)")
    #expect(try doubt { $0.leafDays = 3...30 } == "signedPayload: \(expired)")
    #expect(try doubt { $0.leafDays = 2...30 } == nil)
    // Each text has a date of its own.
    var notification = Self.sold
    notification.transaction["signedDate"] = "\(milliseconds(1))"
    #expect(try doubt(notification) { $0.leafDays = 2...30 } == "data.signedTransactionInfo: \(expired)")
    notification = Self.sold
    notification.renewal = ["signedDate": "\(milliseconds(1))"]
    #expect(try doubt(notification) { $0.leafDays = 2...30 } == "data.signedRenewalInfo: \(expired)")
    for (milliseconds, isValid) in [(milliseconds(2) + 999, true), (milliseconds(2) + 1000, false)] {
      notification = Self.sold
      notification.payload["signedDate"] = "\(milliseconds)"
      notification.transaction["signedDate"] = "\(milliseconds)"
      notification.renewal = nil
      #expect(try (doubt(notification) { $0.leafDays = -9...2 } == nil) == isValid)
    }
    notification = Self.sold
    notification.payload["signedDate"] = ""
    #expect(try doubt(notification) { _ in } == "signedPayload: no signedDate tells when it was signed")
  }
}
