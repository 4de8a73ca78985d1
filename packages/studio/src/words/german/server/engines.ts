import { joinedSentences } from '../../joined-sentences.ts';

type Table = Readonly<Record<string, string>>;

/** Why a server does not answer as ComfyUI does, and what to do about it. */
const remedies: Table = {
  'nothing listens on that port. Start ComfyUI there, with --listen and an address that this machine reaches':
    'Auf diesem Port nimmt kein Programm Verbindungen an. Starten Sie dort ComfyUI mit --listen und einer Adresse, die dieser Rechner erreicht',
  'no machine has this name. Check the spelling, or use the IP address':
    'Kein Rechner hat diesen Namen. Prüfen Sie die Schreibweise, oder nehmen Sie die IP-Adresse',
  'the name could not be looked up. Check the network and the name server of this machine':
    'Der Name ließ sich nicht auflösen. Prüfen Sie das Netzwerk und den Nameserver dieses Rechners',
  'there is no way to that machine. Check the network, the VPN or the tunnel':
    'Dieser Rechner ist von hier nicht zu erreichen. Prüfen Sie das Netzwerk, das VPN oder den Tunnel',
  'there is no way to that network. Check the network, the VPN or the tunnel':
    'Dieses Netzwerk ist von hier nicht zu erreichen. Prüfen Sie das Netzwerk, das VPN oder den Tunnel',
  'nothing answers at that address. Check the address, the port and the firewall':
    'Unter dieser Adresse antwortet nichts. Prüfen Sie Adresse, Port und Firewall',
  'the port does not speak TLS. Use http:// instead of https://':
    'Der Port spricht kein TLS. Nehmen Sie http:// statt https://',
  'the connection was closed without an answer. Where the port speaks TLS, use https://':
    'Die Verbindung wurde ohne Antwort geschlossen. Nehmen Sie https://, falls der Port TLS spricht',
  'its certificate is not trusted here. Give the certificate of its authority in NODE_EXTRA_CA_CERTS':
    'Dem Zertifikat wird hier nicht vertraut. Geben Sie das Zertifikat seiner Zertifizierungsstelle in NODE_EXTRA_CA_CERTS an',
  'its certificate is for another name. Use the name that it is for':
    'Das Zertifikat gilt für einen anderen Namen. Nehmen Sie den Namen, für den es gilt',
  'its certificate has expired. Renew it there': 'Das Zertifikat ist abgelaufen. Erneuern Sie es dort',
  'it did not answer in time. Check whether it is busy or stuck':
    'Die Antwort kam nicht rechtzeitig. Prüfen Sie, ob der Server ausgelastet ist oder hängt',
  'it asks for credentials. Put them into an environment variable and name that: --token-from for a token, --basic-from for name:password, --header-from NAME=VARIABLE for a header of another name':
    'Der Server verlangt Zugangsdaten. Legen Sie sie in einer Umgebungsvariablen ab, und geben Sie deren Namen an: --token-from für ein Token, --basic-from für Name:Passwort, --header-from NAME=VARIABLE für einen Header mit anderem Namen',
  'something other than ComfyUI answers there, such as the page of a proxy. Check the address and the port':
    'Dort antwortet etwas anderes als ComfyUI, etwa die Seite eines Proxys. Prüfen Sie Adresse und Port',
  'a proxy on the way asks for credentials. Reach the server without it':
    'Ein zwischengeschalteter Proxy verlangt Zugangsdaten. Umgehen Sie ihn',
  'it answers with a redirect, which is not followed. Use the address that it leads to: often https://, or a sign-in page in front of the server':
    'Die Antwort ist eine Weiterleitung, der nicht gefolgt wird. Nehmen Sie die Adresse, zu der sie führt: oft die mit https:// oder eine Anmeldeseite vor dem Server',
  'another program answers there, or ComfyUI is below a path. Check the address':
    'Dort antwortet ein anderes Programm, oder ComfyUI liegt unter einem Pfad. Prüfen Sie die Adresse',
  'it does not take the request. Where the port speaks TLS, use https://':
    'Die Anfrage wird nicht angenommen. Nehmen Sie https://, falls der Port TLS spricht',
  'a proxy answers, and ComfyUI behind it does not. Start it there':
    'Ein Proxy antwortet, aber ComfyUI dahinter nicht. Starten Sie es dort',
  'it answers with an error. Look into its log':
    'Der Server antwortet mit einem Fehler. Sehen Sie in seinem Protokoll nach',
};

