import Crypto
import Foundation

/// Why a signed text is not to be believed, in a few words.
package struct UntrustedSignature: Error {
  package let why: String

  init(_ why: String) {
    self.why = why
  }
}

/// Who may sign for the store, and when: what three certificates that stand up to every check come to.
///
/// Source of the checks: RFC 5280, sections 4.1 and 6.1; of the marks: Apple, App Store Server API,
/// `JWSTransaction`, and Apple Worldwide Developer Relations, Certification Practice Statement.
package struct TrustedSigner: Sendable {
  let key: SigningKey
  /// Seconds since 1970 during which all three certificates are valid, both ends included.
  let validSeconds: ClosedRange<Int64>

  /// Checks a signature by ES256. Source: RFC 7518, section 3.4.
  ///
  /// - Parameters:
  ///   - signature: the 64 bytes as they were sent.
  ///   - signed: the bytes it is over.
  ///   - signedDate: when it was made, in milliseconds since 1970.
  /// - Throws: where the certificates were not valid then, or somebody else signed.
  package func check(
    _ signature: RawSpan, of signed: RawSpan, signedDate: Int64
  ) throws(UntrustedSignature) {
    guard validSeconds.contains((signedDate < 0 ? signedDate - 999 : signedDate) / 1000) else {
      throw UntrustedSignature("the certificates were not valid when it was signed")
    }
    guard signature.byteCount == 64,
      let signature = try? P256.Signing.ECDSASignature(
        rawRepresentation: signature.withUnsafeBytes { Data($0) })
    else { throw UntrustedSignature("the signature is not the 64 bytes of ES256") }
    var hash = SHA256()
    signed.withUnsafeBytes { hash.update(bufferPointer: $0) }
    guard key.signed(signature, of: hash.finalize()) else {
      throw UntrustedSignature("the signature is not of this payload")
    }
  }
}
