import { joinedSentences } from '../../joined-sentences.ts';

/** What models are for, as lists of models and the doctor name it. */
const modelUses: Readonly<Record<string, string>> = {
  'finds faces': 'findet Gesichter',
  '468 points of a face': '468 Punkte eines Gesichts',
  'ten points of the irises': 'zehn Punkte der Iris',
  'age group and gender': 'Altersgruppe und Geschlecht',
  'tells whether two faces may be the same person’s':
    'erkennt, ob zwei Gesichter von derselben Person sein können',
  'finds joints, to tell whether an arm is missing': 'findet Gelenke, um fehlende Arme zu erkennen',
  'cuts people out of photos': 'stellt Personen aus Fotos frei',
  'tells hair, skin, clothes and things of people from the background':
    'trennt Haare, Haut, Kleidung und Gegenstände vom Hintergrund',
  'paints beyond the frame of a photo': 'malt über den Rand eines Fotos hinaus',
  'finds what lies between two pictures of a burst': 'findet, was zwischen zwei Bildern einer Serie liegt',
  'finds what a prompt means': 'findet, was ein Prompt bedeutet',
};

/** Of models that are not built in. */
const optionalModelUses: Readonly<Record<string, string>> = {
  'tells people who touch apart': 'trennt Personen, die sich berühren',
  'draws small faces larger': 'zeichnet kleine Gesichter größer',
};

