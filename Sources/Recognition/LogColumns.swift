import Domain
import Engine
import Jobs

/// What a stranger's log of purchases says, column by column, and what a job must say so that its money is right.
struct LogColumns {
  var columns: ColumnGuess
  /// The currency of all prices, where their column's name says it.
  var code: Guess<String>?
  var mapping = LogMapping()
  var skipped: [SkipRule] = []
  /// Names of events that stand for themselves.
  var carried: [String] = []
  /// What was decided beside the columns, to be told.
  var remarks: [Remark] = []
  /// What nobody but whoever asked can know, each with what to type.
  var questions: [String] = []

  /// Fields that the file has under their own names, and that are something else there.
  var unread: [String] = []

  /// Each of its rows tells of a trial, and of nothing else.
  var reportsTrials = false

  let terms: PurchasesGuess.Terms
  let answers: [String: String]
  /// Each of its rows takes back a charge of another table.
  var refunds: RefundTable?
  /// Names of events that are put as a question once groups are known.
  var unknownTypes: UnknownTypes?
  /// Questions that are put once groups are known.
  var doubts: [MoneyQuestion] = []
  /// Rows that are no money, by number.
  var ignored: Set<Int> = []

  init(_ sample: FileSample, reported: [String: String], _ terms: PurchasesGuess.Terms) {
    columns = ColumnGuess(sample, reported: reported)
    self.terms = terms
    answers = terms.answers
    refunds = RefundTable(columns)
    if let refunds { accept(refunds) }
    columns.accept(.occurredAt)
    acceptMoney()
    if refunds == nil { acceptTypes() }
    acceptTrials()
    // A trial of the server's own is no store's transaction: an id there is the user's.
    let ids = reportsTrials ? [] : [ColumnRole.orderNumber, .transactionID, .originalTransactionID]
    for role in ids + [.productID] { columns.accept(role) }
    columns.fill(.occurredAt, with: TimeColumn.guess(.occurredAt, columns))
    acceptNamed()
  }

  /// Takes who paid, and decides what hangs on it.
  ///
  /// - Parameter groups: each user's group.
  mutating func complete(user: Guess<String>?, groups: [String: String]) {
    if let user { columns.set("userId", user) }
    columns.accept(.eventID)
    guard let price = column("price") else { return }
    let times = [
      TimeColumn.question(.occurredAt, columns), DateOrder.question(columns, "occurredAt", reported: terms.dates),
    ]
    questions += times.compactMap(\.self)
    lookAtUnits(price)
    if refunds == nil {
      lookAtCharges(price)
    } else {
      mapping.refundsNegatives = columns.numbers(price).contains { ($0 ?? 0) < 0 }
    }
    let money = GroupedMoney(users: columns.sample.column(column("userId") ?? ""), groups: groups)
    if let unknownTypes { questions.append(unknownTypes.question(columns, amounts(price), money)) }
    questions += doubts.filter { $0.matters(money) }.map { $0.text(money) }
    leaveUnread()
  }

  mutating func lookAtCharges(_ price: String) {
    lookAtQuantity(price)
    lookAtDeleted()
    lookAtEnvironment()
    lookAtFurtherRows(price)
    lookAtStatus(price)
    lookAtMarks(price)
    lookAtItems(price)
    lookAtNegatives(price)
    lookAtLinks(price)
  }

  mutating func leaveUnread() {
    if column("currency") == nil, code == nil, let unread = UnreadCurrency(columns, reported: terms.currency) {
      questions.append(unread.problem)
    }
    for field in ["eventType", "productId", "currency"] where mapping.typeColumn == nil || field != "eventType" {
      leaveUnread(field)
    }
  }

  /// Keeps a column from being read for the field that it is called by.
  mutating func leaveUnread(_ field: String) {
    guard column(field) == nil, columns.sample.names.contains(field) else { return }
    unread.append(field)
    let why = field == "currency" ? "it is not that of the price" : "it is something else"
    emit(field, "not the column of that name", Guess(0, .likely, why))
  }