/** What came of a call to a server. A call is such as “GET health”. */
const calls: Table = {
  'prompt: our prompt_id was not taken': 'prompt: Unsere prompt_id wurde nicht übernommen',
  '{call}: no answer in time': '{call}: keine Antwort in der vorgesehenen Zeit',
  '{call}: no answer': '{call}: keine Antwort',
  '{call}: not the documented shape at "{place}"': '{call}: nicht die dokumentierte Form bei „{place}“',
  'the answer is no JSON': 'Die Antwort ist kein JSON',
  'the answer is larger than {count} bytes': 'Die Antwort ist größer als {count} Byte',
};

/** What goes wrong inside a workflow, by its name. */
const failureNames: Table = {
  'no face': 'kein Gesicht',
  'face too small': 'Gesicht zu klein',
  'out of memory': 'zu wenig GPU-Speicher',
  'disk full': 'Datenträger voll',
  'refused workflow': 'Workflow abgelehnt',
  'photo not received': 'Foto nicht angekommen',
  'weights unusable': 'Modelldatei unbrauchbar',
  'GPU fault': 'GPU-Fehler',
  'server unreachable': 'Server nicht erreichbar',
  'answered with an error': 'Fehler als Antwort',
  'stopped answering': 'keine Antwort mehr',
  'no answer': 'keine Antwort',
  unknown: 'unbekannter Fehler',
};

/** What goes wrong at a hosted service, by its name. */
const serviceFailureNames: Table = {
  'refused content': 'Inhalt abgelehnt',
  'refused result': 'Ergebnis abgelehnt',
  'photo refused': 'Foto abgelehnt',
  'no credit': 'kein Guthaben',
  'verification wanted': 'Verifizierung verlangt',
  'key refused': 'Schlüssel abgelehnt',
  'model gone': 'Modell nicht mehr da',
  'request refused': 'Anfrage abgelehnt',
  'too many requests': 'zu viele Anfragen',
  'server error': 'Serverfehler',
  'not reachable': 'nicht erreichbar',
  'connection lost': 'Verbindung verloren',
  'no picture': 'kein Bild',
  'malformed answer': 'fehlerhafte Antwort',
  'request forgotten': 'Anfrage vergessen',
  'time limit': 'Zeitlimit erreicht',
  'result not fetched': 'Ergebnis nicht abgeholt',
  'jobs failed there one after the other': 'Dort schlug ein Auftrag nach dem anderen fehl',
};

