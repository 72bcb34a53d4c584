import Domain
import Engine
import Jobs

/// What a stranger's log of purchases says, column by column, and what a job must say so that its money is right.
struct LogColumns {
  private(set) var columns: ColumnGuess
  /// The currency of all prices, where their column's name says it.
  private(set) var code: Guess<String>?
  private(set) var mapping = LogMapping()
  private(set) var skipped: [SkipRule] = []
  /// Names of events that stand for themselves.
  private(set) var carried: [String] = []
  /// What was decided beside the columns, to be told.
  private(set) var remarks: [Remark] = []
  /// What nobody but whoever asked can know, each with what to type.
  private(set) var questions: [String] = []

  /// Fields that the file has under their own names, and that are something else there.
  private(set) var unread: [String] = []

  /// Each of its rows tells of a trial, and of nothing else.
  private(set) var tellsTrials = false

  private let terms: PurchasesGuess.Terms
  private let answers: [String: String]
  /// A product stands in each row of an order, and the price is the whole order's.
  private var repeatsTotal = false

  init(_ sample: FileSample, told: [String: String], _ terms: PurchasesGuess.Terms) {
    columns = ColumnGuess(sample, told: told)
    self.terms = terms
    answers = terms.answers
    columns.take(.occurredAt)
    takeMoney()
    takeTypes()
    takeTrials()
    // A trial of the server's own is no store's transaction: an id there is the user's.
    let ids = tellsTrials ? [] : [ColumnRole.orderNumber, .transactionID, .originalTransactionID]
    for role in ids + [.productID] { columns.take(role) }
    columns.fill(.occurredAt, with: TimeColumn.guess(.occurredAt, columns))
    takeNamed()
  }

  /// Takes who paid, and decides what hangs on it.
  mutating func complete(user: Guess<String>?) {
    if let user { columns.set("userId", user) }
    columns.take(.eventID)
    guard let price = column("price") else { return }
    let times = [
      TimeColumn.question(.occurredAt, columns), DateOrder.question(columns, "occurredAt", told: terms.dates),
    ]
    questions += times.compactMap(\.self)
    lookAtUnits(price)
    lookAtQuantity(price)
    lookAtItems(price)
    lookAtFurtherRows(price)
    lookAtNegatives(price)
    lookAtStatus()
    lookAtDeleted()
    lookAtEnvironment()
    for field in ["eventType", "productId", "currency"] where mapping.typeColumn == nil || field != "eventType" {
      leaveUnread(field)
    }
  }

  /// Keeps a column from being read for the field that it is called by.
  private mutating func leaveUnread(_ field: String) {
    guard column(field) == nil, columns.sample.names.contains(field) else { return }
    unread.append(field)
    let why = field == "currency" ? "it is not that of the price" : "it is something else"
    tell(field, "not the column of that name", Guess(0, .likely, why))
  }

  private func column(_ field: String) -> String? { columns.found[field]?.value }

  // MARK: - Columns

  private mutating func takeMoney() {
    let found = PriceColumn(columns, reporting: terms.currency, hasRates: terms.hasRates)
    if let price = found.price { columns.set("price", price) }
    if let currency = found.currency, currency.value != column("price") { columns.set("currency", currency) }
    code = found.code
    if let question = found.question { questions.append(question) }
    guard found.price == nil else { return }
    columns.take(.currency)
    columns.fill(.currency, with: columns.onlyOne("every value is the code of a currency", \.areCurrencyCodes))
    columns.fill(.price, with: columns.onlyOne("the only column of amounts", \.areFractions))
  }

  private mutating func takeTypes() {
    guard let found = ForeignTypes.find(columns, price: column("price"), answers: answers), let column = found.column
    else { return }
    columns.set("eventType", column)
    mapping.types = found.types
    questions += found.questions
    carried = found.carried
    if !carried.isEmpty { tell("event_types", Phrase.list(carried), Guess(0, .likely, "they bring no money")) }
    guard !found.types.isEmpty else { return }
    let words = found.types.sorted { $0.key < $1.key }.map { "\($0.key) is \($0.value)" }
    tell("types", words.joined(separator: ", "), Guess(0, .likely, "by their names"))
  }

