import Foundation
import Testing

/// Strangers' files that cannot be believed as they are: whoever types what the terminal says comes to right figures.
@Suite("Files that are mended by what init says")
struct MendedFilesTests {
  private let binary: Binary

  init() throws { binary = try Binary() }

  // MARK: - A stranger who types what is shown

  /// Looks at files, types every command that is shown until nothing is to be mended, and runs the job.
  ///
  /// - Returns: what was said at each step, and of each group the sum that a metric has.
  private func follow(
    _ arguments: [String], metric: String = "revenue_net_7d"
  ) throws -> (said: [String], sums: [String: String]) {
    var outcome = try binary.run(["init"] + arguments)
    var said: [String] = []
    for _ in 0..<4 {
      let text = outcome.output + outcome.errors
      said.append(text)
      let commands = text.split(separator: "\n").compactMap { $0.firstMatch(of: /^ {4,5}((sqlite3|jq|gunzip) .*)/)?.1 }
      guard !commands.isEmpty else { break }
      for command in commands { try shell(String(command)) }
      let again = try #require(text.firstMatch(of: /\n {2}offerlift init (.*--force)/)?.1, "\(text)")
      outcome = try binary.run(["init"] + words(String(again)))
    }
    let run = try #require(outcome.output.firstMatch(of: /\n {2}offerlift (run .*)/)?.1, "\(said)\(outcome.errors)")
    let ran = try binary.run(run.split(separator: " ").map(String.init))
    #expect(ran.exit == 0, "\(ran.errors)")
    let job = try #require(run.firstMatch(of: /run (.*)\.yml/)?.1)
    let rows = try binary.text("reports/\(job)/latest/group_metrics.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let own = rows.filter { $0[5] == "all" && $0[6] == metric }
    return (said, Dictionary(uniqueKeysWithValues: own.map { ($0[3], $0[11]) }))
  }

  private func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = binary.folder
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(command)")
  }

  /// The words that a shell makes of a line.
  private func words(_ line: String) throws -> [String] {
    try shell("printf '%s\\n' \(line) > .words")
    return try binary.text(".words").split(separator: "\n").map(String.init)
  }

  /// Two hundred users in two groups, all assigned on 2026-03-01; of every fourth an order on the day after.
  private func writeUsers(_ name: String = "paywall test.csv", id: (Int) -> String = { "u\($0)" }) throws {
    let users = (1...200).map { "\(id($0)),\($0 % 2 == 0 ? "control" : "offer"),2026-03-01 00:00:00" }
    try binary.write(name, (["user,variant,joined"] + users).joined(separator: "\n") + "\n")
  }

  private func writeOrders(_ name: String = "orders.csv", _ header: String, _ row: (Int) -> String) throws {
    let rows = (1...200).filter { $0 % 4 < 2 }.map(row)
    try binary.write(name, ([header] + rows).joined(separator: "\n") + "\n")
  }

  private func at(_ user: Int) -> String { user == 200 ? "2026-03-31 12:00:00" : "2026-03-02 12:00:00" }

  // MARK: - What is mended

