import Domain
import Jobs

extension PurchaseFormat {
  /// The calls of the app's server. It holds no money, and belongs to the app's own log.
  static let apiLog = PurchaseFormat(
    "api-log", table: .jsonl, feed: events.feed,
    moneyElsewhere: "the App Store's notifications, Google Play's orders, RevenueCat's webhooks or export",
    buyerNaming: .namesBuyers, eventTypes: APIEventType.allCases.map(\.rawValue), keys: [.skippedRows, .endpoints]
  ) { $0.isSuperset(of: ["endpoint", "response"]) }
}

/// The app server's own record of its calls: who called what, and what was answered.
///
/// Nothing in it is money: the store's log has that, and would count it twice.
struct APILog: SourceFormat {
  private let paths: EndpointPaths
  /// By the order of `APIEventType`.
  private let types: [APIEventType: EventType]
  private var products: InternerCache
  private var offerings: InternerCache
  private var groups: InternerCache
  private var codes: InternerCache
  private var time: TimeText
  /// A store's log of the job names transactions, and may name nobody with them.
  private let joinsBuyers: Bool
  /// The members of the line at hand.
  private var members = Record<Member>(.empty)

  package typealias Fault = EventDecoder.Fault

  init(_ log: PurchaseLog) { self.init(input: log.input, types: log.types, names: log.names) }

  init(input: PurchaseInput, types: EventTypes, names: EventNames) {
    let known = APIEventType.allCases.compactMap { type in types.type(named: type.rawValue).map { (type, $0) } }
    self.types = Dictionary(uniqueKeysWithValues: known)
    joinsBuyers = input.joinsBuyers
    products = InternerCache(names.products)
    offerings = InternerCache(names.offerings)
    groups = InternerCache(names.groups)
    codes = InternerCache(names.codes)
    time = TimeText(timezone: input.table.timezone, unit: input.table.timeUnit, day: .ends)
    paths = EndpointPaths(input.endpoints)
  }