/** Why a server did not make a job. */
const failureCauses: Table = {
  'the workflow found no face in the photo': 'Der Workflow fand auf dem Foto kein Gesicht',
  'the workflow found the face too small': 'Dem Workflow war das Gesicht zu klein',
  'the workflow needs more memory than the GPU has free':
    'Der Workflow braucht mehr Speicher, als auf der GPU frei ist',
  'the disk of the GPU server is full': 'Der Datenträger des GPU-Servers ist voll',
  'the server lacks a node, an input or a file that the workflow names':
    'Dem Server fehlt ein Knoten, ein Eingang oder eine Datei, die im Workflow vorkommt',
  'the server has not got the photo, or not all of it':
    'Der Server hat das Foto nicht oder nicht ganz bekommen',
  'a file of weights is missing or broken on the server':
    'Eine Modelldatei fehlt auf dem Server oder ist beschädigt',
  'the GPU or its driver failed': 'Die GPU oder ihr Treiber ist ausgefallen',
  'ComfyUI did not answer': 'ComfyUI hat nicht geantwortet',
  'a node raised an error that Guise does not know': 'Ein Knoten meldete einen Fehler, den Guise nicht kennt',
  'the service refused the photo or the words by its rules for content':
    'Der Dienst hat das Foto oder den Text nach seinen Inhaltsregeln abgelehnt',
  'the service refused its own picture by its rules for content':
    'Der Dienst hat sein eigenes Bild nach seinen Inhaltsregeln abgelehnt',
  'the service does not take the photo: its size, shape or format':
    'Der Dienst nimmt das Foto wegen seiner Größe, seiner Form oder seines Dateiformats nicht an',
  'the account at the service has no credit left, or has reached its limit of spending':
    'Das Konto beim Dienst hat kein Guthaben mehr oder sein Ausgabenlimit erreicht',
  'the service wants the organization to be verified before it may use this model':
    'Der Dienst verlangt, dass sich die Organisation für dieses Modell verifiziert',
  'the service refuses the key': 'Der Dienst lehnt den Schlüssel ab',
  'the service has no such model, or no longer: set "model" to one that it has':
    'Der Dienst hat dieses Modell nicht (mehr): Setzen Sie „model“ auf eines, das er hat',
  'the service does not take a field that is sent to it: check the settings of the engine':
    'Der Dienst nimmt ein Feld der Anfrage nicht an: Prüfen Sie die Einstellungen der Engine',
  'the service takes no more requests for now': 'Der Dienst nimmt zurzeit keine Anfragen mehr an',
  'the service answered with an error': 'Der Dienst hat mit einem Fehler geantwortet',
  'the service cannot be connected to': 'Zum Dienst kommt keine Verbindung zustande',
  'the connection was lost, or the time was up, before the answer: it may be charged all the same':
    'Vor der Antwort brach die Verbindung ab, oder die Zeit war um: Möglicherweise wird die Anfrage trotzdem berechnet',
  'the service answered without a picture': 'Die Antwort des Dienstes enthielt kein Bild',
  'the answer of the service is not what its documentation says':
    'Die Antwort des Dienstes entspricht nicht seiner Dokumentation',
  'the service no longer knows the request': 'Der Dienst kennt die Anfrage nicht mehr',
  'the service did not begin or end within the limits of the route':
    'Der Dienst hat die Anfrage nicht innerhalb der Zeitlimits der Route begonnen oder beendet',
  'the result is made, but could not be fetched': 'Das Ergebnis ist fertig, ließ sich aber nicht abrufen',
};

/** The words of the server may follow. */
const failures = joinedSentences({ '* ({said})': '* ({said})', '*': '*' }, failureCauses);

/** What a server would refuse of a node, where nothing can be downloaded or installed against it. */
const nodeProblems: Table = {
  'the server has no node {name}': 'der Server hat keinen Knoten {name}',
  '{name} is a second output: node {output} must be the only one':
    '{name} ist ein zweiter Ausgang: Knoten {output} muss der einzige sein',
  '{name} saves nothing': '{name} speichert nichts',
};
const inputProblems: Table = {
  'is required': 'ist erforderlich',
  'takes output {slot} of a node that has {count}':
    'verwendet Ausgang {slot} eines Knotens, der nur {count} hat',
  'input {name} of {class} takes {wanted}, not a text':
    'Eingang {name} von {class} erwartet {wanted}, keinen Text',
  'takes {wanted}, not {given}': 'erwartet {wanted}, nicht {given}',
  'the server does not have {value}': 'der Server hat {value} nicht',
  'is {number}, and must be at least {least}': 'ist {number}, muss aber mindestens {least} sein',
  'is {number}, and must be at most {most}': 'ist {number}, darf aber höchstens {most} sein',
};
/** “no” stays English: test/studio-words.test.ts does not find so short a word before a bracket. Its frame comes behind. */
const commercialUses: Table = {
  yes: 'ja',
  threshold: 'bis zu einem bestimmten Umsatz',
  region: 'nicht überall',
  ask: 'unklar',
};