  /// A server's table of users, with a column that says when each began a trial of the server's own.
  private mutating func takeTrials() {
    guard column("price") == nil, column("eventType") == nil, let found = TrialColumn.guess(columns) else { return }
    columns.set(ColumnRole.occurredAt.field, found)
    skipped.append(SkipRule(column: found.value, matches: [.nothing]))
    tellsTrials = true
    tell("skip_where", "rows without \"\(found.value)\"", Guess(0, .certain, "no trial was begun"))
  }

  /// Fields that a log has under the very names that are read.
  private mutating func takeNamed() {
    for field in ["eventId", "originalTransactionId", "expiresDate", "offeringId", "testGroupId"]
    where columns.sample.names.contains(field) && columns.found[field] == nil {
      columns.set(field, Guess(field, .certain, "named so"))
    }
  }

  private mutating func tell<Value>(_ subject: String, _ value: String, _ guess: Guess<Value>) {
    remarks.append(Remark(subject, value, guess))
  }

  // MARK: - Money

  private mutating func lookAtUnits(_ price: String) {
    if let answer = answers["price_unit"] {
      mapping.isInMinorUnits = answer == "minor"
      return tell("price_unit", answer, Guess(0, .certain, "as told"))
    }
    if columns.told["price"] == price, MinorUnits.perUnit(price, columns.values(price).values) != nil { return }
    let found = MinorUnits(price, currency: column("currency"), code: code?.value ?? terms.currency, columns)
    switch found.finding {
    case .units: break
    case .minor(let why):
      mapping.isInMinorUnits = true
      tell("price_unit", "minor", Guess(0, .certain, why))
    case .unknown(let why): questions.append(MinorUnits.question(price, why, in: columns.sample))
    }
  }

  private mutating func lookAtQuantity(_ price: String) {
    let found = QuantityColumn(price, product: column("productId"), columns, answer: answers["quantity"])
    if let quantity = found.quantity {
      mapping.quantity = quantity.value
      tell("quantity", "column \"\(quantity.value)\" multiplies the price", quantity)
    }
    if let question = found.question { questions.append(question) }
  }

  /// What each row comes to.
  private func amounts(_ price: String) -> [Double?] {
    let prices = columns.numbers(price)
    guard let quantity = mapping.quantity else { return prices }
    return zip(prices, columns.numbers(quantity)).map { price, count in price.map { $0 * (count ?? 1) } }
  }

  private mutating func lookAtItems(_ price: String) {
    guard let order = column("transactionId"), column("eventType") == nil else { return }
    let found = ItemRows(
      order: order, product: column("productId"), price: price, amounts: amounts(price), columns,
      answer: answers["items"])
    if let items = found.items {
      mapping.hasItems = true
      tell("items", "true", items)
    }
    if let question = found.question { questions.append(question) }
    guard found.repeatsTotal, let product = column("productId") else { return }
    columns.give(back: "productId")
    tell(
      "productId", "none",
      Guess(0, .likely, "orders have several of \"\(product)\", and each of their rows has what the whole order cost"))
  }

  /// Amounts below zero that name the charge they are of.
  private mutating func lookAtNegatives(_ price: String) {
    let numbers = amounts(price)
    let negative = numbers.indices.filter { (numbers[$0] ?? 0) < 0 }
    guard !negative.isEmpty, let charge = column("transactionId") else { return }
    let ids = columns.sample.column(charge)
    let types = column("eventType").map { columns.sample.column($0) }
    let charges = Set(numbers.indices.filter { (numbers[$0] ?? 0) > 0 }.compactMap { ids[$0] })
    let known = negative.count { row in
      ids[row].map(charges.contains) ?? false
        || types?[row].map { mapping.types[$0] ?? $0 } == "refund"
    }
    guard 2 * known >= negative.count || columns.sample.rows.count < columns.sample.rowCount else { return }
    mapping.refundsNegatives = true
    tell(
      "negative", "refund",
      Guess(
        0, .likely, "\(Phrase.count(negative.count)) amounts are below zero, and name the \"\(charge)\" of a charge"))
  }