  @Test("Refunds that stand in a column, and payments that failed, are taken out as the lines say")
  func refunds() throws {
    try writeUsers()
    try writeOrders(
      "unified payments.csv", "id,Customer,Created (UTC),Amount,Amount Refunded,Currency,Status,Refunded date (UTC)"
    ) {
      user in
      let back = user % 10 == 0 ? "4.00" : "0.00"
      return "ch_\(user),u\(user),\(at(user)),10.00,\(back),usd,\(user % 10 == 1 ? "Failed" : "Paid"),"
        + (user % 10 == 0 ? "2026-03-03 12:00:00" : "")
    }
    let (said, sums) = try follow(["--assignments", "paywall test.csv", "--purchases", "unified payments.csv"])
    #expect(said.count == 2)
    let parts = [
      "types_of: Status: Failed is no charge", "with these files its figures are not to be believed.\n",
      "Before you believe the figures:\n1. \"Amount Refunded\" is not read: 10 of 100 rows", "40 in all",
      "Once that is done, type:\n",
    ]
    for part in parts { #expect(said[0].contains(part), "\(part) in \(said[0])") }
    // Users 4, 8 … 200, the last of them too late: 49 of 10.00, and of ten times 4.00 back nine within the week.
    #expect(sums == ["control": "454.000000", "offer": "400.000000"])
    #expect(try binary.text("paywall-test.yml").contains("job: paywall-test"))
  }

  @Test("Rows whose word says that all was given back are written as refunds")
  func words() throws {
    try writeUsers()
    try writeOrders("o.csv", "order_id,user,date,total,currency,refunded") { user in
      "\(user),u\(user),\(at(user)),10.00,EUR,\(user % 10 == 0)"
    }
    let (said, sums) = try follow(["--assignments", "paywall test.csv", "--purchases", "o.csv"])
    #expect(said[0].contains("\"refunded\" says true in 10 of 100 rows"), "\(said[0])")
    #expect(sums == ["control": "400.000000", "offer": "500.000000"])
  }

  @Test("Negative amounts of an order's number become refunds of it", arguments: [",", ";"])
  func negativeAmounts(mark: String) throws {
    func row(_ user: Int, _ price: String) -> String {
      let price = mark == ";" ? price.replacingOccurrences(of: ".", with: ",") : price
      return ["\(user)", "u\(user)", at(user), "plan", price, "refunded"].joined(separator: mark)
    }
    try writeUsers()
    try writeOrders("o.csv", ["order", "user", "date", "sku", "total", "status"].joined(separator: mark)) { user in
      row(user, "10.00") + (user % 10 == 0 ? "\n" + row(user, user % 20 == 0 ? "-10.00" : "-2.50") : "")
    }
    let (said, sums) = try follow(["--assignments", "paywall test.csv", "--purchases", "o.csv", "--currency", "EUR"])
    #expect(said.count == 1)
    let words = "negative: refund (likely: 10 amounts are below zero, and name the \"order\" of a charge)"
    #expect(said[0].contains(words), "\(said[0])")
    // Users 4, 8 … 200, the last of them too late: 49 of 10.00, and all of it back of 20, 40 … 180.
    #expect(sums == ["control": "400.000000", "offer": "500.000000"])
  }

  @Test("Negative amounts of members that are numbers become refunds as well")
  func negativeNumbers() throws {
    try writeUsers()
    func row(_ user: Int, _ price: String) -> String {
      #"{"order":\#(user),"user":"u\#(user)","date":"\#(at(user))","total":\#(price),"currency":"EUR"}"#
    }
    let users = (1...200).filter { $0 % 4 < 2 }
    let rows = users.map { row($0, "10") } + users.filter { $0 % 10 == 0 }.map { row($0, "-2.5") }
    try binary.write("o.jsonl", rows.joined(separator: "\n") + "\n")
    let (_, sums) = try follow(["--assignments", "paywall test.csv", "--purchases", "o.jsonl"])
    #expect(sums == ["control": "467.500000", "offer": "500.000000"])
  }

  @Test("A file of negative amounts alone becomes one of refunds, of charges in another file")
  func negativeFile() throws {
    try writeUsers()
    try writeOrders("o.csv", "order,user,date,total,currency") { "\($0),u\($0),\(at($0)),10.00,EUR" }
    let back = (1...200).filter { $0 % 20 == 0 }.map { "\($0),u\($0),\(at($0)),-10.00,EUR" }
    try binary.write("back.csv", (["order,user,given back on,total,currency"] + back).joined(separator: "\n"))
    let (said, sums) = try follow(["--assignments", "paywall test.csv", "--purchases", "o.csv", "back.csv"])
    #expect(said[0].contains("10 of 10 rows of back.csv have a negative \"total\""), "\(said[0])")
    #expect(sums == ["control": "400.000000", "offer": "500.000000"])
  }

  @Test("Negative amounts that name no charge are told, and nobody guesses which charge they are of")
  func negativeUnassigned() throws {
    try writeUsers()
    func look(_ header: String, _ row: @escaping (Int) -> String) throws -> String {
      try writeOrders("o.csv", header, row)
      let outcome = try binary.run(
        "init", "--assignments", "paywall test.csv", "--purchases", "o.csv", "--currency", "EUR", "--force")
      #expect(!outcome.output.contains("sqlite3"), "\(outcome.output)")
      return outcome.output
    }
    func price(_ user: Int) -> String { user % 10 == 0 ? "-10.00" : "10.00" }
    let named = try look("order,user,date,total") { "\($0),u\($0),\(at($0)),\(price($0))" }
    #expect(named.contains("None has the \"order\" of a charge among them: write the charge's there."), "\(named)")
    let unnamed = try look("user,date,total") { "u\($0),\(at($0)),\(price($0))" }
    #expect(unnamed.contains("10 of 100 rows of o.csv have a negative \"total\""), "\(unnamed)")
    #expect(unnamed.contains("ask for the transactions' ids."), "\(unnamed)")
  }

  @Test("A few prices with a mark of thousands stop nothing but themselves, and a line takes the marks away")
  func thousands() throws {
    try writeUsers()
    try writeOrders("v.csv", "usuario;fecha;importe;moneda;pedido") { user in
      "u\(user);\(at(user));\(user == 5 ? "1.007,99" : "9,99");EUR;\(user)"
    }
    let (said, sums) = try follow(["--assignments", "paywall test.csv", "--purchases", "v.csv"])
    let parts = [
      "price: column \"importe\" (certain: ", "currency: column \"moneda\" (certain: ", "decimal: \",\" (certain: ",
      "1 of 100 prices of v.csv hold \".\" (first in line 4: 1.007,99); they would be rejected, and 1,007.99 left out.",
    ]
    for part in parts { #expect(said[0].contains(part), "\(part) in \(said[0])") }
    #expect(try binary.text("paywall-test.yml").contains("currency: EUR "))
    #expect(sums == ["control": "489.510000", "offer": "1497.500000"])
  }

  @Test("Signs of a currency beside every price are refused with the line that takes them away, and tell the currency")
  func signs() throws {
    try writeUsers()
    try writeOrders("o.csv", "order,user,date,total") { user in
      "\(user),u\(user),\(at(user)),\(user % 3 == 0 ? "\"£1,299.00\"" : "£12.00")"
    }
    let files = ["init", "--assignments", "paywall test.csv", "--purchases"]
    let refused = try binary.run(files + ["o.csv"])
    #expect(refused.exit == 65)
    #expect(refused.errors.contains("100 of 100 prices in column \"total\" hold \",\" and \"£\" (line 2: £12.00)"))
    #expect(refused.errors.contains("\nThen type init with o-plain.csv --currency GBP."), "\(refused.errors)")
    try shell(try #require(refused.errors.firstMatch(of: /\n {4}(sqlite3 .*)/)?.1.description))
    let outcome = try binary.run(files + ["o-plain.csv", "--currency", "GBP"])
    #expect(outcome.output.contains("\nThis job will run.\n"), "\(outcome.errors)")
    #expect(try binary.text("o-plain.csv").contains("1299.00\n"))
  }

  @Test("Objects inside of objects are read by dotted names, and a log of all events by what its names stand for")
  func nested() throws {
    func event(_ user: Int, _ name: String, _ time: Int, _ more: String) -> String {
      #"{"event":"\#(name)","properties":{"time":\#(time),"distinct_id":"u\#(user)",\#(more)}}"#
    }
    let views = (1...200).map { user in
      event(user, "Paywall Viewed", 1_772_323_200, #""Variant name":"\#(user % 2 == 0 ? "control" : "offer")""#)
    }
    let charges = (1...200).filter { $0 % 4 < 2 }.map { user in
      event(
        user, "Purchased", user == 200 ? 1_774_958_400 : 1_772_452_800, #""price":9.5,"currency":"USD","product":"p""#)
    }
    try binary.write("raw.json", (views + charges).joined(separator: "\n"))
    let (said, sums) = try follow(
      ["--assignments", "raw.json", "--purchases", "raw.json", "--column", "userId=properties.distinct_id"])
    let parts = [
      "types: Paywall Viewed is paywall_view, Purchased is purchase",
      "skip_where: rows without \"properties.Variant name\" (likely: 100 of 300 rows looked at have no group)",
    ]
    for part in parts { #expect(said[0].contains(part), "\(part) in \(said[0])") }
    #expect(said.count == 1)
    #expect(sums == ["control": "465.500000", "offer": "475.000000"])
  }

  @Test("Ids that differ in letter case alone are written small")
  func letterCase() throws {
    try writeUsers { "User\($0)" }
    try writeOrders("o.csv", "order,user,date,total,currency") { "\($0),user\($0),\(at($0)),5.00,USD" }
    let (said, sums) = try follow(["--assignments", "paywall test.csv", "--purchases", "o.csv"])
    #expect(
      said[0].contains("The same ids are \"Xxxx9\" in the assignments and \"xxxx9\" in the purchases"), "\(said[0])")
    #expect(sums == ["control": "245.000000", "offer": "250.000000"])
  }

  // MARK: - What only whoever asks can say

  @Test("All that is missing of both files is asked for at once")
  func missing() throws {
    try binary.write("a.csv", "x,y,z\n1,2,red\n2,2,green\n3,2,blue\n")
    try binary.write("b.csv", "p,q\n8,free\n9,free\n")
    let outcome = try binary.run("init", "--assignments", "a.csv", "--purchases", "b.csv")
    #expect(outcome.exit == 65)
    #expect(
      outcome.errors.hasSuffix(
        "\nSay which ones they are: --column user=NAME --column group=NAME --column assigned_at=NAME --column userId=NAME --column "
          + "occurredAt=NAME --column price=NAME\n"), "\(outcome.errors)")
    let wrong = try binary.run(
      "init", "--assignments", "a.csv", "--purchases", "b.csv", "--column", "usr=x", "--column", "price=qq")
    #expect(wrong.errors.contains("there is no field \"usr\"; did you mean \"user\"?"), "\(wrong.errors)")
    #expect(wrong.errors.contains("no file has a column \"qq\"; did you mean"), "\(wrong.errors)")
  }

  @Test("Files in other encodings are told all at once, by init and by check")
  func encodings() throws {
    try writeOrders("o.csv", "order,user,date,total,currency") { "\($0),u\($0),\(at($0)),5.00,USD" }
    let latin = (1...200).flatMap { (user: Int) -> [UInt8] in
      Array("u\(user),ma".utf8) + [0xf1] + Array("ana \(user % 2),2026-03-01\n".utf8)
    }
    try binary.write("u.csv", bytes: Array("user,variant,joined\n".utf8) + latin)
    try binary.write("o.txt", bytes: Array("a\0,\0b\0\n\0".utf8))
    let both = try binary.run("init", "--assignments", "u.csv", "--purchases", "o.txt")
    #expect(both.exit == 65)
    #expect(both.errors.contains("u.csv, line 2: the text is not UTF-8; it looks like Windows-1252"), "\(both.errors)")
    #expect(both.errors.contains("o.txt is text in UTF-16"), "\(both.errors)")
    let command = try #require(both.errors.firstMatch(of: /(iconv -f WINDOWS-1252 .*) > FILE\./)?.1)
    try binary.write(
      "job.yml",
      """
      job: latin
      assignments: {path: u.csv, columns: {group: variant, assigned_at: joined}, defaults: {offering: o}}
      purchases: {path: o.csv, format: events-csv, defaults: {eventType: purchase, productId: p},
        columns: {userId: user, occurredAt: date, price: total}}
      metrics: [{name: revenue_net, window: 7d, primary: true}]

      """)
    let check = try binary.run("check", "job.yml")
    #expect(check.exit == 65)
    #expect(check.output.contains("1. u.csv, line 2: the text is not UTF-8"), "\(check.output)")
    try shell("\(command) > u8.csv")
    let outcome = try binary.run("init", "--assignments", "u8.csv", "--purchases", "o.csv", "--baseline", "mañana 0")
    #expect(outcome.output.contains("mañana 0: 100 users, mañana 1: 100 users"), "\(outcome.output)\(outcome.errors)")
  }
}
