import Domain
import Engine
import Jobs

/// What a table of charges may mean otherwise than its job says, where the money hangs on it.
package struct JobDoubts {
  private let columns: ColumnGuess
  private let input: PurchaseInput
  private let money: GroupedMoney

  /// - Parameters:
  ///   - sample: of the purchases' first file.
  ///   - users: the job's assignments, and a sample of their first file; nil where there are none to look at.
  package init(_ sample: FileSample, _ input: PurchaseInput, users: (sample: FileSample, input: TableInput)?) {
    self.input = input
    let bound = sample.bound(by: input.table, EventField.allCases.map(\.name))
    columns = ColumnGuess(sample, bound: bound)
    let assigned = users.map { users in
      ColumnGuess(users.sample, bound: users.sample.bound(by: users.input, ["user", "group"]))
    }
    let names = bound["userId"].map(sample.column) ?? sample.rows.map { _ in nil }
    money = GroupedMoney(users: names, groups: GroupsOfUsers.all(assigned))
  }

  /// A sentence each, with what each group's money is by either reading and what to write.
  package var sentences: [String] {
    guard let price = columns.found["price"]?.value else { return [] }
    let isTable = input.defaults["eventType"] == "purchase" || input.mapping.typeColumn != nil
    let questions = units(price) + (isTable ? amounts(price) + marks(price) + keys(price) : [])
    return questions.filter { $0.matters(money) }.compactMap { $0.doubt(money) }
  }

  private func units(_ price: String) -> [MoneyQuestion] {
    guard !input.mapping.isInMinorUnits else { return [] }
    let code = input.defaults["currency"]
    let finding = MinorUnits(price, currency: columns.found["currency"]?.value, code: code, columns).finding
    let decimals = code.flatMap { Currency(Array($0.utf8)) }?.minorUnits ?? 2
    switch finding {
    case .units: return []
    case .minor(let why), .unknown(let why): return [MinorUnits.question(price, why, decimals: decimals, columns)]
    }
  }

  private func amounts(_ price: String) -> [MoneyQuestion] {
    let quantity =
      input.mapping.quantity == nil
      ? QuantityColumn(price, product: columns.found["productId"]?.value, columns, answer: nil) : nil
    let rival = PriceColumn.doubt(price, columns)
    return [quantity?.quantity == nil ? quantity?.question : nil, rival].compactMap(\.self)
  }

  private func marks(_ price: String) -> [MoneyQuestion] {
    let seen = Set(input.table.skipped.map(\.column) + [input.mapping.typeColumn].compactMap(\.self))
    let amounts = columns.numbers(price)
    return MarkedRows.all(columns, among: columns.free.filter { !seen.contains($0) }).filter { $0.matters(amounts) }
      .map { $0.question(columns.sample.file, amounts) }
  }

  private func keys(_ price: String) -> [MoneyQuestion] {
    guard let order = columns.found["transactionId"]?.value, input.mapping.typeColumn == nil else { return [] }
    let product = input.mapping.hasItems ? columns.found["productId"]?.value : nil
    let rows = ChargeKey.Rows(order: order, product: product, amounts: columns.numbers(price))
    return [ChargeKey(rows, columns, price: price).question].compactMap(\.self)
  }
}
