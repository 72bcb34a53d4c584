/// The exact p-value of two proportions, where the normal approximation has too little to go on.
struct ExactResult {
  let pValue: Double
  let test: TestName

  /// `nil` unless both are proportions and a cell of their 2×2 table is expected below 5.
  init?(_ baseline: SampleMoments, _ other: SampleMoments, _ method: ExactTest) {
    guard let successesA = baseline.successes.flatMap(Int.init(exactly:)),
      let successesB = other.successes.flatMap(Int.init(exactly:)),
      let usersA = Int(exactly: baseline.count), let usersB = Int(exactly: other.count),
      let fisher = FisherTest(
        successesA: successesA,
        usersA: usersA,
        successesB: successesB,
        usersB: usersB
      ),
      fisher.smallestExpected < 5
    else { return nil }
    let boschloo =
      method == .boschloo
      ? BoschlooTest(successesA: successesA, usersA: usersA, successesB: successesB, usersB: usersB) : nil
    pValue = boschloo?.twoSided ?? fisher.twoSided
    test = boschloo == nil ? .fisher : .boschloo
  }
}
