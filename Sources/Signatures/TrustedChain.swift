import Crypto
import Foundation
import SwiftASN1
import X509

/// The three certificates of a signed text: the signer's, the intermediate's, the root's.
package struct TrustedChain {
  private let leaf: Certificate
  private let intermediate: Certificate
  private let root: Certificate

  /// The mark of certificates that sign for the App Store.
  private static let leafMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
  /// The mark of the authority that issues them.
  private static let intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

  /// Checks three certificates, from the signer's to the root's, each in DER.
  ///
  /// - Parameter fingerprint: SHA-256 of the only root that is trusted.
  /// - Throws: at the first check that fails.
  package static func signer(of certificates: [Data], root fingerprint: [UInt8]) throws(UntrustedSignature)
    -> TrustedSigner
  {
    guard certificates.count == 3 else {
      throw UntrustedSignature(
        "x5c has \(certificates.count) certificate\(certificates.count == 1 ? "" : "s"), and not exactly three")
    }
    guard SHA256.hash(data: certificates[2]).elementsEqual(fingerprint) else {
      throw UntrustedSignature("the third certificate of x5c is not the root that is trusted")
    }
    let chain = TrustedChain(
      leaf: try certificate(certificates[0], "first"), intermediate: try certificate(certificates[1], "second"),
      root: try certificate(certificates[2], "third"))
    try chain.checkSignatures()
    try chain.checkAuthorities()
    try chain.checkKeyUsage()
    try chain.checkCriticalExtensions()
    try chain.checkMarks()
    return try chain.signer
  }

  private static func certificate(_ bytes: Data, _ position: String) throws(UntrustedSignature) -> Certificate {
    guard let certificate = try? Certificate(derEncoded: Array(bytes)) else {
      throw UntrustedSignature("the \(position) certificate of x5c cannot be read")
    }
    return certificate
  }

  private func checkSignatures() throws(UntrustedSignature) {
    for (certificate, issuer, words) in [
      (leaf, intermediate, "the second certificate of x5c did not sign the first"),
      (intermediate, root, "the root did not sign the second certificate of x5c"),
    ] {
      guard certificate.issuer == issuer.subject,
        issuer.publicKey.isValidSignature(certificate.signature, for: certificate)
      else { throw UntrustedSignature(words) }
    }
  }

  /// Only an authority may issue. A root of the first version of the format cannot say that it is one; it is
  /// trusted because it is pinned.
  private func checkAuthorities() throws(UntrustedSignature) {
    guard Self.mayIssue(intermediate, authoritiesBelow: 0) else {
      throw UntrustedSignature("the second certificate of x5c is no certificate authority's")
    }
    guard root.version == .v1 || Self.mayIssue(root, authoritiesBelow: 1) else {
      throw UntrustedSignature("the root may not issue certificates of authorities")
    }
  }

  private static func mayIssue(_ certificate: Certificate, authoritiesBelow count: Int) -> Bool {
    guard case .isCertificateAuthority(let most)? = try? certificate.extensions.basicConstraints else { return false }
    return most.map { $0 >= count } ?? true
  }

  /// A certificate that says what its key is for must say that it is for what it did: sign certificates, or texts.
  private func checkKeyUsage() throws(UntrustedSignature) {
    for (certificate, issues, words) in [
      (leaf, false, "the first certificate of x5c may not sign: its key usage lacks digitalSignature"),
      (intermediate, true, "the second certificate of x5c may not sign certificates: its key usage lacks keyCertSign"),
      (root, true, "the root may not sign certificates: its key usage lacks keyCertSign"),
    ] {
      guard certificate.extensions[oid: .X509ExtensionID.keyUsage] != nil else { continue }
      let usage = try? certificate.extensions.keyUsage
      guard issues ? usage?.keyCertSign == true : usage?.digitalSignature == true else {
        throw UntrustedSignature(words)
      }
    }
  }

  /// An extension that is critical forbids the certificate to whoever does not know it. Those known here are the
  /// ones that are checked. Source: RFC 5280, section 4.2.
  private func checkCriticalExtensions() throws(UntrustedSignature) {
    let known: [ASN1ObjectIdentifier] = [
      .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage, Self.leafMark, Self.intermediateMark,
    ]
    for (certificate, position) in [(leaf, "first"), (intermediate, "second"), (root, "third")] {
      guard let unknown = certificate.extensions.first(where: { $0.critical && !known.contains($0.oid) }) else {
        continue
      }
      throw UntrustedSignature(
        "the \(position) certificate of x5c has the critical extension \(unknown.oid), which is not known")
    }
  }

  private func checkMarks() throws(UntrustedSignature) {
    guard leaf.extensions[oid: Self.leafMark] != nil else {
      throw UntrustedSignature(
        "the first certificate of x5c lacks the mark \(Self.leafMark) of the App Store's signers")
    }
    guard intermediate.extensions[oid: Self.intermediateMark] != nil else {
      throw UntrustedSignature(
        "the second certificate of x5c lacks the mark \(Self.intermediateMark) of Apple's authorities")
    }
  }

  private var signer: TrustedSigner {
    get throws(UntrustedSignature) {
      guard let key = P256.Signing.PublicKey(leaf.publicKey) else {
        throw UntrustedSignature("the first certificate's key is not on the curve P-256, which ES256 signs with")
      }
      let certificates = [leaf, intermediate, root]
      let from = certificates.map(\.notValidBefore).max()?.timeIntervalSince1970 ?? 0
      let through = certificates.map(\.notValidAfter).min()?.timeIntervalSince1970 ?? -1
      guard from <= through else { throw UntrustedSignature("the certificates of x5c are never valid all at once") }
      return TrustedSigner(key: SigningKey(key), validSeconds: Int64(from)...Int64(through))
    }
  }
}
