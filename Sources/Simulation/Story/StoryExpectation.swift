/// What is true of a group by a story's shares alone, before chance has its say.
///
/// The chance of a way is the product of its branches; of ways that exclude each other the chances add up, of
/// ways beside each other their rests multiply. Delays play no part: a scenario keeps them inside the windows.
struct StoryExpectation {
  let story: Story
  let group: Int

  /// The share that a truth line states; nil where it follows from no product of shares.
  func share(_ line: TruthLine) -> Share? {
    guard line.sum == nil else { return nil }
    let whose = line.of.isEmpty ? story.measuredFrom.map { [$0] } ?? [] : line.of
    guard !whose.isEmpty else { return chance(of: Set(line.did), from: 0) }
    var whole = Share.zero
    var part = Share.zero
    for step in whose {
      guard let reached = chance(of: [step], from: 0), let then = chanceAfter(step, of: Set(line.did)) else {
        return nil
      }
      whole = whole + reached
      part = part + reached * then
    }
    guard whole.partsPerBillion > 0 else { return nil }
    return Share(partsPerBillion: Int64(Int128(part.partsPerBillion) * 1_000_000_000 / Int128(whole.partsPerBillion)))
  }

  /// The chance that one of `targets` is reached from a step, itself included; nil where ways lead in circles.
  func chance(of targets: Set<Int>, from step: Int) -> Share? {
    var open: Set<Int> = []
    return chance(of: targets, from: step, &open)
  }

  private func chanceAfter(_ step: Int, of targets: Set<Int>) -> Share? {
    var open: Set<Int> = [step]
    return ways(from: step, to: targets, &open)
  }

  private func chance(of targets: Set<Int>, from step: Int, _ open: inout Set<Int>) -> Share? {
    if targets.contains(step) { return .one }
    guard leads(from: step, to: targets) else { return .zero }
    guard open.insert(step).inserted else { return nil }
    defer { open.remove(step) }
    return ways(from: step, to: targets, &open)
  }

  private func ways(from step: Int, to targets: Set<Int>, _ open: inout Set<Int>) -> Share? {
    var next = Share.zero
    for (branch, share) in story.steps[step].next[group].entries {
      guard let chance = chance(of: targets, from: branch, &open) else { return nil }
      next = next + share * chance
    }
    var rest = next.rest
    for branch in story.steps[step].beside {
      guard let chance = chance(of: targets, from: branch.step, &open) else { return nil }
      rest = rest * (branch.shares[group] * chance).rest
    }
    return rest.rest
  }

  /// Some way leads from a step to a target, whatever its chance.
  private func leads(from step: Int, to targets: Set<Int>) -> Bool {
    var seen: Set<Int> = []
    var waiting = [step]
    while let step = waiting.popLast() {
      if targets.contains(step) { return true }
      guard seen.insert(step).inserted else { continue }
      waiting += story.steps[step].next[group].entries.map(\.value) + story.steps[step].beside.map(\.step)
    }
    return false
  }
}
