extension Block {
  func written(by writer: TextWriter) -> Block {
    switch self {
    case .text(let text): .text(writer.written(text))
    case .heading(let text): .heading(writer.written(text))
    case .facts(let facts): .facts(facts.map { Fact(writer.written($0.label), writer.written($0.value)) })
    case .list(let list): .list(list.written(by: writer))
    case .table(let table):
      .table(
        table.columns.map { writer.written($0) }, title: table.title.map { writer.written($0) },
        rows: table.rows.map { row in row.map { writer.written($0) } })
    case .progress(let progress):
      .progress(step: progress.step, of: progress.count, title: progress.title.map { writer.written($0) })
    case .section(let section):
      .section(
        writer.written(section.title), isOpen: section.isOpen, section.content.map { $0.written(by: writer) })
    case .image(let source, let alternative): .image(source: source, alternative: writer.written(alternative))
    case .notice(let text, let tone): .notice(writer.written(text), tone: tone)
    case .link(let text, let href): .link(writer.written(text), href: href)
    }
  }
}
