public import Navigation

extension ExampleApps {
  /// Every block and every field that there is, for whoever draws a client.
  public static let gallery = App("gallery", title: "Gallery", input: GalleryInput.self) { input in
    Gallery(visitor: input.visitor ?? "")
  }
}

struct GalleryInput: AppInput {
  @Field("Your name", description: "For the greeting.", length: 1...40) var visitor: String?
}

struct Gallery: Coordinator {
  struct Result: Codable { var answers: Int }
  static let name = "gallery"
  var visitor: String
  var answers = 0

  func start(_ nav: inout Navigator<Self>) { nav.push(Blocks(visitor: visitor)) }

  static let wiring = Wiring<Self>()
    .shows(Blocks.self) { me, blocks in blocks.answers = me.answers }
    .shows(Fields.self)
    .shows(Answers.self)
    .asks(Farewell.self)
    .on(ShowFields.self) { _, _, nav in nav.push(Fields()) }
    .on(SendFields.self) { me, sent, nav in
      me.answers += 1
      nav.push(Answers(sent))
    }
    .on(Leave.self, disabled: { me in me.answers == 0 ? "Send the form once before you go." : nil }) { _, _, nav in
      nav.ask(Farewell())
    }
    .on(SayGoodbye.self) { me, _, nav in nav.finish(Result(answers: me.answers)) }
    .on(StayHere.self) { _, _, _ in }
}
