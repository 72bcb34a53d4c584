import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Who measures a job")
struct EngineChoiceTests {
  private func job(_ engine: String) throws -> Job {
    let folder = try TemporaryFolder()
    var world = World()
    world.job = engine
    return try JobReader.read(try world.write(to: folder))
  }

  @Test("Nothing said is this program; a name alone takes everything as usual")
  func names() throws {
    #expect(try job("").engine == EngineChoice())
    var spark = EngineChoice()
    spark.name = .spark
    #expect(try job("engine: spark").engine == spark)
    #expect(try job("engine: native").engine.name == .native)
  }

  @Test("A mapping says how Spark is reached")
  func mapping() throws {
    let engine = try job(
      "engine: {name: spark, submit: spark-sql --master yarn, exchange: \"s3a://b/x\", tasks: 64}"
    ).engine
    #expect(engine.submit == "spark-sql --master yarn" && engine.exchange == "s3a://b/x" && engine.tasks == 64)
    #expect(try job("engine: {name: spark, exchange: shared}").engine.exchange?.hasSuffix("/shared") == true)
  }

  @Test(
    "What is no engine is said",
    arguments: [
      "engine: flink", "engine: {name: spark, tasks: 0}", "engine: {tasks: 3}", "engine: {name: spark, x: 1}",
    ])
  func wrong(engine: String) {
    #expect(throws: OfferliftError.self) { try job(engine) }
  }

  @Test("A path that only Spark reads is refused here with what to type")
  func elsewhere() throws {
    let table = TableInput("purchases", path: "s3a://bucket/*.gz", format: .jsonl)
    let error = #expect(throws: OfferliftError.self) { try table.files(relativeTo: URL(fileURLWithPath: "/job.yml")) }
    #expect(error?.message.contains("--engine spark") == true && error?.exit == .inputMissing)
  }
}
