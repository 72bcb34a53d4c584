import Domain
import Platform
import Publishing

/// `tables`: which tables and views there are to query, and what their columns mean.
enum TablesTool {
  static func tool(_ library: ResultsLibrary) -> Tool {
    Tool(
      "tables", title: "Tables and their columns",
      "Lists the tables and views of results.sqlite with what they tell; of one named table each column with its type, unit and "
        + "meaning. Every table also has job, as_of (the cut-off) and night (the date), and holds every published night.",
      [Tool.Parameter("table", "A table's name, to see its columns; all tables, without columns, where left out.")],
      answer: { arguments in
        guard let name = arguments.text("table") else { return overview }
        return try description(of: name)
      })
  }

  private static var overview: JSON {
    [
      "tables": .list(ResultCatalog.tables.map { ["name": .text($0.name), "meaning": .text($0.meaning)] }),
      "views": .list(ResultCatalog.views.map { ["name": .text($0.name), "meaning": .text($0.meaning)] }),
    ]
  }

  /// - Throws: `OfferliftError` 66 where there is no such table.
  private static func description(of name: String) throws -> JSON {
    if let view = ResultCatalog.views.first(where: { $0.name == name }),
      !ResultCatalog.tables.contains(where: { $0.name == name })
    {
      return ["name": .text(name), "meaning": .text(view.meaning), "columns": .list([])]
    }
    guard let table = ResultCatalog.tables.first(where: { $0.name == name }) else {
      let names = ResultCatalog.tables.map(\.name) + ResultCatalog.views.map(\.name)
      throw OfferliftError(.inputMissing, "There is no table \"\(name)\"; \(hint(for: name, among: names))")
    }
    let columns = table.columns.map { column -> JSON in
      [
        "name": .text(column.sqlName), "type": .text(column.holds), "unit": .text(column.unit),
        "meaning": .text(column.meaning),
      ]
    }
    return ["name": .text(name), "meaning": .text(table.meaning), "columns": .list(columns)]
  }
}
