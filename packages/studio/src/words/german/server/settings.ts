/** What the settings mean, and what is wrong with their values. */
export const settingSentences: Readonly<Record<string, string>> = {
  'Port the server listens on.': 'Port, auf dem der Server Verbindungen annimmt.',
  'Address the server listens on. `0.0.0.0` lets other machines in.':
    'Adresse, auf der der Server Verbindungen annimmt. Mit `0.0.0.0` erreichen ihn auch andere Rechner.',
  'Folder of the database, photos, results and work under way. Without `DATABASE_URL`, one server at a time may use it.':
    'Ordner für Datenbank, Fotos, Ergebnisse und laufende Arbeiten. Ohne `DATABASE_URL` darf ihn immer nur ein Server verwenden.',
  'Folder of backups. Empty: `backups` in the data folder, where they are lost with its disk. Not used with `DATABASE_URL`.':
    'Ordner für Sicherungen. Leer: `backups` im Datenordner; dort gehen sie mit dessen Festplatte verloren. Mit `DATABASE_URL` ohne Wirkung.',
  'Hours between backups that the server makes by itself; 0: only those that somebody asks for.':
    'Stunden zwischen den Sicherungen, die der Server von selbst anlegt; 0: nur auf Anforderung.',
  'Backups that the folder keeps: after each that the server makes, older ones are deleted.':
    'Anzahl der Sicherungen, die im Ordner bleiben: Nach jeder, die der Server anlegt, werden ältere gelöscht.',
  'PostgreSQL that several processes share: `postgres://user:password@host/database`. Empty: SQLite in the data folder.':
    'PostgreSQL-Datenbank, die sich mehrere Prozesse teilen: `postgres://user:password@host/database`. Leer: SQLite im Datenordner.',
  'S3 bucket for photos and results: `s3://bucket/prefix`. Empty: files in the data folder.':
    'S3-Bucket für Fotos und Ergebnisse: `s3://bucket/prefix`. Leer: Dateien im Datenordner.',
  'Address of an S3 server other than Amazon’s.': 'Adresse eines S3-Servers, der nicht von Amazon ist.',
  'Address that callers reach the S3 server at. With it, links to videos and previews lead to the bucket, signed for an hour. Empty: their bytes pass through the API.':
    'Adresse, unter der Aufrufer den S3-Server erreichen. Damit führen Links zu Videos und Vorschauen zum Bucket, für eine Stunde signiert. Leer: Ihre Daten gehen durch die API.',
  'Region of the bucket.': 'Region des Buckets.',
  'The bucket stands in the path and not in the host name, as most servers other than Amazon’s want it.':
    'Der Bucket steht im Pfad statt im Hostnamen; das verlangen die meisten Server, die nicht von Amazon sind.',
  'Access key of the bucket. Empty: where Amazon’s tools look, such as the role of the machine.':
    'Zugriffsschlüssel des Buckets. Leer: Er wird dort gesucht, wo auch die Werkzeuge von Amazon suchen, etwa in der Rolle des Rechners.',
  'Secret of that access key.': 'Geheimnis zu diesem Zugriffsschlüssel.',
  'Address that callers reach the server at, for links in answers. Empty: the address of each request; links for guests and clients lead to the address that an operator has set in the studio, if any.':
    'Adresse, unter der Aufrufer den Server erreichen, für Links in Antworten. Leer: die Adresse der jeweiligen Anfrage; Links für Gäste und Kunden führen zu der Adresse, die ein Betreiber im Studio gesetzt hat, falls es eine gibt.',
  'Signs file links, and webhook secrets are derived from it. Empty: one is made and kept in the database, the same for all nodes.':
    'Geheimnis, das Links zu Dateien signiert und aus dem Webhook-Geheimnisse abgeleitet werden. Leer: Es wird eines erzeugt und in der Datenbank aufbewahrt, dasselbe für alle Knoten.',
  'Puts a signed C2PA manifest into results, which says what made them: [provenance.md](provenance.md).':
    'Versieht Ergebnisse mit einem signierten C2PA-Manifest, das sagt, womit sie entstanden sind: [provenance.md](provenance.md).',
  'PEM file of your certificate for C2PA, followed by those above it. Empty: one is made and kept in the database, the same for all nodes.':
    'PEM-Datei mit Ihrem Zertifikat für C2PA, danach die übergeordneten. Leer: Es wird eines erzeugt und in der Datenbank aufbewahrt, dasselbe für alle Knoten.',
  'PEM file of the private key of that certificate.':
    'PEM-Datei mit dem privaten Schlüssel dieses Zertifikats.',
  'Jobs that run on this machine at once. GPU servers have numbers of their own.':
    'Aufträge, die auf diesem Rechner gleichzeitig laufen. Für GPU-Server gelten eigene Zahlen.',
  'Megabytes that an engine process may hold. Above this it is replaced after its job; above twice this it is killed, and its job fails. 0 is half of the memory divided by `GUISE_CONCURRENCY`, but at least 1,536 and at most 3,072.':
    'Megabyte, die ein Engine-Prozess belegen darf. Belegt er mehr, wird er nach seinem Auftrag ersetzt; bei mehr als dem Doppelten wird er abgebrochen, und sein Auftrag schlägt fehl. 0: die Hälfte des Arbeitsspeichers, geteilt durch `GUISE_CONCURRENCY`, aber mindestens 1.536 und höchstens 3.072.',
  'An engine process that sends no heartbeat for so many seconds is killed and replaced, and its job is tried again.':
    'Meldet sich ein Engine-Prozess so viele Sekunden lang nicht, wird er abgebrochen und ersetzt, und sein Auftrag wird erneut versucht.',
  'Jobs of one account that run at once, on all workers together. 0 is no limit: accounts take turns in any case.':
    'Aufträge eines Kontos, die gleichzeitig laufen, auf allen Workern zusammen. 0: unbegrenzt; die Konten wechseln sich in jedem Fall ab.',
  'Jobs that may wait. Beyond that, runs are answered with `QUEUE_FULL`.':
    'Aufträge, die warten dürfen. Darüber hinaus werden Läufe mit `QUEUE_FULL` abgelehnt.',
  'Part of the queue that the jobs of one account may fill. Beyond that, its runs are answered with `RATE_LIMITED`. 1 is no limit.':
    'Anteil der Warteschlange, den die Aufträge eines Kontos füllen dürfen. Darüber hinaus werden seine Läufe mit `RATE_LIMITED` abgelehnt. 1: unbegrenzt.',
  'Seconds that local engines may spend in 10 minutes on runs of one account that cannot be made or are cancelled. Beyond that, its runs are answered with `RATE_LIMITED`. Faults of the server, its storage and its time limits do not count. 0 is no limit.':
    'Sekunden, die lokale Engines in 10 Minuten für Läufe eines Kontos aufwenden dürfen, die nicht gelingen können oder abgebrochen werden. Darüber hinaus werden seine Läufe mit `RATE_LIMITED` abgelehnt. Fehler des Servers und seines Speichers und seine Zeitlimits zählen nicht. 0: unbegrenzt.',
  'Runs an account may start in a minute. Beyond that, `RATE_LIMITED`. 0 is no limit. Each API node counts by itself.':
    'Läufe, die ein Konto in einer Minute starten darf. Darüber hinaus: `RATE_LIMITED`. 0: unbegrenzt. Jeder API-Knoten zählt für sich.',
  'Tests of custom filters an account may start in a minute; saving a filter that is a workflow, whose preview has a GPU, counts as one. Beyond that, `RATE_LIMITED`. 0 is no limit. Each API node counts by itself.':
    'Tests eigener Filter, die ein Konto in einer Minute starten darf; als Test zählt auch, einen Workflow als Filter zu speichern, für dessen Vorschau es eine GPU gibt. Darüber hinaus: `RATE_LIMITED`. 0: unbegrenzt. Jeder API-Knoten zählt für sich.',
  'Custom filters an account may have. Beyond that, `LIMIT_REACHED`. 0 is no limit.':
    'Eigene Filter, die ein Konto haben darf. Darüber hinaus: `LIMIT_REACHED`. 0: unbegrenzt.',
  'Failed logins to one account from one address in 15 minutes; six times as many from one address to all accounts, ten times as many to one account from all addresses. Beyond that, `RATE_LIMITED`. 0 is no limit. Each API node counts by itself.':
    'Fehlgeschlagene Anmeldungen in 15 Minuten bei einem Konto von einer Adresse aus; sechsmal so viele von einer Adresse aus bei allen Konten, zehnmal so viele bei einem Konto von allen Adressen aus. Darüber hinaus: `RATE_LIMITED`. 0: unbegrenzt. Jeder API-Knoten zählt für sich.',
  'Addresses of the reverse proxies whose `X-Forwarded-For` says where a caller connects from: `10.0.0.1, 10.1.0.0/16`. Empty: nobody’s.':
    'Adressen der Reverse-Proxys, deren `X-Forwarded-For` sagt, woher ein Aufruf kommt: `10.0.0.1, 10.1.0.0/16`. Leer: Keinem wird geglaubt.',
  'Megabytes of request bodies that the process receives at once; large images lie on the disk meanwhile. Beyond that, bodies wait up to 10 s and are then answered with `OVERLOADED`. One account has half of it at most.':
    'Megabyte an Anfragedaten, die der Prozess gleichzeitig empfängt; große Bilder liegen währenddessen auf der Festplatte. Darüber hinaus warten Anfragen bis zu 10 s und werden dann mit `OVERLOADED` abgelehnt. Ein Konto bekommt höchstens die Hälfte davon.',
  'Makes a demo account where there are no accounts yet. `auto`: on SQLite in the data folder, not on a shared database.':
    'Legt ein Demokonto an, wenn es noch keine Konten gibt. `auto`: mit SQLite im Datenordner ja, mit einer gemeinsamen Datenbank nein.',
  'Days that a result can be read.': 'Tage, die ein Ergebnis abrufbar bleibt.',
  'How long a status call of face swap v6, face swap v5 or multi swap v5 waits for the end of its job where the caller sends no `Prefer: wait=N`: [compatibility.md](compatibility.md). 0 is not at all. A proxy in front must allow for it.':
    'Wie lange eine Statusabfrage von Face-Swap v6, Face-Swap v5 oder Multi-Swap v5 auf das Ende ihres Auftrags wartet, wenn der Aufrufer kein `Prefer: wait=N` schickt: [compatibility.md](compatibility.md). 0: gar nicht. Ein vorgeschalteter Proxy muss so lange warten.',
  'How long a server that was told to stop goes on accepting connections while `/ready` answers 503, so that a load balancer sends no more.':
    'Wie lange ein Server, der anhalten soll, noch Verbindungen annimmt, während `/ready` mit 503 antwortet, damit ein Load-Balancer nichts mehr schickt.',
  'Space that must be free on the disk of the data folder. With less, runs and photos are answered with `STORAGE_UNAVAILABLE` and `/ready` with 503. 0 is no limit.':
    'Platz, der auf der Festplatte des Datenordners frei sein muss. Ist es weniger, werden Läufe und Fotos mit `STORAGE_UNAVAILABLE` abgelehnt, und `/ready` antwortet mit 503. 0: keine Grenze.',
  'Lets image and webhook URLs point into private networks, for machines in the same venue.':
    'Lässt zu, dass Bild- und Webhook-URLs in private Netze führen, für Rechner am selben Veranstaltungsort.',
  'Webhooks of one account that are sent at once, by all nodes together. Others wait.':
    'Webhooks eines Kontos, die alle Knoten zusammen gleichzeitig senden. Weitere warten.',
  'Webhooks to one host that are sent at once, by all nodes together. Others wait.':
    'Webhooks an einen Host, die alle Knoten zusammen gleichzeitig senden. Weitere warten.',
  'Webhooks of one account that are sent in a minute, attempts and replays included, by all nodes together. Others wait. 0 is no limit.':
    'Webhooks eines Kontos, die alle Knoten zusammen in einer Minute senden, erneute Versuche und Wiederholungen eingerechnet. Weitere warten. 0: unbegrenzt.',
  'The same for one host, whichever accounts they are of.':
    'Dasselbe für einen Host, ganz gleich, von welchen Konten sie sind.',
  'Failures in a row after which a webhook endpoint is disabled: [webhooks.md](webhooks.md). 0 is never.':
    'Fehlschläge in Folge, nach denen ein Webhook-Endpunkt deaktiviert wird: [webhooks.md](webhooks.md). 0: nie.',
  'Hours that an endpoint must have failed without a success before it is disabled.':
    'Stunden, in denen an einem Endpunkt alle Zustellungen fehlgeschlagen sein müssen, bevor er deaktiviert wird.',
  'Prices in credits that differ from the defaults, by job family: `{"face_swap_v6": 3}`.':
    'Preise in Credits, die vom Standard abweichen, nach Auftragsart: `{"face_swap_v6": 3}`.',
  'File that says which GPU servers make what: [gpu.md](gpu.md). Empty: everything is made on this machine.':
    'Datei, die sagt, welche GPU-Server was erzeugen: [gpu.md](gpu.md). Leer: Alles entsteht auf diesem Rechner.',
  'Mail server that sends pictures to guests: `smtps://user:password@mail.example.com`. Empty: no mail is sent.':
    'Mailserver, der Bilder an Gäste schickt: `smtps://user:password@mail.example.com`. Leer: Es werden keine E-Mails verschickt.',
  'Who mail is from: `Photo booth <booth@example.com>`. Needed with `GUISE_SMTP_URL`.':
    'Absender der E-Mails: `Photo booth <booth@example.com>`. Nötig mit `GUISE_SMTP_URL`.',
  'Address that answers with the newest version, as `https://registry.npmjs.org/NAME/latest` and `https://api.github.com/repos/OWNER/NAME/releases/latest` do: asked once a day when an operator looks at the settings. Empty: nothing is asked.':
    'Adresse, die die neueste Version nennt, so wie `https://registry.npmjs.org/NAME/latest` und `https://api.github.com/repos/OWNER/NAME/releases/latest`: Sie wird einmal am Tag gefragt, wenn ein Betreiber die Einstellungen ansieht. Leer: Niemand wird gefragt.',
  'Bearer token that `/metrics` asks for. Empty: `/metrics` answers only callers on the same machine, and no proxy.':
    'Bearer-Token, das `/metrics` verlangt. Leer: `/metrics` antwortet nur Aufrufern auf demselben Rechner und keinem Proxy.',
  'What is logged; `info` adds a line for every request. Keys, prompts and photos never are.':
    'Was protokolliert wird; `info` ergänzt eine Zeile für jede Anfrage. Schlüssel, Prompts und Fotos werden nie protokolliert.',
  // Defaults that are words
  'half the cores': 'die Hälfte der Kerne',
  '5 with `DATABASE_URL`, else 0': '5 mit `DATABASE_URL`, sonst 0',
  // Values that are not taken
  'must be an email address': 'Er muss eine E-Mail-Adresse sein',
  'must be JSON': 'Er muss JSON sein',
  'must be more than {number}': 'Er muss größer als {number} sein',
  'must be less than {number}': 'Er muss kleiner als {number} sein',
  'must be {number} or more': 'Er muss mindestens {number} sein',
  'must be {number} or less': 'Er darf höchstens {number} sein',
  'must be a number': 'Er muss eine Zahl sein',
  'must be an integer': 'Er muss eine ganze Zahl sein',
  'must be one of {choices}': 'Möglich sind {choices}',
  'is no setting': 'Diese Einstellung gibt es nicht',
  'comes from the environment that the server is started with':
    'Er kommt aus der Umgebung, mit der der Server gestartet wird',
  'GUISE_SMTP_URL needs GUISE_MAIL_FROM: the address that mail is from.':
    'GUISE_SMTP_URL braucht GUISE_MAIL_FROM: die Adresse, von der die E-Mails kommen.',
  'GUISE_PRICES names {names}. The job families are {families}.':
    'GUISE_PRICES nennt {names}. Die Auftragsarten sind {families}.',
  'GUISE_PRICES={prices} cannot be used: {why} Prices in credits that differ from the defaults, by job family: `{example}`.':
    'GUISE_PRICES={prices} ist nicht verwendbar: {why} Preise in Credits, die vom Standard abweichen, nach Auftragsart: `{example}`.',
  // Changes that the server did not start with
  '{file} cannot be read. It has the settings that were changed in the studio: mend it, or delete it to go back to the defaults.':
    '{file} ist nicht lesbar. In der Datei stehen die im Studio geänderten Einstellungen: Reparieren Sie sie, oder löschen Sie sie, damit wieder die Standardwerte gelten.',
  'Port {port} on {host} is in use. Set PORT or HOST to another one.':
    'Port {port} auf {host} ist belegt. Setzen Sie PORT oder HOST auf einen anderen Wert.',
  'Port {port} on {host} is not allowed. Set PORT or HOST to another one.':
    'Port {port} auf {host} ist nicht erlaubt. Setzen Sie PORT oder HOST auf einen anderen Wert.',
  'Port {port} on {host} does not exist. Set PORT or HOST to another one.':
    'Port {port} auf {host} gibt es nicht. Setzen Sie PORT oder HOST auf einen anderen Wert.',
};
