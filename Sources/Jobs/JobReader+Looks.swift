import Statistics

/// When a test ends and is looked at: `plan`, `looks` and `spending`.
extension JobReader {
  static func readPlan(_ section: YAMLSection, _ job: inout Job) {
    readEnd(section, &job)
    readLooks(section, &job)
  }

  private static func readEnd(_ section: YAMLSection, _ job: inout Job) {
    guard let plan = section.section("plan") else {
      if let rule = job.decideBy, [DecisionVocabulary.planned, DecisionVocabulary.groupSequential].contains(rule) {
        section.problem("decide_by", "\(rule) needs to know the end; write plan: {nights: 28}.")
      }
      return
    }
    let nights = plan.whole("nights", minimum: 1)
    let users = plan.whole("users", minimum: JobLimits.plannedUsers.lowerBound)
    switch (nights, users) {
    case (let nights?, nil) where nights > PlannedTest.mostNights:
      plan.problem("nights", "\(nights) is more than \(PlannedTest.mostNights), two years; write 28, say.")
    case (let nights?, nil): job.plan = PlannedTest(.nights(nights))
    case (nil, let users?): job.plan = PlannedTest(.users(users))
    case (_?, _?): plan.problem("users", "a plan has one end; write {nights: 28} or {users: 40000}.")
    case (nil, nil):
      if plan.entries.isEmpty { section.problem("plan", "says no end; write {nights: 28} or {users: 40000}.") }
    }
    plan.finish()
  }

  private static func readLooks(_ section: YAMLSection, _ job: inout Job) {
    let texts = section.texts("looks")
    let spending = spending(section)
    guard job.decideBy == DecisionVocabulary.groupSequential else {
      for key in ["looks", "spending"] where section.has(key) {
        section.problem(key, "goes with decide_by: group_sequential; write that, or leave \(key): out.")
      }
      return
    }
    guard let texts else {
      if !section.has("looks") {
        section.problem("decide_by", "group_sequential needs its looks; write looks: \(LookSchedule.usual).")
      }
      return
    }
    do throws(LookSchedule.Problem) {
      job.looks = try LookSchedule(texts)
      if let spending { job.looks?.spending = spending }
    } catch {
      section.problem("looks", error.sentence)
    }
  }

  /// A word, or `{hsd: -4}`.
  private static func spending(_ section: YAMLSection) -> SpendingFunction? {
    guard let node = section.node("spending") else { return nil }
    if let word = node.scalar?.string {
      if !word.contains(":"), let known = try? SpendingFunction(word: word) { return known }
      section.problem("spending", "\"\(word)\" is no spending; write obrien_fleming, pocock or {hsd: -4}.")
      return nil
    }
    let family = YAMLSection(node, name: "spending", problems: section.problems)
    let gamma = family.number("hsd", in: SpendingFunction.gammas, "a number from -40 to 40, -4 say")
    if !family.has("hsd") { family.problem("hsd", "the spending needs it; write {hsd: -4}.") }
    family.finish()
    return gamma.map { .hwangShihDeCani(gamma: $0) }
  }
}
