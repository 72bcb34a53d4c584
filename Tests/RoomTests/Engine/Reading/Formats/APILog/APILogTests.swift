import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("The app server's log of its calls")
struct APILogTests: APILogSuite {
  /// The types of the events that lines came to, one for each event.
  private func types(_ lines: String..., keys: String = "") async throws -> [String] {
    let found = try await world(lines, keys).measure()
    return APIEventType.allCases.enumerated().flatMap { number, type in
      Array(repeating: type.rawValue, count: Int(found.sums(number)?.sumY ?? 0))
    }
  }

  @Test(
    "What a call for an offering came to",
    arguments: [
      (#"{"Success": 1, "Body": {"offeringId": "test", "testGroupId": "control"}}"#, "offering_served"),
      (#"{"Success": "1", "Body": {}}"#, "offering_served"), (#"{"Success": 1, "Body": null}"#, "no_offering"),
      (#"{"Success": 1}"#, "no_offering"), (#"{"Success": 5, "Body": {"offeringId": "test"}}"#, "auth_invalid"),
      (#"{"Success": 5, "Body": null}"#, "auth_invalid"), (#"{"Success": 0, "Body": {}}"#, "server_error"),
      (#"{"Success": 15}"#, "server_error"), (#"{"Success": null}"#, "server_error"), ("{}", "server_error"),
      (#"{"success": true}"#, "server_error"), (#"{"Success": [1]}"#, "server_error"),
    ])
  func offerings(response: String, type: String) async throws {
    #expect(try await types(call(Self.offering, response)) == [type])
  }

  @Test(
    "Plan info and status are what they are, whatever was answered",
    arguments: ["{}", #"{"Success": 5}"#, "[]", "null", ""])
  func anyResponse(response: String) async throws {
    #expect(try await types(call("/api/subscription/plan-info", response)) == ["plan_view"])
    #expect(try await types(call("/api/subscription/status", response)) == ["status_check"])
  }

  @Test(
    "What an upgrade came to",
    arguments: [
      (#"{"success": true, "transaction_id": "t"}"#, "activation"),
      (#"{"success": false, "error_code": 21003}"#, "validation_failed"),
      (#"{"success": false, "error_code": "21003"}"#, "validation_failed"),
      (#"{"success": false}"#, "validation_failed"),
      (#"{"success": false, "message": "You already have an ACTIVE subscription"}"#, "already_subscribed"),
      (#"{"success": false, "error": "Already active."}"#, "already_subscribed"),
      (
        #"{"success": false, "error_message": "subscription already is active", "error_code": 1}"#, "already_subscribed"
      ),
      (#"{"success": false, "message": "active, already"}"#, "validation_failed"),
      (#"{"success": false, "message": "already inactive"}"#, "validation_failed"),
      (#"{"success": true, "message": "already active"}"#, "activation"), (#"{"error": "oops"}"#, "server_error"),
      (#"{"success": "True"}"#, "activation"), (#"{"success": 1}"#, "activation"),
      (#"{"success": "0"}"#, "validation_failed"),
      (#"{"success": false, "data": {"message": "already active"}}"#, "already_subscribed"),
      (#"{"success": false, "error": {"message": "Already subscribed"}}"#, "already_subscribed"),
    ])
  func upgrades(response: String, type: String) async throws {
    #expect(try await types(call(Self.upgrade, response)) == [type])
  }

  @Test("What a purchase came to")
  func purchases() async throws {
    #expect(try await types(call("/subscription/purchase", #"{"success": true}"#)) == ["activation"])
    #expect(
      try await types(call("/subscription/purchase", #"{"success": false, "message": "already active"}"#))
        == ["validation_failed"])
  }

  @Test("What the server says is left of a user's credits is an event, where it is a whole number")
  func credits() async throws {
    let answer = #"{"is_active": true, "scan_credits_remaining": VALUE}"#
    for value in ["6", "0", "\"36\""] {
      let line = call("/user/subscription", answer.replacing("VALUE", with: value))
      #expect(try await types(line) == ["credits_reported"], "\(value)")
    }
    for value in ["null", "\"\"", "1.5", "-1", "\"06\"", "[6]", "\"all\""] {
      let found = try await world([call("/user/subscription", answer.replacing("VALUE", with: value))]).measure()
      #expect(found.setAside == [.notMeasured: 1], "\(value)")
    }
    let bought = #"{"success": true, "subscription": {"scan_credits_remaining": 36}}"#
    #expect(try await types(call("/subscription/purchase", bought)) == ["activation", "credits_reported"])
    let failed = #"{"success": false, "message": "No", "subscription": {"scan_credits_remaining": 6}}"#
    #expect(try await types(call("/subscription/purchase", failed)) == ["validation_failed"])
  }

  @Test("A receipt of the test environment is an attempt in it, wherever the code stands")
  func nestedSandboxReceipt() async throws {
    for answer in [#""errorCode": 21007"#, #""data": {"error_code": 21007}"#, #""error": {"code": "21007"}"#] {
      let line = call(Self.upgrade, "{\"success\": false, \(answer)}")
      #expect(try await world([line]).measure().setAside == [.sandbox: 1])
    }
  }

  @Test(
    "A trial that the server begins is a trial, whatever its procedure answers but an error",
    arguments: [
      (#"{"trial_activated_at": "2026-03-02T09:59:58.5+00:00"}"#, "trial_start"), ("{}", "trial_start"),
      (#"{"data": {"trial_activated_at": "2026-03-02"}}"#, "trial_start"), ("null", "trial_start"),
      ("[]", "trial_start"),
      (#"{"success": true, "message": "Enjoy"}"#, "trial_start"), (#"{"success": false}"#, "server_error"),
      (#"{"code": "P0001", "message": "trial already used"}"#, "server_error"), (#"{"error": "x"}"#, "server_error"),
    ])
  func trials(response: String, type: String) async throws {
    #expect(try await types(call("/rest/v1/rpc/activate_trial", response)) == [type])
  }

  @Test(
    "A trial begins when the server says so, however often and late it is asked for",
    arguments: [
      #"{"trial_activated_at": "2026-03-02T09:59:58+00:00"}"#, #""2026-03-02T09:59:58+00:00""#,
      #"{"data": {"trial_activated_at": "2026-03-02T09:59:58Z"}}"#,
    ])
  func trialOnce(answer: String) async throws {
    let path = "/rest/v1/rpc/activate_trial"
    let later = ["occurredAt": "\"2026-03-03T10:00:00Z\"", "eventId": "\"e2\""]
    let calls = [call(path, answer), call(path, answer, later)]
    #expect(try await world(calls).measure().setAside == [.duplicate: 1])
    var standing = world(calls)
    standing.world.job = "trial: P3D"
    for (time, state) in [("2026-03-05T09:59:57Z", UserState.inTrial), ("2026-03-05T09:59:58Z", .trialExpired)] {
      standing.world.asOf = time
      let states = try await standing.measure().offering?.groups.first?.tables.states
      #expect(states?[state.rawValue] == 1, "\(time)")
    }
  }

  @Test("A receipt of the test environment is an attempt in it", arguments: ["21007", "\"21007\""])
  func sandboxReceipt(code: String) async throws {
    let line = call(Self.upgrade, "{\"success\": false, \"error_code\": \(code)}")
    #expect(try await world([line]).measure().setAside == [.sandbox: 1])
    let other = call(Self.upgrade, #"{"success": false, "error_code": 21002}"#)
    #expect(try await world([other, line]).measure().setAside == [.sandbox: 1])
    let marked = call(Self.offering, #"{"Success": 1}"#, ["environment": "\"Sandbox\""])
    #expect(try await world([marked]).measure().setAside == [.sandbox: 1])
  }

  @Test("The job says which of its paths stand for which endpoint")
  func mapping() async throws {
    let keys = "endpoints: {/v2/offer: \(Self.offering), \(Self.upgrade): /api/subscription/status}"
    #expect(try await types(call("/v2/offer", #"{"Success": 1}"#), keys: keys) == ["no_offering"])
    #expect(try await types(call("/v2/offer?x=1", #"{"Success": 1}"#), keys: keys) == ["no_offering"])
    #expect(try await types(call(Self.upgrade, #"{"success": true}"#), keys: keys) == ["status_check"])
    #expect(try await types(call(Self.offering, #"{"Success": 1}"#), keys: keys) == ["no_offering"])
  }

  @Test("An endpoint that nothing is known of is counted by its path")
  func unknown() async throws {
    let found = try await world([call("/v1/unknown", "7"), call("/v1/unknown/", "{}"), call("/v1/unknown", "")])
      .measure()
    #expect(found.setAside == [.notMeasured: 3])
    #expect(found.noticed["not_measured /v1/unknown"] == 2)
    let folder = try TemporaryFolder()
    let path = try world([], "endpoints: {/a: /v1/getSubscriptionOfering, /a/b*: \(Self.upgrade)}").write(to: folder)
    let error = #expect(throws: OfferliftError.self) { try JobReader.read(path) }
    #expect(error?.message.contains("did you mean \(Self.offering)?") == true)
    #expect(error?.message.contains("/a/b*: * stands for a whole part of a path") == true)
  }

  @Test("An id in a path is nobody's business, and the job may write it as *")
  func paths() async throws {
    let lines = ["100017", "7", "7c9e6679-7425-40de-944b-000000000000"].map { call("/user/\($0)/plan?a=1", "{}") }
    #expect(try await world(lines).measure().noticed["not_measured /user/*/plan"] == 3)
    let mapped = try await world(lines, "endpoints: {/user/*/plan: /api/subscription/plan-info}").measure()
    #expect(mapped.setAside == [.duplicate: 2])
    #expect(try await world(lines, "endpoints: {/user/*: \(Self.upgrade)}").measure().setAside == [.notMeasured: 3])
  }

  @Test(
    "A call that ended before its caller was known is counted as nobody's",
    arguments: [
      (Self.offering, #"{"Success": 5, "Body": "{"}"#, "auth_invalid"),
      (Self.offering, #"{"Success": 0}"#, "server_error"),
      (Self.upgrade, #"{"message": "Unauthenticated."}"#, "auth_invalid"), (Self.upgrade, "{}", "server_error"),
      (Self.upgrade, #"{"success": false, "error": {"message": "unauthorized"}}"#, "auth_invalid"),
      ("/api/subscription/status", #"{"error_code": 401}"#, "auth_invalid"),
    ])
  func nobody(endpoint: String, response: String, name: String) async throws {
    for user in ["", "null", "\"\"", "\"null\"", "{}"] {
      let found = try await world([call(endpoint, response, ["userId": user])]).measure()
      #expect(found.setAside == [.notMeasured: 1])
      #expect(found.noticed["not_measured \(name) of nobody"] == 1)
    }
  }

  @Test(
    "Rows are left out by what a member says, wherever it lies",
    arguments: [
      ("{is_test: true}", ["is_test": "1"]), ("{request.platform: google}", ["request": #"{"platform": "google"}"#]),
      ("{response.success: true}", [:]), ("{userId: u1}", [:]), ("{response.data.a: null, x: y}", [:]),
    ] as [(String, [String: String])])
  func skipped(rules: String, members: [String: String]) async throws {
    let other = call("/api/subscription/status", #"{"data": {"a": 1}}"#, ["userId": "\"u2\""])
    let left = call(Self.upgrade, #"{"success": true}"#, members)
    let found = try await world([left, other], "skip_where: \(rules)").measure()
    #expect(found.setAside[.skipped] == 1)
    #expect(found.accounts.last?.rows == 2)
  }

  @Test(
    "What a line cannot do without",
    arguments: [
      (["userId": ""], SetAsideReason.missingField), (["userId": "null"], .missingField),
      (["occurredAt": ""], .missingField), (["endpoint": ""], .missingField), (["occurredAt": "\"x\""], .badTime),
      (["response": ""], .malformed), (["response": "null"], .malformed), (["response": "[]"], .malformed),
      (["response": "\"{}\""], .malformed), (["userId": "{}"], .malformed), (["endpoint": "[]"], .malformed),
      (["occurredAt": "\"2026-04-01T00:00:00Z\""], .afterCutoff), (["userId": "\"nobody\""], .unassigned),
    ])
  func required(members: [String: String], reason: SetAsideReason) async throws {
    let found = try await world([call(Self.offering, #"{"Success": 1}"#, members)]).measure()
    #expect(found.setAside == [reason: 1])
  }

  @Test("A call told twice is one by its id, else by type and time")
  func repeats() async throws {
    let line = call(Self.offering, #"{"Success": 1}"#)
    let named = call(Self.offering, #"{"Success": 1}"#, ["eventId": "1"])
    let later = call(Self.offering, #"{"Success": 1}"#, ["occurredAt": "\"2026-03-02T10:00:00.001Z\""])
    #expect(try await types(line, line, later, named, named) == ["no_offering", "no_offering", "no_offering"])
  }

  @Test("Activations carry no money: a sale is counted once, by the store's log")
  func noMoney() async throws {
    var world = SourceWorld("api-log", [call(Self.upgrade, #"{"success": true, "transaction_id": 7, "price": 9.99}"#)])
    world.add("events", [event("purchase", march(2), ["transactionId": "7"])])
    let found = try await world.measure()
    #expect(found.cents == [1000, 1000, 700, 1, 0])
    #expect(found.used == 2)
  }

  @Test("Codes and transactions are kept, numbers and strings alike")
  func details() throws {
    let names = EventNames()
    let input = PurchaseInput(table: TableInput(name: "purchases", path: "", line: 1), format: .apiLog)
    var format = APILog(input: input, types: EventTypes(named: APIEventType.allCases.map(\.rawValue)), names: names)
    func emit(_ response: String, _ members: [String: String] = [:]) throws -> PurchaseEvent {
      var output = DecodedLine()
      let line = call(Self.upgrade, response, members)
      let cells = JSONCells<APIMember>()
      let object = try #require(cells.read(Array(line.utf8)))
      format.decode(object.fields, into: &output)
      return try #require(output.events.first)
    }
    let failed = try emit(#"{"success": false, "error_code": 21003, "receipt_hash": "abc"}"#)
    #expect(names.codes.names == ["21003"])
    #expect(try emit(#"{"success": false, "error_code": "21003"}"#).code == failed.code)
    #expect(failed.transaction != nil)
    #expect(try emit(#"{"success": false}"#, ["receipt_hash": "\"abc\""]).transaction == failed.transaction)
    #expect(try emit(#"{"success": false, "receipt_id": "abc"}"#).transaction == failed.transaction)
    #expect(try emit(#"{"success": false}"#).transaction == nil)
    let activated = try emit(#"{"success": true, "transaction_id": 123}"#)
    #expect(try emit(#"{"success": true, "transaction_id": "123"}"#).transaction == activated.transaction)
    #expect(activated.amountMicros == nil)
    // Inside the answer's objects.
    let nested = try emit(#"{"success": true, "data": {"transaction_id": 123, "product_id": "pro"}}"#)
    #expect(nested.transaction == activated.transaction)
    #expect(names.products.name(nested.product) == "pro")
    #expect(
      try emit(#"{"success": true, "subscription": {"transaction_id": "123"}, "data": null}"#).transaction
        == activated.transaction)
    // What was sent tells a failure and the success after it for one receipt.
    let sent = ["request": #"{"apple_receipt": "MII"}"#]
    let refused = try emit(#"{"success": false, "error_code": 21005}"#, sent)
    #expect(try emit(#"{"success": true, "data": {"transaction_id": 123}}"#, sent).transaction == refused.transaction)
    #expect(
      try emit(#"{"success": true}"#, ["request": #"{"receipt_data": 123}"#]).transaction == activated.transaction)
  }

  @Test(
    "A failure has its code, wherever that stands, or the kind of its message",
    arguments: [
      (#""errorCode": 4040010"#, "4040010", ""), (#""data": {"errorCode": "4000006"}"#, "4000006", ""),
      (#""error": {"code": 21003, "message": "no"}"#, "21003", ""), (#""error_code": 0, "errorCode": 7"#, "7", ""),
      (#""code": 500, "message": "Try again""#, "", "Try again"), (#""error_code": null, "error": "Gone""#, "", "Gone"),
      (#""error_code": "0", "data": null"#, "", ""), (#""error": {"code": 0, "message": "Gone"}"#, "", "Gone"),
      (#""message": "Apple error 4040010: not found.""#, "", "Apple error 4040010: not found."),
      (#""message": " User\n100017  (ann@x.org) has no 2000000123, code=21003 ""#, "", "User … … has no … code=21003"),
    ])
  func reasons(members: String, code: String, message: String) async throws {
    let line = call(Self.upgrade, "{\"success\": false, \(members)}")
    let failures = try #require(try await world([line]).measure().offering).groups.flatMap(\.tables.failures)
    #expect(failures.map(\.code.text) == [code])
    #expect(failures.map(\.message.text) == [message])
  }

  /// The log's members as a reader of lone objects wants them.
  private struct APIMember: JSONMember {
    let rawValue: Int
    static let allCases = APILog.fields.indices.map { APIMember(rawValue: $0) }
    var source: SourceField { APILog.fields[rawValue] }
  }

  @Test("Random values never crash, and every row is accounted for")
  func randomValues() async throws {
    var dice = Dice(seed: 11)
    let values = [
      "null", "[]", "{}", "1", "5", "\"\"", "\"already active\"", "true", "false", "1e999", "\"\\u0000\"", "[[]]",
      "{\"a\":",
    ]
    let names = ["Success", "Body", "success", "error_code", "message", "error", "transaction_id", "receipt_hash"]
    let lines = (0..<600).map { _ in
      let response = names.filter { _ in dice.chance(0.4) }.map { "\"\($0)\":\(dice.pick(values))" }
      let endpoint = dice.pick(APIEndpoint.allCases.map(\.rawValue) + ["", "/x"])
      return call(
        endpoint, "{\(response.joined(separator: ","))}",
        dice.chance(0.2) ? [dice.pick(["userId", "occurredAt", "endpoint", "eventId"]): dice.pick(values)] : [:])
    }
    let found = try await world(lines).measure()
    #expect(found.accounts.last?.rows == 600)
  }
}
