import Jobs

extension Scenario.LineStyle {
  /// Reads `lines:`; what is absent does not occur.
  init(_ section: YAMLSection?) {
    numberPrices = section?.share("number_prices") ?? .zero
    fractions = section?.share("fractions") ?? .zero
    offsets = section?.share("offsets") ?? .zero
    unknownKeys = section?.share("unknown_keys") ?? .zero
    noEnvironment = section?.share("no_environment") ?? .zero
    section?.finish()
  }
}

extension Dirt {
  /// Reads `dirt:`; what is absent does not occur.
  init(_ section: YAMLSection?, purchaseShards: Int) {
    self.init()
    guard let section else { return }
    events = section.shares(of: EventDirt.allCases.filter { $0 != .none }.map { ($0.rawValue, $0) })
    assignments = section.shares(of: AssignmentDirt.allCases.filter { $0 != .none }.map { ($0.rawValue, $0) })
    blankLines = section.share("blank_lines")
    crlfShard = section.count("crlf_shard", in: 1...purchaseShards)
    bomShard = section.count("bom_shard", in: 1...purchaseShards)
    openEndShard = section.count("open_end_shard", in: 1...purchaseShards)
    multiMemberShard = section.count("multi_member_shard", in: 1...purchaseShards)
    section.finish()
  }
}