  /// Its rows may name no user: a refund is of whoever has the charge that it names.
  var areOfOwners: Bool { refunds != nil && column("transactionId") != nil }

  /// The ids of its charges.
  var ids: [String] { column("transactionId").map { columns.values($0).reported.values } ?? [] }

  func column(_ field: String) -> String? { columns.found[field]?.value }

  // MARK: - Columns

  mutating func acceptMoney() {
    let found = PriceColumn(columns, reporting: terms.currency, hasRates: terms.hasRates)
    if let price = found.price { columns.set("price", price) }
    if let currency = found.currency, currency.value != column("price") { columns.set("currency", currency) }
    code = found.code
    if let question = found.question { doubts.append(question) }
    guard found.price == nil else { return }
    columns.accept(.currency)
    columns.fill(.currency, with: columns.onlyOne("every value is the code of a currency", \.areCurrencyCodes))
    columns.fill(.price, with: columns.onlyOne("the only column of amounts", \.areFractions))
  }

  /// A refund has the time and the charge's id that its table has for them.
  mutating func accept(_ table: RefundTable) {
    if let time = table.time { columns.set("occurredAt", Guess(time, .certain, "by its name and its values")) }
    guard let charge = table.charge else { return }
    columns.set("transactionId", Guess(charge, .likely, "it names the charge that was refunded"))
  }

  /// Holds refunds against the charges of the other tables, whose ids they must have.
  mutating func refer(to charges: Set<String>) {
    guard let refunds else { return }
    let ids = Set(refunds.charge.map(columns.values)?.reported.values ?? [])
    if let charge = refunds.charge, 2 * ids.intersection(charges).count >= ids.count {
      columns.give(back: "transactionId")
      let words =
        "\(Phrase.count(ids.intersection(charges).count)) of \(Phrase.count(ids.count)) ids are those of charges"
      return columns.set("transactionId", Guess(charge, .certain, words))
    }
    questions.append(
      "\(columns.sample.file): its rows are refunds, by its name and those of its columns, and no column of it holds the ids of "
        + "the charges they are of. Add a column with the charge's id, and type init again with it.")
  }

  mutating func acceptTypes() {
    guard let found = ForeignTypes.find(columns, price: column("price"), answers: answers), let column = found.column
    else { return }
    columns.set("eventType", column)
    mapping.types = found.types
    questions += found.questions
    unknownTypes = found.unknown
    carried = found.carried
    if !carried.isEmpty { emit("event_types", Phrase.list(carried), Guess(0, .likely, "they bring no money")) }
    guard !found.types.isEmpty else { return }
    let words = found.types.sorted { $0.key < $1.key }.map { "\($0.key) is \($0.value)" }
    emit("types", words.joined(separator: ", "), Guess(0, .likely, "by their names"))
  }

  /// A server's table of users, with a column that says when each began a trial of the server's own.
  mutating func acceptTrials() {
    guard column("price") == nil, column("eventType") == nil, let found = TrialColumn.guess(columns) else { return }
    columns.set(ColumnRole.occurredAt.field, found)
    skipped.append(SkipRule(column: found.value, matches: [.nothing]))
    reportsTrials = true
    emit("skip_where", "rows without \"\(found.value)\"", Guess(0, .certain, "no trial was begun"))
  }

  /// Fields that a log has under the very names that are read.
  mutating func acceptNamed() {
    for field in ["eventId", "originalTransactionId", "expiresDate", "offeringId", "testGroupId"]
    where columns.sample.names.contains(field) && columns.found[field] == nil {
      columns.set(field, Guess(field, .certain, "named so"))
    }
  }

  mutating func emit<Value>(_ subject: String, _ value: String, _ guess: Guess<Value>) {
    remarks.append(Remark(subject, value, guess))
  }
}
