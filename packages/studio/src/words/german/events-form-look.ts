/** How an event looks, and how its pictures are printed and sent. */
export const eventsFormLook = {
  'Colours of the booth and of the guest’s page, and the shapes of pictures.':
    'Farben der Fotobox und der Gästeseite sowie die Formate der Bilder.',
  first: 'zuerst',
  'Choose at least one shape.': 'Wählen Sie mindestens ein Format.',
  'Pick background': 'Hintergrundfarbe wählen',
  Text: 'Text',
  'Pick text': 'Textfarbe wählen',
  Accent: 'Akzent',
  'Pick accent': 'Akzentfarbe wählen',
  'Booth default': 'Standard',
  'Enter a colour such as #1a2b3c.': 'Geben Sie eine Farbe wie #1a2b3c ein.',
  'No prints': 'Keine Ausdrucke',
  '4 × 6 in, one picture': '10 × 15 cm, ein Bild',
  '2 × 6 in, strip': '5 × 15 cm, Streifen',
  '4 × 6 in, two strips': '10 × 15 cm, zwei Streifen',
  'Square, 4 × 4 in': 'Quadrat, 10 × 10 cm',
  'A6, one picture': 'A6, ein Bild',
  'A5, one picture': 'A5, ein Bild',
  // Texts over pictures.
  'Texts over pictures': 'Texte auf Bildern',
  'Written over each picture, above the overlay of its shape. A text that would cover a face is left out. {name} and {date} are those of the event, {given} is what the guest gave as “name”.':
    'Stehen auf jedem Bild, über dem Overlay seines Formats. Ein Text, der ein Gesicht verdecken würde, entfällt. {name} und {date} stehen für Name und Datum des Events, {given} für das, was der Gast als „name“ angegeben hat.',
  'Text {number}': 'Text {number}',
  Place: 'Position',
  Below: 'Unten',
  'Below, left': 'Unten links',
  'Below, right': 'Unten rechts',
  Above: 'Oben',
  'As the interface says': 'Per API festgelegt',
  'Remove text {number}': 'Text {number} entfernen',
  'Text {number} is in the same place: choose another one.':
    'Text {number} hat dieselbe Position: Wählen Sie eine andere.',
  'Add a text': 'Text hinzufügen',
  'How the texts come out': 'So sehen die Texte aus',
  // The preview, and the print.
  Preview: 'Vorschau',
  'What guests will see, as you type. Pictures are samples.':
    'Das werden Gäste sehen. Die Vorschau ändert sich, während Sie tippen; die Bilder sind Beispiele.',
  Booth: 'Fotobox',
  'Name of the event': 'Name des Events',
  Start: 'Start',
  'Guest’s page': 'Gästeseite',
  Print: 'Ausdruck',
  'Print with the look of the event': 'Ausdruck im Look des Events',
  'Design the print yourself': 'Ausdruck selbst gestalten',
  'Use the usual layout': 'Übliches Layout verwenden',
  Paper: 'Papier',
  '4 × 6 in': '10 × 15 cm',
  'Two strips on 4 × 6 in': 'Zwei Streifen auf 10 × 15 cm',
  '2 × 6 in': '5 × 15 cm',
  'QR code': 'QR-Code',
  'Add picture': 'Bild hinzufügen',
  'Add text': 'Text hinzufügen',
  'Add QR code': 'QR-Code hinzufügen',
  'Which picture of the guest': 'Welches Bild des Gastes',
  '{name} and {date} are those of the event, {given} is what the guest gave as “name”.':
    '{name} und {date} stehen für Name und Datum des Events, {given} für das, was der Gast als „name“ angegeben hat.',
  '{name}: drag, or use the arrow keys; with Shift the size changes':
    '{name}: ziehen oder Pfeiltasten drücken; mit der Umschalttaste ändert sich die Größe',
  // Printing.
  'A printer that speaks IPP needs no driver: the server keeps a queue for it, and booths print without a dialog.':
    'Ein Drucker, der IPP beherrscht, braucht keinen Treiber: Der Server führt seine Warteschlange, und Fotoboxen drucken ohne Dialog.',
  'Print on': 'Drucken über',
  'The browser of the booth': 'Browser der Fotobox',
  'Copies per guest': 'Ausdrucke pro Gast',
  'Copies in all': 'Ausdrucke insgesamt',
  'A whole number, or empty.': 'Eine ganze Zahl oder leer.',
  'Print the QR code of the guest’s page': 'QR-Code der Gästeseite mitdrucken',
  'Add a printer': 'Drucker hinzufügen',
  'Name of the printer': 'Name des Druckers',
  'As the printer shows it, or ipp://localhost/printers/NAME of CUPS.':
    'Die Adresse, die der Drucker anzeigt, oder ipp://localhost/printers/NAME bei CUPS.',
  'Add it': 'Hinzufügen',
  // Mail.
  'Guests may enter an address on their page. It is used for this mail alone, and deleted with the picture.':
    'Gäste können auf ihrer Seite eine Adresse angeben. Sie wird nur für diese E-Mail verwendet und mit dem Bild gelöscht.',
  'Send pictures by mail': 'Bilder per E-Mail senden',
  'Subject ({language})': 'Betreff ({language})',
  'A language without a subject gets the mail of the first one that has.':
    'Fehlt einer Sprache der Betreff, gilt die E-Mail der ersten Sprache mit Betreff.',
  'Text ({language})': 'Text ({language})',
  'The link to the picture follows it.': 'Darunter folgt der Link zum Bild.',
  'Attach the picture': 'Bild anhängen',
} as const;
