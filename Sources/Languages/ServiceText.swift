/// A text of the service itself, for people: an error, a hint, a label of a page.
///
/// Each language has a table with a pattern for each text: ``english``, ``german`` and ``french``. A new language is a
/// new table, and a line in ``ServiceLanguage/all``.
package enum ServiceText: Int, Sendable, CaseIterable {
  // Sessions
  case unknownApp, stillLoading, unknownSession, sessionExpired, invalidTimeToLive, unknownTimeZone, staleRevision,
    sessionMovedOn, formSentBefore, sessionTooLarge, sessionReadOnly, sessionFinished, tooManySessions, unknownSignal,
    forgedSignal, undeclaredSignal, exposedAddress, tooManyReceivers, signalWaits, unknownHandOver, idempotencyConflict,
    storeFull,
    storeDisplaced, storeUnavailable, storeUnreadable
  // Rejections
  case unknownAction, unknownTab, tooDeep, tooMuchWork, promptIsOpen, actionNotOnScreen, answersNotTaken,
    screenIsSealed, nothingToGoBackTo, tabNotVisible, noModal, actionHidden, nothingToChoose, nothingToReload,
    linkNotAPath, linkNoMatch, linkUnusableValues, linkUnknownName
  // Fields
  case fieldMissing, answerUnknown, answerNotAsked, itemUnknown, inputNoObject, inputSubject, fieldAccepted,
    fieldMinimum, fieldExclusiveMinimum, fieldMaximum, fieldEarliest, fieldLatest, fieldNotEmpty, fieldMinimumLength,
    fieldMaximumLength, fieldDigits, fieldOfferedChoices, fieldChoices, fieldEmail, fieldPhone, fieldURL, fieldDate,
    fieldTime, fieldDateTime, fieldPattern, fieldTooLongToMatch, fieldItems, fieldExclusiveItem, fieldMinimumItems,
    fieldMaximumItems, fieldWholeNumber, fieldNumber, fieldAmount, fieldSmallestUnits, fieldFlag, fieldText, fieldList,
    fieldOtherType, hintMinimum, hintExclusiveMinimum, hintMaximum, hintEarliest, hintLatest, hintDigits, hintPattern
  // Screens
  case noticeTitle, noticeMessage, leaveTitle, leaveMessage, leaveLeave, leaveStay, loadFailed, eventStuck,
    actionDisabled, step, stepTitled, listPart
  // Journeys
  case journeyContinue, journeyAdd, journeyChange, journeyRemove, journeyQuestion, journeyItem, journeyCheck,
    journeySubmit, journeyWait, journeyNotChecked, journeyAway, journeyAgain, journeyTasks, journeySection,
    journeyNotStarted, journeyInProgress, journeyCompleted
  // Pages
  case pageStartIntroduction, pageStart, pageForPrograms, pageAppsAsJSON, pageDescribesOperations, pageNotDone,
    pageListPages, pagePrevious, pageNext, pageOptional, pageDateAndTime, pageOffset, pageSuchAs, pageHandOver,
    pageHandOverLink, pageLink, pageCopyLink, pageLinkCopied, pageCode, pageBackTo, pageBackToPrefix, pageTakeOver,
    pageTakeOverQuestion, pageContinueHere,
    pageAllApps, pageClose, pageRefusedForm, pageFinished, pageStartAgain, pageWorking, pageShowResult, pageReadOnly,
    pageTryAgain, pageTabs, pageLanguage, pageChangeLanguage, pageRange, pageIfItApplies, pageNoChoice, pageNotGiven,
    pageYes, pageNo, pageAddressToShare, pageFromBeginning, addressLeadsNowhere, pageEnding, pageStay, pageEnded
  // Terminal
  case terminalNextPage, terminalPreviousPage, terminalImage, terminalYes, terminalNo, terminalYesOrNo,
    terminalAnswerYesOrNo, terminalSeveral, terminalNoKey, terminalLeaveForm, terminalGoesOn, terminalWhichApp,
    terminalTypeNumber, terminalEnding
  // Problems
  case titleInvalidJSON, titleInvalidRequest, titleUnauthorized, titleForbidden, titleNotFound, titleUnknownApp,
    titleUnknownSession, titleUnknownHandOver, titleUnknownSignal, titleReadOnly, titleSessionExpired,
    titleSessionFinished, titleSessionOutdated, titleUnknownAction, titleActionUnavailable, titleInvalidInput,
    titleInvalidLink, titleStaleRevision, titleIdempotencyConflict, titleMethodNotAllowed, titleNotAcceptable,
    titleUnsupportedMediaType, titleTooLarge, titleMisdirected, titleLimitReached, titleRateLimited, titleOverloaded,
    titleNotImplemented, titleInternalError
  // Requests
  case noResource, allowedMethods, requestFailed, headTooLong, bodyTooLong, onlyChunked, tooManyInFlight,
    shuttingDown, tookTooLong, missingPermission, rateLimit, otherSite, hostNotAllowed, tooManyStreams, onlyTypes,
    tooManyMediaRanges, bodyType, formLooksLikeJSON, formNotExpected, formExpected, formNotUTF8, formEncoding,
    bodyCoding, bodyNotObject, memberUnknown, memberNotString, memberMissing, memberNotSeconds, memberNotLocale,
    memberKeyLength, memberHold, formFieldMissing, formFieldNotSeconds, twoKeys, queryUnknown, queryTwice,
    queryEncoding, queryNotWholeNumber, queryNotFlag, queryMissing, pathEncoding, rowsMalformed, offerMalformed,
    differentRevisions, ifMatchMalformed, keyWithoutQuote, keyMalformed, inputAsJSON, noSuchPrincipal, tokenRequired,
    tokenExpired, tokenInvalid, tokenTwice, tokenScheme, tokenBearer, tokenBasic, tokenEmptyPassword
}
