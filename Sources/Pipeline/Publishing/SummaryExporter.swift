enum SummaryExporter { static func text(of night: NightResult) -> String { "" } }
