/** Events: the preflight, prints and mails, printers, overlays, and what is wrong with a change. */
export const eventSentences: Readonly<Record<string, string>> = {
  // Preflight: address and times
  'The codes of guests lead to {url}, which only this machine reaches.':
    'Die Codes der Gäste führen zu {url}. Diese Adresse erreicht nur der Rechner des Servers.',
  'Set the address for guests, or GUISE_PUBLIC_URL, to one that phones reach.':
    'Legen Sie eine Adresse fest, die Handys erreichen: als Adresse für Gäste oder mit GUISE_PUBLIC_URL.',
  'A phone has opened {url}.': 'Ein Handy hat {url} geöffnet.',
  'No phone has opened {url} yet.': 'Bisher hat kein Handy {url} geöffnet.',
  'Scan the code with a phone in the network of the guests.':
    'Scannen Sie den Code mit einem Handy im Netz der Gäste.',
  'No Guise answers at {url}. Other devices reach the server only if it was started with HOST=0.0.0.0 and no firewall is in between.':
    'Unter {url} antwortet kein Guise. Andere Geräte erreichen den Server nur, wenn er mit HOST=0.0.0.0 gestartet wurde und keine Firewall dazwischen ist.',
  'The event has ended.': 'Das Event ist beendet.',
  'Change its times, or open it again.': 'Ändern Sie seine Zeiten, oder öffnen Sie es wieder.',
  'The event is paused.': 'Das Event ist pausiert.',
  'Go on before guests come.': 'Setzen Sie es fort, bevor Gäste kommen.',
  'The event opens by itself at its time.': 'Das Event öffnet zur festgelegten Zeit von selbst.',
  'The event is open.': 'Das Event ist geöffnet.',
  // Preflight: offers
  'Nothing is offered.': 'Es gibt kein Angebot.',
  'Add a style or a video.': 'Fügen Sie einen Stil oder ein Video hinzu.',
  'The engine of {count} offer is away: {offers}.':
    'Für {count} Angebot ist die Engine nicht erreichbar: {offers}.',
  'The engine of {count} offers is away: {offers}.':
    'Für {count} Angebote ist die Engine nicht erreichbar: {offers}.',
  'Start its GPU server, or take the offer out. The operator’s page shows the servers.':
    'Starten Sie den GPU-Server, oder entfernen Sie das Angebot. Die Server stehen auf der Seite des Betreibers.',
  'All offers can be made; there is no safe offer.':
    'Für alle Angebote gibt es eine Engine, aber es fehlt ein sicheres Angebot.',
  'Choose one to switch to in an emergency.': 'Wählen Sie eines, auf das Sie im Notfall umschalten.',
  '{count} offer, each with an engine.': '{count} Angebot, mit passender Engine.',
  '{count} offers, each with an engine.': '{count} Angebote, jedes mit passender Engine.',
  // Preflight: overlays
  'Pictures have no overlay.': 'Bilder haben kein Overlay.',
  'There is an overlay for every shape.': 'Für jedes Format gibt es ein Overlay.',
  'There is no overlay for: portrait.': 'Es fehlt ein Overlay für: Hochformat.',
  'There is no overlay for: landscape.': 'Es fehlt ein Overlay für: Querformat.',
  'There is no overlay for: square.': 'Es fehlt ein Overlay für: Quadrat.',
  'There is no overlay for: portrait, landscape.': 'Es fehlt ein Overlay für: Hochformat, Querformat.',
  'There is no overlay for: landscape, portrait.': 'Es fehlt ein Overlay für: Querformat, Hochformat.',
  'There is no overlay for: portrait, square.': 'Es fehlt ein Overlay für: Hochformat, Quadrat.',
  'There is no overlay for: square, portrait.': 'Es fehlt ein Overlay für: Quadrat, Hochformat.',
  'There is no overlay for: landscape, square.': 'Es fehlt ein Overlay für: Querformat, Quadrat.',
  'There is no overlay for: square, landscape.': 'Es fehlt ein Overlay für: Quadrat, Querformat.',
  'Upload one for each shape that is offered.': 'Laden Sie eines für jedes angebotene Format hoch.',
  'Pictures of groups and stylized ones have the shape of their photo, and there is no overlay for: portrait. They are cropped to another shape where all heads fit, and have none where they do not.':
    'Gruppenbilder und stilisierte Bilder haben das Format ihres Fotos, und es fehlt ein Overlay für: Hochformat. Sie werden auf ein anderes Format zugeschnitten, wenn alle Köpfe hineinpassen, und bleiben sonst ohne Overlay.',
  'Pictures of groups and stylized ones have the shape of their photo, and there is no overlay for: landscape. They are cropped to another shape where all heads fit, and have none where they do not.':
    'Gruppenbilder und stilisierte Bilder haben das Format ihres Fotos, und es fehlt ein Overlay für: Querformat. Sie werden auf ein anderes Format zugeschnitten, wenn alle Köpfe hineinpassen, und bleiben sonst ohne Overlay.',
  'Pictures of groups and stylized ones have the shape of their photo, and there is no overlay for: square. They are cropped to another shape where all heads fit, and have none where they do not.':
    'Gruppenbilder und stilisierte Bilder haben das Format ihres Fotos, und es fehlt ein Overlay für: Quadrat. Sie werden auf ein anderes Format zugeschnitten, wenn alle Köpfe hineinpassen, und bleiben sonst ohne Overlay.',
  'Pictures of groups and stylized ones have the shape of their photo, and there is no overlay for: portrait, landscape. They are cropped to another shape where all heads fit, and have none where they do not.':
    'Gruppenbilder und stilisierte Bilder haben das Format ihres Fotos, und es fehlt ein Overlay für: Hochformat, Querformat. Sie werden auf ein anderes Format zugeschnitten, wenn alle Köpfe hineinpassen, und bleiben sonst ohne Overlay.',
  'Pictures of groups and stylized ones have the shape of their photo, and there is no overlay for: portrait, square. They are cropped to another shape where all heads fit, and have none where they do not.':
    'Gruppenbilder und stilisierte Bilder haben das Format ihres Fotos, und es fehlt ein Overlay für: Hochformat, Quadrat. Sie werden auf ein anderes Format zugeschnitten, wenn alle Köpfe hineinpassen, und bleiben sonst ohne Overlay.',
  'Pictures of groups and stylized ones have the shape of their photo, and there is no overlay for: landscape, square. They are cropped to another shape where all heads fit, and have none where they do not.':
    'Gruppenbilder und stilisierte Bilder haben das Format ihres Fotos, und es fehlt ein Overlay für: Querformat, Quadrat. Sie werden auf ein anderes Format zugeschnitten, wenn alle Köpfe hineinpassen, und bleiben sonst ohne Overlay.',
  'Upload one for each shape.': 'Laden Sie eines für jedes Format hoch.',
  // Preflight: languages; what names others is said in English
  'The event has no texts of its own.': 'Das Event hat keine eigenen Texte.',
  'Write a welcome and a consent.': 'Schreiben Sie eine Begrüßung und eine Einwilligung.',
  'There is no consent text in German. Booths offer only languages that have one.':
    'Auf Deutsch fehlt die Einwilligung: Gästen wird diese Sprache nicht angeboten.',
  'There is no consent text in English. Booths offer only languages that have one.':
    'Auf Englisch fehlt die Einwilligung: Gästen wird diese Sprache nicht angeboten.',
  'Write it in the event’s form, or remove the language.':
    'Schreiben Sie sie im Formular des Events, oder entfernen Sie die Sprache.',
  'Everything is labelled in German.': 'Alles ist auf Deutsch beschriftet.',
  'Everything is labelled in English.': 'Alles ist auf Englisch beschriftet.',
  'Everything is labelled in English and German.': 'Alles ist auf Englisch und Deutsch beschriftet.',
  'Add them in the event’s form.': 'Ergänzen Sie sie im Formular des Events.',
  // Preflight: budget and storage
  'Without offers nothing can be counted.': 'Ohne Angebote lässt sich nichts berechnen.',
  '{credits} credit is enough for {guests} guest with the dearest offer.':
    '{credits} Credit reicht beim teuersten Angebot für {guests} Gast.',
  '{credits} credit is enough for {guests} guests with the dearest offer.':
    '{credits} Credit reicht beim teuersten Angebot für {guests} Gäste.',
  '{credits} credits are enough for {guests} guest with the dearest offer.':
    '{credits} Credits reichen beim teuersten Angebot für {guests} Gast.',
  '{credits} credits are enough for {guests} guests with the dearest offer.':
    '{credits} Credits reichen beim teuersten Angebot für {guests} Gäste.',
  'Raise the budget, or grant the account credits.':
    'Erhöhen Sie das Budget, oder schreiben Sie dem Konto Credits gut.',
  'Raise the budget if more guests come.': 'Erhöhen Sie das Budget, wenn mehr Gäste kommen.',
  'Pictures are kept in a bucket.': 'Bilder liegen in einem Bucket.',
  '{whole}.{tenths} GB are free, for about {count} pictures.':
    '{whole},{tenths} GB sind frei, genug für etwa {count} Bilder.',
  'Make room on the disk of the data folder.': 'Schaffen Sie Platz auf der Festplatte des Datenordners.',
  'Make room before a large evening.': 'Schaffen Sie vor einem großen Event Platz.',
  // Preflight: printer and mail
  'Booths print by their browsers.': 'Fotoboxen drucken über ihren Browser.',
  'The printer of the event was removed.': 'Der Drucker des Events wurde entfernt.',
  'Choose another one.': 'Wählen Sie einen anderen.',
  'Go to the printer, and print a test page.': 'Gehen Sie zum Drucker, und drucken Sie eine Testseite.',
  '{printer} does not say that paper of {size} is loaded.':
    '{printer} meldet nicht, dass Papier der Größe {size} eingelegt ist.',
  'Load it, and print a test page.': 'Legen Sie es ein, und drucken Sie eine Testseite.',
  '{printer} is ready. Print a test page to be sure of the paper.':
    '{printer} ist bereit. Ob das Papier stimmt, zeigt eine Testseite.',
  'No mail is sent to guests.': 'Gäste bekommen keine E-Mails.',
  'Mail is set up. Send a test mail to be sure.':
    'Der Mailversand ist eingerichtet. Ob er funktioniert, zeigt eine Testmail.',
  'Guests are offered mail, and the installation has no mail server.':
    'Gästen werden E-Mails angeboten, aber die Installation hat keinen Mailserver.',
  'Set GUISE_SMTP_URL and GUISE_MAIL_FROM.': 'Setzen Sie GUISE_SMTP_URL und GUISE_MAIL_FROM.',
  // Preflight: booths
  'No booth has reported.': 'Noch hat sich keine Fotobox gemeldet.',
  'Make a key, and open its link on the tablet.':
    'Legen Sie einen Schlüssel an, und öffnen Sie seinen Link auf dem Tablet.',
  '{booth} may not use its camera.': '{booth} darf die Kamera nicht nutzen.',
  '{booth} has no camera.': '{booth} hat keine Kamera.',
  '{booth} is not opened by https, so that its browser gives no camera.':
    '{booth} ist nicht über https geöffnet, deshalb gibt der Browser keine Kamera frei.',
  'Allow the camera in the browser of the booth, or connect one.':
    'Erlauben Sie die Kamera im Browser der Fotobox, oder schließen Sie eine an.',
  'Nothing is heard from: {booths}.': 'Keine Meldung von: {booths}.',
  'Switch the booth on.': 'Schalten Sie die Fotobox ein.',
  '{count} booth is there: {booths}.': '{count} Fotobox meldet sich: {booths}.',
  '{count} booths are there: {booths}.': '{count} Fotoboxen melden sich: {booths}.',

  // What printers report
  'The printer is out of paper. Load paper.': 'Der Drucker hat kein Papier mehr. Legen Sie Papier ein.',
  'The printer needs paper of another size, or more of it. Load it.':
    'Der Drucker braucht Papier einer anderen Größe oder mehr davon. Legen Sie es ein.',
  'Paper is stuck in the printer. Open it and take the paper out.':
    'Im Drucker steckt Papier fest. Öffnen Sie ihn, und nehmen Sie das Papier heraus.',
  'The ribbon, ink or toner is used up. Put in a new one.':
    'Farbband, Tinte oder Toner ist aufgebraucht. Setzen Sie Ersatz ein.',
  'The ribbon, ink or toner is missing. Put it in.':
    'Farbband, Tinte oder Toner fehlt. Setzen Sie das Fehlende ein.',
  'The toner is used up. Put in a new one.': 'Der Toner ist aufgebraucht. Setzen Sie neuen ein.',
  'The waste container of the printer is full. Empty it.':
    'Der Abfallbehälter des Druckers ist voll. Leeren Sie ihn.',
  'The paper tray is missing. Put it in.': 'Das Papierfach fehlt. Setzen Sie es ein.',
  'The tray of finished prints is full. Empty it.': 'Das Ausgabefach ist voll. Leeren Sie es.',
  'The tray for finished prints is missing. Put it in.': 'Das Ausgabefach fehlt. Setzen Sie es ein.',
  'The cover of the printer is open. Close it.': 'Die Abdeckung des Druckers ist offen. Schließen Sie sie.',
  'A door of the printer is open. Close it.': 'Eine Klappe des Druckers ist offen. Schließen Sie sie.',
  'A cover of the printer is open. Close it.': 'Eine Abdeckung des Druckers ist offen. Schließen Sie sie.',
  'The printer is too hot. Let it cool down.': 'Der Drucker ist zu heiß. Lassen Sie ihn abkühlen.',
  'The printer is warming up.': 'Der Drucker wärmt sich auf.',
  'The printer is paused. Start it again.': 'Der Drucker ist angehalten. Starten Sie ihn wieder.',
  'The printer is switched off or not connected. Switch it on.':
    'Der Drucker ist ausgeschaltet oder nicht verbunden. Schalten Sie ihn ein.',
  'The printer is not connected. Check its cable and network.':
    'Der Drucker ist nicht verbunden. Prüfen Sie Kabel und Netzwerk.',
  'The print server is connecting to the printer.': 'Der Druckserver verbindet sich mit dem Drucker.',
  'The printer does not answer its print server. Switch it off and on.':
    'Der Drucker antwortet seinem Druckserver nicht. Schalten Sie ihn aus und wieder ein.',
  'The memory of the printer is full. Switch it off and on.':
    'Der Speicher des Druckers ist voll. Schalten Sie ihn aus und wieder ein.',
  'The paper is running low.': 'Das Papier geht zur Neige.',
  'The ribbon, ink or toner is running low.': 'Farbband, Tinte oder Toner geht zur Neige.',
  'The toner is running low.': 'Der Toner geht zur Neige.',
  'The tray of finished prints is almost full.': 'Das Ausgabefach ist fast voll.',
  'The printer reports “{reason}”.': 'Der Drucker meldet „{reason}“.',
  'The printer has stopped. Its display may say why.':
    'Der Drucker hat angehalten. Vielleicht steht der Grund auf seinem Display.',
  'The printer accepts no jobs now. Set it to accept jobs again.':
    'Der Drucker nimmt gerade keine Druckaufträge an. Stellen Sie ihn so ein, dass er wieder welche annimmt.',
  'The printer takes neither PDF nor JPEG by IPP. Set it up in CUPS, and use that address.':
    'Der Drucker nimmt über IPP weder PDF noch JPEG an. Richten Sie ihn in CUPS ein, und nehmen Sie dessen Adresse.',
  'There is no printer at this address. Check the part after the host.':
    'Unter dieser Adresse gibt es keinen Drucker. Prüfen Sie den Teil nach dem Host.',
  'The printer does not answer. Check that it is on, and its address.':
    'Der Drucker antwortet nicht. Prüfen Sie seine Adresse und ob er eingeschaltet ist.',
  'The printer takes no prints.': 'Der Drucker nimmt keine Druckaufträge an.',
  'This is not an address of a printer.': 'Das ist keine Adresse eines Druckers.',

  // Prints
  'The printer was removed.': 'Der Drucker wurde entfernt.',
  'The printer has stopped.': 'Der Drucker hat angehalten.',
  'The printer does not answer.': 'Der Drucker antwortet nicht.',
  'The printer is busy.': 'Der Drucker ist beschäftigt.',
  'The printer takes at most {count} copies at once.':
    'Der Drucker nimmt höchstens {count} Exemplare auf einmal an.',
  'The printer refused the print: {answer}': 'Der Drucker hat den Ausdruck abgelehnt: {answer}',
  'The printer refused the print ({status}).': 'Der Drucker hat den Ausdruck abgelehnt ({status}).',
  'The printer cancelled this print.': 'Der Drucker hat diesen Ausdruck abgebrochen.',
  'The print could not be made now.': 'Der Ausdruck ließ sich gerade nicht erstellen.',
  'It is not known whether this was printed. Print it again if it is missing.':
    'Es ist nicht bekannt, ob das gedruckt wurde. Drucken Sie es noch einmal, wenn der Ausdruck fehlt.',
  'This is a video, which cannot be printed.': 'Das ist ein Video und lässt sich nicht drucken.',
  'The picture could not be made.': 'Das Bild ist nicht gelungen.',
  'The picture is not ready yet. Try again in 2 s.':
    'Das Bild ist noch nicht fertig. Versuchen Sie es in 2 Sekunden noch einmal.',
  'The result of this job has expired and was deleted.': 'Das Ergebnis ist abgelaufen und wurde gelöscht.',

  // Mails
  'The picture could not be made, or has had its time.':
    'Das Bild ist nicht gelungen, oder es ist abgelaufen.',
  'It is not known whether this mail was sent.': 'Es ist nicht bekannt, ob diese E-Mail gesendet wurde.',
  'The mail server does not answer.': 'Der Mailserver antwortet nicht.',
  'The mail server refused this mail: {answer}': 'Der Mailserver hat diese E-Mail abgelehnt: {answer}',
  'The mail server cannot take this mail now: {answer}':
    'Der Mailserver kann diese E-Mail gerade nicht annehmen: {answer}',

  // What stays of an event that is erased
  'Ledger entries and daily sums of usage: amounts, job ids and times, nothing of a guest.':
    'Buchungen und Tagessummen des Verbrauchs: Beträge, IDs von Aufträgen und Zeiten, nichts von Gästen.',
  'The event itself: its settings and texts, which nobody but its account wrote.':
    'Das Event selbst: seine Einstellungen und Texte, die nur sein Konto geschrieben hat.',

  // Files of overlays
  'The overlay must be a PNG file.': 'Das Overlay muss eine PNG-Datei sein.',
  'The overlay has {width} × {height} pixels, which is not the shape of portrait pictures: send {size} pixels.':
    'Das Overlay hat {width} × {height} Pixel, das ist kein Hochformat: Nehmen Sie {size} Pixel.',
  'The overlay has {width} × {height} pixels, which is not the shape of landscape pictures: send {size} pixels.':
    'Das Overlay hat {width} × {height} Pixel, das ist kein Querformat: Nehmen Sie {size} Pixel.',
  'The overlay has {width} × {height} pixels, which is not the shape of square pictures: send {size} pixels.':
    'Das Overlay hat {width} × {height} Pixel, das ist kein Quadrat: Nehmen Sie {size} Pixel.',
  'The overlay has {width} × {height} pixels, which is too few: send {size} pixels.':
    'Das Overlay hat {width} × {height} Pixel, das sind zu wenige: Nehmen Sie {size} Pixel.',
  'The overlay has no transparent part: everything would be hidden behind it.':
    'Das Overlay hat keine durchsichtige Stelle: Es würde alles verdecken.',
  'The overlay is transparent everywhere: there is nothing to see of it.':
    'Das Overlay ist überall durchsichtig: Es wäre nichts davon zu sehen.',
  'The overlay covers the part of the picture where faces are. Keep it clear from {left} to {right} of the width, counted from the left, and from {top} to {bottom} of the height, counted from the top.':
    'Das Overlay verdeckt den Teil des Bildes, in dem Gesichter sind. Halten Sie ihn frei: von {left} bis {right} der Breite (von links aus) und von {top} bis {bottom} der Höhe (von oben aus).',

  // What an event cannot be
  'ends_at: must be after starts_at.': 'Das Ende muss nach dem Beginn liegen.',
  'ends_at: must be within {days} days of starts_at.': 'Ein Event dauert höchstens {days} Tage.',
  'safe_offer: must be the id of an offer.': 'Das sichere Angebot muss eines der Angebote sein.',
  'safe_offer: must be an offer of pictures or videos.':
    'Ein lebendes Porträt kann nicht das sichere Angebot sein.',
  'safe_mode: needs a safe_offer.': 'Für den sicheren Modus fehlt ein sicheres Angebot.',
  'printer_id: must be a printer of this account.': 'Der Drucker muss zu diesem Konto gehören.',
  'gallery_password: is needed for a gallery with a password.':
    'Für eine Galerie mit Passwort fehlt das Passwort.',
  'offers: must hold at most {most} offers.': 'Höchstens {most} Angebote sind möglich.',
  'offers: has a place for {guest.{name}}, which guests are not asked for.':
    'Ein Prompt enthält {guest.{name}}, aber danach werden Gäste nicht gefragt.',
  'offers: has a prompt that can be longer than {most} letters.':
    'Ein Prompt kann mit den Angaben der Gäste länger als {most} Zeichen werden.',
  'branding: has a place for {guest.{name}}, which guests are not asked for.':
    'Ein Text auf Bildern oder Ausdrucken enthält {guest.{name}}, aber danach werden Gäste nicht gefragt.',
  'details: must have a least number that is not above the most.':
    'Bei einer Zahl darf „Von“ nicht größer sein als „Bis“.',
  'details.{number}.letters: must be {least} or more.':
    '„Zeichen höchstens“ (details.{number}.letters): mindestens {least}.',
  'details.{number}.letters: must be {most} or less.':
    '„Zeichen höchstens“ (details.{number}.letters): höchstens {most}.',
  'blocked_words: must hold at most {most} words.': 'Höchstens {most} gesperrte Wörter sind möglich.',
  'prints_per_guest: must be {least} or more.': 'Ausdrucke pro Gast: mindestens {least}.',
  'prints_per_guest: must be {most} or less.': 'Ausdrucke pro Gast: höchstens {most}.',
  'print_limit: must be {most} or less.': 'Ausdrucke insgesamt: höchstens {most}.',
  'Offer {offer}: There is no filter with this id.': 'Angebot {offer}: Seinen Filter gibt es nicht.',
  'Offer {offer}: The filter with this UUID could not be loaded.':
    'Angebot {offer}: Sein Filter ließ sich nicht laden.',
  'Offer {offer}: This filter is not available for groups.':
    'Angebot {offer}: Diesen Filter gibt es nicht für Gruppen.',
  'Offer {offer}: This filter is not available for single persons.':
    'Angebot {offer}: Diesen Filter gibt es nicht für einzelne Personen.',
  'Offer {offer}: This filter cannot be used for face swap.':
    'Angebot {offer}: Dieser Filter lässt sich nicht für Face-Swap verwenden.',
  'Offer {offer}: This filter cannot be used for multi swap.':
    'Angebot {offer}: Dieser Filter lässt sich nicht für Multi-Swap verwenden.',
};
