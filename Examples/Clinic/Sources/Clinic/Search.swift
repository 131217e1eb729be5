import Usher

/// Finds the appointment of a code; none if the code is unknown. Going back ends the search, and the effect with it.
struct Search: Coordinator {
  struct Result: Codable { var appointment: Appointment? }
  static let name = "search"
  var code: String
  var isAway = false

  func start(_ nav: inout Navigator<Self>) {
    nav.perform(FetchAppointment(code: code))
    nav.push(Searching())
  }

  static let wiring = Wiring<Self>()
    .shows(Searching.self) { me, screen in screen.isAway = me.isAway }
    .performs(
      FetchAppointment.self,
      done: { _, appointment, nav in nav.finish(Result(appointment: appointment)) },
      failed: { me, failure, nav in
        if failure.status == 404 { return nav.finish(Result()) }
        me.isAway = true
      }
    )
    .on(TryAgain.self, disabled: { me in me.isAway ? nil : "The search is under way." }) { me, _, nav in
      me.isAway = false
      nav.perform(FetchAppointment(code: me.code))
    }
}

struct Searching: Screen {
  static let name = "searching"
  static let title: Title<Self> = "One moment"
  static let actions: [any Action.Type] = [TryAgain.self]
  var isAway = false

  var content: [Block] {
    [isAway ? .notice("The clinic does not answer.", tone: .error) : .text("We are looking for your appointment.")]
  }
}

struct TryAgain: Action {
  static let name = "try-again"
  static let title: Text = "Try again"
}
