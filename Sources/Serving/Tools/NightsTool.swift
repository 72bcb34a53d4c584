/// `nights`: when results were published.
enum NightsTool {
  static func tool(_ library: ResultsLibrary) -> Tool {
    Tool(
      "nights", title: "Nights",
      "Lists the published nights of a job, newest first: the night's date, its cut-off (as_of), the currency and the "
        + "version of offerlift that published it.",
      [Tool.Parameter("job", "The job's name; may be left out where there is one job alone.")],
      answer: { arguments in
        let job = try library.job(arguments.text("job"))
        let nights = try job.database().answer(
          "SELECT night, as_of, currency, version FROM nights ORDER BY night DESC", rows: .max)
        return ["job": .text(job.name), "nights": .list(nights.objects), "is_cut": .flag(nights.isCut)]
      })
  }
}