  // MARK: - Rows that are no charges

  private mutating func lookAtStatus() {
    guard let status = StatusColumn(columns.sample, columns.free, isOfInit: true) else { return }
    let answered = status.unknown.filter { answers["types.\($0)"] == nil }
    if let first = answered.first {
      let words = answered.map { "\"\($0)\"" }
      return questions.append(
        "\(columns.sample.file): \"\(status.name)\" says \(Phrase.list(words)), and nobody but you knows whether that was "
          + "paid. Type init again with --say \(ShellText.word("types.\(first)=purchase")) if it was, or "
          + "\(ShellText.word("types.\(first)=ignore")) if it was not.")
    }
    let types = status.types.merging(
      answers.reduce(into: [:]) { types, answer in
        let word = String(answer.key.dropFirst("types.".count))
        if answer.key.hasPrefix("types."), status.unknown.contains(word) { types[word] = answer.value }
      }
    ) { $1 }
    let ignored = types.filter { $0.value == LogMapping.ignored }.keys.sorted()
    guard !ignored.isEmpty else { return }
    let words = Guess(0, Sureness.likely, "by the words of \"\(status.name)\"")
    if column("eventType") == nil {
      mapping.typeColumn = status.name
      mapping.types = types
      tell("types_of", "\(status.name): \(Phrase.list(ignored)) is no charge", words)
    } else {
      skipped.append(SkipRule(column: status.name, matches: ignored.map { SkipRule.Match(word: $0) }))
      tell("skip_where", "\(status.name): \(Phrase.list(ignored))", words)
    }
  }

  private mutating func lookAtFurtherRows(_ price: String) {
    guard column("eventType") == nil, let found = FurtherRows(price, columns) else { return }
    skipped.append(found.rule)
    remarks.append(found.remark)
  }

  private mutating func lookAtDeleted() {
    let found = DeletedRows(columns, key: column("transactionId"))
    skipped += found.rules
    remarks += found.remarks
    if let problem = found.problem { questions.append(problem) }
  }

  /// Test purchases under other names than the stores have for them.
  private mutating func lookAtEnvironment() {
    let usual: Set<String> = ["production", "sandbox", "xcode", "localtesting", "testflight"]
    let live: Set<String> = ["production", "prod", "live", "release"]
    for name in columns.free {
      let plain = ColumnRole.plain(name)
      let kinds = Set(columns.values(name).told.values)
      if plain == "environment" || plain == "env" {
        let words = Set(kinds.map { $0.lowercased() })
        if words.isSubset(of: usual) {
          columns.set("environment", Guess(name, .certain, "by its name and its values"))
        } else if !words.isDisjoint(with: live) {
          skip(name, kinds.filter { !live.contains($0.lowercased()) }.sorted())
          leaveUnread("environment")
        }
      } else if plain == "livemode", kinds.contains(where: { $0.lowercased() == "false" }) {
        skip(name, kinds.filter { $0.lowercased() == "false" }.sorted())
      }
    }
  }

  private mutating func skip(_ column: String, _ values: [String]) {
    guard !values.isEmpty else { return }
    skipped.append(SkipRule(column: column, matches: values.map { SkipRule.Match(word: $0) }))
    tell("skip_where", "\(column): \(Phrase.list(values))", Guess(0, .certain, "these are tests"))
  }
}

extension SkipRule.Match {
  /// The match of a word as a file has it.
  init(word: String) {
    switch word.lowercased() {
    case "true": self = .flag(true)
    case "false": self = .flag(false)
    default: self = .text(word)
    }
  }
}
