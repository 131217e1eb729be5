/// The first files of a new flow.
package enum NewFlow {
  /// The files of a small flow with the name.
  package static func files(name: String) -> [(path: String, text: String)] {
    [
      ("flow.yaml", flow.replacing("NAME", with: quoted(name))), ("texts/en.yaml", english), ("texts/de.yaml", german),
    ]
  }

  /// The name as a text of YAML: one such as `true` or `404` needs quotes.
  private static func quoted(_ name: String) -> String {
    let isPlain =
      name.contains { $0.isLetter } && !["true", "false", "null"].contains(name) && name.first?.isLetter ?? false
    return isPlain ? name : "\"\(name)\""
  }

  private static let flow = """
    # yaml-language-server: $schema=http://127.0.0.1:8080/schemas/flow.json
    usher: 1
    app: NAME
    title: app.title
    summary: app.summary
    root: main

    coordinators:
      main:
        state:
          name: {type: string, default: ""}
        start: [{push: welcome}]
        handles:
          begin: [{push: details}]
          next:
            - set: {name: =input.name}
            - push: summary
              with: {name: =input.name, guests: =input.guests}
          confirm:
            - setStack: [{done: {name: =name}}]

    screens:
      welcome:
        title: welcome.title
        content: [{text: welcome.text}]
        actions:
          begin: {title: welcome.begin, role: primary}
      details:
        title: details.title
        content: [{progress: 1, of: 2}]
        actions:
          next:
            title: details.next
            role: primary
            input:
              name: {title: details.name, type: string, minLength: 1, maxLength: 80, autocomplete: name}
              guests: {title: details.guests, type: integer, minimum: 0, maximum: 9, default: 0}
      summary:
        title: summary.title
        data: {name: {type: string}, guests: {type: integer}}
        content:
          - progress: 2
            of: 2
          - text: {text: summary.text, with: {name: =name}}
          - text: {text: summary.guests, with: {count: =guests}}
        actions:
          confirm: {title: summary.confirm, role: primary}
      done:
        title: done.title
        data: {name: {type: string}}
        content:
          - notice: {text: done.text, with: {name: =name}}
            tone: success

    """

  private static let english = """
    app:
      title: Invitation
      summary: Answer an invitation in two steps.
    welcome:
      title: Welcome
      text: We would like to see you. It takes a minute.
      begin: Begin
    details:
      title: About you
      name: Your name
      guests: Guests that you bring
      next: Next
    summary:
      title: Is this right?
      text: "{name}, we look forward to you."
      guests: {"=0": You come alone., one: You bring one guest., other: "You bring {count} guests."}
      confirm: Confirm
    done:
      title: See you soon
      text: "Thank you, {name}."

    """

  private static let german = """
    app:
      title: Einladung
      summary: Beantworten Sie eine Einladung in zwei Schritten.
    welcome:
      title: Willkommen
      text: Wir möchten Sie gern sehen. Es dauert eine Minute.
      begin: Los geht’s
    details:
      title: Über Sie
      name: Ihr Name
      guests: Gäste, die Sie mitbringen
      next: Weiter
    summary:
      title: Stimmt das so?
      text: "{name}, wir freuen uns auf Sie."
      guests: {"=0": Sie kommen allein., one: Sie bringen einen Gast mit., other: "Sie bringen {count} Gäste mit."}
      confirm: Bestätigen
    done:
      title: Bis bald
      text: "Vielen Dank, {name}."

    """
}
