extension ServiceText {
  /// The German texts of the service. They address people as „Sie“.
  package var german: TextPattern {
    switch self {
    // Sessions
    case .unknownApp: "Unter diesem Namen gibt es keine App."
    case .stillLoading: "Der Dienst lädt seine Abläufe noch."
    case .unknownSession: "Unter dieser Kennung gibt es keine Sitzung."
    case .sessionExpired: "Die Sitzung ist abgelaufen oder wurde beendet."
    case .invalidTimeToLive: "ttl muss eine Zahl von Sekunden von {minimum} bis {maximum} sein."
    case .staleRevision: "Die Sitzung ist bei Revision {revision}."
    case .sessionMovedOn: "Die Sitzung ist inzwischen weiter. Sie sehen den aktuellen Stand."
    case .sessionTooLarge: "Eine Sitzung darf höchstens {limit} Bytes groß sein."
    case .sessionReadOnly: "Diese Sitzung wird auf einem anderen Gerät fortgesetzt."
    case .sessionFinished: "Die Sitzung ist beendet und kann nur noch gelesen werden."
    case .tooManySessions:
      "Es sind bereits {limit} Sitzungen offen, mehr sind nicht erlaubt (--max-sessions-per-principal)."
    case .unknownSignal: "Keine Sitzung wartet unter dieser Adresse auf ein Signal."
    case .forgedSignal: "Das Signal trägt keine gültige Signatur aus den letzten fünf Minuten."
    case .undeclaredSignal: "Die App hat kein Signal mit diesem Namen."
    case .exposedAddress: "Das Signal enthält die Adresse eines Signals, und diese ist geheim."
    case .tooManyReceivers:
      "Mehr als {limit} Koordinatoren warten unter diesem Schlüssel auf das Signal. Keiner hat es erhalten."
    case .signalWaits: "Es warten schon zu viele Signale auf einen Empfänger oder auf spätere Sitzungen."
    case .unknownHandOver: "Der Link wurde schon verwendet, ist abgelaufen oder hat nie existiert."
    case .idempotencyConflict:
      """
      Der Idempotenzschlüssel wurde schon mit einer anderen Methode, einem anderen Pfad oder einem anderen Inhalt \
      verwendet.
      """
    case .storeFull: "Der Dienst hat seine Grenze von {limit} Sitzungen erreicht (--max-sessions)."
    case .storeDisplaced: "Die Datei der Sitzungen wurde gelöscht, verschoben oder ersetzt, während sie geöffnet war."
    case .storeUnavailable: "Der Speicher der Sitzungen ist zurzeit nicht erreichbar."
    case .storeUnreadable: "Eine gespeicherte Sitzung kann nicht gelesen werden."
    // Rejections
    case .unknownAction: "Keine Seite der App hat eine Aktion „{action}“."
    case .unknownTab: "Die App hat keinen Tab „{tab}“."
    case .tooDeep: "Es können höchstens {limit} Seiten übereinanderliegen."
    case .tooMuchWork:
      "Von Effekten, geplanten Ereignissen und erwarteten Signalen können je Sitzung höchstens {limit} offen sein."
    case .promptIsOpen: "Es ist eine Rückfrage offen. Nur deren Schaltflächen sind verfügbar."
    case .actionNotOnScreen: "Die Seite „{screen}“ hat keine Aktion „{action}“."
    case .screenIsSealed: "Von dieser Seite führt kein Weg zurück."
    case .nothingToGoBackTo: "Es gibt keine Seite, zu der Sie zurückkehren können."
    case .tabNotVisible: "Der Tab „{tab}“ ist nicht sichtbar."
    case .noModal: "Es ist kein Dialog offen."
    case .actionHidden: "Die Seite bietet diese Aktion zurzeit nicht an."
    case .nothingToChoose: "Es gibt keine Auswahl."
    case .nothingToReload: "Auf der Seite gibt es kein „{property}“, das erneut geladen werden könnte."
    case .linkNotAPath: "Der Link muss ein Pfad wie /accounts/a1 sein."
    case .linkNoMatch: "Kein Link der App passt zu diesem Pfad."
    case .linkUnknownName: "Die App hat keinen Tab und keine Aktion mit diesem Namen."
    // Fields
    case .fieldMissing: "Bitte füllen Sie „{field}“ aus."
    case .inputNoObject: "Die Eingabe muss ein Objekt sein."
    case .inputSubject: "Eingabe"
    case .fieldAccepted: "Bitte stimmen Sie zu: „{field}“."
    case .fieldMinimum: "„{field}“ muss mindestens {limit} sein."
    case .fieldExclusiveMinimum: "„{field}“ muss größer als {limit} sein."
    case .fieldMaximum: "„{field}“ darf höchstens {limit} sein."
    case .fieldNotEmpty: "„{field}“ darf nicht leer sein."
    case .fieldMinimumLength:
      .plural(
        "count", one: "„{field}“ muss mindestens {count} Zeichen haben.",
        other: "„{field}“ muss mindestens {count} Zeichen haben.")
    case .fieldMaximumLength:
      .plural(
        "count", one: "„{field}“ darf höchstens {count} Zeichen haben.",
        other: "„{field}“ darf höchstens {count} Zeichen haben.")
    case .fieldDigits:
      .plural(
        "count", one: "„{field}“ muss aus {count} Ziffer bestehen.",
        other: "„{field}“ muss aus {count} Ziffern bestehen.")
    case .fieldOfferedChoices: "„{field}“ muss eine der angebotenen Möglichkeiten sein."
    case .fieldChoices: "„{field}“ muss einer dieser Werte sein: {choices}."
    case .fieldEmail: "„{field}“ muss eine E-Mail-Adresse wie anna@example.com sein."
    case .fieldPhone: "„{field}“ muss eine Telefonnummer wie +49 30 123456 sein."
    case .fieldURL: "„{field}“ muss eine Adresse wie https://example.com sein."
    case .fieldDate: "„{field}“ muss ein Datum wie 2026-11-25 sein."
    case .fieldTime: "„{field}“ muss eine Uhrzeit wie 09:30 sein."
    case .fieldDateTime: "„{field}“ muss ein Zeitpunkt wie 2026-11-25T09:30:00+01:00 sein."
    case .fieldPattern: "„{field}“ muss so geschrieben werden: {example}."
    case .fieldTooLongToMatch: "„{field}“ ist zu lang für eine Prüfung. Bitte kürzen Sie den Text."
    case .fieldItems: "„{field}“ darf nur diese Werte enthalten, jeden einmal: {choices}."
    case .fieldMinimumItems:
      .plural(
        "count", one: "Bitte wählen Sie bei „{field}“ mindestens {count} Möglichkeit aus.",
        other: "Bitte wählen Sie bei „{field}“ mindestens {count} Möglichkeiten aus.")
    case .fieldMaximumItems:
      .plural(
        "count", one: "Bitte wählen Sie bei „{field}“ höchstens {count} Möglichkeit aus.",
        other: "Bitte wählen Sie bei „{field}“ höchstens {count} Möglichkeiten aus.")
    case .fieldWholeNumber: "„{field}“ muss eine ganze Zahl sein, ohne Punkt oder Komma."
    case .fieldNumber: "„{field}“ muss eine Zahl sein."
    case .fieldAmount: "„{field}“ muss ein Betrag wie {example} sein."
    case .fieldSmallestUnits: "„{field}“ muss eine ganze Zahl in der kleinsten Einheit sein: {number} für {example}."
    case .fieldFlag: "„{field}“ muss wahr oder falsch sein."
    case .fieldText: "„{field}“ muss ein Text sein."
    case .fieldList: "„{field}“ muss eine Liste sein."
    case .fieldOtherType: "„{field}“ hat nicht die richtige Form: {expected}."
    case .hintMinimum: "mindestens {limit}"
    case .hintExclusiveMinimum: "mehr als {limit}"
    case .hintMaximum: "höchstens {limit}"
    case .hintDigits: .plural("count", one: "{count} Ziffer", other: "{count} Ziffern")
    case .hintPattern: "zum Beispiel {example}"
    // Screens
    case .noticeTitle: "Das war nicht möglich"
    case .noticeMessage: "Was Sie vorher gewählt haben, war nicht möglich. Versuchen Sie es erneut."
    case .leaveTitle: "Diese Seite verlassen?"
    case .leaveMessage: "Ihre Eingaben auf dieser Seite gehen verloren."
    case .leaveLeave: "Verlassen"
    case .leaveStay: "Bleiben"
    case .loadFailed: "Das konnte nicht geladen werden."
    case .eventStuck: "Etwas ist schiefgegangen. Versuchen Sie es erneut, oder starten Sie neu."
    case .actionDisabled: "Das ist jetzt nicht verfügbar."
    case .step: "Schritt {step} von {count}"
    case .stepTitled: "Schritt {step} von {count}: {title}"
    case .listPart: "{shown} von {count}"
    // Pages
    case .pageStartIntroduction:
      """
      Usher führt durch diese Apps. Der Server entscheidet, welche Seite als Nächstes kommt, und ein Browser, ein \
      Terminal oder Ihr eigenes Programm zeigt sie an.
      """
    case .pageStart: "Starten"
    case .pageForPrograms: "Für curl und für Programme:"
    case .pageAppsAsJSON: "nennt die Apps als JSON, und"
    case .pageDescribesOperations: "beschreibt jede Operation."
    case .pageNotDone: "Nicht ausgeführt:"
    case .pageListPages: "Seiten der Liste"
    case .pagePrevious: "Zurück"
    case .pageNext: "Weiter"
    case .pageOptional: "(freiwillig)"
    case .pageDateAndTime: "Datum und Uhrzeit"
    case .pageOffset: "Abstand zu UTC"
    case .pageSuchAs: "Zum Beispiel {example}"
    case .pageHandOver: "Auf einem anderen Gerät fortsetzen"
    case .pageHandOverLink:
      """
      Öffnen Sie diesen Link auf dem anderen Gerät. Er gilt einmal, und zwar bis {until}. Danach zeigt \
      dieses Gerät die Sitzung nur noch an.
      """
    case .pageLink: "Link"
    case .pageBackTo: "Zurück zu {target}"
    case .pageBackToPrefix: "Zurück zu"
    case .pageTakeOver: "Hier fortsetzen?"
    case .pageTakeOverQuestion:
      """
      „{app}“ wurde auf einem anderen Gerät gestartet. Wenn Sie auf diesem Gerät fortfahren, zeigt das andere die \
      Sitzung nur noch an.
      """
    case .pageContinueHere: "Hier fortsetzen"
    case .pageAllApps: "Alle Apps"
    case .pageClose: "Schließen"
    case .pageRefusedForm: "Bitte prüfen Sie Ihre Eingaben"
    case .pageFinished: "Die Sitzung ist beendet."
    case .pageStartAgain: "Neu starten"
    case .pageWorking: "Einen Moment bitte …"
    case .pageShowResult: "Ergebnis anzeigen"
    case .pageReadOnly: "Diese Sitzung wird auf einem anderen Gerät fortgesetzt. Dieses Gerät zeigt sie nur noch an."
    case .pageTryAgain: "Erneut versuchen"
    case .pageTabs: "Tabs"
    case .pageLanguage: "Sprache"
    case .pageChangeLanguage: "Ändern"
    case .pageRange: "{first}–{last} von {count}"
    // Terminal
    case .terminalNextPage: "Nächste Seite"
    case .terminalPreviousPage: "Vorige Seite"
    case .terminalWorking: "In Arbeit: {work}"
    case .terminalImage: "[Bild: {alternative}]"
    case .terminalYes: "ja"
    case .terminalNo: "nein"
    case .terminalYesOrNo: "(ja oder nein)"
    case .terminalSeveral: "(mehrere, mit Kommas)"
    case .terminalNoKey: "{key} gibt es hier nicht. Geben Sie eines der Kürzel ein, oder q zum Beenden."
    case .terminalGoesOn: "Die Sitzung läuft weiter unter {address}"
    // Problems
    case .titleInvalidJSON: "Ungültiges JSON"
    case .titleInvalidRequest: "Fehlerhafte Anfrage"
    case .titleUnauthorized: "Anmeldung erforderlich"
    case .titleForbidden: "Keine Berechtigung"
    case .titleNotFound: "Nicht gefunden"
    case .titleUnknownApp: "Unbekannte App"
    case .titleUnknownSession: "Unbekannte Sitzung"
    case .titleUnknownHandOver: "Unbekannte Übergabe"
    case .titleUnknownSignal: "Unbekanntes Signal"
    case .titleReadOnly: "Sitzung nur zum Lesen"
    case .titleSessionExpired: "Sitzung abgelaufen"
    case .titleSessionFinished: "Sitzung beendet"
    case .titleSessionOutdated: "Veraltete Sitzung"
    case .titleUnknownAction: "Unbekannte Aktion"
    case .titleActionUnavailable: "Aktion nicht verfügbar"
    case .titleInvalidInput: "Ungültige Eingabe"
    case .titleInvalidLink: "Ungültiger Link"
    case .titleStaleRevision: "Veraltete Revision"
    case .titleIdempotencyConflict: "Idempotenzschlüssel wiederverwendet"
    case .titleMethodNotAllowed: "Methode nicht erlaubt"
    case .titleNotAcceptable: "Kein passendes Format"
    case .titleUnsupportedMediaType: "Nicht unterstützter Medientyp"
    case .titleTooLarge: "Anfrage zu groß"
    case .titleMisdirected: "Fehlgeleitete Anfrage"
    case .titleLimitReached: "Grenze erreicht"
    case .titleRateLimited: "Zu viele Anfragen"
    case .titleOverloaded: "Dienst nicht verfügbar"
    case .titleNotImplemented: "Nicht unterstützte Transferkodierung"
    case .titleInternalError: "Interner Fehler"
    // Requests
    case .noResource: "Unter diesem Pfad gibt es nichts."
    case .allowedMethods: "Diese Ressource erlaubt {methods}."
    case .requestFailed: "Etwas ist schiefgegangen. Versuchen Sie es später erneut."
    case .headTooLong: "Die Kopfzeilen und Cookies der Anfrage brauchen mehr als {limit} Bytes."
    case .bodyTooLong: "Der Inhalt ist länger als {limit} Bytes."
    case .onlyChunked: "Die einzige Transferkodierung ist chunked."
    case .tooManyInFlight: "Zurzeit sind zu viele Anfragen in Arbeit."
    case .shuttingDown: "Der Dienst wird gerade beendet."
    case .tookTooLong: "Die Antwort hat zu lange gedauert."
    case .missingPermission: "Dem Token fehlt diese Berechtigung: {permissions}."
    case .rateLimit: "Ein Client darf je Sekunde {rate} Anfragen stellen, und {burst} auf einmal."
    case .otherSite: "Die Anfrage kommt von einer anderen Website."
    case .hostNotAllowed: "Der Host {host} ist nicht erlaubt. Der Betreiber kann ihn in --allowed-hosts aufnehmen."
    case .tooManyStreams: "Der Client hat die Grenze von {limit} Ereignisströmen erreicht (--max-streams-per-client)."
    case .onlyTypes: "Diese Ressource gibt es nur als {types}."
    case .tooManyMediaRanges: "Accept nennt mehr als {limit} Medienbereiche. Senden Sie weniger."
    case .bodyType: "Der Inhalt hat den Typ {type}. Senden Sie application/json."
    case .bodyCoding: "Der Inhalt hat die Kodierung {coding}. Senden Sie ihn ohne Content-Encoding."
    case .formLooksLikeJSON:
      "Der Inhalt sieht wie JSON aus, trägt aber den Typ eines Formulars. Senden Sie Content-Type: application/json."
    case .formNotExpected: "Das Formular hat Felder, hier wird aber keines erwartet."
    case .formExpected: "Der Inhalt ist kein Formular. Verwenden Sie das Formular der Seite."
    case .formNotUTF8: "Das Formular ist kein gültiges UTF-8."
    case .formEncoding: "Das Formular hat eine ungültige Prozentkodierung."
    case .bodyNotObject: "Der Inhalt ist kein JSON-Objekt."
    case .memberUnknown: "Das Element {name} ist hier unbekannt."
    case .memberNotString: "Das Element {name} ist kein Text."
    case .memberMissing: "Das Element {name} fehlt oder ist kein Text."
    case .memberNotSeconds: "Das Element {name} ist keine ganze Zahl von Sekunden."
    case .memberNotLocale: "Das Element locale ist kein Sprachkürzel."
    case .memberKeyLength: "Das Element key muss ein Text von 1 bis 255 Bytes sein."
    case .memberHold: "Das Element hold muss eine ganze Zahl von Sekunden von 1 bis {maximum} sein."
    case .formFieldMissing: "Das Feld {name} fehlt."
    case .formFieldNotSeconds: "Das Feld {name} ist keine ganze Zahl von Sekunden."
    case .twoKeys: "Die Anfrage hat sowohl Idempotency-Key als auch das Feld key. Senden Sie nur eines von beiden."
    case .queryUnknown: "Der Abfrageparameter {name} ist hier unbekannt."
    case .queryTwice: "Der Abfrageparameter {name} kommt zweimal vor."
    case .queryEncoding: "Die Abfrage hat eine fehlerhafte Prozentkodierung."
    case .queryNotWholeNumber: "Der Abfrageparameter {name} ist keine ganze Zahl von {minimum} bis {maximum}."
    case .queryNotFlag: "Der Abfrageparameter {name} ist {value} und nicht true oder false."
    case .queryMissing: "Der Abfrageparameter {name} fehlt."
    case .pathEncoding: "Der Pfad hat eine fehlerhafte Prozentkodierung."
    case .rowsMalformed: "Der Abfrageparameter rows ist fehlerhaft. Folgen Sie den Links einer Liste."
    case .offerMalformed: "Der Abfrageparameter offer stammt aus keiner Ansicht. Übernehmen Sie den href der Aktion."
    case .differentRevisions: "Der Abfrageparameter revision und If-Match nennen verschiedene Revisionen."
    case .ifMatchMalformed: "If-Match ist weder * noch ein Entity-Tag wie \"3\"."
    case .keyWithoutQuote: "In Idempotency-Key fehlt das schließende Anführungszeichen."
    case .keyMalformed:
      "Idempotency-Key ist kein Schlüssel aus 1 bis 255 druckbaren ASCII-Zeichen ohne Anführungszeichen."
    case .signalAsJSON: "Senden Sie das Signal als application/json."
    case .noSuchPrincipal: "Niemand kann diese Kennung haben. Prüfen Sie --auth und die Kodierung des Pfads."
    case .tokenRequired: "Es wird ein Token benötigt: Authorization: Bearer TOKEN."
    case .tokenExpired: "Das Token ist abgelaufen."
    case .tokenInvalid: "Das Token ist ungültig."
    case .tokenTwice: "Authorization enthält mehr als eine Anmeldung."
    case .tokenScheme: "Das Anmeldeverfahren ist weder Bearer noch Basic."
    case .tokenBearer: "Auf das Verfahren Bearer muss genau ein Token folgen."
    case .tokenBasic: "Auf das Verfahren Basic müssen ein Name und ein Passwort in Base64 folgen."
    case .tokenEmptyPassword: "Das Passwort ist leer. Senden Sie das Token als Passwort."
    }
  }
}
