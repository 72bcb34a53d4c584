import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import Domain

@Suite("Verified notifications")
struct VerificationTests {
  private static let sold = StoreNotification("SUBSCRIBED", "INITIAL_BUY")

  /// Why a line is not believed; nil where it is.
  private func doubt(_ line: String, _ store: SignedStore, options: String = "", root: String? = nil) throws -> String?
  {
    let log = try store.read([line], options: options, root: root)
    #expect(log.reading.account.isBalanced)
    if log.reading.rejects.isEmpty {
      #expect(log.events.map(\.micros) == [9_990_000])
      return nil
    }
    #expect(log.events.isEmpty)
    #expect(log.reading.rejects.map(\.reason) == [.unverified])
    return log.reading.rejects.first?.detail
  }

  /// What a line is told to be by an authority of which one thing is wrong.
  private func doubt(
    _ notification: StoreNotification = sold, _ change: (inout StoreAuthority) -> Void
  ) throws -> String? {
    var authority = StoreAuthority()
    change(&authority)
    let store = try SignedStore(authority)
    return try doubt(store.line(notification), store)
  }

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

  @Test("An altered payload is not what was signed, in whichever layer")
  func altered() throws {
    let store = try SignedStore()
    let layers = try [Self.sold.transactionJSON, Self.sold.renewalJSON ?? ""].map { try store.sign($0) }
    func forged(_ text: String, _ old: String, _ new: String) -> String {
      let parts = text.split(separator: ".")
      let payload = Self.text(parts[1]).replacingOccurrences(of: old, with: new)
      return "\(parts[0]).\(base64URL(Array(payload.utf8))).\(parts[2])"
    }
    func line(_ transaction: String, _ renewal: String) throws -> String {
      var texts = [transaction, renewal][...]
      return try store.post(store.sign(Self.sold.json { _ in "\"\(texts.popFirst() ?? "")\"" }))
    }
    #expect(try doubt(line(layers[0], layers[1]), store) == nil)
    let dearer = forged(layers[0], "\"price\":9990", "\"price\":99990")
    #expect(
      try doubt(line(dearer, layers[1]), store)
        == "data.signedTransactionInfo: the signature is not of this payload")
    let renewal = forged(layers[1], "\"productId\":\"p\"", "\"productId\":\"q\"")
    #expect(
      try doubt(line(layers[0], renewal), store) == "data.signedRenewalInfo: the signature is not of this payload")
    let outer = try store.sign(Self.sold.json { _ in "\"\(layers[0])\"" })
    #expect(
      try doubt(store.post(forged(outer, "INITIAL_BUY", "RESUBSCRIBE")), store)
        == "signedPayload: the signature is not of this payload")
  }

  private static func text(_ part: Substring) -> String {
    let standard = part.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padded = standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
    return String(decoding: Data(base64Encoded: padded) ?? Data(), as: UTF8.self)
  }

  @Test("Only ES256 is trusted", arguments: ["none", "HS256", "RS256", "ES384", "es256", ""])
  func algorithms(algorithm: String) throws {
    let store = try SignedStore()
    let text = try store.authority.sign(Self.sold.decoded, chain: store.chain, algorithm: algorithm)
    #expect(
      try doubt(store.post(text), store)
        == "signedPayload: the header's alg is \"\(algorithm)\"; only ES256 is trusted")
    let unsigned = text.split(separator: ".").prefix(2).joined(separator: ".") + "."
    #expect(try doubt(store.post(unsigned), store) != nil)
  }

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
    for place in 0..<3 {
      #expect(try doubt { $0.keyUsages[place] = others[place] } == "signedPayload: \(words[place])")
      #expect(try doubt { $0.keyUsages[place] = KeyUsage() } == "signedPayload: \(words[place])")
      // RFC 5280, section 6.1.4: one that says nothing is not restricted.
      #expect(try doubt { $0.keyUsages[place] = nil } == nil)
      let unreadable = Certificate.Extension(oid: .X509ExtensionID.keyUsage, critical: true, value: [4, 1, 0])
      #expect(
        try doubt {
          $0.keyUsages[place] = nil
          $0.extensions[place] = unreadable
        } == "signedPayload: \(words[place])")
    }
  }

  @Test("A critical extension that is not known forbids the certificate, another does not")
  func criticalExtensions() throws {
    for (place, name) in ["first", "second", "third"].enumerated() {
      // Name constraints, extended key usage, and one that nobody knows.
      for oid in [[2, 5, 29, 30], [2, 5, 29, 37], [1, 2, 3, 4]] as [ASN1ObjectIdentifier] {
        #expect(
          try doubt { $0.extensions[place] = .init(oid: oid, critical: true, value: [5, 0]) }
            == "signedPayload: the \(name) certificate of x5c has the critical extension \(oid), which is not known")
        #expect(try doubt { $0.extensions[place] = .init(oid: oid, critical: false, value: [5, 0]) } == nil)
      }
    }
  }

  @Test(
    "A header that asks for more than a signature does is not the store's",
    arguments: [
      (",\"crit\":[\"exp\"],\"exp\":1", "crit"), (",\"crit\":[]", "crit"), (",\"crit\":null", "crit"),
      (",\"b64\":false", "b64"), (",\"b64\":true", "b64"), (",\"b64\":false,\"crit\":[\"b64\"]", "crit"),
    ])
  func headers(more: String, member: String) throws {
    let store = try SignedStore()
    let text = try store.authority.sign(Self.sold.decoded, chain: store.chain, more: more)
    #expect(
      try doubt(store.post(text), store)
        == "signedPayload: the header has \(member), which no notification of the store has")
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

  @Test("A signature is 64 bytes, r and s side by side")
  func signatures() throws {
    let store = try SignedStore()
    let parts = try store.sign(Self.sold.decoded).split(separator: ".")
    let signed = "\(parts[0]).\(parts[1])"
    let der = try store.authority.leafKey.signature(for: Data(signed.utf8)).derRepresentation
    for signature in [base64URL(der), "", "AAAA", String(parts[2].dropLast(2)), "\(parts[2])AA"] {
      #expect(
        try doubt(store.post("\(signed).\(signature)"), store)
          == "signedPayload: the signature is not the 64 bytes of ES256")
    }
    let zeros = base64URL([UInt8](repeating: 0, count: 64))
    #expect(try doubt(store.post("\(signed).\(zeros)"), store) == "signedPayload: the signature is not of this payload")
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

  @Test("Whatever bytes a signed line is bent into, nothing but what was signed is told", arguments: 0..<4)
  func mutations(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let store = try SignedStore()
    let line = Array(try store.line(Self.sold).utf8)
    let lines = (0..<150).map { _ -> String in
      var bent = line
      for _ in 0...dice.below(2) {
        let at = dice.below(bent.count)
        switch dice.below(3) {
        case 0: bent[at] = dice.pick(Array("{}[]\",:.\\-_=0aAzQ".utf8))
        case 1: bent.remove(at: at)
        default: bent.insert(contentsOf: bent[at...].prefix(dice.below(60)), at: at)
        }
      }
      return String(decoding: bent, as: UTF8.self)
    }
    let log = try store.read(lines + [String(decoding: line, as: UTF8.self)])
    #expect(log.reading.account.isBalanced)
    let genuine = try store.read([String(decoding: line, as: UTF8.self)]).events
    #expect(!log.events.isEmpty)
    #expect(log.events.allSatisfy { $0 == genuine[0] })
  }
}