/** Engines and their servers: what they say, lack and did not make, how they are set up and tried. */
export const engineSentences: Table = {
  // Kinds
  'another Guise': 'ein anderes Guise',
  'a picture service': 'ein Bilddienst',
  // What servers say of themselves
  'answers, {nodes} nodes, everything that 1 workflow needs':
    'antwortet, {nodes} Knoten, alles da, was 1 Workflow braucht',
  'answers, {nodes} nodes, everything that {count} workflows need':
    'antwortet, {nodes} Knoten, alles da, was {count} Workflows brauchen',
  'answers, {nodes} nodes': 'antwortet, {nodes} Knoten',
  'answers, the key is good, {balance} credits left':
    'antwortet, der Schlüssel ist gültig, noch {balance} Credits',
  'answers, the key is good; {model} is shut down on {date}':
    'antwortet, der Schlüssel ist gültig; {model} wird am {date} abgeschaltet',
  'It refuses the key.': 'Sie lehnt den Schlüssel ab.',
  'answers, the key is good': 'antwortet, der Schlüssel ist gültig',
  'answers, the key is not refused; whether it has the model shows with the first job':
    'antwortet, der Schlüssel wird nicht abgelehnt; ob er das Modell hat, zeigt sich beim ersten Auftrag',
  'answers; it does not list its models': 'antwortet; der Dienst nennt seine Modelle nicht',
  'answers; {model} is shut down on {date}': 'antwortet; {model} wird am {date} abgeschaltet',
  answers: 'antwortet',
  'ComfyUI of unknown version, no GPU, {nodes} nodes':
    'ComfyUI unbekannter Version, keine GPU, {nodes} Knoten',
  'ComfyUI of unknown version, {gpu}, {size} GB of VRAM, {nodes} nodes':
    'ComfyUI unbekannter Version, {gpu}, {size} GB VRAM, {nodes} Knoten',
  'ComfyUI {version}, no GPU, {nodes} nodes': 'ComfyUI {version}, keine GPU, {nodes} Knoten',
  'ComfyUI {version}, {gpu}, {size} GB of VRAM, {nodes} nodes':
    'ComfyUI {version}, {gpu}, {size} GB VRAM, {nodes} Knoten',
  // Why they cannot be used
  ...joinedSentences(
    {
      'does not answer as ComfyUI: *': 'antwortet nicht wie ComfyUI: *',
      '{address} does not answer as a ComfyUI server does: *.':
        '{address} antwortet nicht wie ein ComfyUI-Server: *.',
    },
    remedies,
  ),
  // The reason follows in brackets.
  'It does not answer as such an engine does.': 'Sie antwortet nicht wie eine solche Engine.',
  'it does not say which ComfyUI it is, and Guise needs {version} or later':
    'Der Server nennt seine ComfyUI-Version nicht, und Guise braucht {version} oder neuer',
  'ComfyUI {version} is too old: Guise needs {least} or later, because older ones stop other jobs than the one that is cancelled':
    'ComfyUI {version} ist zu alt: Guise braucht {least} oder neuer, weil ältere Versionen beim Abbrechen eines Auftrags den falschen anhalten',
  // What they lack
  'lacks something': 'Es fehlt etwas',
  'the model {model}: see "model" in the engines file':
    'das Modell {model}: siehe „model“ in der Engine-Datei',
  ...joinedSentences(
    {
      '{workflow}: node {node} ({type}), input {input}: the server does not have {value}; download it into models/{folder} from {address} ({size}, {licence}; commercial use: *)':
        '{workflow}: Knoten {node} ({type}), Eingang {input}: Der Server hat {value} nicht; laden Sie es von {address} nach models/{folder} herunter ({size}, {licence}; kommerzielle Nutzung: *)',
    },
    commercialUses,
  ),
  '{workflow}: node {node} ({type}), input {input}: the server does not have {value}; download it into models/{folder} from {address} ({size}, {licence}; commercial use: {use})':
    '{workflow}: Knoten {node} ({type}), Eingang {input}: Der Server hat {value} nicht; laden Sie es von {address} nach models/{folder} herunter ({size}, {licence}; kommerzielle Nutzung: {use})',
  '{workflow}: node {node} ({type}): the server has no node {name}; install {pack} into custom_nodes from {address}':
    '{workflow}: Knoten {node} ({type}): Der Server hat keinen Knoten {name}; installieren Sie {pack} von {address} in custom_nodes',
  ...joinedSentences(
    {
      '{workflow}: node {node} ({type}), input {input}: *':
        '{workflow}: Knoten {node} ({type}), Eingang {input}: *',
      'node {node} ({type}), input {input}: *: for {workflows}':
        'Knoten {node} ({type}), Eingang {input}: * (für {workflows})',
    },
    inputProblems,
  ),
  ...joinedSentences(
    {
      '{workflow}: node {node} ({type}): *': '{workflow}: Knoten {node} ({type}): *',
      '*: for {workflows}': '* (für {workflows})',
    },
    nodeProblems,
  ),
  'ComfyUI {version} or later is needed, and the server has {found}: for {workflows}':
    'nötig ist ComfyUI {version} oder neuer, der Server hat {found} (für {workflows})',
  'ComfyUI {version} is needed, and the server has {found}: for {workflows}':
    'nötig ist ComfyUI {version}, der Server hat {found} (für {workflows})',
  'needs the node pack {name}: {address}': 'nötig ist das Knotenpaket {name}: {address}',
  'has {file} in a folder below: {path}': '{file} in einem Unterordner: {path}',
  'has {other}, which does as well as {file}': '{other}, gleichwertig mit {file}',
  'takes {other} for {file}, because it has its size':
    '{other}, verwendet als {file}, weil die Größe übereinstimmt',
  'about {size} GB': 'etwa {size} GB',
  // Why they get no jobs, or not all
  ...failureNames,
  ...serviceFailureNames,
  ...joinedSentences(
    {
      'jobs failed there one after the other, the last by: *':
        'Dort schlug ein Auftrag nach dem anderen fehl, zuletzt: *',
    },
    { ...failureNames, ...calls },
  ),
  'it gets no jobs of 1 workflow for a while: jobs failed one after the other':
    'Aufträge von 1 Workflow gehen eine Weile nicht dorthin: Einer nach dem anderen schlug fehl',
  'it gets no jobs of {count} workflows for a while: jobs failed one after the other':
    'Aufträge von {count} Workflows gehen eine Weile nicht dorthin: Einer nach dem anderen schlug fehl',
  // Why they did not make a job
  'somebody interrupted the run there': 'Jemand hat den Lauf dort abgebrochen',
  'it no longer knows the run: it was restarted, or somebody deleted the run':
    'Der Server kennt den Lauf nicht mehr: Er wurde neu gestartet, oder jemand hat den Lauf gelöscht',
  'it stopped answering': 'Der Server antwortet nicht mehr',
  'it no longer answers as ComfyUI does': 'Der Server antwortet nicht mehr wie ComfyUI',
  'it did not get to the job in time': 'Der Server kam nicht rechtzeitig zu dem Auftrag',
  'the run took longer than it may': 'Der Lauf dauerte länger als erlaubt',
  'the run left no file to fetch': 'Der Lauf hinterließ keine Datei',
  'it refused the workflow: the server gave no reason':
    'Der Server hat den Workflow ohne Begründung abgelehnt',
  'it refused the workflow: {said}': 'Der Server hat den Workflow abgelehnt: {said}',
  ...joinedSentences(
    {
      'it answered with an error: *': 'Der Server hat mit einem Fehler geantwortet: *',
      'it could not be reached: *': 'Der Server war nicht zu erreichen: *',
    },
    { ...calls, '{reason}': '{reason}' },
  ),
  ...joinedSentences({ 'gets no jobs for now: *': 'bekommt zurzeit keine Aufträge: *' }, serviceFailureNames),
  'the process ended before the service had answered: it may have charged that request':
    'Der Prozess endete, bevor der Dienst geantwortet hatte: Möglicherweise wird diese Anfrage berechnet',
  '{count} requests for this job may have been charged and gave nothing':
    'Für diesen Auftrag wurden möglicherweise {count} Anfragen berechnet, die nichts ergaben',
  'the picture does not show the guests as they are': 'Das Bild gibt die Gäste nicht richtig wieder',
  'its job {id} failed': 'Der Auftrag {id} ist dort fehlgeschlagen',
  ...joinedSentences({ 'two servers say the same: *': 'Zwei Server sagen dasselbe: *' }, failures),
  ...failures,
  ...calls,
  // Downloads of models
  'The download was stopped. What came so far is kept.':
    'Der Download wurde angehalten. Was schon da ist, bleibt erhalten.',
  'There is nothing to download for these servers.': 'Für diese Server gibt es nichts herunterzuladen.',
  'Guise no longer waits for the files: ComfyUI-Manager goes on with them.':
    'Guise wartet nicht mehr auf die Dateien: ComfyUI-Manager lädt sie weiter herunter.',
  'ComfyUI-Manager at {host} does not answer. What is left is for the script.':
    'ComfyUI-Manager auf {host} antwortet nicht. Den Rest lädt das Skript herunter.',
  'ComfyUI-Manager at {host} refuses, with the status {status}. What is left is for the script.':
    'ComfyUI-Manager auf {host} lehnt ab (Status {status}). Den Rest lädt das Skript herunter.',
  'ComfyUI-Manager at {host} answers in a form that is not known. What is left is for the script.':
    'ComfyUI-Manager auf {host} antwortet in einer unbekannten Form. Den Rest lädt das Skript herunter.',
  'A file could not be written. The log has more.':
    'Eine Datei konnte nicht gespeichert werden. Mehr steht im Protokoll.',
  '{host} is not reached from here ({reason}). What is left is for a machine that reaches it.':
    '{host} ist von hier nicht zu erreichen ({reason}). Den Rest muss ein Rechner herunterladen, der dorthin kommt.',
  'The folder {folder} cannot be read.': 'Der Ordner {folder} ist nicht lesbar.',
  'The disk of {folder} has {free} GB left, and the files need about {needed} GB.':
    'Auf dem Datenträger von {folder} sind {free} GB frei, die Dateien brauchen etwa {needed} GB.',
  ...joinedSentences(
    { '{file} could not be downloaded. *.': '{file} ließ sich nicht herunterladen. *.' },
    {
      '{address} was cut off again and again. What came so far is kept: run this again':
        'Die Verbindung zu {address} brach immer wieder ab. Was schon da ist, bleibt erhalten: Starten Sie den Download noch einmal',
      'What came is not the file: it has {bytes} bytes, and should have {wanted}. It was deleted':
        'Angekommen ist eine andere Datei: Sie hat {bytes} statt {wanted} Byte. Sie wurde gelöscht',
      'What came is not the file: its SHA-256 is {found}, and should be {wanted}. It was deleted':
        'Angekommen ist eine andere Datei: Ihr SHA-256 ist {found} statt {wanted}. Sie wurde gelöscht',
      'The server answers {status}: accept the licence on its page, and give your Hugging Face token in HF_TOKEN':
        'Der Server antwortet {status}: Akzeptieren Sie die Lizenz auf der Seite der Datei, und geben Sie Ihr Token von Hugging Face in HF_TOKEN an',
      'It is no longer there': 'Dort gibt es die Datei nicht mehr',
    },
  ),
  // Trials of workflows, and engines that are added, changed and removed
  'It failed. The log has more.': 'Es ist fehlgeschlagen. Mehr steht im Protokoll.',
  'The server was stopped.': 'Der Server wurde angehalten.',
  'It took longer than a job of this family may.': 'Es dauerte länger, als ein solcher Auftrag dauern darf.',
  'There is no engine with this name.': 'Es gibt keine Engine mit diesem Namen.',
  'There is no engine of this name that was added here.':
    'Hier wurde keine Engine dieses Namens hinzugefügt.',
  'There is no engine of this name with a workflow to try.':
    'Es gibt keine Engine dieses Namens mit einem Workflow zum Ausprobieren.',
  'There is no such picture.': 'Dieses Bild gibt es nicht.',
  'The server is being stopped. Try again in a while.':
    'Der Server wird gerade angehalten. Versuchen Sie es gleich noch einmal.',
  'Several processes may work for this installation. Try its workflows with the command guise engines check.':
    'Für diese Installation können mehrere Prozesse arbeiten. Probieren Sie ihre Workflows mit dem Befehl guise engines check aus.',
  'The engines of this installation are in the file that GUISE_ENGINES names, or it has several processes. Change them there.':
    'Die Engines dieser Installation stehen in der Datei, die GUISE_ENGINES nennt, oder die Installation hat mehrere Prozesse. Ändern Sie die Engines dort.',
  'name: is the name of another engine.': 'So heißt schon eine andere Engine.',
  'name: must be a name such as studio-gpus.': 'Wählen Sie einen Namen wie studio-gpus.',
  'uses: must name something that it makes.': 'Wählen Sie, was die Engine erzeugt.',
  'model: must be the id of a model, such as fal-ai/flux-2/klein/4b/edit.':
    'Geben Sie die Kennung eines Modells an, etwa fal-ai/flux-2/klein/4b/edit.',
  'url: must be an http or https address.': 'Die Adresse muss mit http:// oder https:// beginnen.',
  'photos_leave: must be true: whoever routes jobs to fal lets photos of guests go there.':
    'Fotos von Gästen gehen dann an fal: Das müssen Sie erlauben.',
  "photos_leave: must be said: true where {host} is a company's, to whom photos of guests may go; false where the server is your own.":
    'Geben Sie an, ob {host} einem Unternehmen gehört, an das Fotos von Gästen gehen dürfen, oder Ihr eigener Server ist.',
};
