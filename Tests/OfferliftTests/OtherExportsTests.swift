import Foundation
import Testing

/// `jobs/other-exports.md`: its files are written, its jobs checked and run, and their figures held to those it shows.
///
/// `RECORD_SNAPSHOTS=1` writes what comes out today into the page, and fails.
@Suite("Other people's exports")
struct OtherExportsTests {
  private static let file = repository.appending(path: "jobs/other-exports.md")
  private let binary: Binary

  init() throws { binary = try Binary() }

  /// A fenced block, and the name in bold letters above it where it is a file.
  private struct Block {
    var language: String
    var name: String?
    var text: String
  }

  private static func blocks(of page: String) -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    var name: String?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if var block = open {
        if line == "```" {
          blocks.append(block)
          (open, name) = (nil, nil)
        } else {
          block.text += line + "\n"
          open = block
        }
      } else if line.hasPrefix("```") {
        open = Block(language: String(line.dropFirst(3)), name: name, text: "")
      } else {
        name = line.firstMatch(of: /^\*\*`(.+?)`\*\*/).map { String($0.1) }
      }
    }
    return blocks
  }

  private struct Job {
    var name: String
    var text: String
    var figures: String
  }

  /// Each job with the figures below it.
  private static func jobs(of blocks: [Block]) -> [Job] {
    zip(blocks, blocks.dropFirst()).compactMap { job, figures in
      guard job.language == "yaml", figures.language == "text", let name = job.text.firstMatch(of: /^job: (.+)/)?.1
      else {
        return nil
      }
      return Job(name: String(name), text: job.text, figures: figures.text)
    }
  }

  /// The rows of a table of the job's night by their columns' names; none of these tables has a quoted line end.
  private func table(_ job: Job, _ name: String) throws -> [[String: String]] {
    let lines = try binary.text("reports/\(job.name)/latest/\(name).csv").split(separator: "\n").map(Self.cells)
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  private static func cells(_ line: Substring) -> [String] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().reduce(into: [""]) { cells, part in
      if part.offset % 2 == 1 { return cells[cells.count - 1] += part.element }
      let pieces = part.element.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      cells[cells.count - 1] += pieces[0]
      cells += pieces.dropFirst()
    }
  }

  /// What came out, as the page shows it.
  private func figures(_ job: Job) throws -> String {
    let columns = ["paying_conversion", "trial_start_rate", "revenue_gross", "revenue_net"]
    let metrics = try table(job, "group_metrics")
    var lines = [["group", "users", "paid", "trials", "gross", "net"]]
    let groups = metrics.compactMap { $0["test_group_id"] }.reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    for group in groups {
      let own = metrics.filter { $0["test_group_id"] == group }
      let values = try columns.map { name in
        let row = try #require(own.first { $0["metric"] == "\(name)_none" || $0["metric"] == name })
        let value = try #require(row["numerator"])
        return name.hasPrefix("revenue") ? String(value.dropLast(4)) : value
      }
      lines.append([group, own.first?["users"] ?? ""] + values)
    }
    let rows = try table(job, "inputs").filter { $0["input"] == "purchases" }
    var read: [String] = []
    for input in rows {
      let aside = input["reason"].flatMap { $0.isEmpty ? nil : ", \(input["rows_set_aside"] ?? "") \($0)" } ?? ""
      let start = "rows: \(input["rows"] ?? "") read, \(input["used"] ?? "") used"
      if let last = read.last, last.hasPrefix(start) {
        read[read.count - 1] += aside
      } else {
        read.append(start + aside)
      }
    }
    let text = lines.map { line in
      line.enumerated().map { number, cell in
        let width = lines.map { $0[number].count }.max() ?? 0
        let blanks = String(repeating: " ", count: width - cell.count)
        return number == 0 ? cell + blanks : blanks + cell
      }.joined(separator: "  ")
    }
    return (text + read).joined(separator: "\n") + "\n"
  }

  @Test("Every job of the page reads the file above it, and comes to the figures below it")
  func jobs() throws {
    let page = try String(contentsOf: Self.file, encoding: .utf8)
    let blocks = Self.blocks(of: page)
    for block in blocks { if let name = block.name { try binary.write("jobs/\(name)", block.text) } }
    let jobs = Self.jobs(of: blocks)
    #expect(jobs.count == page.ranges(of: "\njob: ").count)
    var recorded = page
    for job in jobs {
      try binary.write("jobs/\(job.name).yml", job.text)
      // A program is started only where that is allowed, and check starts none.
      if !job.text.contains("command:") {
        let checked = try binary.run("check", "jobs/\(job.name).yml")
        #expect(
          checked.exit == 0 && checked.output.contains("This job will run."), "\(checked.output)\(checked.errors)")
      }
      let run = try binary.run("run", "jobs/\(job.name).yml", "--date", "2026-03-31", "--allow-commands")
      #expect(run.exit == 0, "\(job.name): \(run.errors)")
      let found = try figures(job)
      #expect(found == job.figures, "\(job.name)")
      recorded = recorded.replacing(
        "\(job.text)```\n```text\n\(job.figures)```", with: "\(job.text)```\n```text\n\(found)```")
    }
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1", recorded != page {
      try recorded.write(to: Self.file, atomically: true, encoding: .utf8)
    }
  }

  @Test("The line that a dump of Postgres is refused with writes a file that is read")
  func dump() throws {
    let blocks = Self.blocks(of: try String(contentsOf: Self.file, encoding: .utf8))
    for block in blocks { if let name = block.name { try binary.write("jobs/\(name)", block.text) } }
    let job = try #require(Self.jobs(of: blocks).first { $0.name == "postgres" })
    func check(_ file: String) throws -> Binary.Outcome {
      try binary.write("jobs/postgres.yml", job.text.replacing("payments.csv", with: file))
      return try binary.run("check", "jobs/postgres.yml")
    }
    let refusal = try check("app.sql").errors
    let command = try #require(refusal.firstMatch(of: #/one table: (.+ > FILE\.tsv), /#)?.1, "\(refusal)")
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", String(command)]
    shell.currentDirectoryURL = binary.folder.appending(path: "jobs")
    try shell.run()
    shell.waitUntilExit()
    #expect(try check("FILE.tsv").exit == 0)
    #expect(try binary.run("run", "jobs/postgres.yml", "--date", "2026-03-31").exit == 0)
    #expect(try figures(job) == job.figures)
  }

  @Test("A job of the page takes about ten lines for what it says of its file")
  func lengths() throws {
    for job in Self.jobs(of: Self.blocks(of: try String(contentsOf: Self.file, encoding: .utf8))) {
      #expect(job.text.split(separator: "\n").count <= 18, "\(job.name)")
    }
  }
}
