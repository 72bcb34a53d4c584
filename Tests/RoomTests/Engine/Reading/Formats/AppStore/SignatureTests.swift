import Foundation
import Testing

@testable import Domain

@Suite("Signatures of notifications")
struct SignatureTests: SignedNotification {
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
