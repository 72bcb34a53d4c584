import Foundation
import Testing

@testable import Engine
@testable import Jobs
@testable import Spark

@Suite("What Spark's files are called")
struct FileNamesTests {
  @Test("A member of an archive goes by the archive on the disk, and keeps its name")
  func member() throws {
    let folder = try TemporaryFolder()
    try folder.write("logs/a.zip", Zip.archive([Zip.Member("in/b.csv", [65, 66]), Zip.Member("c.csv", [])]))
    let input = TableInput(name: "log", path: "logs/*.zip", line: 3)
    let files = try input.files(relativeTo: folder.url.appending(path: "job.yml")).map(PlannedFile.init)
    #expect(files.map(\.path) == [folder.path("logs/a.zip"), folder.path("logs/a.zip")])
    #expect(files.map(\.name) == ["logs/a.zip/c.csv", "logs/a.zip/in/b.csv"])
    #expect(files.map(\.size) == [0, 2])
    #expect(files.map(\.nameOnDisk) == ["logs/a.zip", "logs/a.zip"])
  }

  @Test("Any other file is called what it lies under")
  func plain() throws {
    let folder = try TemporaryFolder()
    let file = PlannedFile(try folder.write("a.csv", "x"))
    #expect(file.nameOnDisk == "a.csv" && file.path == folder.path("a.csv"))
  }

  @Test("A file that is written on after it was planned has changed; one that is gone was read where it was")
  func changed() throws {
    let folder = try TemporaryFolder()
    let file = PlannedFile(try folder.write("a.csv", "x"))
    #expect(!file.hasChanged)
    try folder.write("a.csv", "xy")
    #expect(file.hasChanged)
    try FileManager.default.removeItem(atPath: folder.path("a.csv"))
    #expect(!file.hasChanged)
  }
}
