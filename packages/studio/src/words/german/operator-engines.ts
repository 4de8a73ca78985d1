export const operatorEngines = {
  // The list
  Refresh: 'Aktualisieren',
  Workers: 'Worker',
  'No worker is running, so jobs wait. Start one with “guise worker”.':
    'Es läuft kein Worker, darum warten die Aufträge. Starten Sie einen mit „guise worker“.',
  'Engines are added in the file that GUISE_ENGINES names, or where the processes of this installation are started. They can be paused here.':
    'Engines werden in der Datei hinzugefügt, die GUISE_ENGINES nennt, oder dort, wo die Prozesse dieser Installation gestartet werden. Hier lassen sie sich pausieren.',
  'Engines that were added or removed change with the next start.':
    'Hinzugefügte Engines kommen mit dem nächsten Start dazu, entfernte fallen dann weg.',
  'Add an engine': 'Engine hinzufügen',
  // An engine
  Healthy: 'In Ordnung',
  'Not healthy': 'Nicht in Ordnung',
  'on this machine': 'auf diesem Rechner',
  'of a worker': 'von einem Worker',
  'no live worker has it': 'kein laufender Worker hat sie',
  '1 worker': '1 Worker',
  '{count} workers': '{count} Worker',
  'Paused: it gets no new jobs': 'Pausiert: bekommt keine neuen Aufträge',
  'Makes {families}': 'Erzeugt {families}',
  'nothing at the moment': 'im Moment nichts',
  Answers: 'Antwortet',
  'Does not answer': 'Antwortet nicht',
  'It lacks {missing}.': 'Es fehlt: {missing}.',
  'Gets jobs': 'Bekommt Aufträge',
  'Gets no jobs: it does not answer': 'Bekommt keine Aufträge: antwortet nicht',
  'Gets no jobs for a while: too many failed there':
    'Bekommt vorerst keine Aufträge: dort sind zu viele fehlgeschlagen',
  'Gets no jobs: it is too old': 'Bekommt keine Aufträge: zu alt',
  'since {time}': 'seit {time}',
  'reason: {reason}': 'Grund: {reason}',
  '{count} in its queue': '{count} in der Warteschlange',
  'last error: {error}': 'letzter Fehler: {error}',
  'last error, {time}: {error}': 'letzter Fehler, {time}: {error}',
  'Last failure {time}: {cause}': 'Letzter Fehlschlag, {time}: {cause}',
  '{name} is paused. Jobs that it has end; new ones go elsewhere or wait.':
    '{name} ist pausiert. Begonnene Aufträge werden noch fertig; neue gehen an andere Engines oder warten.',
  '{name} gets jobs again.': '{name} bekommt wieder Aufträge.',
  'Resume {name}': '{name} fortsetzen',
  'Pause {name}': '{name} pausieren',
  'Set up {name} again': '{name} neu einrichten',
  'Its address and its key are deleted here. It gets jobs until the server is restarted; pause it to stop that now.':
    'Adresse und Schlüssel werden hier gelöscht. Bis zum Neustart des Servers bekommt die Engine noch Aufträge; soll das gleich aufhören, pausieren Sie sie.',
  // Trials of an engine's workflows
  '{workflow}, {number} of {total}': '{workflow}, {number} von {total}',
  'Try its workflows again': 'Workflows erneut ausprobieren',
  'Try its workflow': 'Workflow ausprobieren',
  'Try its {count} workflows': '{count} Workflows ausprobieren',
  'What its workflows make': 'Was die Workflows erzeugen',
  'What {workflow} made of the sample': 'Was {workflow} aus dem Beispiel gemacht hat',
  '{seconds} s of GPU': '{seconds} s GPU-Zeit',
  // A worker
  'process {pid}': 'Prozess {pid}',
  '{number} of {total}': '{number} von {total}',
  busy: 'belegt',
  'Takes no more jobs and stops.': 'Nimmt keine Aufträge mehr an und wird beendet.',
  'Since {start}, seen {seen}, with {engines}':
    'Gestartet: {start}, zuletzt gesehen: {seen}, Engines: {engines}',
  // Another engine
  'Add the engine': 'Engine hinzufügen',
  'Test the connection': 'Verbindung testen',
  'It can be used': 'Verwendbar',
  'It cannot be used': 'Nicht verwendbar',
  'It makes nothing but workflows of custom filters until it has the models of its set.':
    'Sie führt nur Workflows eigener Filter aus, bis sie die Modelle ihres Modellsatzes hat.',
  'It makes: {families}': 'Sie erzeugt: {families}',
  'A ComfyUI server': 'Ein ComfyUI-Server',
  'Your own GPU. The server says what it has, and with that what it makes. What it lacks can be downloaded.':
    'Ihre eigene GPU. Der Server meldet, was er hat und was er damit erzeugen kann. Was fehlt, lässt sich herunterladen.',
  'Token of a proxy in front of it (optional)': 'Token eines vorgeschalteten Proxys (optional)',
  'A rented GPU at RunPod': 'Eine gemietete GPU bei RunPod',
  'A serverless endpoint with the public ComfyUI worker, and a volume with the models. Each job is paid for by the second.':
    'Ein Serverless-Endpunkt mit dem öffentlichen ComfyUI-Worker und einem Volume mit den Modellen. Jeder Auftrag wird nach Sekunden abgerechnet.',
  'The endpoint does not say which models it has. Its volume needs the set for its graphics card, about {size} GB; the image of its worker and its settings are in the documentation, “Rent GPUs at RunPod”.':
    'Der Endpunkt meldet nicht, welche Modelle er hat. Sein Volume braucht den Modellsatz für seine Grafikkarte, etwa {size} GB; das Image des Workers und seine Einstellungen stehen in der Dokumentation unter „Rent GPUs at RunPod“.',
  'Start a pod with the volume, and run {command} there. Once the engine is added, try its workflows: that shows whether all is in place.':
    'Starten Sie einen Pod mit dem Volume, und führen Sie darin {command} aus. Ist die Engine hinzugefügt, probieren Sie ihre Workflows aus: Das zeigt, ob alles da ist.',
  'Another Guise': 'Ein anderes Guise',
  'An installation on a stronger machine. Its account is charged.':
    'Eine Installation auf einem stärkeren Rechner. Belastet wird das Konto dort.',
  'Key of an account there': 'Schlüssel eines Kontos dort',
  'A picture service (OpenAI’s interface)': 'Ein Bilddienst (Schnittstelle von OpenAI)',
  'OpenAI, and servers that speak the same, such as stable-diffusion.cpp on a machine of yours.':
    'OpenAI und Server mit derselben Schnittstelle, etwa stable-diffusion.cpp auf einem eigenen Rechner.',
  'Key (optional for a server of yours)': 'Schlüssel (optional bei einem eigenen Server)',
  'A service that charges for each picture or video.':
    'Ein Dienst, der jedes Bild und jedes Video einzeln berechnet.',
  'Pictures of filters and styles': 'Bilder aus Filtern und Stilen',
  'Pictures of words': 'Bilder aus Text',
  'What it makes': 'Was sie erzeugt',
  'Left empty, the one that is stored stays.': 'Bleibt das Feld leer, gilt weiter der gespeicherte Wert.',
  'Photos of guests may go to this company. Guests are told, and events have to allow it.':
    'Fotos von Gästen dürfen an dieses Unternehmen gehen. Gäste erfahren davon, und Events müssen es erlauben.',
  'This machine makes what the engine could not.': 'Was der Engine misslingt, erzeugt dieser Rechner.',
  'Several servers, licences, costs': 'Mehrere Server, Lizenzen, Kosten',
  'Further servers, one address a line': 'Weitere Server, eine Adresse pro Zeile',
  'Jobs go to whichever is free. The smallest graphics card decides which models are used.':
    'Aufträge gehen an den Server, der gerade frei ist. Die kleinste Grafikkarte bestimmt, welche Modelle verwendet werden.',
  'Use models, too, that are free only below a revenue or in some places.':
    'Auch Modelle verwenden, die nur bis zu einem bestimmten Umsatz oder nur in manchen Ländern frei sind.',
  'Use models, too, that are not for commercial use.':
    'Auch Modelle verwenden, die nicht für kommerzielle Zwecke freigegeben sind.',
  'What an hour of the GPU costs, in US dollars (optional)':
    'Kosten einer GPU-Stunde in US-Dollar (optional)',
  'Jobs then show what they cost.': 'Aufträge zeigen dann ihre Kosten.',
  // ComfyUI's models
  'Set of models': 'Modellsatz',
  'Graphics card': 'Grafikkarte',
  'No server says how much memory it has. Choose it, and the models for it are shown.':
    'Kein Server nennt seinen Grafikspeicher. Wählen Sie ihn, und die passenden Modelle werden angezeigt.',
  'Its memory decides which models are used.': 'Ihr Speicher bestimmt, welche Modelle verwendet werden.',
  'Download {size}': '{size} herunterladen',
  'Save a script that downloads them': 'Skript zum Herunterladen speichern',
  'The download goes on while you do something else. Other files may lie where the script is run: run {command} in the folder “models” of ComfyUI, then test the connection again.':
    'Der Download läuft weiter, während Sie etwas anderes tun. Alle anderen Dateien lädt das Skript herunter: Führen Sie {command} im Ordner „models“ von ComfyUI aus, und testen Sie die Verbindung dann erneut.',
  'Their folder is not on this machine, so a script downloads them where it is: run {command} in the folder “models” of ComfyUI, then test the connection again.':
    'Der Ordner liegt nicht auf diesem Rechner; dort, wo er liegt, lädt ein Skript die Dateien herunter: Führen Sie {command} im Ordner „models“ von ComfyUI aus, und testen Sie die Verbindung dann erneut.',
  'Downloaded by this machine, to {folder}.': 'Dieser Rechner lädt sie herunter, nach {folder}.',
  'Downloaded by ComfyUI-Manager on the server, as far as it knows them.':
    'ComfyUI-Manager lädt sie auf dem Server herunter, soweit er sie kennt.',
  'To be downloaded on the server, by a script.': 'Auf dem Server mit einem Skript herunterzuladen.',
  'It cannot be used: {problem}.': 'Nicht verwendbar: {problem}.',
  'It {finding}.': 'Gefunden: {finding}.',
  'It has every file of the set.': 'Alle Dateien des Modellsatzes sind da.',
  'It lacks 1 file, about {size} GB.': 'Es fehlt 1 Datei, etwa {size} GB.',
  'It lacks {count} files, about {size} GB.': 'Es fehlen {count} Dateien, etwa {size} GB.',
  'Files, sizes and licences': 'Dateien, Größen und Lizenzen',
  '{size}, to {folder}': '{size}, nach {folder}',
  'may be used commercially': 'kommerzielle Nutzung erlaubt',
  'free below a revenue: read its licence': 'frei bis zu einem bestimmten Umsatz: Lizenz lesen',
  'not everywhere: read its licence': 'nicht überall: Lizenz lesen',
  'commercial use is not clear: read its licence': 'kommerzielle Nutzung unklar: Lizenz lesen',
  'not for commercial use': 'nicht für kommerzielle Nutzung',
  'only for accounts at Hugging Face that accepted it (HF_TOKEN)':
    'nur für Konten bei Hugging Face, die sie akzeptiert haben (HF_TOKEN)',
  'Models for {engine}, {number} of {files}: {file}': 'Modelle für {engine}, {number} von {files}: {file}',
  'Stop the download': 'Download anhalten',
  'Left for the script: {files}.': 'Bleibt für das Skript: {files}.',
} as const;
