import Domain
import Jobs
import Measurement

/// Whether the server, asked for what is left of a user's credits, says what we count.
///
/// Its last answer before the cut-off is held against our balance at that moment. Only an account that the test found
/// untouched can agree: before anything was granted or spent the server must have said what everybody begins with.
struct CreditTally: Tally {
  private var users = 0
  private var compared = 0
  private var differing = 0
  private var largest: Int64 = 0

  static let parts: [TallyPart<Self>] = [
    TallyPart(\.users), TallyPart(\.compared), TallyPart(\.differing), TallyPart(extreme: \.largest, max),
  ]

  /// Adds a user measured from `start`, in milliseconds.
  mutating func add(_ user: UserInGroup, from start: Int64, _ plan: CreditPlan) {
    guard user.history.happened.mayHold(plan.answer) else { return }
    var answers: (first: UserHistory.Event, last: UserHistory.Event)?
    for event in user.history.events where event.type == plan.answer { answers = (answers?.first ?? event, event) }
    guard let (first, last) = answers, last.time >= start, let left = plan.credits(in: last) else { return }
    users += 1
    let moved = plan.balance.firstMove(of: user)
    guard plan.credits(in: first) == plan.balance.starting, first.time < moved, start <= moved else { return }
    compared += 1
    let difference = plan.balance.credits(of: user, from: start, at: last.time) - left
    if difference != 0 { differing += 1 }
    largest = max(largest, Int64(clamping: difference.magnitude))
  }

  var comparison: CreditComparison {
    CreditComparison(users: users, compared: compared, differing: differing, largest: largest)
  }
}

/// What comparing credits needs to know of the job.
struct CreditPlan: Sendable {
  /// The type of the server's answers.
  let answer: EventType
  let balance: CreditBalance
  /// By a code's number the credits it says; nil where it says none.
  private let credits: [Int128?]

  /// Nil where no metric counts a balance, or no log has answers.
  init?(_ contexts: [MetricContext], types: EventTypes, codes: [Identifier]) {
    let balances = contexts.filter { $0.request.name == MetricDefinition.creditsBalance.name }
    guard let answer = types.type(named: APIEventType.creditsReported.rawValue),
      let context = balances.first(where: \.products.includesAll) ?? balances.first
    else { return nil }
    self.answer = answer
    balance = CreditBalance(context)
    credits = codes.map { Int128($0.text) }
  }

  func credits(in answer: UserHistory.Event) -> Int128? {
    answer.code == Interner.none ? nil : credits[Int(answer.code)]
  }
}
