import Domain

/// What is wrong with a row of a CSV table, and what to type where every row of the file is likely to be so.
struct CSVRowFault {
  /// The row, without its line end.
  let row: Text
  let delimiter: UInt8
  /// How many columns the header has.
  let columns: Int
  /// The file's name for messages.
  let file: String
  /// Where the row begins, from 1.
  let line: Int

  /// What a row with another number of fields than the header's is told as.
  func otherFields(_ fields: Int) -> String {
    let what = "the row has \(fields) fields, the header \(columns)"
    guard fields == columns + 1, row.last == delimiter else { return what }
    let mark = delimiter == UInt8(ascii: "\t") ? #"\t"# : String(UnicodeScalar(delimiter))
    let command = input.piped(into: #"sed '2,$s/\#(mark)\r*$//'"#)
    return "\(what): a delimiter stands at the end of rows alone; take it away: \(command) > FILE.csv"
  }

  /// What a row is told as whose quotes make no sense.
  var oddQuotes: String {
    let what = "a quote is not closed, or text stands behind a closing quote"
    guard row.position(of: #"\""#) != nil else { return what }
    return
      #"\#(what); quotes within a text are written \" here, and "" in CSV: "#
      + #"\#(input.piped(into: #"sed 's/\\"/""/g'"#)) > FILE.csv"#
  }

  /// Refuses a row that is many rows, parted by carriage returns.
  ///
  /// - Throws: `OfferliftError`, exit 65.
  func refuseReturns() throws {
    let arena = TextArena()
    let areRows = ForeignLineEnds.areReturns(in: row) { piece in
      var tokens = CSVTokenizer(piece, isLast: true)
      var fields = 1
      while true {
        switch tokens.readField(by: delimiter, arena).end {
        case .delimiter: fields += 1
        case .row: return fields == columns
        case .cut, .damaged: return false
        }
      }
    }
    if areRows { throw ForeignLineEnds.returns.error(input, from: line) }
  }

  private var input: ShellInput { ShellInput(file: file) }
}
