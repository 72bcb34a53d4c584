import Application
import ArgumentParser
import Domain
import Jobs

/// `offerlift plan`: a night for Apache Spark, submitted by somebody else.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show or write what Apache Spark runs to measure a job's night.",
    discussion: """
      Without --folder it prints the SQL. With --folder it writes all that whoever submits by other means than run \
      --engine spark has to have, Airflow or a cloud's own scheduler: the SQL, a manifest, the program, the command line. \
      When Spark has ended, run --from-plan publishes.

      EXAMPLE

        offerlift plan jobs/offering-price-test.yml --engine spark
        offerlift plan jobs/offering-price-test.yml --date 2026-04-30 --folder /mnt/shared/plan-2026-04-30
        /mnt/shared/plan-2026-04-30/submit.sh
        offerlift run --from-plan /mnt/shared/plan-2026-04-30
      """)

  @Argument(help: "A job file.", completion: .file(extensions: ["yml", "yaml"]))
  var job: String

  @Option(
    help: ArgumentHelp("Where the plan goes: a new folder. (default: the SQL is printed)", valueName: "dir"),
    completion: .directory)
  var folder: String?

  @Option(help: ArgumentHelp("Whose plan: spark is the only engine that has one.", valueName: "name"))
  var engine: EngineChoice.Name = .spark

  @OptionGroup var night: NightOptions

  @OptionGroup var future: FutureOptions

  @Option(
    help: ArgumentHelp(
      "Where tasks write for each other, s3a://bucket/exchange. (default: the plan's folder, which every machine must see)",
      valueName: "address"))
  var exchange: String?

  @Option(help: ArgumentHelp("Where results will go. (default: the job's output:, else reports)", valueName: "dir"))
  var output: String?

  @OptionGroup var spark: SparkOptions

  func validate() throws {
    try night.requireOne()
    guard engine == .spark else { throw ValidationError("The engine native has no plan; write --engine spark.") }
  }

  func run() throws {
    let plan = try PlanRun(job, output: output, engine: EngineOptions(submit: spark.sparkSubmit), upTo: future.today)
    if let folder {
      try Terminal.say(plan.write(night.choice, to: folder, exchange: exchange))
    } else {
      try Terminal.results(plan.script(night.choice, exchange: exchange))
    }
  }
}

/// How Spark is reached.
struct SparkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How Spark's command line begins: \"spark-sql --master yarn\". (default: the job's engine: submit:, else spark-sql)",
      valueName: "command"))
  var sparkSubmit: String?
}

extension EngineChoice.Name: ExpressibleByArgument {}
