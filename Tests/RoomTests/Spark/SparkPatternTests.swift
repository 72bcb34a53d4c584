import Foundation
import Testing

@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Spark

@Suite("Paths as Hadoop takes them")
struct SparkPatternTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pattern(_ path: String, in job: String) throws -> String {
    let input = TableInput(name: "log", path: path, line: 3)
    let file = folder.url.appendingPathComponent("\(job)/job.yml")
    let found = try input.files(relativeTo: file).map(\.path)
    let text = SparkPattern(input, in: file.deletingLastPathComponent().path, finding: found).text
    return text.replacing(folder.url.path.dropFirst(), with: "…")
  }

  @Test("The folder's name and a file's are no patterns, the path is one")
  func names() throws {
    for name in ["exp[1]/a-1.csv", "exp[1]/b{2}.csv", "exp[1]/c[3].csv"] { try folder.write(name, "") }
    #expect(try pattern("a-*.csv", in: "exp[1]") == "/…/exp\\[1\\]/a-*.csv")
    #expect(try pattern("a-[12].csv", in: "exp[1]") == "/…/exp\\[1\\]/a-[12].csv")
    #expect(try pattern("b{2}.*", in: "exp[1]") == "/…/exp\\[1\\]/b\\{2\\}.*")
    #expect(try pattern("c[3].csv", in: "exp[1]") == "/…/exp\\[1\\]/c\\[3\\].csv")
  }

  @Test("In place of ** stand the folders in which files were found")
  func depth() throws {
    for name in ["job/logs/a.csv", "job/logs/2026/b.csv", "job/logs/2026/03/c,d.csv", "job/logs/2027/none.txt"] {
      try folder.write(name, "")
    }
    #expect(try pattern("logs/**/*.csv", in: "job") == "/{…/job/logs,…/job/logs/2026,…/job/logs/2026/03}/*.csv")
    #expect(try pattern("logs/**/b*.csv", in: "job") == "/…/job/logs/2026/b*.csv")
  }
}