/** The doctor, models, backups, versions and who waits for what. Engines are in another table. */
export const installationSentences: Readonly<Record<string, string>> = {
  // What the doctor checks
  machine: 'Rechner',
  'open files': 'Offene Dateien',
  isolation: 'Abschottung',
  bucket: 'Bucket',
  blobs: 'Bilddateien',
  'data folder': 'Datenordner',
  images: 'Bilder',
  videos: 'Videos',
  provenance: 'Herkunftsnachweis',
  doctor: 'Diagnose',
  'HSE FaceRes, features': 'HSE FaceRes, Merkmale',
  'The checks ended without a result.': 'Die Prüfungen endeten ohne Ergebnis.',
  'The checks took longer than {seconds} s.': 'Die Prüfungen dauerten länger als {seconds} s.',
  // Machine, open files, isolation
  '{platform}, on which the tests were not run: docs/platforms.md, {count} cores, {memory} of memory':
    '{platform} (dort liefen die Tests nicht, siehe docs/platforms.md), {count} Kerne, {memory} Arbeitsspeicher',
  '{platform}, {count} cores, {memory} of memory': '{platform}, {count} Kerne, {memory} Arbeitsspeicher',
  'no limit of this process, {count} connections at once':
    'kein Limit für diesen Prozess, {count} Verbindungen gleichzeitig',
  'only {limit} at once, of which {count} connections: raise it with ulimit -n 4096, or LimitNOFILE of systemd.':
    'nur {limit} gleichzeitig, davon {count} Verbindungen: Erhöhen Sie das Limit mit ulimit -n 4096 oder LimitNOFILE in systemd.',
  '{limit} at once, of which {count} connections': '{limit} gleichzeitig, davon {count} Verbindungen',
  'This process may have only {count} files and connections open at once. Raise it with ulimit -n 4096, or LimitNOFILE of systemd.':
    'Dieser Prozess darf nur {count} Dateien und Verbindungen gleichzeitig offen haben. Erhöhen Sie das Limit mit ulimit -n 4096 oder LimitNOFILE in systemd.',
  'engines run without a network, what decodes pictures sees no files but theirs':
    'Engines laufen ohne Netzwerk; was Bilder dekodiert, sieht nur die Bilddateien selbst',
  'engines run without a network, what decodes pictures sees the files of this user':
    'Engines laufen ohne Netzwerk; was Bilder dekodiert, sieht die Dateien dieses Benutzers',
  'engines can reach the network, what decodes pictures sees no files but theirs: only Linux takes both away, and containers seldom allow it':
    'Engines erreichen das Netzwerk; was Bilder dekodiert, sieht nur die Bilddateien selbst: Beides lässt sich nur unter Linux sperren, und Container erlauben das selten',
  'engines can reach the network, what decodes pictures sees the files of this user: only Linux takes both away, and containers seldom allow it':
    'Engines erreichen das Netzwerk; was Bilder dekodiert, sieht die Dateien dieses Benutzers: Beides lässt sich nur unter Linux sperren, und Container erlauben das selten',
  // Records and files
  'reachable, migrated, the ledger adds up': 'erreichbar, auf dem neuesten Stand, die Buchungen stimmen',
  'Accounts that do not add up: {count}. Restore a backup.':
    'Bei {count} Konten stimmen die Buchungen nicht: Spielen Sie eine Sicherung ein.',
  'The database in {folder} was written by a newer version of Guise. Start that version, or restore a backup of this one: {command} restore --help.':
    'Die Datenbank in {folder} stammt von einer neueren Version von Guise. Starten Sie diese Version, oder spielen Sie eine Sicherung der jetzigen Version ein: {command} restore --help.',
  'The database of DATABASE_URL was written by a newer version of Guise. Start that version, or restore a backup of this one: {command} restore --help.':
    'Die Datenbank unter DATABASE_URL stammt von einer neueren Version von Guise. Starten Sie diese Version, oder spielen Sie eine Sicherung der jetzigen Version ein: {command} restore --help.',
  'The database in {folder} is damaged. Restore a backup: {command} restore --help.':
    'Die Datenbank in {folder} ist beschädigt. Spielen Sie eine Sicherung ein: {command} restore --help.',
  'There is no space left for {folder}. Make room on its disk, or set GUISE_DATA_DIR to another folder.':
    'Für {folder} ist kein Platz mehr. Schaffen Sie Platz auf dem Datenträger, oder setzen Sie GUISE_DATA_DIR auf einen anderen Ordner.',
  'Guise cannot write to {folder}. Let its user write there, or set GUISE_DATA_DIR to another folder.':
    'Guise kann nicht in {folder} schreiben. Geben Sie seinem Benutzer dort Schreibrechte, oder setzen Sie GUISE_DATA_DIR auf einen anderen Ordner.',
  'Another Guise server is using {folder}. Stop it, or set GUISE_DATA_DIR to another folder.':
    'Ein anderer Guise-Server nutzt {folder}. Halten Sie ihn an, oder setzen Sie GUISE_DATA_DIR auf einen anderen Ordner.',
  'The server cannot reach its storage. Retry after 2 s.':
    'Der Server erreicht seinen Speicher nicht. Versuchen Sie es in 2 s noch einmal.',
  'The storage of the server is full. Retry after 30 s.':
    'Der Speicher des Servers ist voll. Versuchen Sie es in 30 s noch einmal.',
  'files in the data folder': 'Dateien im Datenordner',
  '{bucket} can be read': '{bucket} ist lesbar',
  'only {size} GB free: make room.': 'nur {size} GB frei: Schaffen Sie Platz.',
  '{folder}, {size} GB free': '{folder}, {size} GB frei',
  // Pictures, videos, provenance
  'sharp with libvips {version}': 'sharp mit libvips {version}',
  'ffmpeg {version} with H.264, of this machine': 'ffmpeg {version} mit H.264, von diesem Rechner',
  'ffmpeg {version} with H.264, installed by npm': 'ffmpeg {version} mit H.264, von npm installiert',
  'C2PA manifests signed by {signer}, {algorithm}, valid until {date}':
    'C2PA-Manifeste, signiert von {signer}, {algorithm}, gültig bis {date}',
  ...joinedSentences(
    { '* See docs/provenance.md.': '* Siehe docs/provenance.md.' },
    {
      'GUISE_C2PA_CERT and GUISE_C2PA_KEY belong together: set both or neither.':
        'GUISE_C2PA_CERT und GUISE_C2PA_KEY gehören zusammen: Setzen Sie beide oder keines.',
      'GUISE_C2PA_CERT={file} has no certificate in PEM.':
        'GUISE_C2PA_CERT={file} enthält kein Zertifikat im PEM-Format.',
      'GUISE_C2PA_KEY={file} is not the key of the first certificate in {certificate}.':
        'GUISE_C2PA_KEY={file} ist nicht der Schlüssel des ersten Zertifikats in {certificate}.',
      'GUISE_C2PA_CERT={file} is self-signed, which C2PA does not allow.':
        'GUISE_C2PA_CERT={file} ist selbst signiert; das erlaubt C2PA nicht.',
      'GUISE_C2PA_KEY={file} is of a kind that C2PA does not allow: use P-256, P-384, P-521, Ed25519 or RSA.':
        'GUISE_C2PA_KEY={file} ist ein Schlüssel einer Art, die C2PA nicht erlaubt: Nehmen Sie P-256, P-384, P-521, Ed25519 oder RSA.',
      'The certificate of GUISE_C2PA_CERT={file} expired on {time}.':
        'Das Zertifikat von GUISE_C2PA_CERT={file} ist am {time} abgelaufen.',
      'The certificate of GUISE_C2PA_CERT={file} is valid only from {time}.':
        'Das Zertifikat von GUISE_C2PA_CERT={file} gilt erst ab {time}.',
      '{setting}={file} cannot be read.': '{setting}={file} ist nicht lesbar.',
      '{setting}={file} cannot be used: it must be PEM without a passphrase.':
        '{setting}={file} ist nicht verwendbar: Die Datei muss PEM ohne Passphrase sein.',
      'The certificate cannot sign results by the rules of C2PA: {problems}.':
        'Das Zertifikat kann nach den Regeln von C2PA keine Ergebnisse signieren: {problems}.',
    },
  ),
  // Models
  ...modelUses,
  ...optionalModelUses,
  ...joinedSentences(
    { '*; {package}, {licence}; loaded in {seconds} s': '*; {package}, {licence}; in {seconds} s geladen' },
    modelUses,
  ),
  ...joinedSentences(
    {
      'not here; it *: guise models get {name}': 'nicht installiert; es *: guise models get {name}',
      '*; {package}, {licence}; whole and unaltered': '*; {package}, {licence}; vollständig und unverändert',
    },
    optionalModelUses,
  ),
  'The model file {file} is missing or is not the one that was published. Run "guise models get {name}" again.':
    'Die Modelldatei {file} fehlt oder ist nicht die veröffentlichte. Führen Sie „guise models get {name}“ noch einmal aus.',
  ...joinedSentences(
    {
      'The model file {file} of {package} *. Run npm ci, install Guise again, or import its models: guise models import FILE.':
        'Die Modelldatei {file} aus {package} *. Führen Sie npm ci aus, installieren Sie Guise neu, oder importieren Sie seine Modelle: guise models import FILE.',
    },
    {
      'is missing': 'fehlt',
      'is not the one that was published': 'ist nicht die veröffentlichte',
      'cannot be loaded': 'lässt sich nicht laden',
      'cannot be converted': 'lässt sich nicht umwandeln',
      'converts to another model than the known one': 'ergibt ein anderes Modell als das bekannte',
    },
  ),
  package: 'Paket',
  'It could not be written. The log has more.':
    'Es konnte nicht gespeichert werden. Mehr steht im Protokoll.',
  '{package} needs npm, which is not on the PATH.': '{package} braucht npm, das nicht im PATH ist.',
  '{package} could not be fetched by npm: it gave no reason.':
    'npm konnte {package} nicht herunterladen und nannte keinen Grund.',
  '{package} could not be fetched by npm: {reason}.': 'npm konnte {package} nicht herunterladen: {reason}.',
  '{package} was not written by npm.': 'npm hat {package} nicht gespeichert.',
  '{package}@{version} cannot be read.': '{package}@{version} ist nicht lesbar.',
  'The package does not hold {file}. Nothing was installed of it.':
    'Das Paket enthält {file} nicht. Es wurde nichts davon installiert.',
  '{file} of the package is not the file that was published: its SHA-256 differs. It was not installed.':
    '{file} aus dem Paket ist nicht die veröffentlichte Datei: Der SHA-256 weicht ab. Sie wurde nicht installiert.',
  'There is no model with this name to fetch.': 'Es gibt kein Modell dieses Namens zum Herunterladen.',
  'There is no pack with this name.': 'Es gibt kein Paket mit diesem Namen.',
  // Versions and restarts
  ...joinedSentences(
    {
      'The address of releases gave no version: *.':
        'Unter der Adresse der Veröffentlichungen war keine Version zu finden: *.',
    },
    {
      'it answered {status}': 'Antwort {status}',
      'its answer is too large': 'Die Antwort ist zu groß',
      'its answer names no version such as 1.2.3': 'Die Antwort nennt keine Version wie 1.2.3',
      '{reason}': '{reason}',
    },
  ),
  'Restart the processes of this installation where they run.':
    'Starten Sie die Prozesse dieser Installation dort neu, wo sie laufen.',
  // Backups
  'The records are in PostgreSQL, which has tools of its own for backups: docs/scale.md.':
    'Die Datensätze liegen in PostgreSQL, das eigene Werkzeuge für Sicherungen hat: siehe docs/scale.md.',
  'It ended before it was done.': 'Die Sicherung brach ab, bevor sie fertig war.',
  'There is no room for a backup in {folder}: the newest one has {size}, and {free} are free.':
    'In {folder} ist kein Platz für eine Sicherung: Die neueste hat {size}, frei sind {free}.',
  'The backup is made, but without links and names that it cannot hold: {names}.':
    'Die Sicherung ist fertig, aber ohne Verknüpfungen und Namen, die sie nicht aufnehmen kann: {names}.',
  'There is no installation in {folder}.': 'In {folder} ist keine Installation.',
  '{file} exists already.': '{file} gibt es schon.',
  'There is no file {file}.': 'Es gibt keine Datei {file}.',
  ...joinedSentences(
    {
      '{file} cannot be restored: *. Nothing was changed.':
        '{file} lässt sich nicht einspielen: *. Es wurde nichts geändert.',
    },
    {
      'it holds {name}, which no backup does': 'Die Datei enthält {name}, was in keine Sicherung gehört',
      'it is no whole tar archive': 'Es ist kein vollständiges Tar-Archiv',
      'its end is missing, where {name} would be': 'Das Ende mit {name} fehlt',
      '{name} is missing or is not what was backed up':
        '{name} fehlt oder ist nicht mehr so, wie es gesichert wurde',
      '{name} has no checksum': 'Für {name} fehlt die Prüfsumme',
    },
  ),
  "The backup's SHA256SUMS has a line that is no checksum.":
    'Die Datei SHA256SUMS der Sicherung hat eine Zeile, die keine Prüfsumme ist.',
  'The backup has a manifest that this version cannot read. Nothing was changed.':
    'Diese Version kann das Manifest der Sicherung nicht lesen. Es wurde nichts geändert.',
  "The backup's database is damaged: {problem}. Nothing was changed.":
    'Die Datenbank der Sicherung ist beschädigt: {problem}. Es wurde nichts geändert.',
  'The backup was made by a newer version of Guise than this one. Nothing was changed.':
    'Die Sicherung stammt von einer neueren Version von Guise als dieser. Es wurde nichts geändert.',
  'There is no backup with this name.': 'Es gibt keine Sicherung mit diesem Namen.',
  'There is another backup of this time. Delete it first.':
    'Es gibt eine andere Sicherung von diesem Zeitpunkt. Löschen Sie diese zuerst.',
  'body: is no backup of Guise: those are tar archives that begin with a manifest.':
    'Die Datei ist keine Sicherung von Guise: Sicherungen sind Tar-Archive, die mit einem Manifest beginnen.',
  // Who waits for what
  Connections: 'Verbindungen',
  'Requests being answered': 'Anfragen, die beantwortet werden',
  'Bodies being received': 'Daten, die empfangen werden',
  'Files open for answers': 'Für Antworten geöffnete Dateien',
  'Archives being sent': 'Archive, die gesendet werden',
  'Streams of changes': 'Streams von Änderungen',
  'Streams of one job': 'Streams einzelner Aufträge',
  'Streams of walls': 'Streams von Bilderwänden',
  'Password hashes': 'Passwort-Hashes',
  'Name look-ups': 'Namensauflösungen',
  'Photos fetched by URL': 'Fotos, die über eine URL abgerufen werden',
  'Calls to printers, and prints being sent': 'Anfragen an Drucker und Ausdrucke, die gesendet werden',
  'Webhooks of picture services being received': 'Webhooks von Bilddiensten, die empfangen werden',
  'Mails to guests being sent': 'E-Mails an Gäste, die gesendet werden',
  'Photos of sets, thumbnails and answers being made':
    'Fotos von Fotosets, Vorschaubilder und Antworten, die entstehen',
  'Large images being inspected': 'Große Bilder, die geprüft werden',
  'Small pictures being checked': 'Kleine Bilder, die geprüft werden',
  'Pictures of jobs for GPU servers': 'Bilder von Aufträgen für GPU-Server',
  'Checks of photos': 'Prüfungen von Fotos',
  'Prints and overlays': 'Ausdrucke und Overlays',
  'Cells of QA runs being submitted': 'Bilder von QA-Läufen, die eingereicht werden',
  'Tests of filters': 'Tests von Filtern',
  'Previews of filters': 'Vorschauen von Filtern',
  'Checks of drafts': 'Prüfungen von Entwürfen',
};
