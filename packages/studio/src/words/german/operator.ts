export const operator = {
  // The screen and its accounts
  'This page is for operators': 'Diese Seite ist für Betreiber',
  'Your account has no access to the installation. Its operator can grant it.':
    'Ihr Konto hat keinen Zugang zur Installation. Der Betreiber kann ihn erteilen.',
  Accounts: 'Konten',
  Engines: 'Engines',
  'Packs and models': 'Pakete und Modelle',
  Backups: 'Sicherungen',
  Doctor: 'Diagnose',
  Settings: 'Einstellungen',
  'Make an account': 'Konto anlegen',
  'Make the account': 'Konto anlegen',
  'The account {email} is made': 'Das Konto {email} ist angelegt',
  'Share these now: they are not shown again. The link signs in once within 24 hours.':
    'Geben Sie diese Angaben jetzt weiter: Sie werden nicht noch einmal angezeigt. Der Link gilt 24 Stunden und nur einmal.',
  Link: 'Link',
  'Operator, since {time}': 'Betreiber, seit {time}',
  'Since {time}': 'Seit {time}',
  'Give credits': 'Credits gutschreiben',
  'Give {count} credits': 'Credits gutschreiben: {count}',
  'Give credits to {email}': 'Credits gutschreiben: {email}',
  '{email} has {count} credits now.': 'Credits von {email}: jetzt {count}.',
  '{email} has {count} credits. They cannot be taken back here.':
    'Credits von {email}: {count}. Gutgeschriebene lassen sich hier nicht zurücknehmen.',
  'Enter a whole number, 1 or more.': 'Geben Sie eine ganze Zahl ab 1 ein.',
  'Enter a whole number.': 'Geben Sie eine ganze Zahl ein.',
  'Enter an email address.': 'Geben Sie eine E-Mail-Adresse ein.',
  'At least 8 characters. Without one, the account signs in by the link that you get.':
    'Mindestens 8 Zeichen. Ohne Passwort meldet sich das Konto mit dem Link an, den Sie erhalten.',
  'It must have at least 8 characters.': 'Es muss mindestens 8 Zeichen haben.',
  Role: 'Rolle',
  // Who waits
  'Nobody waits.': 'Niemand wartet.',
  '1 request waits for a turn.': '1 Anfrage wartet darauf, an die Reihe zu kommen.',
  '{count} requests wait for a turn.': '{count} Anfragen warten darauf, an die Reihe zu kommen.',
  '1 request waits.': '1 Anfrage wartet.',
  '{count} requests wait.': '{count} Anfragen warten.',
  '{count} refused.': '{count} abgelehnt.',
  'What callers share': 'Was sich die Aufrufer teilen',
  'in use': 'belegt',
  'Accounts take turns, so nobody waits for all of another’s. The figures are of this process since its start.':
    'Die Konten wechseln sich ab, damit niemand auf alle Anfragen eines anderen wartet. Die Zahlen gelten für diesen Prozess seit seinem Start.',
  // Packs and models
  Packs: 'Pakete',
  'None. A pack brings scenes, costumes and filters: “guise filters import FOLDER” on the server installs one.':
    'Keine. Ein Paket bringt Szenen, Kostüme und Filter mit: „guise filters import FOLDER“ auf dem Server installiert eines.',
  '1 filter': '1 Filter',
  '{count} filters': '{count} Filter',
  '1 scene': '1 Szene',
  '{count} scenes': '{count} Szenen',
  '1 costume': '1 Kostüm',
  '{count} costumes': '{count} Kostüme',
  'replaces 1 filter of the catalog': 'ersetzt 1 Filter des Katalogs',
  'replaces {count} filters of the catalog': 'ersetzt {count} Filter des Katalogs',
  '“{name}” is removed. Restart the server to drop it from the catalog.':
    '„{name}“ ist entfernt. Aus dem Katalog verschwindet es mit einem Neustart des Servers.',
  'Remove “{name}”?': '„{name}“ entfernen?',
  'Its files are deleted from the server. Its scenes, costumes and filters are gone after a restart, and jobs that name them fail then.':
    'Die Dateien werden vom Server gelöscht. Szenen, Kostüme und Filter des Pakets sind nach einem Neustart weg, und Aufträge, die sie nennen, schlagen dann fehl.',
  Models: 'Modelle',
  '{names} will be used after a restart of the server.':
    'Nach einem Neustart des Servers im Einsatz: {names}.',
  and: 'und',
  Downloading: 'Wird heruntergeladen',
  'Installing {part}': '{part} wird installiert',
  'Fetch {size}': '{size} herunterladen',
  'Fetch {size}: {name}': '{size} herunterladen: {name}',
  'Built in': 'Mitgeliefert',
  'Installed here': 'Hier installiert',
  // Backups
  'Restoring the backup. The server stops for it and starts again.':
    'Die Sicherung wird eingespielt. Der Server wird dafür angehalten und neu gestartet.',
  'Backups are made elsewhere': 'Sicherungen entstehen anderswo',
  'Back up now': 'Jetzt sichern',
  'Making a backup': 'Sicherung wird angelegt',
  'Everything is as it was on {time}.': 'Alles ist wieder auf dem Stand vom {time}.',
  'It did not work: {error}': 'Es hat nicht geklappt: {error}',
  'There is no backup yet.': 'Es gibt noch keine Sicherung.',
  'Folder on the server: {folder}. Backups that you copy there are listed here, too.':
    'Ordner auf dem Server: {folder}. Sicherungen, die Sie dorthin kopieren, erscheinen ebenfalls hier.',
  'To restore one, stop the server and run {command}.':
    'Um eine einzuspielen, halten Sie den Server an, und führen Sie {command} aus.',
  'A backup holds all records, photos, pictures, packs and models as they are at one moment; the server goes on working meanwhile. Keep it as safe as the photos in it.':
    'Eine Sicherung enthält alle Datensätze, Fotos, Bilder, Pakete und Modelle im Stand eines Zeitpunkts; der Server arbeitet dabei weiter. Bewahren Sie sie so sicher auf wie die Fotos darin.',
  'None is made by itself.': 'Von selbst wird keine angelegt.',
  'One is made every day, and the newest {kept} are kept.':
    'Jeden Tag wird eine angelegt; aufbewahrt werden die neuesten, höchstens {kept}.',
  'One is made every hour, and the newest {kept} are kept.':
    'Jede Stunde wird eine angelegt; aufbewahrt werden die neuesten, höchstens {kept}.',
  'One is made every {hours} hours, and the newest {kept} are kept.':
    'Alle {hours} Stunden wird eine angelegt; aufbewahrt werden die neuesten, höchstens {kept}.',
  'Change that in the settings': 'In den Einstellungen ändern',
  'Download the backup of {time}': 'Sicherung vom {time} herunterladen',
  Restore: 'Einspielen',
  'Restore the backup of {time}': 'Sicherung vom {time} einspielen',
  'Go back to this backup?': 'Zu dieser Sicherung zurückkehren?',
  'Everything becomes as it was on {time}: accounts, keys, credits, filters, events and pictures. What there is now moves to a folder beside it on the server. Running jobs stop, and everybody else has to sign in again who was not signed in then.':
    'Alles kommt auf den Stand vom {time}: Konten, Schlüssel, Credits, Filter, Events und Bilder. Der jetzige Stand wird auf dem Server in einen Ordner daneben verschoben. Laufende Aufträge werden angehalten, und wer sonst damals nicht angemeldet war, muss sich neu anmelden.',
  'Delete the backup of {time}': 'Sicherung vom {time} löschen',
  'Delete this backup?': 'Diese Sicherung löschen?',
  'The backup of {time} is removed from the server.': 'Die Sicherung vom {time} wird vom Server gelöscht.',
  'The backup is here. “Restore” puts it in place of this installation.':
    'Die Sicherung ist da. „Einspielen“ setzt sie an die Stelle dieser Installation.',
  'Backup to upload': 'Sicherung zum Hochladen',
  'Upload a backup': 'Sicherung hochladen',
  'Uploading the backup': 'Sicherung wird hochgeladen',
  // Doctor
  'Run the checks': 'Prüfung starten',
  'Checking the installation': 'Installation wird geprüft',
  'Everything is in order.': 'Alles in Ordnung.',
  'One problem found.': 'Ein Problem gefunden.',
  '{count} things are wrong.': '{count} Probleme gefunden.',
  Checks: 'Prüfungen',
  Problem: 'Problem',
  'Check the installation': 'Installation prüfen',
  'The checks look at the machine, the records, the pictures, the models and the engines. They take a few seconds.':
    'Geprüft werden der Rechner, die Datensätze, die Bilder, die Modelle und die Engines. Das dauert wenige Sekunden.',
  // Settings
  'The server did not start with the changed settings, which were put back: {error}':
    'Mit den geänderten Einstellungen ist der Server nicht gestartet; sie wurden zurückgesetzt: {error}',
  '1 change waits for a restart of the server.': '1 Änderung wartet auf einen Neustart des Servers.',
  '{count} changes wait for a restart of the server.':
    '{count} Änderungen warten auf einen Neustart des Servers.',
  'Search the settings': 'Einstellungen durchsuchen',
  'Which settings': 'Welche Einstellungen',
  Changed: 'Geändert',
  'No setting has “{search}” in its name or description.':
    'Keine Einstellung hat „{search}“ im Namen oder in der Beschreibung.',
  'Every setting is at its default.': 'Jede Einstellung hat ihren Standardwert.',
  'Set (hidden)': 'Gesetzt (verborgen)',
  Empty: 'Leer',
  empty: 'leer',
  'Changed here, by default {value}': 'Hier geändert, Standard: {value}',
  'Set in the environment of the server, by default {value}':
    'In der Umgebung des Servers gesetzt, Standard: {value}',
  'Changes at the next restart': 'Ändert sich beim nächsten Neustart',
  'After a restart: {value}': 'Nach einem Neustart: {value}',
  Value: 'Wert',
  'Not shown': 'Wird nicht angezeigt',
  'Back to the default': 'Auf Standard zurücksetzen',
  'Back to the default: {value}': 'Auf Standard zurücksetzen: {value}',
  'This value is not taken: {message}.': 'Dieser Wert wird nicht angenommen: {message}.',
  'Guise {version}.': 'Guise {version}.',
  'Version {version} exists.': 'Version {version} ist verfügbar.',
  'There is no newer version.': 'Es gibt keine neuere Version.',
  'Nobody is asked for newer versions: GUISE_RELEASES_URL is empty.':
    'Nach neueren Versionen wird nicht gefragt: GUISE_RELEASES_URL ist leer.',
  'The server stops and starts again.': 'Der Server wird neu gestartet.',
  'Restart now': 'Jetzt neu starten',
  'Restart the server?': 'Server neu starten?',
  'It takes a few seconds. Pictures that are being made are begun again after it; booths keep their photos and wait.':
    'Es dauert wenige Sekunden. Bilder, die gerade entstehen, werden danach neu begonnen; Fotoboxen behalten ihre Fotos und warten.',
  Restart: 'Neu starten',
  // Drafts and their checks
  'Checked. Read what was found before you make it live.':
    'Geprüft. Lesen Sie die Ergebnisse, bevor Sie live schalten.',
  'This draft cannot go live.': 'Dieser Entwurf kann nicht live geschaltet werden.',
  'It fits the slot': 'Passt zum Slot',
  'The slot': 'Der Slot',
  'The event is complete': 'Das Event ist vollständig',
  'The event': 'Das Event',
  'A filter': 'Ein Filter',
  'The definition is complete': 'Die Definition ist vollständig',
  'The definition': 'Die Definition',
  'All words are understood': 'Alle Wörter werden verstanden',
  'An engine can make it': 'Eine Engine kann es erzeugen',
  'A photo': 'Ein Foto',
  'Checks on photos': 'Prüfungen an Fotos',
  'Waiting:': 'Wartet:',
  'Passed:': 'Bestanden:',
  'Note:': 'Hinweis:',
  'Failed:': 'Nicht bestanden:',
  'The checks have not ended: nobody knows yet whether it works.':
    'Die Prüfungen laufen noch: Ob es funktioniert, ist noch offen.',
  'Make live anyway': 'Trotzdem live schalten',
  'What the checks found': 'Ergebnisse der Prüfungen',
} as const;
