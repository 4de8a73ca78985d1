/** What is wrong with files that are sent, and what checks of filters and scenes find. */
export const pictureSentences: Readonly<Record<string, string>> = {
  'The image is empty.': 'Das Bild ist leer.',
  'The image is larger than {megabytes} MB.': 'Das Bild ist größer als {megabytes} MB.',
  'The image has more than 25 megapixels.': 'Das Bild hat mehr als 25 Megapixel.',
  'The image must be a PNG, JPEG or WebP file.': 'Das Bild muss eine PNG-, JPEG- oder WebP-Datei sein.',
  'The image is damaged and cannot be read.': 'Das Bild ist beschädigt und nicht lesbar.',
  'The image is incomplete: the file ends too early.': 'Das Bild ist unvollständig: Die Datei endet zu früh.',
  'The image consists of too many parts. Save it again.':
    'Das Bild besteht aus zu vielen Teilen. Speichern Sie es neu.',
  'The image takes too much memory to decode.': 'Das Dekodieren des Bildes braucht zu viel Speicher.',
  'The image has another file appended to it. Save the image again.':
    'An das Bild ist eine andere Datei angehängt. Speichern Sie es neu.',
  'The image contains too much text or colour profile data. Save it again without metadata.':
    'Das Bild enthält zu viel Text oder zu viele Farbprofildaten. Speichern Sie es ohne Metadaten neu.',
  'This rare kind of JPEG is not supported. Save the image again as a baseline JPEG.':
    'Diese seltene Art von JPEG wird nicht unterstützt. Speichern Sie das Bild neu als Baseline-JPEG.',
  'Animated WebP images are not supported. Send a still image.':
    'Animierte WebP-Bilder werden nicht unterstützt. Nehmen Sie ein unbewegtes Bild.',
  'The image measures {size}. Each side needs at least {least} pixels, and at least a {share}th of the other.':
    'Das Bild misst {size}. Jede Seite muss mindestens {least} Pixel lang sein und mindestens 1/{share} so lang wie die andere.',
  'The data URI must contain a base64 image, such as "{example},…".':
    'Die Daten-URI muss ein Bild in Base64 enthalten, etwa „{example},…“.',
  'The image must be base64, a data URI or an http(s) URL.':
    'Das Bild muss in Base64, als Daten-URI oder als http(s)-URL angegeben sein.',
  'The image URL took too long to answer.': 'Die URL des Bildes hat nicht rechtzeitig geantwortet.',
  'The image URL could not be fetched.': 'Die URL des Bildes ließ sich nicht abrufen.',
  'The image URL redirects too often.': 'Die URL des Bildes leitet zu oft weiter.',
  'The image URL answered with status {status}.': 'Die URL des Bildes hat mit Status {status} geantwortet.',
  'The image URL answered with a compressed body, which is not supported.':
    'Die URL des Bildes hat mit komprimierten Daten geantwortet; das wird nicht unterstützt.',
  'The video URL took too long to answer.': 'Die URL des Videos hat nicht rechtzeitig geantwortet.',
  'The video URL could not be fetched.': 'Die URL des Videos ließ sich nicht abrufen.',
  'The video URL redirects too often.': 'Die URL des Videos leitet zu oft weiter.',
  'The video URL answered with status {status}.': 'Die URL des Videos hat mit Status {status} geantwortet.',
  'The video is empty.': 'Das Video ist leer.',
  'The video is larger than {megabytes} MB.': 'Das Video ist größer als {megabytes} MB.',
  'The video is longer than {seconds} s.': 'Das Video ist länger als {seconds} s.',
  'The video is shorter than 0.5 s.': 'Das Video ist kürzer als 0,5 s.',
  'The video has more than 9.5 megapixels.': 'Das Video hat mehr als 9,5 Megapixel.',
  'The video must be an MP4, MOV or WebM file.': 'Das Video muss eine MP4-, MOV- oder WebM-Datei sein.',
  'The video is damaged and cannot be read.': 'Das Video ist beschädigt und nicht lesbar.',
  'The host name {host} was not found, or it does not lead to a public address. Check how it is spelt.':
    'Der Hostname {host} wurde nicht gefunden oder führt zu keiner öffentlichen Adresse. Prüfen Sie die Schreibweise.',
  'The URL must use http or https, contain no user name or password, and lead to a public address on port 80, 443 or above 1023.':
    'Die URL muss mit http oder https beginnen, darf weder Benutzernamen noch Passwort enthalten und muss zu einer öffentlichen Adresse führen, an Port 80, 443 oder über 1023.',

  // Backdrops of scenes.
  'The backdrop has {width} × {height} pixels, which is too few: send at least {least} on the shorter side.':
    'Der Hintergrund hat {width} × {height} Pixel, das sind zu wenige: Nehmen Sie mindestens {least} an der kürzeren Seite.',
  'The backdrop has {width} × {height} pixels: portrait pictures will look soft.':
    'Der Hintergrund hat {width} × {height} Pixel: Bilder im Hochformat werden etwas unscharf.',
  'The backdrop has {width} × {height} pixels: landscape pictures will look soft.':
    'Der Hintergrund hat {width} × {height} Pixel: Bilder im Querformat werden etwas unscharf.',
  'The backdrop has {width} × {height} pixels: square pictures will look soft.':
    'Der Hintergrund hat {width} × {height} Pixel: Quadratische Bilder werden etwas unscharf.',
  'The backdrop has {width} × {height} pixels: portrait and landscape pictures will look soft.':
    'Der Hintergrund hat {width} × {height} Pixel: Bilder im Hoch- und Querformat werden etwas unscharf.',
  'The backdrop has {width} × {height} pixels: portrait and square pictures will look soft.':
    'Der Hintergrund hat {width} × {height} Pixel: Quadratische Bilder und solche im Hochformat werden etwas unscharf.',
  'The backdrop has {width} × {height} pixels: landscape and square pictures will look soft.':
    'Der Hintergrund hat {width} × {height} Pixel: Quadratische Bilder und solche im Querformat werden etwas unscharf.',
  'The backdrop has {width} × {height} pixels: portrait and landscape and square pictures will look soft.':
    'Der Hintergrund hat {width} × {height} Pixel: Bilder in allen Formaten werden etwas unscharf.',
  'The backdrop of this scene is no longer there.': 'Der Hintergrund dieser Szene ist nicht mehr da.',
  'The files of this scene are no longer there.': 'Die Dateien dieser Szene sind nicht mehr da.',

  // Pictures that become templates, and their faces.
  'There is no face in this picture. Choose one that shows a face from the front.':
    'Auf diesem Bild ist kein Gesicht. Wählen Sie eines, das ein Gesicht von vorn zeigt.',
  'No face of this picture can be replaced. Choose one that shows a face large, whole and from the front.':
    'Kein Gesicht dieses Bildes lässt sich ersetzen. Wählen Sie eines, das ein Gesicht groß, ganz und von vorn zeigt.',
  'Some faces of this picture cannot be replaced.':
    'Manche Gesichter dieses Bildes lassen sich nicht ersetzen.',
  'There are several faces: the one that is most like the guest in age and gender is replaced.':
    'Es sind mehrere Gesichter: Ersetzt wird dasjenige, das dem Gast in Alter und Geschlecht am nächsten kommt.',
  'The picture has {width} × {height} pixels. Below {least} pixels on the shorter side, results are less sharp.':
    'Das Bild hat {width} × {height} Pixel. Unter {least} Pixeln an der kürzeren Seite werden die Ergebnisse weniger scharf.',
  'too small': 'zu klein',
  'too dark': 'zu dunkel',
  'turned away': 'abgewandt',
  'cut off': 'abgeschnitten',
  'eyes hidden': 'Augen verdeckt',

  // Checks of filters.
  'No engine that is there now makes such filters.':
    'Keine Engine, die gerade da ist, kann solche Filter ausführen.',
  'This photo could not be checked. Check again.':
    'Dieses Foto ließ sich nicht prüfen. Prüfen Sie noch einmal.',
  'The filter was deleted.': 'Der Filter wurde gelöscht.',
  'This filter cannot be tried.': 'Dieser Filter lässt sich nicht ausprobieren.',
  'This filter cannot be read. Save it again.': 'Dieser Filter ist nicht lesbar. Speichern Sie ihn neu.',
  'The photo of this filter is no longer there. Save it again.':
    'Das Foto dieses Filters ist nicht mehr da. Speichern Sie ihn neu.',
  'The scene of this filter is no longer there. Choose another one.':
    'Die Szene dieses Filters ist nicht mehr da. Wählen Sie eine andere.',
  'The filter with this UUID could not be loaded.': 'Der Filter mit dieser UUID ließ sich nicht laden.',
  'The template must show a face that is large, whole and seen from the front.':
    'Die Vorlage muss ein Gesicht groß, ganz und von vorn zeigen.',
  '{path}: must show a face that is large, whole and seen from the front.':
    '{path}: muss ein Gesicht groß, ganz und von vorn zeigen.',
  'The slot is for one person, and this filter is for groups: booths that call the slot for one person get an error.':
    'Der Slot ist für eine Person, dieser Filter aber für Gruppen: Fotoboxen, die den Slot für eine Person aufrufen, bekommen einen Fehler.',
  'The slot is for groups, and this filter is for one person: booths that call the slot for groups get an error.':
    'Der Slot ist für Gruppen, dieser Filter aber für eine Person: Fotoboxen, die den Slot für Gruppen aufrufen, bekommen einen Fehler.',

  // Workflows of ComfyUI.
  'This file was saved for the editor of ComfyUI. Export it with "Export (API)" and drop that file here.':
    'Diese Datei wurde für den Editor von ComfyUI gespeichert. Exportieren Sie den Workflow mit „Export (API)“, und ziehen Sie die neue Datei hierher.',
  'No node loads a photo, such as LoadImage.': 'Kein Knoten lädt ein Foto, etwa ein LoadImage.',
  'No node saves the result under a filename_prefix, such as SaveImage, or more than one does.':
    'Kein Knoten speichert das Ergebnis unter einem filename_prefix, etwa ein SaveImage, oder mehrere tun es.',
  'Node {id} ({type}) does not lead to the result and is left out.':
    'Knoten {id} ({type}) führt nicht zum Ergebnis und wird weggelassen.',
  'The workflow: must hold at least one node.': 'Der Workflow muss mindestens einen Knoten enthalten.',
  '{path}: must be a node id.': '{path}: muss die ID eines Knotens sein.',
  '{path}: links to node {node}, which is not there.':
    '{path}: verweist auf Knoten {node}, den es nicht gibt.',
  '{path}: is part of a circle.': '{path}: ist Teil eines Kreises.',
  '{path}: the workflow has no node {node}.': '{path}: der Workflow hat keinen Knoten {node}.',
  '{path}: node {node} ({type}) has no input {input}.':
    '{path}: Knoten {node} ({type}) hat keinen Eingang {input}.',
  '{path}: input {input} of node {node} is linked to another node.':
    '{path}: Eingang {input} von Knoten {node} ist mit einem anderen Knoten verbunden.',
  '{path}: node {node} does not lead to node {output}, which saves the result.':
    '{path}: Knoten {node} führt nicht zu Knoten {output}, der das Ergebnis speichert.',
  '{path}: node {node} is not the end of the graph.': '{path}: Knoten {node} ist nicht das Ende des Graphen.',
  '{path}: {type} shows its result and does not save it: use SaveImage.':
    '{path}: {type} zeigt das Ergebnis, speichert es aber nicht: Nehmen Sie SaveImage.',
  '{path}: node {node} ({type}) has no filename_prefix, so its file cannot be told.':
    '{path}: Knoten {node} ({type}) hat keinen filename_prefix, an dem seine Datei zu erkennen wäre.',
  '{path}: must name one place: runs with a custom filter have one photo.':
    '{path}: muss genau eine Stelle nennen: Aufträge mit eigenem Filter haben ein Foto.',
  '{path}: no engine of this server runs workflows: its operator adds a route with "nodes" to the engines file, as guise engines init writes it.':
    '{path}: Keine Engine dieses Servers führt Workflows aus: Sein Betreiber ergänzt in der Engine-Datei eine Route mit „nodes“, wie guise engines init sie schreibt.',
  '{path}: no engine of this server runs workflows for face swap: its operator adds a route with "nodes" to the engines file, as guise engines init writes it.':
    '{path}: Keine Engine dieses Servers führt Workflows für Face-Swap aus: Sein Betreiber ergänzt in der Engine-Datei eine Route mit „nodes“, wie guise engines init sie schreibt.',
  '{path}: no engine of this server runs workflows for multi swap: its operator adds a route with "nodes" to the engines file, as guise engines init writes it.':
    '{path}: Keine Engine dieses Servers führt Workflows für Multi-Swap aus: Sein Betreiber ergänzt in der Engine-Datei eine Route mit „nodes“, wie guise engines init sie schreibt.',
  '{path}: the server has no node {type}.': '{path}: der Server hat keinen Knoten {type}.',
  '{path}: {type} is a second output: node {node} must be the only one.':
    '{path}: {type} ist ein zweiter Ausgang: Knoten {node} muss der einzige sein.',
  '{path}: {type} saves nothing.': '{path}: {type} speichert nichts.',
  '{path}: is required.': '{path}: ist erforderlich.',
  '{path}: input {input} of {type} takes {wanted}, not a text.':
    '{path}: Eingang {input} von {type} erwartet {wanted}, keinen Text.',
  '{path}: takes output {slot} of a node that has {count}.':
    '{path}: verwendet Ausgang {slot} eines Knotens, der nur {count} hat.',
  '{path}: takes {wanted}, not {given}.': '{path}: erwartet {wanted}, nicht {given}.',
  '{path}: the server does not have {value}.': '{path}: der Server hat {value} nicht.',
  '{path}: is {number}, and must be at least {least}.':
    '{path}: ist {number}, muss aber mindestens {least} sein.',
  '{path}: is {number}, and must be at most {most}.':
    '{path}: ist {number}, darf aber höchstens {most} sein.',
};