  mutating func beginBatch() {}

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    members = Record(fields)
    do throws(Fault) {
      let path = try required(.endpoint)
      guard let endpoint = paths.endpoint(of: path) else {
        return output.addNotMeasured(EndpointPaths.name(of: path))
      }
      guard !endpoint.needsObject || self[.response].isObject else {
        throw Fault(reason: .malformed, detail: "response is no object")
      }
      let instant = try time.read(try required(.time))
      let outcome = outcome(of: endpoint)
      if outcome == .creditsReported, creditsLeft.isEmpty { return output.addNotMeasured(path.shownName) }
      if endpoint == .getOffering { output.noteCall(outcome, at: instant) }
      if let refusal = refusalOfNobody(outcome) { return output.addNotMeasured("\(refusal.rawValue) of nobody") }
      let event = try event(outcome, at: instant)
      output.add(event)
      if outcome == .activation { emitActivation(event, &output) }
      if outcome == .validationFailed, isSandboxReceipt, text(.environment).isProduction { emitSandbox(event, &output) }
    } catch {
      output.add(error)
    }
  }

  // MARK: - What a call told

  private func outcome(of endpoint: APIEndpoint) -> APIEventType {
    switch endpoint {
    case .getOffering: offeringOutcome
    case .planInfo: .planView
    case .status: .statusCheck
    case .account: .creditsReported
    case .upgrade, .purchase:
      switch flag(.success) {
      case true: .activation
      case false: endpoint == .upgrade && isAlreadyActive ? .alreadySubscribed : .validationFailed
      case nil: .serverError
      }
    case .activateTrial: isRefused ? .serverError : .trialStart
    }
  }

  /// A procedure that failed says why, and one that went well may answer anything, or nothing. Source: PostgREST, Errors.
  private var isRefused: Bool {
    flag(.success).map { !$0 } ?? [AnswerMember.message, .error].contains { !answer($0).isEmpty }
  }

  private var offeringOutcome: APIEventType {
    let status = text(.status)
    if status.isEqual("1") { return self[.body].isMissing ? .noOffering : .offeringServed }
    return status.isEqual("5") ? .authInvalid : .serverError
  }

  /// What a call came to that ended before the server knew whose it was, so that the row lacks nothing without a user; nil
  /// of any other.
  private func refusalOfNobody(_ outcome: APIEventType) -> APIEventType? {
    guard text(.user).orNone.isEmpty else { return nil }
    if outcome == .authInvalid || isOfUnknownCaller { return .authInvalid }
    return outcome == .serverError ? .serverError : nil
  }

  /// The answer says that the token was not accepted, as `Success` 5 or in words.
  private var isOfUnknownCaller: Bool {
    text(.status).isEqual("5") || answer(.errorCode).isEqual("401")
      || words.contains { answer in
        ["unauthenticated", "unauthorized", "unauthorised"].contains { answer.endOfWord($0, from: 0) != nil }
      }
  }

  private mutating func event(_ outcome: APIEventType, at instant: Int64) throws(Fault) -> PurchaseEvent {
    guard let type = types[outcome] else {
      throw Fault(reason: .unknownEventType, detail: "nothing in the job names the event type \"\(outcome.rawValue)\"")
    }
    var event = PurchaseEvent()
    event.user = try required(.user)
    event.type = type
    event.time = instant
    event.product = products.code(text(.product).isEmpty ? answer(.product) : text(.product))
    event.isSandbox = !text(.environment).isProduction
    switch outcome {
    case .offeringServed:
      event.loggedOffering = offerings.code(text(.offering))
      event.loggedGroup = groups.code(text(.group))
    case .activation: event.transaction = receipt
    case .creditsReported: event.code = codes.code(creditsLeft)
    case .validationFailed:
      event.code = reason
      if isSandboxReceipt { event.isSandbox = true }
      event.transaction = receipt
    case .trialStart: event.time = beginOfTrial() ?? instant
    default: break
    }
    // A trial that is activated once more is the one that has begun.
    let id = outcome == .trialStart ? .empty : text(.id)
    event.key =
      id.isEmpty
      ? Fingerprint(contentOf: event.type, product: event.product, time: event.time)
      : Fingerprint(id, space: KeySpace.event)
    return event
  }

  /// When the server says that the trial began, by its column or by that time alone.
  private mutating func beginOfTrial() -> Int64? {
    let reported = answer(.activatedAt).isEmpty ? text(.response) : answer(.activatedAt)
    return reported.isEmpty ? nil : try? time.read(reported)
  }

  /// A receipt of the test environment was sent to the production store. Source: Apple, verifyReceipt.
  private var isSandboxReceipt: Bool { errorCode.isEqual("21007") }

  /// The row is set aside as a test's; that it came is counted all the same, by an event of a type of its own.
  private func emitSandbox(_ event: PurchaseEvent, _ output: inout DecodedLine) {
    guard let type = types[.sandboxReceipt] else { return }
    var companion = event
    companion.type = type
    companion.isSandbox = false
    // A key of its own: by the row's it would pass for the failure of another receipt at that instant.
    companion.key = Fingerprint(contentOf: type, product: event.product, time: event.time)
    output.addCompanion(companion)
  }

  /// Who sent a transaction that is good has bought it; and the answer may say what credits that leaves.
  private mutating func emitActivation(_ event: PurchaseEvent, _ output: inout DecodedLine) {
    if joinsBuyers, !event.isSandbox {
      for id in [text(.sentReceipt), text(.sentAppleReceipt), answer(.transaction), answer(.originalTransaction)]
      where id.count <= Self.longestTransaction {
        output.noteBuyer(event.user, of: id, at: event.time)
      }
    }
    guard let type = types[.creditsReported], !creditsLeft.isEmpty else { return }
    var companion = event
    companion.type = type
    companion.transaction = nil
    companion.code = codes.code(creditsLeft)
    companion.key = Fingerprint(contentOf: type, product: event.product, time: event.time)
    output.addCompanion(companion)
  }

  /// What is longer is no id of a transaction or a purchase, but a receipt.
  private static let longestTransaction = 512

  /// The whole number of credits that the answer says are left; empty where it says none.
  private var creditsLeft: Text {
    let credits = answer(.creditsLeft)
    let isWhole = credits.count <= Self.mostDigits && credits.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
    return isWhole && (credits.count == 1 || credits.first != UInt8(ascii: "0")) ? credits : .empty
  }

  private static let mostDigits = 15

  /// Stands for the receipt that was sent: what the call sent tells a failure and the success after it for one; nil where
  /// nothing tells it.
  private var receipt: UInt64? {
    let sent = [text(.sentReceipt), text(.sentAppleReceipt)]
    let answered = [AnswerMember.transaction, .receipt, .receiptHash].map(answer)
    let logged = [text(.transaction), text(.receipt), text(.receiptHash)]
    let first = (sent + answered + logged + [answer(.originalTransaction)]).first { !$0.orNone.isEmpty }
    return first.map { Fingerprint($0, space: KeySpace.transaction).low }
  }

  /// The code that the answer gives a failure; 0, which says that there was none, is no code.
  private var errorCode: Text {
    let codes = [AnswerMember.errorCode, .appleErrorCode, .code].lazy.map(answer)
    return codes.first { !$0.isEmpty && !$0.isEqual("0") } ?? .empty
  }

  /// The number of what a failure goes by: its code, or the kind of its message; none where the answer has neither.
  private var reason: UInt32 {
    mutating get {
      let code = errorCode
      if !code.isEmpty { return codes.code(code) }
      guard let message = words.first(where: { !$0.isEmpty }) else { return Interner.none }
      return FailureReason.name(ofMessage: message).withText { codes.code($0) }
    }
  }

  /// What the answer says in words.
  private var words: [Text] { [AnswerMember.message, .error, .errorMessage, .appleErrorMessage].map(answer) }

  /// "You already have an active subscription", wherever the server says it.
  private var isAlreadyActive: Bool {
    (words + [errorCode]).contains { text in
      guard let already = text.endOfWord("already", from: 0) else { return false }
      return text.endOfWord("active", from: already) != nil || text.endOfWord("subscribed", from: already) != nil
    }
  }

  // MARK: - Members

  private subscript(_ member: Member) -> Field { members[member] }

  private func text(_ member: Member) -> Text { members.text(member) }

  /// What the answer tells, in the first of its objects that does; empty where none does.
  private func answer(_ member: AnswerMember) -> Text {
    member.fields.lazy.map { members.fields[$0].text.orNone }.first { !$0.isEmpty } ?? .empty
  }

  private func flag(_ member: Member) -> Bool? {
    let value = self[member].bytes
    if value.isEqual(ignoringCaseTo: "true") || value.isEqual("1") { return true }
    return value.isEqual(ignoringCaseTo: "false") || value.isEqual("0") ? false : nil
  }

  private func required(_ member: Member) throws(Fault) -> Text {
    let text = text(member).orNone
    if text.isEmpty, self[member].kind == .other {
      throw Fault(reason: .malformed, detail: "\(member.source.name) is neither a string nor a number")
    }
    guard !text.isEmpty else { throw .missing(member.source.name) }
    return text
  }
}

extension Text {
  /// Where a word in lower case ends that stands in the text by itself, in any case of letters; nil where it does not.
  fileprivate func endOfWord(_ word: StaticString, from start: Int) -> Int? {
    let length = word.utf8CodeUnitCount
    guard count >= length, start <= count - length else { return nil }
    return (start...count - length).first { at in
      (at == 0 || !Self.isLetter(self[at - 1])) && (at + length == count || !Self.isLetter(self[at + length]))
        && slice(at..<at + length).isEqual(ignoringCaseTo: word)
    }
    .map { $0 + length }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte >= 0x80 }
}
