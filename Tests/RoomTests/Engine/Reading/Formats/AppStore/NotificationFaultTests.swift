import Foundation
import Testing

@testable import Domain

@Suite("Notifications that cannot be read")
struct NotificationFaultTests {
  private func faults(_ lines: String...) throws -> [String] {
    let log = try StoreLog(lines)
    #expect(log.reading.account.isBalanced)
    return log.faults
  }

  private func signed(_ payload: String) -> String { "{\"signedPayload\":\"\(StoreNotification.unsigned(payload))\"}" }

  @Test("What is wrong is told with the layer it is wrong in")
  func layers() throws {
    let header = base64URL(Array("{}".utf8))
    let broken = base64URL(Array("{".utf8))
    let cases: [(String, String)] = [
      ("{}", "missing_field: signedPayload, or a decoded notification's notificationType, is missing"),
      (#"{"signedPayload":7}"#, "malformed: signedPayload is not a string"),
      (#"{"signedPayload":{}}"#, "malformed: signedPayload is not a string"),
      (
        #"{"signedPayload":"a.b"}"#,
        "malformed: signedPayload is not a signed text of three parts, header.payload.signature"
      ),
      (
        #"{"signedPayload":"a.b.c.d"}"#,
        "malformed: signedPayload is not a signed text of three parts, header.payload.signature"
      ),
      (#"{"signedPayload":"\#(header).!!!!.AAAA"}"#, "malformed: the payload of signedPayload is not base64url"),
      (#"{"signedPayload":"\#(header).e30=.AAAA"}"#, "malformed: the payload of signedPayload is not base64url"),
      (#"{"signedPayload":"\#(header).e30.A"}"#, "malformed: the signature of signedPayload is not base64url"),
      (#"{"signedPayload":"+.e30.AAAA"}"#, "malformed: the header of signedPayload is not base64url"),
      (
        #"{"signedPayload":"\#(broken).e30.AAAA"}"#,
        "malformed: the header of signedPayload is not exactly one valid JSON object"
      ),
      (#"{"signedPayload":".e30."}"#, "malformed: the header of signedPayload is not exactly one valid JSON object"),
      (
        #"{"signedPayload":"\#(header).\#(broken)."}"#,
        "malformed: the payload of signedPayload is not exactly one valid JSON object"
      ),
      (
        #"{"signedPayload":"\#(header).."}"#,
        "malformed: the payload of signedPayload is not exactly one valid JSON object"
      ),
      (signed("{}"), "missing_field: notificationType is missing"),
      (signed("[]"), "malformed: the payload of signedPayload is not exactly one valid JSON object"),
      (#"{"notificationType":{}}"#, "missing_field: notificationType is missing"),
      (#"{"notificationHistory":{}}"#, "malformed: notificationHistory is not a list of at most 10000 notifications"),
      (#"{"notificationHistory":[7]}"#, "malformed: notificationHistory[0]: a notification must be an object"),
    ]
    for (line, fault) in cases { #expect(try faults(line) == [fault]) }
  }

  @Test("The inner layers are read as strictly as the outer one")
  func innerLayers() throws {
    for (member, value) in [("signedTransactionInfo", "t"), ("signedRenewalInfo", "r")] {
      for (text, fault) in [
        ("\"\(value)\"", "is not a signed text of three parts, header.payload.signature"),
        ("7", "is neither a signed text nor an object"), ("[]", "is neither a signed text nor an object"),
        ("true", "is neither a signed text nor an object"),
      ] {
        var notification = StoreNotification("DID_RENEW")
        notification.data[member] = text
        #expect(try faults(notification.posted) == ["malformed: data.\(member) \(fault)"])
      }
      var notification = StoreNotification("DID_RENEW")
      notification.data[member] = "\"\(StoreNotification.unsigned("{\"price\":01}"))\""
      #expect(
        try faults(notification.posted) == [
          "malformed: the payload of data.\(member) is not exactly one valid JSON object"
        ])
    }
  }

  @Test("A transaction may come under its own name, decoded or signed")
  func names() throws {
    for text in [
      StoreNotification("DID_RENEW").transactionJSON,
      "\"\(StoreNotification.unsigned(StoreNotification("DID_RENEW").transactionJSON))\"",
    ] {
      var notification = StoreNotification("DID_RENEW")
      notification.data = ["signedTransactionInfo": "", "transactionInfo": text]
      #expect(try StoreLog([notification.decoded]).events.map(\.micros) == [9_990_000])
    }
    var none = StoreNotification("DID_RENEW")
    none.data["signedTransactionInfo"] = ""
    #expect(try faults(none.posted).count == 1)
    none.renewal = ["appAccountToken": "\"u1\""]
    #expect(try faults(none.posted) == ["missing_field: data.signedTransactionInfo is missing"])
  }

  @Test(
    "A price is a number of thousandths, exact to the last digit",
    arguments: [
      ("9990", 9_990_000), ("0", 0), ("\"9990\"", 9_990_000), ("1", 1000), ("0.001", 1),
      ("9223372036854775", 9_223_372_036_854_775_000), ("9007199254740.993", 9_007_199_254_740_993),
    ] as [(String, Int64)])
  func prices(price: String, micros: Int64) throws {
    #expect(
      try StoreLog([StoreNotification("ONE_TIME_CHARGE", nil, ["price": price]).posted]).events.map(\.micros) == [
        micros
      ])
  }

  @Test("A price that is none is rejected by its kind")
  func badPrices() throws {
    let cases: [(String, SetAsideReason)] = [
      ("", .missingPrice), ("null", .missingPrice), ("\"\"", .badPrice), ("-1", .badPrice), ("1e3", .badPrice),
      ("9.99e3", .badPrice), ("9223372036854776", .badPrice), ("0.0001", .badPrice), ("true", .badPrice),
      ("{}", .badPrice), ("\"9,99\"", .badPrice), ("99999999999999999999999", .badPrice),
    ]
    for (price, reason) in cases {
      let log = try StoreLog([StoreNotification("DID_RENEW", nil, ["price": price]).posted])
      #expect(log.reading.rejects.all.map(\.reason) == [reason], "\(price)")
    }
  }

  @Test("What a charge cannot do without")
  func required() throws {
    for (member, reason) in [
      ("productId", SetAsideReason.missingField), ("purchaseDate", .missingField), ("currency", .missingField),
    ] {
      for value in ["", "null"] {
        let log = try StoreLog([StoreNotification("DID_RENEW", nil, [member: value]).posted])
        #expect(log.reading.rejects.all.map(\.reason) == [reason])
        #expect(log.faults == ["missing_field: \(member) is missing"])
      }
    }
    for (member, value, reason) in [
      ("currency", "\"US\"", SetAsideReason.badCurrency), ("purchaseDate", "\"today\"", .badTime),
      ("purchaseDate", "1.7e12", .badTime), ("productId", "[]", .malformed),
    ] {
      let log = try StoreLog([StoreNotification("DID_RENEW", nil, [member: value]).posted])
      #expect(log.reading.rejects.all.map(\.reason) == [reason])
    }
    var cancel = StoreNotification("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")
    cancel.payload["signedDate"] = ""
    #expect(try faults(cancel.posted) == ["missing_field: signedDate is missing"])
  }

  @Test("Each notification of a page is a row of its own, with its own fate")
  func pages() throws {
    let good = StoreNotification("DID_RENEW").posted
    let bad = StoreNotification("DID_RENEW", nil, ["price": "-1"]).posted
    let page = StoreNotification.page([good, bad, StoreNotification("TEST").posted, good])
    let log = try StoreLog([page, #"{"notificationHistory":[],"hasMore":false}"#, #"{"notificationHistory":[ ]}"#])
    #expect(log.events.count == 2)
    #expect(log.reading.account.rows == 6)
    #expect(log.reading.account.setAside == [.badPrice: 1, .notMeasured: 3])
    #expect(log.notes == ["not_measured TEST": 1, "not_measured empty page": 2])
    #expect(log.reading.account.isBalanced)
    #expect(log.faults[0].hasPrefix("bad_price: notificationHistory[1]: price \"-1\""))
  }

  @Test("A page of more notifications than any page has is refused whole")
  func hugePages() throws {
    let items = [String](repeating: "{}", count: 10_001).joined(separator: ",")
    let log = try StoreLog(["{\"notificationHistory\":[\(items)]}", "{\"notificationHistory\":[\(items.dropLast(3))]}"])
    #expect(log.reading.account.rows == 10_001)
    #expect(log.reading.account.setAside == [.malformed: 1, .missingField: 10_000])
    let deep = String(repeating: "[", count: 200_000)
    #expect(try StoreLog(["{\"notificationHistory\":\(deep)"]).reading.rejects.all.map(\.reason) == [.malformed])
    let nested = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    #expect(try StoreLog(["{\"notificationHistory\":\(nested)}"]).reading.rejects.all.map(\.reason) == [.malformed])
  }

  @Test("Whatever bytes a line is bent into, its rows are accounted for", arguments: 0..<8)
  func mutations(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let valid = [
      StoreNotification("SUBSCRIBED", "INITIAL_BUY").posted, StoreNotification("REFUND").decoded,
      StoreNotification.page([StoreNotification("DID_RENEW").posted, StoreNotification("EXPIRED").posted]),
    ].map { Array($0.utf8) }
    let lines = (0..<400).map { _ -> String in
      var line = dice.pick(valid)
      for _ in 0...dice.below(4) {
        let at = dice.below(line.count)
        switch dice.below(4) {
        case 0: line[at] = dice.pick(Array("{}[]\",:.\\-_=0aA".utf8))
        case 1: line.remove(at: at)
        case 2: line.insert(contentsOf: line[at...].prefix(dice.below(60)), at: at)
        default: line.removeSubrange(at..<min(line.count, at + dice.below(200)))
        }
        if line.isEmpty { line = valid[0] }
      }
      return String(decoding: line, as: UTF8.self)
    }
    let log = try StoreLog(lines)
    #expect(log.reading.account.isBalanced)
    #expect(!log.events.isEmpty)
    #expect(!log.reading.rejects.isEmpty)
  }
}
