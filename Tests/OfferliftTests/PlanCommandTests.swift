import Foundation
import Testing

@Suite("offerlift plan")
struct PlanCommandTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  @Test("Without a folder the SQL is printed, the same every time, and nothing is written")
  func printed() throws {
    try binary.writeJob()
    let before = try binary.snapshot(".").filter { !$0.key.hasPrefix(".std") }
    let night = ["--engine", "spark", "--date", "2026-03-10"]
    let outcome = try binary.run(["plan", "jobs/test.yml"] + night)
    #expect(outcome.exit == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let parts = ["SET spark.sql.ansi.enabled=true;\n", "SELECT TRANSFORM", "spark-task read", "data/log.jsonl"]
    for part in parts { #expect(outcome.output.contains(part), "\(part) in \(outcome.output)") }
    #expect(try binary.run(["plan", "jobs/test.yml"] + night).output == outcome.output)
    #expect(try binary.snapshot(".").filter { !$0.key.hasPrefix(".std") } == before)
  }

  @Test("A folder takes the script that is printed, and a second plan is refused there")
  func written() throws {
    try binary.writeJob()
    let plan = ["plan", "jobs/test.yml", "--date", "2026-03-10", "--folder", "plan"]
    let outcome = try binary.run(plan)
    #expect(outcome.exit == 0 && outcome.output.contains("offerlift run --from-plan plan"), "\(outcome.errors)")
    let printed = try binary.run(
      "plan", "jobs/test.yml", "--date", "2026-03-10", "--exchange",
      "file:" + binary.folder.appendingPathComponent("plan").standardizedFileURL.path)
    #expect(try binary.text("plan/plan.sql") == printed.output)
    for name in ["plan.json", "submit.sh", "offerlift"] {
      let path = binary.folder.appendingPathComponent("plan/\(name)").path
      #expect(FileManager.default.fileExists(atPath: path), "\(path)")
    }
    let again = try binary.run(plan)
    #expect(again.exit == 64 && again.errors.contains("is not empty"), "\(again.errors)")
  }

  @Test("The engine of one machine has no plan")
  func native() throws {
    try binary.writeJob()
    let outcome = try binary.run("plan", "jobs/test.yml", "--engine", "native")
    #expect(outcome.exit == 64 && outcome.errors.contains("write --engine spark"), "\(outcome.errors)")
  }
}
