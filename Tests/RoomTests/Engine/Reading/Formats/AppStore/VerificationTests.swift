import Foundation
import SwiftASN1
import Testing

@testable import Domain

@Suite("Verified notifications")
struct VerificationTests: SignedNotification {
  @Test("What the pinned root's own chain signed is believed, in every form that is signed")
  func genuine() throws {
    let store = try SignedStore()
    let line = try store.line(Self.sold)
    #expect(try doubt(line, store) == nil)
    #expect(try doubt(StoreNotification.page([line]), store) == nil)
    #expect(try doubt(line, store, options: "bundle_id: com.example, environment: Production") == nil)
    #expect(try doubt { _ in } == nil)
    let escaped = try store.authority.sign(
      Self.sold.json { (try? "\"\(store.sign($0))\"") ?? "" }, chain: store.chain,
      x5c:
        "[ \(try store.chain.map { "\"\(Data(try StoreAuthority.der($0)).base64EncodedString().replacingOccurrences(of: "/", with: "\\/"))\"" }.joined(separator: " , ")) ]"
    )
    #expect(try doubt(store.post(escaped), store) == nil)
    let test = try store.read([store.line(StoreNotification("TEST"))])
    #expect(test.notes == ["not_measured TEST": 1])
  }

  @Test("The root is pinned by its fingerprint in any spelling, or by its file in PEM or DER")
  func roots() throws {
    let store = try SignedStore()
    let line = try store.line(Self.sold)
    let hex = try store.fingerprint
    let colons = stride(from: 0, to: 64, by: 2).map { hex.dropFirst($0).prefix(2) }.joined(separator: ":")
    #expect(try doubt(line, store, root: hex.uppercased()) == nil)
    #expect(try doubt(line, store, root: colons.uppercased()) == nil)
    let folder = try TemporaryFolder()
    let der = try StoreAuthority.der(store.chain[2])
    try folder.write("root.der", der)
    try folder.write("root.pem", PEMDocument(type: "CERTIFICATE", derBytes: der).pemString)
    try folder.write("key.pem", store.authority.rootKey.pemRepresentation)
    for file in ["root.der", "root.pem"] {
      let log = try StoreLog([line], options: "verify: true, root: \(file)", folder: folder)
      #expect(log.events.count == 1)
    }
    for (file, exit) in [("key.pem", OfferliftError.ExitCode.badJobFile), ("gone.der", .inputMissing)] {
      do {
        _ = try StoreLog([line], options: "verify: true, root: \(file)", folder: folder)
        Issue.record("\(file) was taken for a root")
      } catch let error as OfferliftError {
        #expect(error.exit == exit)
        #expect(error.message.contains("root: \"\(file)\""))
      }
    }
  }

  @Test("Nothing but Apple's root is trusted unless the job says so")
  func appleRoot() throws {
    let store = try SignedStore()
    let log = try StoreLog([store.line(Self.sold)], options: "verify: true")
    #expect(log.faults == ["unverified: signedPayload: the third certificate of x5c is not the root that is trusted"])
    #expect(try doubt(SignedStore().line(Self.sold), store)?.contains("not the root that is trusted") == true)
  }

  @Test("A layer that is not production's makes the notification no sale")
  func environments() throws {
    var (inner, renewal, all) = (Self.sold, Self.sold, Self.sold)
    inner.transaction["environment"] = "\"Sandbox\""
    renewal.renewal = ["environment": "\"Xcode\""]
    all.data["environment"] = "\"Sandbox\""
    all.transaction["environment"] = "\"Sandbox\""
    all.renewal = ["environment": "\"Sandbox\""]
    for notification in [inner, renewal, all] {
      #expect(try StoreLog([notification.decoded]).events.map(\.isSandbox) == [true])
    }
    let store = try SignedStore()
    #expect(try store.read([store.line(all)]).events.map(\.isSandbox) == [true])
    #expect(try doubt(store.line(inner), store)?.hasPrefix("environment is ") == true)
  }

  @Test("Bundle and environment are the job's, and the same in every layer")
  func claims() throws {
    let store = try SignedStore()
    let line = try store.line(Self.sold)
    #expect(
      try doubt(line, store, options: "bundle_id: com.other")
        == "bundleId is \"com.example\", and the job wants \"com.other\"")
    #expect(
      try doubt(line, store, options: "environment: Sandbox")
        == "environment is \"Production\", and the job wants \"Sandbox\"")
    for (member, value) in [("bundleId", "\"com.other\""), ("environment", "\"Sandbox\""), ("bundleId", "")] {
      var notification = Self.sold
      notification.transaction[member] = value
      #expect(
        try doubt(store.line(notification), store)?.hasPrefix("\(member) is ") == true)
    }
    var renewal = Self.sold
    renewal.renewal = ["environment": "\"Sandbox\""]
    #expect(try doubt(store.line(renewal), store) != nil)
    var silent = Self.sold
    silent.transaction["environment"] = ""
    #expect(try doubt(store.line(silent), store) == nil)
  }

  @Test("What came decoded cannot be verified, in whichever layer")
  func decoded() throws {
    let store = try SignedStore()
    #expect(try doubt(Self.sold.decoded, store) == "the notification came decoded, without its signature")
    let inner = try store.post(store.sign(Self.sold.decoded))
    #expect(try doubt(inner, store) == "data.signedTransactionInfo came decoded, without its signature")
    let unsigned = StoreNotification.unsigned(Self.sold.transactionJSON)
    let outer = try store.post(store.sign(Self.sold.json { _ in "\"\(unsigned)\"" }))
    #expect(
      try doubt(outer, store)
        == "data.signedTransactionInfo: the header has no x5c of three certificates")
    // What is not measured is not believed either.
    #expect(try doubt(StoreNotification("TEST").posted, store) != nil)
  }

  @Test("Forged money is never counted, and each notification stands alone")
  func mixed() async throws {
    let (store, thief) = (try SignedStore(), try SignedStore())
    let bought = Self.sold
    var stolen = Self.sold
    stolen.payload["notificationUUID"] = "\"n2\""
    stolen.transaction = ["webOrderLineItemId": "\"w2\"", "transactionId": "\"t2\""]
    let lines = try [
      thief.line(stolen), store.line(bought), stolen.posted, stolen.decoded, store.line(bought), thief.line(stolen),
    ]
    let found = try await World().measureStore(
      [StoreNotification.page([lines[0], lines[1]])] + lines.dropFirst(2),
      options: "verify: true, root: \(store.fingerprint)")
    #expect(found.money[0] == 9_990_000)
    #expect(found.setAside == [.unverified: 4, .duplicate: 1])
  }

  @Test("More chains than are kept in mind are told apart all the same, on any number of threads")
  func manyChains() async throws {
    let root = try SignedStore()
    let folder = try TemporaryFolder()
    let thieves = try (0..<12).map { _ in try SignedStore() }
    let lines = try (0..<150).map { number in
      var notification = Self.sold
      notification.transaction = ["webOrderLineItemId": "\"w\(number)\""]
      // A header of its own for each, so that all of them are looked at.
      let store = number % 2 == 0 ? root : thieves[number % thieves.count]
      let certificates = try store.chain.map { "\"\(Data(try StoreAuthority.der($0)).base64EncodedString())\"" }
      let x5c = "[\(certificates.joined(separator: String(repeating: " ", count: number) + ","))]"
      func sign(_ text: String) throws -> String { try store.authority.sign(text, chain: [], x5c: x5c) }
      let layers = try [notification.transactionJSON, notification.renewalJSON ?? ""].map(sign)
      var rest = layers[...]
      return try root.post(sign(notification.json { _ in "\"\(rest.popFirst() ?? "")\"" }))
    }
    let options = "format: app-store-notifications, verify: true, root: \"\(try root.fingerprint)\""
    let path = try World().write(to: folder)
    try folder.write("job.yml", World().yaml.replacingOccurrences(of: "format: events", with: options))
    for file in 0..<5 {
      try folder.write("events\(file).jsonl", lines[(file * 30)..<(file * 30 + 30)].joined(separator: "\n"))
    }
    for threads in [1, 4] {
      let found = try await World.measure(path, asOf: "2026-04-01", threads: threads)
      #expect(found.money[0] == 75 * 9_990_000)
      #expect(found.setAside == [.unverified: 75])
    }
  }
}
