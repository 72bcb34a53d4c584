import Domain
import Serving

/// `help`: a section of the reference, by a complaint, a task or a name.
enum HelpTool {
  static let tool = Tool(
    "help", title: "Complaints, tasks and keys",
    "Finds the section of the reference for a complaint (\"it disagrees with my dashboard\", \"it flips every day\"), a task "
      + "(\"leave out employees\") or a name (a key, metric, check, table or command): the likely cause, the command that shows "
      + "it, the line to type. Without a topic: all chapters, tasks and complaints.",
    [Tool.Parameter("topic", "The complaint, task or name; all there are where left out.")],
    answer: { arguments in
      guard let topic = arguments.text("topic") else { return overview }
      return answer(try ReferenceSearch(topic))
    })

  private static var overview: JSON {
    [
      "chapters": .list(
        ReferenceIndex.chapters.map { ["name": .text($0.chapter.rawValue), "answers": .text($0.answers)] }),
      "tasks": .texts(ReferenceIndex.tasks.map(\.words)), "complaints": .texts(ReferenceSearch.complaints),
    ]
  }

  private static func answer(_ found: ReferenceSearch) -> JSON {
    [
      "tasks": .list(found.tasks.map { ["task": .text($0.words), "type": .text($0.line), "in": .text($0.position)] }),
      "rows": .texts(found.rows.map(\.text)), "title": .text(found.section.title), "file": .text(found.section.path),
      "text": .text(found.section.text), "others": .texts(found.others.map(\.title)),
    ]
  }
}
