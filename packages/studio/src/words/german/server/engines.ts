import { joinedSentences } from '../../joined-sentences.ts';

type Table = Readonly<Record<string, string>>;

/** Why a server does not answer as ComfyUI does, and what to do about it. */
const remedies: Table = {
  'nothing listens on that port. Start ComfyUI there, with --listen and an address that this machine reaches':
    'An diesem Port nimmt nichts Verbindungen an. Starten Sie dort ComfyUI mit --listen und einer Adresse, die dieser Rechner erreicht',
  'no machine has this name. Check the spelling, or use the IP address':
    'Kein Rechner hat diesen Namen. Prüfen Sie die Schreibweise, oder nehmen Sie die IP-Adresse',
  'the name could not be looked up. Check the network and the name server of this machine':
    'Der Name ließ sich nicht auflösen. Prüfen Sie das Netzwerk und den Nameserver dieses Rechners',
  'there is no way to that machine. Check the network, the VPN or the tunnel':
    'Zu diesem Rechner führt kein Weg. Prüfen Sie das Netzwerk, das VPN oder den Tunnel',
  'there is no way to that network. Check the network, the VPN or the tunnel':
    'In dieses Netzwerk führt kein Weg. Prüfen Sie das Netzwerk, das VPN oder den Tunnel',
  'nothing answers at that address. Check the address, the port and the firewall':
    'Unter dieser Adresse antwortet nichts. Prüfen Sie Adresse, Port und Firewall',
  'the port does not speak TLS. Use http:// instead of https://':
    'Der Port spricht kein TLS. Nehmen Sie http:// statt https://',
  'the connection was closed without an answer. Where the port speaks TLS, use https://':
    'Die Verbindung wurde ohne Antwort geschlossen. Nehmen Sie https://, falls der Port TLS spricht',
  'its certificate is not trusted here. Give the certificate of its authority in NODE_EXTRA_CA_CERTS':
    'Dem Zertifikat wird hier nicht vertraut. Nennen Sie das seiner Zertifizierungsstelle in NODE_EXTRA_CA_CERTS',
  'its certificate is for another name. Use the name that it is for':
    'Das Zertifikat gilt für einen anderen Namen. Nehmen Sie den Namen, für den es gilt',
  'its certificate has expired. Renew it there': 'Das Zertifikat ist abgelaufen. Erneuern Sie es dort',
  'it did not answer in time. Check whether it is busy or stuck':
    'Die Antwort kam nicht rechtzeitig. Prüfen Sie, ob der Server ausgelastet ist oder hängt',
  'it asks for credentials. Put them into an environment variable and name that: --token-from for a token, --basic-from for name:password, --header-from NAME=VARIABLE for a header of another name':
    'Zugangsdaten sind nötig. Legen Sie sie in einer Umgebungsvariable ab, und nennen Sie diese: --token-from für ein Token, --basic-from für Name:Passwort, --header-from NAME=VARIABLE für einen Header mit anderem Namen',
  'something else than ComfyUI answers there, such as the page of a proxy. Check the address and the port':
    'Dort antwortet etwas anderes als ComfyUI, etwa die Seite eines Proxys. Prüfen Sie Adresse und Port',
  'a proxy on the way asks for credentials. Reach the server without it':
    'Ein Proxy auf dem Weg verlangt Zugangsdaten. Umgehen Sie ihn',
  'it answers with a redirect, which is not followed. Use the address that it leads to: often https://, or a sign-in page in front of the server':
    'Die Antwort ist eine Weiterleitung, der nicht gefolgt wird. Nehmen Sie die Adresse, zu der sie führt: oft https:// oder eine Anmeldeseite vor dem Server',
  'another program answers there, or ComfyUI is below a path. Check the address':
    'Dort antwortet ein anderes Programm, oder ComfyUI liegt unter einem Pfad. Prüfen Sie die Adresse',
  'it does not take the request. Where the port speaks TLS, use https://':
    'Die Anfrage wird nicht angenommen. Nehmen Sie https://, falls der Port TLS spricht',
  'a proxy answers, and ComfyUI behind it does not. Start it there':
    'Ein Proxy antwortet, das ComfyUI dahinter nicht. Starten Sie es dort',
  'it answers with an error. Look into its log':
    'Die Antwort ist ein Fehler. Sehen Sie im Protokoll des Servers nach',
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
  'answered with an error': 'Antwort war ein Fehler',
  'stopped answering': 'antwortet nicht mehr',
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
  'time limit': 'Zeitlimit',
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
    'Dem Server fehlt ein Node, ein Eingang oder eine Datei, die der Workflow nennt',
  'the server has not got the photo, or not all of it':
    'Der Server hat das Foto nicht oder nicht ganz bekommen',
  'a file of weights is missing or broken on the server':
    'Eine Modelldatei fehlt auf dem Server oder ist beschädigt',
  'the GPU or its driver failed': 'Die GPU oder ihr Treiber ist ausgefallen',
  'ComfyUI did not answer': 'ComfyUI hat nicht geantwortet',
  'a node raised an error that Guise does not know': 'Ein Node meldete einen Fehler, den Guise nicht kennt',
  'the service refused the photo or the words by its rules for content':
    'Der Dienst hat das Foto oder die Wörter nach seinen Inhaltsregeln abgelehnt',
  'the service refused its own picture by its rules for content':
    'Der Dienst hat sein eigenes Bild nach seinen Inhaltsregeln abgelehnt',
  'the service does not take the photo: its size, shape or format':
    'Der Dienst nimmt das Foto nicht an: Größe, Form oder Format',
  'the account at the service has no credit left, or has reached its limit of spending':
    'Das Konto beim Dienst hat kein Guthaben mehr oder hat sein Ausgabenlimit erreicht',
  'the service wants the organization to be verified before it may use this model':
    'Der Dienst verlangt, dass sich die Organisation für dieses Modell verifiziert',
  'the service refuses the key': 'Der Dienst lehnt den Schlüssel ab',
  'the service has no such model, or no longer: set "model" to one that it has':
    'Der Dienst hat dieses Modell nicht (mehr): Setzen Sie „model“ auf eines, das er hat',
  'the service does not take a field that is sent to it: check the settings of the engine':
    'Der Dienst nimmt ein gesendetes Feld nicht an: Prüfen Sie die Einstellungen der Engine',
  'the service takes no more requests for now': 'Der Dienst nimmt zurzeit keine Anfragen mehr an',
  'the service answered with an error': 'Der Dienst hat mit einem Fehler geantwortet',
  'the service cannot be connected to': 'Zum Dienst kommt keine Verbindung zustande',
  'the connection was lost, or the time was up, before the answer: it may be charged all the same':
    'Vor der Antwort brach die Verbindung ab, oder die Zeit war um: Möglicherweise wird trotzdem berechnet',
  'the service answered without a picture': 'Die Antwort des Dienstes enthielt kein Bild',
  'the answer of the service is not what its documentation says':
    'Die Antwort des Dienstes entspricht nicht seiner Dokumentation',
  'the service no longer knows the request': 'Der Dienst kennt die Anfrage nicht mehr',
  'the service did not begin or end within the limits of the route':
    'Der Dienst begann oder endete nicht innerhalb der Limits der Route',
  'the link to the result could not be followed': 'Der Link zum Ergebnis führte nicht zum Ziel',
};

