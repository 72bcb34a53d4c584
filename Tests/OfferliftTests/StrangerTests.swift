import Foundation
import Testing

/// Files of strangers, from what they have to a first published report without a look at the job file.
@Suite("A stranger's first report")
struct StrangerTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  private func text(_ date: Date, _ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = format
    return formatter.string(from: date)
  }

  private func decimal(_ cents: Int, _ sign: String = ".") -> String {
    String(format: "%d", cents / 100) + sign + String(format: "%02d", cents % 100)
  }

  // MARK: - From files to figures

  /// Types what `init` says to type next, and compares what is published with the world.
  private func expectFirstReport(
    _ outcome: Binary.Outcome, of world: UnassignedWorld, refunds: Bool = false,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(outcome.exit == 0, "\(outcome.errors)", sourceLocation: location)
    #expect(
      outcome.output.contains("\nThis job will run.\n"), "\(outcome.output)\(outcome.errors)", sourceLocation: location)
    let commands = outcome.output.split(separator: "\n").filter { $0.hasPrefix("  offerlift ") }
    try #require(commands.count == 2, "\(outcome.output)", sourceLocation: location)
    for command in commands {
      let typed = try binary.run(command.split(separator: " ").dropFirst().map(String.init))
      #expect(typed.exit == 0, "\(typed.errors)", sourceLocation: location)
    }
    let job = try #require(commands[0].split(separator: " ").last?.replacing(".yml", with: ""))
    let rows = try binary.text("reports/\(job)/latest/group_metrics.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let cutoff = try Date(rows[1][1], strategy: .iso8601)
    for group in world.groups {
      let expected = world.figures(of: group, before: cutoff, refunds: refunds)
      #expect(expected.users > 50 && expected.payers > 10, sourceLocation: location)
      let own = rows.filter { $0[3] == group && $0[5] == "all" }
      let money = try #require(own.first { $0[6] == "revenue_net_7d" }, sourceLocation: location)
      #expect(money[9] == "\(expected.users)", "\(group)", sourceLocation: location)
      #expect(money[11] == decimal(expected.cents) + "0000", "\(group)", sourceLocation: location)
      let payers = try #require(own.first { $0[6] == "paying_conversion_7d" }, sourceLocation: location)
      #expect(payers[11] == "\(expected.payers)", "\(group)", sourceLocation: location)
    }
  }

  // MARK: - The strangers

  private func writeStripe(_ world: UnassignedWorld) throws {
    let users = world.users.map { "cus_\($0);\(world.group($0));\(text(world.assigned($0), "dd.MM.yyyy HH:mm"))" }
    try binary.write("kunden.csv", (["Kunde;Variante;Angelegt am"] + users).joined(separator: "\r\n") + "\r\n")
    let charges = world.charges.enumerated().map { number, charge in
      "ch_\(number);Premium Monat;\(text(charge.at, "dd.MM.yyyy HH:mm"));\(decimal(charge.cents, ","));eur;Paid;cus_\(charge.user)"
    }
    try binary.write(
      "zahlungen.csv",
      "\u{feff}"
        + (["id;Description;Created (UTC);Amount;Currency;Status;Customer ID"] + charges).joined(separator: "\r\n"))
  }

  @Test("Charges of Stripe as a German spreadsheet saves them: semicolons, decimal commas, 02.03.2026")
  func stripe() throws {
    let world = UnassignedWorld(groups: ["Neuer Preis", "Kontrolle"])
    try writeStripe(world)
    let outcome = try binary.run(
      "init", "--assignments", "kunden.csv", "--purchases", "zahlungen.csv", "--name", "preise")
    let parts = [
      "decimal: \",\" (certain: ", "times: %d.%m.%Y %H:%M (certain: ", "currency: column \"Currency\" (certain: ",
      "group: column \"Variante\" (certain: ",
      "assigned_at: column \"Angelegt am\" (a guess: the only column of times)",
      "timezone: UTC (certain: the column's name says it)", "userId: column \"Customer ID\" (certain: 100 %",
    ]
    for part in parts { #expect(outcome.output.contains(part), "\(part) in \(outcome.output)") }
    let job = try binary.text("preise.yml")
    for line in ["currency: EUR ", "baseline: Kontrolle ", "    defaults: {offering: preise}\n"] {
      #expect(job.contains(line), "\(job)")
    }
    try expectFirstReport(outcome, of: world)
  }

  @Test("Orders of Shopify with American dates, and a table of an experiment with A and B")
  func shopify() throws {
    let world = UnassignedWorld(groups: ["A", "B"])
    let users = world.users.map { user in
      "p\(user)@example.com,paywall_2026,\(world.group(user)),\(text(world.assigned(user), "MM/dd/yyyy hh:mm a")),"
        + (user % 4 == 0 ? "DE" : "US")
    }
    try binary.write("visitors.csv", (["email,experiment,variant,first_seen,country"] + users).joined(separator: "\n"))
    let orders = world.charges.enumerated().map { number, charge in
      "#\(1001 + number),p\(charge.user)@example.com,paid,\(text(charge.at, "MM/dd/yyyy hh:mm a")),USD,1.00,"
        + "\(decimal(charge.cents)),1,\"Plus, yearly\",plus_year,\(5_550_000 + number)"
    }
    let header =
      "Name,Email,Financial Status,Paid at,Currency,Taxes,Total,Lineitem quantity,Lineitem name,Lineitem sku,Id"
    try binary.write("orders_export.csv", ([header] + orders).joined(separator: "\n"))
    let outcome = try binary.run("init", "--assignments", "visitors.csv", "--purchases", "orders_export.csv")
    #expect(outcome.output.contains("times: %m/%d/%Y %I:%M %p (certain: "), "\(outcome.output)")
    let job = try binary.text("visitors.yml")
    #expect(job.contains("segments: [country] ") && job.contains("productId: \"Lineitem sku\""), "\(job)")
    try expectFirstReport(outcome, of: world)
  }

  @Test("A dump of Postgres that counts milliseconds; which group is the baseline nobody but the stranger knows")
  func postgres() throws {
    let world = UnassignedWorld(groups: ["green", "blue"])
    let users = world.users.map { user in
      "\(user),0000\(user)-aaaa,price_test,\(world.group(user)),\(Int(world.assigned(user).timeIntervalSince1970) * 1000)"
    }
    try binary.write("ab.csv", (["id,user_uuid,experiment_key,bucket,created_at"] + users).joined(separator: "\n"))
    let payments = world.charges.enumerated().map { number, charge in
      "\(90_000 + number),0000\(charge.user)-aaaa,\(decimal(charge.cents)),\(Int(charge.at.timeIntervalSince1970) * 1000)"
    }
    try binary.write("payments.csv", (["id,user_uuid,amount,created_at"] + payments).joined(separator: "\n"))
    let files = ["init", "--assignments", "ab.csv", "--purchases", "payments.csv", "--currency", "gbp"]
    let unsure = try binary.run(files)
    #expect(unsure.exit == 78)
    #expect(unsure.errors.contains("note: Nobody but you can know which group of \"price_test\""), "\(unsure.errors)")
    #expect(unsure.errors.contains("will not run yet. One thing to mend:\n1. "))
    #expect(try binary.text("ab.yml").contains("\n# baseline: {price_test: blue}"))
    #expect(try binary.run(files + ["--baseline", "blue"]).exit == 73)
    #expect(try binary.run(files + ["--baseline", "blu", "--force"]).errors.contains("did you mean \"blue\"?"))
    let outcome = try binary.run(files + ["--baseline", "blue", "--force"])
    #expect(outcome.output.contains("times: milliseconds (certain: "), "\(outcome.output)")
    #expect(try binary.text("ab.yml").contains("currency: GBP "))
    try expectFirstReport(outcome, of: world)
  }

  @Test("A gzipped export of RevenueCat, its users by the alias that the assignments know")
  func revenueCat() throws {
    let world = UnassignedWorld(groups: ["control", "longer trial"])
    let users = world.users.map { user in
      "user-\(user),\(world.group(user)),\(text(world.assigned(user), "yyyy-MM-dd'T'HH:mm:ss'Z'"))"
    }
    try binary.write("assignments.csv", (["user_id,test_group_id,assigned_at"] + users).joined(separator: "\n"))
    let columns = [
      "rc_original_app_user_id", "rc_last_seen_app_user_id_alias", "product_identifier", "start_time", "store",
      "is_auto_renewable", "is_trial_period", "is_sandbox", "store_transaction_id", "refunded_at", "purchased_currency",
      "price_in_purchased_currency", "purchase_price_in_purchased_currency", "renewal_number",
    ]
    let rows = world.charges.enumerated().map { number, charge in
      let start = text(charge.at, "yyyy-MM-dd HH:mm:ss")
      let price = decimal(charge.cents)
      let back = charge.isRefunded ? text(charge.at.addingTimeInterval(3600), "yyyy-MM-dd HH:mm:ss") : ""
      return
        "$RCAnonymousID:\(charge.user);user-\(charge.user);week;\(start);app_store;true;false;false;t\(number);\(back);"
        + "USD;\(charge.isRefunded ? "0.00" : price);\(price);1"
    }
    try binary.write("transactions.csv", ([columns.joined(separator: ";")] + rows).joined(separator: "\n"))
    try shell("gzip -n transactions.csv")
    let outcome = try binary.run(
      "init", "--assignments", "assignments.csv", "--purchases", "transactions.csv.gz", "--name", "trials")
    #expect(outcome.output.contains("gzipped, CSV with \";\" between cells"), "\(outcome.output)")
    let job = try binary.text("trials.yml")
    #expect(job.contains("format: revenuecat-export\n    user: rc_last_seen_app_user_id_alias\n"), "\(job)")
    #expect(job.contains("{name: refund_rate, window: 7d, goal: decrease}"), "\(job)")
    try expectFirstReport(outcome, of: world, refunds: true)
  }

  @Test("Our own log in shards, which says itself who is in which group")
  func ownLog() throws {
    let world = UnassignedWorld(groups: ["control", "group_a"])
    func event(_ user: Int, _ type: String, _ at: Date, _ more: String = "") -> String {
      #"{"userId":"u\#(user)","eventType":"\#(type)","occurredAt":"\#(text(at, "yyyy-MM-dd'T'HH:mm:ss'Z'"))","#
        + #""offeringId":"spring","testGroupId":"\#(world.group(user))"\#(more)}"#
    }
    let views = world.users.map { event($0, "paywall_view", world.assigned($0)) }
    let charges = world.charges.enumerated().flatMap { number, charge in
      let money =
        #","productId":"w","price":"\#(decimal(charge.cents))","currency":"USD","transactionId":"t\#(number)""#
      let refund = event(charge.user, "refund", charge.at.addingTimeInterval(60), #","transactionId":"t\#(number)""#)
      return [event(charge.user, "purchase", charge.at, money)] + (charge.isRefunded ? [refund] : [])
    }
    try binary.write("log-01.jsonl", views.joined(separator: "\n"))
    try binary.write("log-02.jsonl", charges.joined(separator: "\n"))
    let outcome = try binary.run("init", "--purchases", "log-01.jsonl", "log-02.jsonl", "--output", "own.yml")
    let job = try binary.text("own.yml")
    for line in ["population: logged ", "path: \"log-0*.jsonl\"\n", "{name: exposure, window: 7d}"] {
      #expect(job.contains(line), "\(line) in \(job)")
    }
    try expectFirstReport(outcome, of: world, refunds: true)
  }

  @Test(
    "Files without a row among others are passed over, typed one by one or as a glob",
    arguments: [["zahlungen-1.csv", "zahlungen-2.csv", "zahlungen-3.csv"], ["zahlungen-*.csv"]])
  func emptyFiles(purchases: [String]) throws {
    let world = UnassignedWorld(groups: ["Neuer Preis", "Kontrolle"])
    try writeStripe(world)
    let table = try binary.text("zahlungen.csv")
    try binary.write("zahlungen-1.csv", "")
    try binary.write("zahlungen-2.csv", String(table.prefix { !$0.isNewline }))
    try binary.write("zahlungen-3.csv", table)
    let outcome = try binary.run(["init", "--assignments", "kunden.csv", "--purchases"] + purchases)
    #expect(try binary.text("kunden.yml").contains("path: \"zahlungen-*.csv\"\n"))
    try expectFirstReport(outcome, of: world)
  }

  @Test("What Excel saves as Unicode text is read; without its mark it is refused with the command that mends it")
  func unicodeText() throws {
    let world = UnassignedWorld(groups: ["Neuer Preis", "Kontrolle"])
    try writeStripe(world)
    let tabs = try binary.text("kunden.csv").replacingOccurrences(of: ";", with: "\t")
    let letters = tabs.utf16.flatMap { (letter: UInt16) -> [UInt8] in [UInt8(letter & 0xff), UInt8(letter >> 8)] }
    try binary.write("kunden.txt", bytes: [0xff, 0xfe] + letters)
    try expectFirstReport(
      try binary.run("init", "--assignments", "kunden.txt", "--purchases", "zahlungen.csv"), of: world)
    try binary.write("ohne.txt", bytes: letters)
    let refused = try binary.run("init", "--assignments", "ohne.txt", "--purchases", "zahlungen.csv")
    #expect(refused.exit == 65)
    let command = try #require(refused.errors.firstMatch(of: /UTF-16.*: (iconv .*) > FILE\./)?.1, "\(refused.errors)")
    try shell("\(command) > kunden-utf8.txt")
    try expectFirstReport(
      try binary.run("init", "--assignments", "kunden-utf8.txt", "--purchases", "zahlungen.csv"), of: world)
  }

  private func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = binary.folder
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  // MARK: - What it cannot know

  @Test("A dump of MySQL without a header is known by its values")
  func mysql() throws {
    let world = UnassignedWorld(groups: ["control", "variant_b"])
    try writeStripe(UnassignedWorld(groups: ["x", "y"]))
    let users = world.users.map { user in
      "\(user)\tcus_\(user)\t\(world.group(user))\t\(text(world.assigned(user), "yyyy-MM-dd HH:mm:ss"))\t\\N"
    }
    try binary.write("users.tsv", users.joined(separator: "\n") + "\n")
    let outcome = try binary.run("init", "--assignments", "users.tsv", "--purchases", "zahlungen.csv", "--name", "dump")
    #expect(
      try binary.text("dump.yml").contains("columns: [column_1, user, group, assigned_at, column_5]\n"),
      "\(outcome.errors)")
    try expectFirstReport(outcome, of: world)
  }

  @Test("Where the day may be the month in every date, it is asked, and the answer is taken")
  func ambiguousDates() throws {
    let users = (1...60).map { "u\($0),\($0 % 2 == 0 ? "control" : "b"),0\($0 % 9 + 1)/03/2026" }
    try binary.write("users.csv", (["user,group,assigned_at"] + users).joined(separator: "\n"))
    try binary.write("orders.csv", "user,date,price,id\nu1,10/03/2026,5,1\nu2,11/03/2026,5,2\n")
    let outcome = try binary.run("init", "--assignments", "users.csv", "--purchases", "orders.csv")
    #expect(outcome.errors.contains("--say dates=day_first or --say dates=month_first"), "\(outcome.errors)")
    let reported = try binary.run(
      "init", "--assignments", "users.csv", "--purchases", "orders.csv", "--say", "dates=month_first")
    #expect(reported.output.contains("times: %m/%d/%Y (certain: "), "\(reported.output)")
  }

  @Test("A column of an order's status, and charges in several currencies, are brought up")
  func doubts() throws {
    let users = (1...60).map { "u\($0),\($0 % 2 == 0 ? "control" : "b"),2026-03-01" }
    try binary.write("users.csv", (["user,group,assigned_at"] + users).joined(separator: "\n"))
    let orders = (1...30).map {
      "u\($0),2026-03-02,5.00,\($0),\($0 % 3 == 0 ? "EUR" : "USD"),\($0 % 5 == 0 ? "failed" : "paid")"
    }
    try binary.write("orders.csv", (["user,date,price,id,currency,status"] + orders).joined(separator: "\n"))
    let outcome = try binary.run("init", "--assignments", "users.csv", "--purchases", "orders.csv")
    #expect(outcome.exit == 65)
    #expect(
      outcome.output.contains("types_of: status: failed is no charge (likely: by the words of \"status\")"),
      "\(outcome.output)")
    #expect(outcome.errors.contains("Charges are in USD, and EUR (8 charges) as well: give the rates, --rates FILE"))
    #expect(outcome.errors.contains("8 of 8 charges in EUR have no rate, from 2026-03-02 to 2026-03-02."))
    try binary.write("rates.csv", "date,currency,rate\n2026-03-01,EUR,1.1\n")
    let rated = try binary.run(
      "init", "--assignments", "users.csv", "--purchases", "orders.csv", "--rates", "rates.csv", "--output",
      "users.yml", "--force")
    #expect(rated.output.contains("\nThis job will run.\n"), "\(rated.errors)")
    #expect(
      try binary.text("users.yml").contains("    types_of: {column: status, failed: ignore, paid: purchase}"))
  }

  @Test("What nothing can be made of is said, with what to type")
  func refusals() throws {
    try binary.write("users.csv", "user,group,assigned_at\nu1,control,2026-03-01\nu2,b,2026-03-01\n")
    try binary.write("orders.csv", "user,date,net\nu1,2026-03-02,free\n")
    func errors(_ arguments: String..., exit: Int32) throws -> String {
      let outcome = try binary.run(["init"] + arguments)
      #expect(outcome.exit == exit, "\(outcome.errors)")
      let files = try FileManager.default.contentsOfDirectory(atPath: binary.folder.path)
      #expect(!files.contains { $0.hasSuffix(".yml") })
      return outcome.errors
    }
    let files = ["--assignments", "users.csv", "--purchases", "orders.csv"]
    #expect(try errors(files[0], files[1], files[2], files[3], exit: 65).contains("--column price=NAME"))
    #expect(try errors(files[0], "none.csv", files[2], files[3], exit: 66).contains("none.csv: there is no such file."))
    try FileManager.default.createSymbolicLink(
      atPath: binary.folder.appending(path: "gone-1.csv").path, withDestinationPath: "nowhere")
    #expect(
      try errors(files[0], "gone-*.csv", files[2], files[3], exit: 66).contains("gone-1.csv is a link to nothing"))
    #expect(try errors(files[2], files[3], "--timezone", "Berlin", exit: 64).contains("write Europe/London or UTC"))
    #expect(try errors(files[2], files[3], "--name", "a b", exit: 64).contains("letters, digits, - and _ only"))
    try binary.write("micros.csv", "user,date,amount_micros\nu1,2026-03-02,9990000\n")
    #expect(
      try errors(files[0], files[1], files[2], "micros.csv", exit: 65).contains("would show 1,000,000 times the money"))
    try binary.write("whole.csv", "user,date,amount\nu1,2026-03-02,999\n")
    let whole = [files[0], files[1], files[2], "whole.csv"]
    let unasked = try errors(whole[0], whole[1], whole[2], whole[3], exit: 65)
    #expect(unasked.contains("type init again with --say price_unit=minor"))
    #expect(
      try errors(whole[0], whole[1], whole[2], whole[3], "--say", "price_unit=cents", exit: 64).contains(
        "minor or major"))
    try binary.write("empty.csv", "")
    #expect(try errors(files[0], "empty.csv", files[2], files[3], exit: 65).contains("empty.csv is empty"))
    try binary.write("array.jsonl", "[{\"userId\":\"u1\"},\n{\"userId\":\"u2\"}]\n")
    #expect(try errors(files[0], files[1], files[2], "array.jsonl", exit: 65).contains("jq -c '.[]' 'array.jsonl'"))
    try binary.write("log.jsonl", #"{"userId":"u1","eventType":"paywall_view","occurredAt":"2026-03-02"}"#)
    #expect(try errors(files[2], "log.jsonl", exit: 64).contains("--assignments FILE"))
  }
}
