import Crypto
import Foundation
import Testing

@testable import Engine
@testable import Measurement
@testable import Signatures

/// What Apple publishes for testing reads as its documentation says.
///
/// Source and licence: the first lines of `ApplePublished.json`.
@Suite("Apple's published notifications")
struct ApplePublishedTests {
  private let published: [String: Any]

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ApplePublished.json")
    published = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
  }

  private func signed(_ name: String) throws -> String {
    "{\"signedPayload\":\"\(try #require((published["signed"] as? [String: String])?[name]))\"}"
  }

  private func certificate(_ name: String) throws -> Data {
    let text = try #require((published["certificates"] as? [String: String])?[name])
    return try #require(Data(base64Encoded: text))
  }

  private func payload(_ name: String) throws -> [String: Any] {
    try #require((published["payloads"] as? [String: Any])?[name] as? [String: Any])
  }

  private func line(_ object: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }

  /// Options that pin the root under which a line's text is signed: the library's tests have had two.
  private func verify(_ line: String) throws -> String {
    let header = try #require(line.split(separator: "\"")[3].split(separator: ".").first)
    let standard = header.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padded = standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
    let bytes = try #require(Data(base64Encoded: padded))
    let json = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
    let chain = try #require(json?["x5c"] as? [String])
    let root = try #require(Data(base64Encoded: chain[2]))
    return "verify: true, root: \"\(SHA256.hash(data: root).map(SignedStore.hex).joined())\""
  }

  @Test("The test notification stands up to every check under the library's own root, and under no other")
  func testNotification() throws {
    let line = try signed("testNotification")
    let options = try verify(line)
    for claims in ["", ", bundle_id: com.example", ", bundle_id: com.example, environment: Sandbox"] {
      let log = try StoreLog([line], options: options + claims)
      #expect(log.faults == [])
      #expect(log.notes == ["not_measured TEST": 1])
    }
    for claims in [", bundle_id: com.examplex", ", environment: Production"] {
      #expect(try StoreLog([line], options: options + claims).reading.rejects.all.map(\.reason) == [.unverified])
    }
    #expect(try StoreLog([line], options: "verify: true").reading.rejects.all.map(\.reason) == [.unverified])
    #expect(try StoreLog([line]).notes == ["not_measured TEST": 1])
  }

  @Test("The signed transaction and renewal stand up to every check")
  func layers() throws {
    let transaction = try #require((published["signed"] as? [String: String])?["transactionInfo"])
    // A signed text of any layer is checked alike; as a notification it has no type.
    let line = try signed("transactionInfo")
    let log = try StoreLog([line], options: verify(line))
    #expect(log.faults == ["missing_field: notificationType is missing"])
    let bent = line.replacingOccurrences(of: String(transaction.suffix(8)), with: "AAAAAAAA")
    #expect(
      try StoreLog([bent], options: verify(line)).reading.rejects.all.map(\.reason)
        == [.unverified])
    let renewal = try signed("renewalInfo")
    let renewalLog = try StoreLog([renewal], options: verify(renewal))
    #expect(renewalLog.faults == ["missing_field: notificationType is missing"])
  }

  @Test("A notification of another app, without a date of its signature, is not believed")
  func wrongBundle() throws {
    let line = try signed("wrongBundleId")
    let options = try verify(line) + ", bundle_id: com.example"
    #expect(try StoreLog([line], options: options).reading.rejects.all.map(\.reason) == [.unverified])
  }

  @Test("Apple's own chain leads to the root that is pinned")
  func appleChain() throws {
    let apple = try RootCertificate.fingerprint(nil, relativeTo: URL(filePath: "/job.yml"))
    let chain = try ["appleSigner", "appleIntermediate", "appleRoot"].map(certificate)
    let signer = try TrustedChain.signer(of: chain, root: apple)
    // 19 September 2025 to 13 October 2027, the signer's own dates being the narrowest.
    #expect(signer.validSeconds == 1_758_311_091...1_823_449_643)
    let library = try TrustedChain.signer(
      of: ["leaf", "intermediate", "root"].map(certificate), root: Array(SHA256.hash(data: certificate("root"))))
    #expect(library.validSeconds.contains(1_681_312_846))
  }

  @Test(
    "The library's forged chains are refused",
    arguments: [
      (["leafWithoutMark", "intermediate", "root"], "root"),
      (["leafOfIntermediateWithoutMark", "intermediateWithoutMark", "root"], "root"),
      (["leaf", "intermediate", "root"], "appleRoot"), (["leaf", "intermediate", "appleRoot"], "appleRoot"),
      (["leaf", "appleIntermediate", "appleRoot"], "appleRoot"), (["leaf", "intermediate"], "root"),
      (["intermediate", "leaf", "root"], "root"),
    ])
  func forged(chain: [String], root: String) throws {
    let certificates = try chain.map(certificate)
    let fingerprint = Array(SHA256.hash(data: try certificate(root)))
    #expect(throws: UntrustedSignature.self) { try TrustedChain.signer(of: certificates, root: fingerprint) }
  }

  @Test("The decoded samples read as their documentation says")
  func samples() throws {
    let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
    var notification = try payload("signedNotification")
    var data = try #require(notification["data"] as? [String: Any])
    data["signedTransactionInfo"] = try payload("signedTransactionWithRevocation")
    data["signedRenewalInfo"] = try payload("signedRenewalInfo")
    notification["data"] = data
    let bought = ReportedEvent(
      type: "purchase", user: token, time: 1_698_148_900_000, product: "com.example.product", micros: 10_990_000,
      currency: "USD", end: 1_698_149_000_000, isSandbox: true)
    #expect(try StoreLog([line(notification)]).events == [bought])
    notification["notificationType"] = "REFUND"
    // Half of the charge, in thousandths of a percent.
    let refunded = ReportedEvent(
      type: "refund", user: token, time: 1_698_148_950_000, product: "com.example.product", micros: 50_000,
      isSandbox: true)
    #expect(try StoreLog([line(notification)]).events == [refunded])
    notification["notificationType"] = "DID_FAIL_TO_RENEW"
    #expect(try StoreLog([line(notification)]).events.map(\.end) == [1_698_148_900_000])
    let user = try StoreLog([line(notification)], options: "user: appTransactionId").events.map(\.user)
    #expect(user == ["71134"])
  }

  @Test(
    "What is told beside purchases is counted by its name",
    arguments: [
      ("signedSummaryNotification", "RENEWAL_EXTENSION/SUMMARY"),
      ("signedExternalPurchaseTokenNotification", "EXTERNAL_PURCHASE_TOKEN/UNREPORTED"),
      ("signedRescindConsentNotification", "RESCIND_CONSENT"),
      ("signedConsumptionRequestNotification", "CONSUMPTION_REQUEST"),
    ])
  func others(name: String, counted: String) throws {
    let text = try line(payload(name))
    #expect(try StoreLog([text]).notes == ["not_measured \(counted)": 1])
    // The same, signed, and its app checked wherever the payload names it.
    guard name != "signedConsumptionRequestNotification" else { return }
    let store = try SignedStore()
    let dated = text.replacingOccurrences(of: "1698148900000", with: "\(milliseconds(3))")
    let log = try store.read([store.post(store.sign(dated))], options: "bundle_id: com.example")
    #expect(log.faults == [])
    #expect(log.notes == ["not_measured \(counted)": 1])
    let foreign = try store.read([store.post(store.sign(dated))], options: "bundle_id: com.other")
    #expect(foreign.reading.rejects.all.map(\.reason) == [.unverified])
  }
}