/** The words of the server may follow. */
const failures = joinedSentences({ '* ({said})': '* ({said})', '*': '*' }, failureCauses);

/** What a server would refuse of a node, where nothing can be downloaded or installed against it. */
const nodeProblems: Table = {
  'the server has no node {name}': 'der Server hat keinen Node {name}',
  '{name} is a second output: node {output} must be the only one':
    '{name} ist ein zweiter Ausgang: Node {output} muss der einzige sein',
  '{name} saves nothing': '{name} speichert nichts',
};
const inputProblems: Table = {
  'is required': 'ist erforderlich',
  'takes output {slot} of a node that has {count}': 'nimmt Ausgang {slot} eines Nodes, der nur {count} hat',
  'input {name} of {class} takes {wanted}, not a text':
    'Eingang {name} von {class} nimmt {wanted}, keinen Text',
  'takes {wanted}, not {given}': 'nimmt {wanted}, nicht {given}',
  'the server does not have {value}': 'der Server hat {value} nicht',
  'is {number}, and must be at least {least}': 'ist {number}, muss aber mindestens {least} sein',
  'is {number}, and must be at most {most}': 'ist {number}, darf aber höchstens {most} sein',
};
/** “no” stays English: test/studio-words.test.ts does not find so short a word before a bracket. */
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
    'antwortet, {nodes} Nodes, alles da, was 1 Workflow braucht',
  'answers, {nodes} nodes, everything that {count} workflows need':
    'antwortet, {nodes} Nodes, alles da, was {count} Workflows brauchen',
  'answers, {nodes} nodes': 'antwortet, {nodes} Nodes',
  'answers, the key is good, {balance} credits left':
    'antwortet, der Schlüssel ist gültig, noch {balance} Credits',
  'answers, the key is good; {model} is shut down on {date}':
    'antwortet, der Schlüssel ist gültig; {model} wird am {date} abgeschaltet',
  'It refuses the key.': 'Sie lehnt den Schlüssel ab.',
  'answers, the key is good': 'antwortet, der Schlüssel ist gültig',
  'answers, the key is not refused; whether it has the model shows with the first job':
    'antwortet, der Schlüssel wird nicht abgelehnt; ob es das Modell gibt, zeigt der erste Auftrag',
  'answers; it does not list its models': 'antwortet; seine Modelle zählt der Dienst nicht auf',
  'answers; {model} is shut down on {date}': 'antwortet; {model} wird am {date} abgeschaltet',
  answers: 'antwortet',
  'ComfyUI of unknown version, no GPU, {nodes} nodes':
    'ComfyUI unbekannter Version, keine GPU, {nodes} Nodes',
  'ComfyUI of unknown version, {gpu}, {size} GB of VRAM, {nodes} nodes':
    'ComfyUI unbekannter Version, {gpu}, {size} GB VRAM, {nodes} Nodes',
  'ComfyUI {version}, no GPU, {nodes} nodes': 'ComfyUI {version}, keine GPU, {nodes} Nodes',
  'ComfyUI {version}, {gpu}, {size} GB of VRAM, {nodes} nodes':
    'ComfyUI {version}, {gpu}, {size} GB VRAM, {nodes} Nodes',
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
    'ComfyUI {version} ist zu alt: Guise braucht {least} oder neuer, weil ältere beim Abbrechen andere Aufträge anhalten',
  // What they lack
  'lacks something': 'Es fehlt etwas',
  'the model {model}: see "model" in the engines file':
    'das Modell {model}: siehe „model“ in der Engine-Datei',
  ...joinedSentences(
    {
      '{workflow}: node {node} ({type}), input {input}: the server does not have {value}; download it into models/{folder} from {address} ({size}, {licence}; commercial use: *)':
        '{workflow}: Node {node} ({type}), Eingang {input}: Der Server hat {value} nicht; herunterzuladen nach models/{folder} von {address} ({size}, {licence}; kommerzielle Nutzung: *)',
    },
    commercialUses,
  ),
  '{workflow}: node {node} ({type}): the server has no node {name}; install {pack} into custom_nodes from {address}':
    '{workflow}: Node {node} ({type}): Der Server hat keinen Node {name}; {pack} ist in custom_nodes zu installieren von {address}',
  ...joinedSentences(
    {
      '{workflow}: node {node} ({type}), input {input}: *':
        '{workflow}: Node {node} ({type}), Eingang {input}: *',
      'node {node} ({type}), input {input}: *: for {workflows}':
        'Node {node} ({type}), Eingang {input}: *: für {workflows}',
    },
    inputProblems,
  ),
  ...joinedSentences(
    {
      '{workflow}: node {node} ({type}): *': '{workflow}: Node {node} ({type}): *',
      '*: for {workflows}': '*: für {workflows}',
    },
    nodeProblems,
  ),
  'ComfyUI {version} or later is needed, and the server has {found}: for {workflows}':
    'nötig ist ComfyUI {version} oder neuer, der Server hat {found}: für {workflows}',
  'ComfyUI {version} is needed, and the server has {found}: for {workflows}':
    'nötig ist ComfyUI {version}, der Server hat {found}: für {workflows}',
  'needs the node pack {name}: {address}': 'nötig ist das Node-Paket {name}: {address}',
  'has {file} in a folder below: {path}': '{file} in einem Unterordner: {path}',
  'has {other}, which does as well as {file}': '{other}, gleichwertig mit {file}',
  'takes {other} for {file}, because it has its size': '{other} als {file}, weil die Größe übereinstimmt',
  'about {size} GB': 'etwa {size} GB',
  // Why they get no jobs, or not all
  ...failureNames,
  ...serviceFailureNames,
  ...joinedSentences(
    {
      'jobs failed there one after the other, the last by: *':
        'Dort schlug ein Auftrag nach dem anderen fehl, der letzte so: *',
    },
    { ...failureNames, ...calls },
  ),
  'it gets no jobs of 1 workflow for a while: jobs failed one after the other':
    'Von 1 Workflow gehen eine Weile keine Aufträge dorthin: Einer nach dem anderen schlug fehl',
  'it gets no jobs of {count} workflows for a while: jobs failed one after the other':
    'Von {count} Workflows gehen eine Weile keine Aufträge dorthin: Einer nach dem anderen schlug fehl',
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
  'the picture does not show the guests as they are': 'Das Bild zeigt die Gäste nicht, wie sie sind',
  'its job {id} failed': 'Der Auftrag {id} ist dort gescheitert',
  ...joinedSentences({ 'two servers say the same: *': 'Zwei Server sagen dasselbe: *' }, failures),
  ...failures,
  ...calls,
  // Downloads of models
  'The download was stopped. What came so far is kept.':
    'Der Download wurde angehalten. Was schon da ist, bleibt erhalten.',
  'A file could not be written. The log has more.':
    'Eine Datei konnte nicht gespeichert werden. Mehr steht im Protokoll.',
  '{host} is not reached from here ({reason}). What is left is for a machine that reaches it.':
    '{host} ist von hier nicht zu erreichen ({reason}). Der Rest bleibt für einen Rechner, der es erreicht.',
  'The folder {folder} cannot be read.': 'Der Ordner {folder} ist nicht lesbar.',
  'The disk of {folder} has {free} GB left, and the files need about {needed} GB.':
    'Auf dem Datenträger von {folder} sind {free} GB frei, die Dateien brauchen etwa {needed} GB.',
  ...joinedSentences(
    { '{file} could not be downloaded. *.': '{file} ließ sich nicht herunterladen. *.' },
    {
      '{address} was cut off again and again. What came so far is kept: run this again':
        '{address} brach immer wieder ab. Was schon da ist, bleibt erhalten: Starten Sie den Download noch einmal',
      'What came is not the file: it has {bytes} bytes, and should have {wanted}. It was deleted':
        'Angekommen ist nicht die Datei: Es sind {bytes} statt {wanted} Byte. Sie wurde gelöscht',
      'What came is not the file: its SHA-256 is {found}, and should be {wanted}. It was deleted':
        'Angekommen ist nicht die Datei: Ihr SHA-256 ist {found} statt {wanted}. Sie wurde gelöscht',
      'The server answers {status}: accept the licence on its page, and give your Hugging Face token in HF_TOKEN':
        'Der Server antwortet {status}: Akzeptieren Sie die Lizenz auf der Seite der Datei, und nennen Sie Ihr Token von Hugging Face in HF_TOKEN',
      'It is no longer there': 'Es gibt sie nicht mehr',
    },
  ),
  // Trials of workflows, and engines that are added, changed and removed
  'It failed. The log has more.': 'Es ist fehlgeschlagen. Mehr steht im Protokoll.',
  'The server was stopped.': 'Der Server wurde angehalten.',
  'It took longer than a job of this family may.': 'Es dauerte länger, als ein solcher Auftrag darf.',
  'There is no engine with this name.': 'Es gibt keine Engine mit diesem Namen.',
  'There is no engine of this name that was added here.':
    'Hier wurde keine Engine dieses Namens hinzugefügt.',
  'There is no engine of this name with a workflow to try.':
    'Es gibt keine Engine dieses Namens mit einem Workflow zum Ausprobieren.',
  'There is no such picture.': 'Dieses Bild gibt es nicht.',
  'The engines of this installation are in the file that GUISE_ENGINES names, or it has several processes. Change them there.':
    'Die Engines dieser Installation stehen in der Datei, die GUISE_ENGINES nennt, oder sie hat mehrere Prozesse. Ändern Sie sie dort.',
  'name: is the name of another engine.': 'So heißt schon eine andere Engine.',
  'name: must be a name such as studio-gpus.': 'Der Name muss wie studio-gpus aussehen.',
  'uses: must name something that it makes.': 'Wählen Sie, was die Engine erzeugt.',
  'model: must be the id of a model, such as fal-ai/flux-2/klein/4b/edit.':
    'Das Modell muss eine Kennung wie fal-ai/flux-2/klein/4b/edit sein.',
  'url: must be an http or https address.': 'Die Adresse muss mit http:// oder https:// beginnen.',
  'photos_leave: must be true: whoever routes jobs to fal lets photos of guests go there.':
    'Mit fal gehen Fotos von Gästen dorthin: Sie müssen das erlauben.',
  "photos_leave: must be said: true where {host} is a company's, to whom photos of guests may go; false where the server is your own.":
    'Sagen Sie, ob {host} einem Unternehmen gehört, an das Fotos von Gästen gehen dürfen, oder Ihr eigener Server ist.',
};
