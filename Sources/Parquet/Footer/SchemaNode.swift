/// A column, or a group of them, with all that stands in it.
package final class SchemaNode: Sendable {
  package let name: String
  /// From the file's root on, with dots.
  package let path: String
  let children: [SchemaNode]
  /// Its columns, by number in the file.
  let leaves: Range<Int>
  /// Of a column what its values are; nil of a group.
  let values: ValueKind?
  let isRepeated: Bool
  /// A group's values stand within one repeated member.
  let collection: Collection?
  /// The definition level of its values that are there; repetition levels up to this repeat it or what holds it.
  let definition: UInt8
  let repetition: UInt8

  enum Collection { case list, map }

  /// Groups within groups; levels fit a byte by far.
  private static let deepest = 48

  /// The file's root, of its lines in order, depth first.
  static func root(_ elements: [SchemaElement]) throws -> SchemaNode {
    var builder = Builder(elements: elements)
    let root = try builder.node(path: [], definition: 0, repetition: 0, depth: 0)
    guard builder.next == elements.count else { throw ParquetFault("its list of columns is damaged") }
    return root
  }

  private struct Builder {
    let elements: [SchemaElement]
    var next = 0
    var leaves = 0

    mutating func node(path: [String], definition: UInt8, repetition: UInt8, depth: Int) throws -> SchemaNode {
      guard next < elements.count, depth <= deepest else { throw ParquetFault("its list of columns is damaged") }
      let element = elements[next]
      next += 1
      let isRoot = depth == 0
      let path = isRoot ? [] : path + [element.name]
      var (definition, repetition) = (definition, repetition)
      switch isRoot ? 0 : element.repetition {
      case 0: break
      case 1: definition += 1
      case 2: (definition, repetition) = (definition + 1, repetition + 1)
      case 3: throw ParquetFault.unsupported("it has vectors of a fixed size (\(element.name)); write lists")
      default: throw ParquetFault("its list of columns is damaged")
      }
      let first = leaves
      var children: [SchemaNode] = []
      var values: ValueKind?
      if let type = element.type, !isRoot {
        values = try ValueKind(element, type: type)
        leaves += 1
      } else {
        // A child takes a line of the list, so that there are no more of them than lines.
        guard let count = element.children, count >= (isRoot ? 0 : 1), count <= elements.count - next else {
          throw ParquetFault("its list of columns is damaged")
        }
        for _ in 0..<count {
          children.append(
            try node(path: path, definition: definition, repetition: repetition, depth: depth + 1))
        }
      }
      return SchemaNode(element, path, children, first..<leaves, values, (definition, repetition), isRoot: isRoot)
    }
  }

  private init(
    _ element: SchemaElement, _ path: [String], _ children: [SchemaNode], _ leaves: Range<Int>, _ values: ValueKind?,
    _ levels: (definition: UInt8, repetition: UInt8), isRoot: Bool
  ) {
    name = element.name
    self.path = path.joined(separator: ".")
    (self.children, self.leaves, self.values) = (children, leaves, values)
    isRepeated = !isRoot && element.repetition == 2
    (definition, repetition) = levels
    let isWrapper = !isRoot && values == nil && children.count == 1 && children[0].isRepeated
    switch element.logical {
    case .list where isWrapper: collection = .list
    case .map where isWrapper && children[0].children.count == 2: collection = .map
    default: collection = nil
    }
  }

  /// A group whose members are a row's as much as columns are.
  var isPlainGroup: Bool { values == nil && !isRepeated && collection == nil }

  /// The columns of a file and the members of plain groups, with what each is called.
  var named: [(path: [String], node: SchemaNode)] {
    children.flatMap { child in
      [([child.name], child)] + (child.isPlainGroup ? child.named.map { ([child.name] + $0.path, $0.node) } : [])
    }
  }

  /// Of a list, or of something repeated, what an element is; the repeated member itself or what stands in it.
  ///
  /// Source: LogicalTypes.md, "Lists", with its rules for older writers.
  var element: SchemaNode? {
    guard collection == .list, let repeated = children.first else { return nil }
    guard repeated.children.count == 1, let only = repeated.children.first, !only.isRepeated,
      repeated.name != "array", repeated.name != "\(name)_tuple"
    else { return repeated }
    return only
  }
}
