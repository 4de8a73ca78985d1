/**
 * What a job did with its request, and why a picture came out fair. Names of the catalog, and words of the prompt, stay as
 * they are.
 */
export const noteSentences: Readonly<Record<string, string>> = {
  // Pictures that came out fair.
  'Something that belongs to nobody is in the picture.': 'Im Bild ist etwas, das zu niemandem gehört.',
  'Something of the photo’s background may have stayed with a person.':
    'An einer Person ist vielleicht etwas vom Hintergrund des Fotos geblieben.',
  'Somebody could not be told cleanly from the person beside, or a part of them is missing.':
    'Jemand ließ sich nicht sauber von der Person daneben trennen, oder ein Teil fehlt.',
  'The guest stood between others who hide their sides: arms may be missing.':
    'Der Gast stand zwischen anderen, die seine Seiten verdecken: Vielleicht fehlen Arme.',
  'A part of somebody may be missing.': 'Vielleicht fehlt ein Teil einer Person.',
  'An arm or a side of somebody may be missing.': 'Vielleicht fehlt ein Arm oder eine Seite einer Person.',
  'Somebody ends in a straight line, because the photo shows no more of them.':
    'Jemand ist in einer geraden Linie abgeschnitten, weil das Foto nicht mehr von der Person zeigt.',
  'A head is cut off by the border of the picture.': 'Ein Kopf ist vom Bildrand abgeschnitten.',
  'Others stood close to the guest: a part of the guest may be missing, or a part of them left.':
    'Andere standen dicht beim Gast: Vielleicht fehlt ein Teil des Gastes, oder von den anderen ist etwas übrig geblieben.',
  'Where people end could not be told for certain.':
    'Die Umrisse der Personen waren nicht sicher zu erkennen.',
  'The photo shows people small: enlarged, they look soft.':
    'Die Personen sind auf dem Foto klein: Vergrößert wirken sie unscharf.',
  'The edge of the face in the picture may be seen.':
    'Der Rand des Gesichts ist im Bild vielleicht zu sehen.',
  'Hair or a shadow hid a part of the face: it may show on the face in the picture.':
    'Haare oder ein Schatten haben einen Teil des Gesichts verdeckt: Im Bild ist das vielleicht zu sehen.',
  'Eyes, nose or mouth may not be where they belong.':
    'Augen, Nase oder Mund sind vielleicht nicht dort, wo sie hingehören.',
  'Hair may be cut off where it should fall over the costume.':
    'Haare sind vielleicht abgeschnitten, wo sie über das Kostüm fallen sollten.',
  'A hand or an arm beside a head may be cut off.':
    'Eine Hand oder ein Arm neben einem Kopf ist vielleicht abgeschnitten.',
  'Somebody in the picture may not look as in the photo.':
    'Jemand sieht im Bild vielleicht nicht so aus wie auf dem Foto.',
  'Somebody of the photo may be missing in the picture.': 'Jemand vom Foto fehlt vielleicht im Bild.',
  'Somebody is in the picture who is not in the photo.': 'Im Bild ist jemand, der nicht auf dem Foto ist.',

  // What was chosen otherwise than by its own words, or not followed. Of keys that begin alike the longer stands first.
  'scene: {title} (the prompt names none that is known)': 'Szene: {title} (der Prompt nennt keine bekannte)',
  'look: {name} (the prompt names none)': 'Look: {name} (der Prompt nennt keinen)',
  'look: {name} ({words}): nearest in meaning': 'Look: {name} ({words}): der Bedeutung nach am nächsten',
  'light: {name} ({words}): nearest in meaning': 'Licht: {name} ({words}): der Bedeutung nach am nächsten',
  'weather: {name} ({words}): nearest in meaning': 'Wetter: {name} ({words}): der Bedeutung nach am nächsten',
  'colours: {name} ({words}): nearest in meaning': 'Farben: {name} ({words}): der Bedeutung nach am nächsten',
  'costume: {title} (there is nobody to wear it)':
    'Kostüm: {title} (es ist niemand da, der es tragen könnte)',
  'costume: {title} (it is for up to {most} people, and there are {count})':
    'Kostüm: {title} (es ist für höchstens {most} Personen, und es sind {count})',
  'barrier: {name} (the photo shows too little of the bodies)':
    'Im Vordergrund: {name} (das Foto zeigt zu wenig von den Körpern)',
  'barrier: {name} (the scene has no floor below everybody)':
    'Im Vordergrund: {name} (die Szene hat nicht unter allen Personen Boden)',
  'arrangement: moved together (people stood far apart)':
    'Aufstellung: zusammengerückt (die Personen standen weit auseinander)',
  'arrangement: moved together (the group is wider than the picture)':
    'Aufstellung: zusammengerückt (die Gruppe ist breiter als das Bild)',
  'arrangement: full length (the group is wider than the picture)':
    'Aufstellung: in ganzer Größe (die Gruppe ist breiter als das Bild)',
  'arrangement: two rows (the group is wider than the picture)':
    'Aufstellung: zwei Reihen (die Gruppe ist breiter als das Bild)',
  'framing: as photographed (the photo shows too little below the face for another framing)':
    'Ausschnitt: wie fotografiert (das Foto zeigt unter dem Gesicht zu wenig für einen anderen Ausschnitt)',
  'framing: close portrait (the photo shows too little of the body for a smaller one)':
    'Ausschnitt: nahes Porträt (das Foto zeigt zu wenig vom Körper für ein kleineres)',
  'framing: closer (the lower body cannot be told from its background)':
    'Ausschnitt: enger (der Unterkörper hebt sich nicht vom Hintergrund ab)',
  'framing: closer (the outline further down is doubtful)':
    'Ausschnitt: enger (weiter unten ist der Umriss unsicher)',
  'mended: a part of the background is left out (it belonged to nobody)':
    'Nachgebessert: ein Teil des Hintergrunds ist weggelassen (er gehörte zu niemandem)',
  'mended: a loose part is left out (it belonged to nobody)':
    'Nachgebessert: ein loses Teil ist weggelassen (es gehörte zu niemandem)',
  'mended: people cut out again (their first outlines were doubtful)':
    'Nachgebessert: Personen neu freigestellt (ihre ersten Umrisse waren unsicher)',
  'mended: made again with another seed (the first picture did not show the guests as they are)':
    'Nachgebessert: noch einmal mit anderem Seed erzeugt (das erste Bild gab die Gäste nicht richtig wieder)',

  // Words of the prompt for what the catalog lacks, as a check, a job and the page of a try say it.
  '“{words}” will be ignored: not in the catalog; the picture has the nearest scene instead, {title}.':
    '„{words}“ wird nicht beachtet: nicht im Katalog; das Bild hat stattdessen die ähnlichste Szene, {title}.',
  '“{words}” will be ignored: not in the catalog; the nearest scene is {title}.':
    '„{words}“ wird nicht beachtet: nicht im Katalog; die ähnlichste Szene ist {title}.',
  '“{words}” will be ignored: not in the catalog; the picture has the nearest costume instead, {title}.':
    '„{words}“ wird nicht beachtet: nicht im Katalog; das Bild hat stattdessen das ähnlichste Kostüm, {title}.',
  '“{words}” will be ignored: not in the catalog; the nearest costume is {title}.':
    '„{words}“ wird nicht beachtet: nicht im Katalog; das ähnlichste Kostüm ist {title}.',
  '“{words}” will be ignored.': '„{words}“ wird nicht beachtet.',
  '{words}: not in the catalog; the picture has the nearest scene instead, {title}':
    '{words}: nicht im Katalog; das Bild hat stattdessen die ähnlichste Szene, {title}',
  '{words}: not in the catalog; the nearest scene is {title}':
    '{words}: nicht im Katalog; die ähnlichste Szene ist {title}',
  '{words}: not in the catalog; the picture has the nearest costume instead, {title}':
    '{words}: nicht im Katalog; das Bild hat stattdessen das ähnlichste Kostüm, {title}',
  '{words}: not in the catalog; the nearest costume is {title}':
    '{words}: nicht im Katalog; das ähnlichste Kostüm ist {title}',
  'not in the catalog; the picture has the nearest scene instead, {title}':
    'nicht im Katalog; das Bild hat stattdessen die ähnlichste Szene, {title}',
  'not in the catalog; the nearest scene is {title}': 'nicht im Katalog; die ähnlichste Szene ist {title}',
  'not in the catalog; the picture has the nearest costume instead, {title}':
    'nicht im Katalog; das Bild hat stattdessen das ähnlichste Kostüm, {title}',
  'not in the catalog; the nearest costume is {title}': 'nicht im Katalog; das ähnlichste Kostüm ist {title}',
  'prompt: nothing in the catalog fits it': 'Prompt: nichts im Katalog passt dazu',

  // Fields of the request.
  'the prompt': 'Prompt',
  'the filter': 'Filter',
  'the template': 'Vorlage',
  seed: 'Seed',
  outpaint: 'Foto erweitert',
  duration: 'Länge',
  gender: 'Geschlecht',
  'the prompt: the workflow of this filter does not take it':
    'Prompt: der Workflow dieses Filters verwendet ihn nicht',
  'the filter: the workflow of this filter does not take it': 'Filter: sein Workflow verwendet ihn nicht',
  'the template: the workflow of this filter does not take it':
    'Vorlage: der Workflow dieses Filters verwendet sie nicht',
  'seed: the workflow of this filter does not take it':
    'Seed: der Workflow dieses Filters verwendet ihn nicht',
  'outpaint: the workflow of this filter does not take it':
    'Foto erweitern: der Workflow dieses Filters tut das nicht',
  'duration: the workflow of this filter does not take it':
    'Länge: der Workflow dieses Filters verwendet sie nicht',
  'gender: the workflow of this filter does not take it':
    'Geschlecht: der Workflow dieses Filters verwendet es nicht',
  'seed: the picture service does not take it': 'Seed: der Bilddienst verwendet ihn nicht',
  'outpaint: the picture service does not take it': 'Foto erweitern: der Bilddienst tut das nicht',
  'duration: the picture service does not take it': 'Länge: der Bilddienst verwendet sie nicht',
  '{field}: this server does not use it': '{field}: dieser Server verwendet das nicht',
  '{field}: this endpoint does not use it': '{field}: dieser Endpunkt verwendet das nicht',
  '{field}: only its first photo is used': '{field}: nur das erste Foto wird verwendet',
  'duration: the video has {seconds} s': 'Länge: das Video hat {seconds} s',
  'duration: the model makes {made} s of motion, which are slowed down to {wanted} s':
    'Länge: das Modell erzeugt {made} s Bewegung, die auf {wanted} s verlangsamt werden',
  'all photos but the first: without a scene there is nothing to join them in':
    'alle Fotos außer dem ersten: ohne Szene gibt es nichts, worin sie sich verbinden lassen',
  'pictures look best with up to {most} people; there are {count}':
    'Bilder sehen mit bis zu {most} Personen am besten aus; es sind {count}',
  'cropped to {size}': 'zugeschnitten auf {size}',
  template: 'Vorlage',
  'overlay: portrait (it would cover a face)': 'Overlay: Hochformat (es würde ein Gesicht verdecken)',
  'overlay: portrait (the event has none for pictures of this shape)':
    'Overlay: Hochformat (das Event hat keines für dieses Format)',
  'overlay: portrait': 'Overlay: Hochformat',
  'overlay: landscape (it would cover a face)': 'Overlay: Querformat (es würde ein Gesicht verdecken)',
  'overlay: landscape (the event has none for pictures of this shape)':
    'Overlay: Querformat (das Event hat keines für dieses Format)',
  'overlay: landscape': 'Overlay: Querformat',
  'overlay: square (it would cover a face)': 'Overlay: Quadrat (es würde ein Gesicht verdecken)',
  'overlay: square (the event has none for pictures of this shape)':
    'Overlay: Quadrat (das Event hat keines für dieses Format)',
  'overlay: square': 'Overlay: Quadrat',
  'overlay: video (overlays are laid over pictures alone)':
    'Overlay: Video (Overlays kommen nur über Bilder)',
  'made by the {engine} engine, because the picture of {name} did not show the guests as they are, and the picture of {other} did not show the guests as they are':
    'erzeugt von der Engine {engine}, denn das Bild von {name} gab die Gäste nicht richtig wieder, und das Bild von {other} auch nicht',
  'made by the {engine} engine, because the picture of {name} did not show the guests as they are, and {other} could not':
    'erzeugt von der Engine {engine}, denn das Bild von {name} gab die Gäste nicht richtig wieder, und {other} konnte es nicht',
  'made by the {engine} engine, because {name} could not, and the picture of {other} did not show the guests as they are':
    'erzeugt von der Engine {engine}, denn {name} konnte es nicht, und das Bild von {other} gab die Gäste nicht richtig wieder',
  'made by the {engine} engine, because {name} could not, and {other} could not':
    'erzeugt von der Engine {engine}, denn {name} konnte es nicht, und {other} konnte es auch nicht',
  'made by the {engine} engine, because the picture of {name} did not show the guests as they are':
    'erzeugt von der Engine {engine}, denn das Bild von {name} gab die Gäste nicht richtig wieder',
  'made by the {engine} engine, because {name} could not':
    'erzeugt von der Engine {engine}, denn {name} konnte es nicht',
  'video of one shot: no other shot goes together with it':
    'Video aus einer Aufnahme: keine andere passt zu ihr',

  // Moving pictures.
  'morphed between the two photos': 'vom einen Foto ins andere gemorpht',
  'morph: the frames have too little in common': 'Morphen: die Bilder haben zu wenig gemeinsam',
  'transition: dissolve (as the prompt asks)': 'Übergang: Überblendung (wie im Prompt gewünscht)',
  'transition: dissolve (the frames have too little in common to morph)':
    'Übergang: Überblendung (die Bilder haben zum Morphen zu wenig gemeinsam)',
  'transition: light leak, dissolve (as the prompt asks)':
    'Übergang: Lichteinfall, Überblendung (wie im Prompt gewünscht)',
  'transition: light leak, dissolve (the frames have too little in common to morph)':
    'Übergang: Lichteinfall, Überblendung (die Bilder haben zum Morphen zu wenig gemeinsam)',
  'transition: zoom matched on the faces, light leak, dissolve (as the prompt asks)':
    'Übergang: Zoom von Gesicht zu Gesicht, Lichteinfall, Überblendung (wie im Prompt gewünscht)',
  'transition: zoom matched on the faces, light leak, dissolve (the frames have too little in common to morph)':
    'Übergang: Zoom von Gesicht zu Gesicht, Lichteinfall, Überblendung (die Bilder haben zum Morphen zu wenig gemeinsam)',
  'transition: {name} ({words}): only between two frames':
    'Übergang: {name} ({words}): nur zwischen zwei Bildern',
  'camera: {move} (the prompt names no move), without depth':
    'Kamera: {move} (der Prompt nennt keine Bewegung), ohne Tiefe',
  'camera: {move} ({words}), without depth': 'Kamera: {move} ({words}), ohne Tiefe',
  'camera: {move} (the prompt names no move)': 'Kamera: {move} (der Prompt nennt keine Bewegung)',
  'camera: {move} ({words}): the two frames say where the camera goes':
    'Kamera: {move} ({words}): die beiden Bilder bestimmen den Weg der Kamera',
  'speed: slow ({words}): the two frames say where the camera goes':
    'Tempo: langsam ({words}): die beiden Bilder bestimmen den Weg der Kamera',
  'speed: slow ({words})': 'Tempo: langsam ({words})',
  'speed: fast ({words}): the two frames say where the camera goes':
    'Tempo: schnell ({words}): die beiden Bilder bestimmen den Weg der Kamera',
  'speed: fast ({words})': 'Tempo: schnell ({words})',
  'effect: {name} ({words}): not with the model simple':
    'Effekt: {name} ({words}): nicht mit dem Modell simple',
  'effect: {name} ({words}): not between two frames': 'Effekt: {name} ({words}): nicht zwischen zwei Bildern',
  'effect: {name} ({words}): nobody was found to be in it':
    'Effekt: {name} ({words}): dafür war niemand zu finden',
  'gesture: {name} ({words}): not with the model simple':
    'Geste: {name} ({words}): nicht mit dem Modell simple',
  'gesture: {name} ({words}): not between two frames': 'Geste: {name} ({words}): nicht zwischen zwei Bildern',
  'gesture: {name} ({words}): nobody was found to do it':
    'Geste: {name} ({words}): dafür war niemand zu finden',
  'gesture: {name} ({words}): not by {count} of the people, because there are more than {most} people':
    'Geste: {name} ({words}): nicht bei {count} der Personen, denn es sind mehr als {most} Personen',
  'gesture: {name} ({words}): not by {count} of the people, because the face is too small':
    'Geste: {name} ({words}): nicht bei {count} der Personen, denn das Gesicht ist zu klein',
  'gesture: {name} ({words}): not by {count} of the people, because the head is turned away':
    'Geste: {name} ({words}): nicht bei {count} der Personen, denn der Kopf ist abgewandt',
  'gesture: {name} ({words}): not by {count} of the people, because the head is cut by the picture’s border':
    'Geste: {name} ({words}): nicht bei {count} der Personen, denn der Kopf ist vom Bildrand abgeschnitten',
  'gesture: {name} ({words}): not by {count} of the people, because heads touch':
    'Geste: {name} ({words}): nicht bei {count} der Personen, denn Köpfe berühren sich',
  'gesture: {name} ({words}): not by {count} of the people, because the mouth is open, and teeth would have to be invented':
    'Geste: {name} ({words}): nicht bei {count} der Personen, denn der Mund ist offen, und Zähne müssten erfunden werden',
  'gesture: {name} ({words}): not by {count} of the people, because the mouth is covered':
    'Geste: {name} ({words}): nicht bei {count} der Personen, denn der Mund ist verdeckt',
  'gesture: {name} ({words}): there are more than {most} people':
    'Geste: {name} ({words}): es sind mehr als {most} Personen',
  'gesture: {name} ({words}): the face is too small': 'Geste: {name} ({words}): das Gesicht ist zu klein',
  'gesture: {name} ({words}): the head is turned away': 'Geste: {name} ({words}): der Kopf ist abgewandt',
  'gesture: {name} ({words}): the head is cut by the picture’s border':
    'Geste: {name} ({words}): der Kopf ist vom Bildrand abgeschnitten',
  'gesture: {name} ({words}): heads touch': 'Geste: {name} ({words}): Köpfe berühren sich',
  'gesture: {name} ({words}): the mouth is open, and teeth would have to be invented':
    'Geste: {name} ({words}): der Mund ist offen, und Zähne müssten erfunden werden',
  'gesture: {name} ({words}): the mouth is covered': 'Geste: {name} ({words}): der Mund ist verdeckt',
  'effect: {name}, light ({words})': 'Effekt: {name}, leicht ({words})',
  'effect: {name}, strong ({words})': 'Effekt: {name}, stark ({words})',
  'gesture: {name}, light ({words})': 'Geste: {name}, leicht ({words})',
  'gesture: {name}, strong ({words})': 'Geste: {name}, stark ({words})',

  // Reasons alone, beside the words that they are about.
  'not with the model simple': 'nicht mit dem Modell simple',
  'only between two frames': 'nur zwischen zwei Bildern',
  'not between two frames': 'nicht zwischen zwei Bildern',
  'the two frames say where the camera goes': 'die beiden Bilder bestimmen den Weg der Kamera',

  // What a check says of the fields of a filter; here, because the next keys would take it for a choice.
  '{field}: must be one of {names}.': '{field}: möglich sind nur {names}.',
  '{field}: this server has none.': '{field}: dieser Server hat keine.',
  '{field}: must be a scene that is there: this account has none with this id.':
    '{field}: Dieses Konto hat keine Szene mit dieser ID.',

  // The rest, by its kind.
  'scene: {title}': 'Szene: {title}',
  'costume: {title}': 'Kostüm: {title}',
  'look: {name}': 'Look: {name}',
  'light: {name}': 'Licht: {name}',
  'weather: {name}': 'Wetter: {name}',
  'palette: {name}': 'Palette: {name}',
  'colours: {name}': 'Farben: {name}',
  'camera: {move}': 'Kamera: {move}',
  'effect: {name}': 'Effekt: {name}',
  'gesture: {name}': 'Geste: {name}',
  'transition: {name}': 'Übergang: {name}',
  'no {thing}': 'ohne {thing}',
};
