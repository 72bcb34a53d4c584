import Foundation
import Jobs
import Signatures
import Synchronization

/// Checks that signed texts are the App Store's own, without asking anybody: `verify: true`.
///
/// One serves all threads of a run. A store signs with few keys, so whom a header names is found out once.
final class NotificationVerifier: Sendable {
  /// SHA-256 of the root certificate that is trusted.
  let root: [UInt8]
  private let bundleID: [UInt8]?
  private let environment: [UInt8]?
  /// What headers came to, by their bytes as they were sent.
  private let signers = Mutex<[[UInt8]: Result<TrustedSigner, EventDecoder.Fault>]>([:])

  /// How many headers are kept; a log of made-up ones must not fill the memory.
  private static let signerLimit = 64

  private typealias Fault = EventDecoder.Fault

  /// - Parameter root: SHA-256 of the root certificate.
  init(_ verification: PurchaseInput.Verification, root: [UInt8]) {
    self.root = root
    bundleID = verification.bundleID.map { Array($0.utf8) }
    environment = verification.environment.map { Array($0.utf8) }
  }

  // MARK: - Signatures

  /// The signer that a header names.
  ///
  /// - Parameter read: the header's members, asked for where its bytes are new.
  /// - Throws: `unverified` where it is not to be trusted, and what `read` throws.
  func signer(
    _ header: Text,
    read: () throws(EventDecoder.Fault) -> Record<SignatureHeaderMember>
  ) throws(EventDecoder.Fault) -> TrustedSigner {
    let bytes = Array(header)
    if let known = signers.withLock({ $0[bytes] }) { return try known.get() }
    let members = try read()
    let found = Result<TrustedSigner, Fault> { () throws(Fault) in
      let certificates = try Self.certificates(members)
      do throws(UntrustedSignature) {
        return try TrustedChain.signer(of: certificates, root: root)
      } catch {
        throw .unverified(error.why)
      }
    }
    signers.withLock { signers in
      if signers.count >= Self.signerLimit { signers.removeAll() }
      signers[bytes] = found
    }
    return try found.get()
  }

  /// The certificates of a header that names the one algorithm the store uses.
  private static func certificates(_ header: Record<SignatureHeaderMember>) throws(Fault) -> [Data] {
    guard header[.alg].kind == .string, header[.alg].bytes.isEqual("ES256") else {
      throw .unverified("the header's alg is \"\(header.text(.alg).plain)\"; only ES256 is trusted")
    }
    // Both change what a signature means; the store sends neither. Source: RFC 7515, section 4.1.11; RFC 7797.
    for member in [SignatureHeaderMember.crit, .b64] where !header[member].isAbsent {
      throw .unverified("the header has \(member), which no notification of the store has")
    }
    guard let chain = header[.x5c].elements(limit: 16) else {
      throw .unverified("the header has no x5c of three certificates")
    }
    let strings = JSONCells<JSONValue>()
    var certificates: [Data] = []
    for element in chain {
      guard let text = strings.value(element), text.kind == .string,
        let certificate = Data(base64Encoded: Data(text.bytes))
      else { throw .unverified("a certificate of x5c is not base 64") }
      certificates.append(certificate)
    }
    return certificates
  }

  /// Checks the signature of a text whose payload was signed at `signedDate`, in milliseconds.
  ///
  /// - Throws: `unverified` where the signer's certificates were not valid then, or somebody else signed.
  func check(
    _ text: CompactSignature, by signer: TrustedSigner, signedDate: Int64, of name: String
  ) throws(EventDecoder.Fault) {
    do throws(UntrustedSignature) {
      try signer.check(
        text.signature.span.bytes, of: text.signed.span.bytes, signedDate: signedDate)
    } catch {
      throw .unverified("\(name): \(error.why)")
    }
  }

  // MARK: - Claims

  /// Checks whose app a notification is about, and in which environment: as the job says, and the same in
  /// every layer.
  func checkClaims(_ notification: Notification) throws(EventDecoder.Fault) {
    let (payload, transaction) = (notification.payload, notification.transaction)
    let bundle = Self.first(of: payload, [.bundleId, .summaryBundleId, .appDataBundleId, .tokenBundleId])
    try Self.check("bundleId", bundle, wanted: bundleID)
    if let transaction { try Self.check("bundleId", bundle, inside: transaction.text(.bundleId)) }
    // A token for purchases elsewhere is of no environment, and of no money.
    if transaction == nil, !payload.text(.tokenBundleId).isEmpty { return }
    let environment = Self.first(of: payload, [.environment, .summaryEnvironment, .appDataEnvironment])
    try Self.check("environment", environment, wanted: self.environment)
    // The layers did not always tell it.
    for inside in [transaction?.text(.environment), notification.renewal?.text(.environment)] {
      if let inside, !inside.isEmpty { try Self.check("environment", environment, inside: inside) }
    }
  }

  /// The same of a transaction alone, about which nothing but it and its renewal is signed.
  func checkClaims(_ state: TransactionState) throws(EventDecoder.Fault) {
    let environment = state.transaction.text(.environment)
    if let other = state.renewalOfOther {
      throw .unverified(
        "signedRenewalInfo is of \"\(other.shown)\", and the transaction of "
          + "\"\(state.transaction.text(.originalTransactionId).shown)\"")
    }
    try Self.check("bundleId", state.transaction.text(.bundleId), wanted: bundleID)
    try Self.check("environment", environment, wanted: self.environment)
    guard let inside = state.renewal?.text(.environment), !inside.isEmpty, !inside.elementsEqual(environment) else {
      return
    }
    throw .unverified(
      "environment is \"\(environment.shown)\" in the transaction and \"\(inside.shown)\" in its renewal")
  }

  /// What the one kind of data says that a notification has.
  private static func first(
    of payload: Record<NotificationMember>, _ members: [NotificationMember]
  ) -> Text {
    members.lazy.map { payload.text($0) }.first { !$0.isEmpty } ?? .empty
  }

  private static func check(_ name: String, _ claim: Text, wanted: [UInt8]?) throws(Fault) {
    guard let wanted, !claim.elementsEqual(wanted) else { return }
    throw .unverified("\(name) is \"\(claim.shown)\", and the job wants \"\(String(decoding: wanted, as: UTF8.self))\"")
  }

  private static func check(
    _ name: String, _ claim: Text, inside: Text
  ) throws(Fault) {
    guard !inside.elementsEqual(claim) else { return }
    throw .unverified("\(name) is \"\(claim.shown)\" in the notification and \"\(inside.shown)\" inside it")
  }
}

extension EventDecoder.Fault {
  static func unverified(_ detail: String) -> Self { Self(reason: .unverified, detail: detail) }
}
