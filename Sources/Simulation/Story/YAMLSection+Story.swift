import Jobs

extension YAMLSection {
  /// One name alone, or several with their shares: `{after_discovery: 0.6, messages_exhausted: 0.4}`.
  func named(_ key: String) -> ShareTable<String> {
    guard node(key)?.mapping == nil, let name = text(key) else {
      guard let below = section(key) else { return ShareTable() }
      return below.shares(of: below.entries.map { ($0.key, $0.key) })
    }
    var table = ShareTable<String>()
    table.add(name, .one)
    return table
  }

  /// A share that has to be there.
  func requiredShare(_ key: String) -> Share {
    _ = required(key)
    return share(key)
  }

  /// `5s..2m`, or one length alone: whole seconds, both ends included.
  func delay(_ key: String) -> ClosedRange<Int64>? {
    guard let text = text(key) else { return nil }
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { Self.seconds(String($0)) }
    if let low = ends[0], let high = ends.count == 2 ? ends[1] : low, ends.count <= 2, low <= high {
      return low...high
    }
    problem(key, "\"\(text)\" is not a length of time; write 90s, or from..to such as 5s..2m, 1d..3d, -5d..-1h.")
    return nil
  }

  private static func seconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
      number.magnitude < 100_000
    else { return nil }
    return number * unit
  }
}
