/** What an event is, who takes part, and what its guests read. */
export const eventsForm = {
  // The page, and the draft.
  'Make the event': 'Event anlegen',
  'The event has not been created yet.': 'Das Event ist noch nicht angelegt.',
  'Check the fields marked above.': 'Prüfen Sie die oben markierten Felder.',
  'Back to the evening': 'Zurück zum Event',
  'What you typed last is not saved yet.': 'Ihre letzten Eingaben sind noch nicht gespeichert.',
  'The draft of this event was changed elsewhere meanwhile. Your changes are still here.':
    'Der Entwurf dieses Events wurde inzwischen an anderer Stelle geändert. Ihre Änderungen sind noch da.',
  'What the draft changes was changed elsewhere meanwhile. Your changes are still here.':
    'Was der Entwurf ändert, wurde inzwischen an anderer Stelle geändert. Ihre Änderungen sind noch da.',
  'Not saved.': 'Nicht gespeichert.',
  'Saving the draft…': 'Entwurf wird gespeichert …',
  'Draft saved. Guests get the event as it was.': 'Entwurf gespeichert. Für Gäste ist das Event unverändert.',
  'Changes are saved as a draft. Guests get them when you make them live.':
    'Änderungen werden als Entwurf gespeichert. Gäste bekommen sie, wenn Sie sie live schalten.',
  'The draft is discarded.': 'Der Entwurf ist verworfen.',
  'Make the changes of {name} live?': 'Änderungen an „{name}“ live schalten?',
  'The event is open: guests get this at once.': 'Das Event ist geöffnet: Gäste bekommen das sofort.',
  'Booths and guests get this at once.': 'Fotoboxen und Gäste bekommen das sofort.',
  'What changes': 'Was sich ändert',
  'The changes are live.': 'Die Änderungen sind live.',
  // What a change is about.
  'Safe offer': 'Sicheres Angebot',
  Shapes: 'Formate',
  'Limits for guests': 'Limits für Gäste',
  'How long pictures are kept': 'Aufbewahrung der Bilder',
  'Texts and consent': 'Texte und Einwilligung',
  'What guests are asked for': 'Angaben der Gäste',
  'Quick shots': 'Schnelle Aufnahmen',
  Wall: 'Bilderwand',
  'Hosted engines': 'Gehostete Engines',
  // Name and time.
  'Name and time': 'Name und Zeit',
  'Booths take photos between these times.': 'In dieser Zeit nehmen Fotoboxen Fotos auf.',
  'Summer gala': 'Sommergala',
  Begins: 'Beginn',
  Ends: 'Ende',
  'Time zone': 'Zeitzone',
  'Enter a time zone such as Europe/Berlin.': 'Geben Sie eine Zeitzone wie Europe/Berlin ein.',
  'The end must be after the beginning.': 'Das Ende muss nach dem Beginn liegen.',
  'An event lasts at most 366 days.': 'Ein Event dauert höchstens 366 Tage.',
  // Limits.
  'Limits and messages': 'Limits und Meldungen',
  'Leave a field empty to use the limits of the account and the server.':
    'In leeren Feldern gelten die Limits des Kontos und des Servers.',
  'For all pictures of the event. Credits of failed ones are returned.':
    'Für alle Bilder des Events. Für fehlgeschlagene werden die Credits erstattet.',
  'Pictures per guest': 'Bilder pro Gast',
  'Those that were made.': 'Es zählen fertige Bilder.',
  'Tries per guest': 'Versuche pro Gast',
  'Failed ones count too.': 'Fehlgeschlagene zählen mit.',
  'Hours that pictures stay': 'Bilder bleiben (Stunden)',
  'Then they are deleted.': 'Danach werden sie gelöscht.',
  'Server default': 'Standard des Servers',
  'A whole number from {least} to {most}, or empty.': 'Eine ganze Zahl von {least} bis {most} oder leer.',
  'Your server is told when a picture is ready and when less than a tenth of the budget is left.':
    'Ihr Server wird benachrichtigt, wenn ein Bild fertig ist und wenn weniger als ein Zehntel des Budgets übrig ist.',
  // Texts. Guests are addressed as the booth does.
  Texts: 'Texte',
  'Guests choose among these languages. Offers and questions have a label in each.':
    'Gäste wählen unter diesen Sprachen. Angebote und Fragen haben in jeder eine Beschriftung.',
  'Add a language': 'Sprache hinzufügen',
  Welcome: 'Begrüßung',
  'On the booth’s first screen.': 'Auf dem Startbildschirm der Fotobox.',
  Consent: 'Einwilligung',
  'What guests agree to. Where it is written, no photo is taken without it, and each edit makes a new version.':
    'Dem stimmen Gäste zu. Wenn hier etwas steht, wird ohne Zustimmung kein Foto aufgenommen. Jede Änderung ergibt eine neue Version.',
  Thanks: 'Dank',
  'On the booth’s last screen and the guest’s page.':
    'Auf dem letzten Bildschirm der Fotobox und auf der Gästeseite.',
  'Enter a text for guests.': 'Geben Sie einen Text für Gäste ein.',
  'Touch to start': 'Tippen und los',
  'I agree that my photo is used to make this picture.':
    'Ich bin einverstanden, dass aus meinem Foto dieses Bild gemacht wird.',
  'Thank you, and enjoy the evening.': 'Danke, und noch einen schönen Abend!',
  // Questions.
  Questions: 'Fragen',
  'Such as whether a picture may be shown on the wall, or whether the guest is old enough.':
    'Zum Beispiel, ob ein Bild auf der Bilderwand gezeigt werden darf oder ob der Gast alt genug ist.',
  'Question {number}': 'Frage {number}',
  'Remove question {number}': 'Frage {number} entfernen',
  'Add a question': 'Frage hinzufügen',
  'Only guests who say yes go on': 'Weiter nur mit Ja',
  'Ask about the wall': 'Nach der Bilderwand fragen',
  'My picture may be shown on the wall': 'Mein Bild darf auf der Bilderwand gezeigt werden',
  'Without a yes, a picture is not shown on the wall.': 'Ohne Ja kommt ein Bild nicht auf die Bilderwand.',
  'Ask about the gallery': 'Nach der Galerie fragen',
  'My picture may be shown in the gallery': 'Mein Bild darf in der Galerie gezeigt werden',
  'Without a yes, a picture is not shown in the gallery.': 'Ohne Ja kommt ein Bild nicht in die Galerie.',
  // What guests give.
  'What guests give': 'Angaben der Gäste',
  'Such as a name, a team or a number. Prompts, texts over pictures and prints have places for it.':
    'Zum Beispiel Name, Team oder Nummer. Prompts, Texte auf Bildern und Ausdrucke haben Platzhalter dafür.',
  'Label {number}': 'Beschriftung {number}',
  'Nobody goes on without it': 'Pflichtangabe',
  'In texts and prompts: {place}': 'In Texten und Prompts: {place}',
  'A text': 'Text',
  'A number': 'Zahl',
  'One of several': 'Auswahl',
  'Letters at most': 'Zeichen höchstens',
  From: 'Von',
  To: 'Bis',
  'Choice {number}': 'Möglichkeit {number}',
  'Remove choice {number}': 'Möglichkeit {number} entfernen',
  'Add a choice': 'Möglichkeit hinzufügen',
  'Ask for the name': 'Nach dem Namen fragen',
  'Your name': 'Dein Name',
  'Ask for the team': 'Nach dem Team fragen',
  'Your team': 'Dein Team',
  'Ask for a number': 'Nach einer Nummer fragen',
  'Your number': 'Deine Nummer',
  'Ask for something else': 'Nach etwas anderem fragen',
  'Words that nobody may type': 'Gesperrte Wörter',
  'One in each line. The coarsest words of the booth’s languages are refused anyway.':
    'Eines pro Zeile. Die gröbsten Wörter in den Sprachen der Fotobox sind ohnehin gesperrt.',
  // Wall and gallery.
  'The wall is for a projector, the gallery for guests at home.':
    'Die Bilderwand ist für einen Beamer, die Galerie für Gäste zu Hause.',
  'On the wall': 'Auf der Bilderwand',
  'No wall': 'Keine Bilderwand',
  'Pictures that you approve': 'Bilder, die Sie freigeben',
  'All except those you hide': 'Alle, die Sie nicht ausblenden',
  'In the gallery': 'In der Galerie',
  'No gallery': 'Keine Galerie',
  'Anyone with the link': 'Alle mit dem Link',
  'With a password': 'Mit Passwort',
  'Password of the gallery': 'Passwort der Galerie',
  'At least 6 characters.': 'Mindestens 6 Zeichen.',
  'Guests are not asked whether their pictures may be shown. Add the question above.':
    'Gäste werden nicht gefragt, ob ihre Bilder gezeigt werden dürfen. Fügen Sie die Frage oben hinzu.',
  'A question about the gallery is added when you save: a yes to the wall is none to the gallery.':
    'Beim Speichern kommt eine Frage zur Galerie hinzu: Ein Ja zur Bilderwand gilt nicht für die Galerie.',
  'Guests get five quick shots of their photo as a moving picture at once, on their own page. It is kept with the picture, and guests are told so.':
    'Gäste bekommen auf ihrer Gästeseite sofort ein bewegtes Bild aus fünf schnellen Aufnahmen zu ihrem Foto. Es bleibt mit dem Bild erhalten, und Gäste erfahren das.',
  'Photos of guests may go to the company of a hosted engine, where the installation has one. Guests are told to whom.':
    'Fotos von Gästen dürfen an das Unternehmen hinter einer gehosteten Engine gehen, falls die Installation eine hat. Gäste erfahren, an welches.',
} as const;
