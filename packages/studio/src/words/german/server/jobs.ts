/** Why a job failed, or was not taken, and what its webhook was answered. */
export const jobSentences: Readonly<Record<string, string>> = {
  // The photo.
  'This needs a photo.': 'Dafür ist ein Foto nötig.',
  'The photo cannot be read.': 'Das Foto ist nicht lesbar.',
  'The photo cannot be used.': 'Das Foto lässt sich nicht verwenden.',
  'The photo cannot be read. Send a JPEG, PNG or WebP photo of at most 25 megapixels.':
    'Das Foto ist nicht lesbar. Nehmen Sie ein JPEG, PNG oder WebP mit höchstens 25 Megapixeln.',
  'A photo that this job needs is no longer there.': 'Ein Foto, das der Auftrag braucht, ist nicht mehr da.',
  'The photo is too dark. Turn on a light and try again.':
    'Das Foto ist zu dunkel. Schalten Sie Licht ein, und versuchen Sie es noch einmal.',
  'No face was found in the photo. Face the camera and try again.':
    'Auf dem Foto ist kein Gesicht zu finden. Schauen Sie in die Kamera, und versuchen Sie es noch einmal.',
  'The face in the photo is too small. Come closer to the camera and try again.':
    'Das Gesicht auf dem Foto ist zu klein. Kommen Sie näher an die Kamera, und versuchen Sie es noch einmal.',
  'The face in the photo is too small. Come closer and try again.':
    'Das Gesicht auf dem Foto ist zu klein. Kommen Sie näher, und versuchen Sie es noch einmal.',
  'The face in the photo is too dark. Turn on a light and try again.':
    'Das Gesicht auf dem Foto ist zu dunkel. Schalten Sie Licht ein, und versuchen Sie es noch einmal.',
  'More than {counted} people were counted in the photo, and a picture is made of up to {most}. Take two photos of smaller groups.':
    'Auf dem Foto sind zu viele Personen (mehr als {counted}); ein Bild entsteht aus höchstens {most}. Machen Sie zwei Fotos von kleineren Gruppen.',
  '{counted} people were counted in the photo, and a picture is made of up to {most}. Take two photos of smaller groups.':
    'Auf dem Foto sind zu viele Personen (gezählt: {counted}); ein Bild entsteht aus höchstens {most}. Machen Sie zwei Fotos von kleineren Gruppen.',
  '{count} people were found in the photos. Several photos become one picture of up to {most} people. Send fewer photos.':
    'Auf den Fotos sind {count} Personen. Aus mehreren Fotos entsteht ein Bild von höchstens {most} Personen. Nehmen Sie weniger Fotos.',
  'This is for one person, and there are more in the photo. Choose something for groups, or come alone.':
    'Das ist für eine einzelne Person, aber auf dem Foto sind mehrere. Wählen Sie etwas für Gruppen, oder kommen Sie allein.',
  'One of the photos shows too little of the person. Step back from the camera and try again.':
    'Eines der Fotos zeigt zu wenig von der Person. Gehen Sie etwas zurück, und versuchen Sie es noch einmal.',
  'The people in the photo do not fit into this format. Step back from the camera, or use the landscape format.':
    'Die Personen auf dem Foto passen nicht in dieses Format. Gehen Sie etwas zurück, oder nehmen Sie das Querformat.',
  'The photo is too close for this format. Step back from the camera, or use the portrait format.':
    'Das Foto ist für dieses Format zu nah aufgenommen. Gehen Sie etwas zurück, oder nehmen Sie das Hochformat.',
  'The person cannot be told from the background. Stand in front of a calmer background and try again.':
    'Die Person hebt sich nicht vom Hintergrund ab. Stellen Sie sich vor einen ruhigeren Hintergrund, und versuchen Sie es noch einmal.',
  'Somebody’s head or body cannot be told from the background. Stand where it is brighter, or in front of a calmer background, and try again.':
    'Ein Kopf oder Körper hebt sich nicht vom Hintergrund ab. Stellen Sie sich dorthin, wo es heller ist, oder vor einen ruhigeren Hintergrund, und versuchen Sie es noch einmal.',
  'The photo shows too little of you. Step back from the camera, into the middle of the picture, and try again.':
    'Das Foto zeigt zu wenig von Ihnen. Gehen Sie etwas zurück und in die Bildmitte, und versuchen Sie es noch einmal.',
  'You cannot be told from the people beside you. Take it again with nobody touching you, in front of a plain wall.':
    'Sie heben sich nicht von den Personen neben Ihnen ab. Nehmen Sie das Foto noch einmal vor einer einfarbigen Wand auf, ohne dass jemand Sie berührt.',
  'You cannot be told cleanly from what is around you. Come closer to the camera, in front of a plain wall, and try again.':
    'Sie heben sich nicht sauber von Ihrer Umgebung ab. Stellen Sie sich vor eine einfarbige Wand, näher an die Kamera, und versuchen Sie es noch einmal.',
  'The photos are too large together. Send fewer or smaller ones.':
    'Die Fotos sind zusammen zu groß. Nehmen Sie weniger oder kleinere.',
  'The photo measures {size}. Each side needs at least {least} pixels, and at least a {share}th of the other.':
    'Das Foto misst {size}. Jede Seite muss mindestens {least} Pixel lang sein und mindestens 1/{share} so lang wie die andere.',
  'Photo {number} measures {size} and the first {other}. The photos of a burst must have one size.':
    'Foto {number} misst {size}, das erste {other}. Die Fotos einer Serie müssen gleich groß sein.',

  // The face and the head.
  'Your head does not come out well in this costume. Put your hands down, hold your head upright with your hair behind your shoulders and try again.':
    'Ihr Kopf lässt sich so nicht gut in dieses Kostüm einsetzen. Nehmen Sie die Hände herunter, halten Sie den Kopf gerade, legen Sie die Haare hinter die Schultern, und versuchen Sie es noch einmal.',
  'Your face does not come out well in this filter. Free your face of hair, look at the camera in an even light and try again.':
    'Ihr Gesicht lässt sich so nicht gut in diesen Filter einsetzen. Streichen Sie die Haare aus dem Gesicht, schauen Sie bei gleichmäßigem Licht in die Kamera, und versuchen Sie es noch einmal.',
  'Your face is partly covered or lit in several colours. Free your face, find an even light and try again.':
    'Ihr Gesicht ist teilweise verdeckt oder in verschiedenen Farben beleuchtet. Machen Sie das Gesicht frei, suchen Sie gleichmäßiges Licht, und versuchen Sie es noch einmal.',
  'Your face in the photo is too small for this filter. Come closer to the camera and try again.':
    'Ihr Gesicht auf dem Foto ist zu klein für diesen Filter. Kommen Sie näher an die Kamera, und versuchen Sie es noch einmal.',
  'Your face in the photo is too dark for this filter. Turn on a light and try again.':
    'Ihr Gesicht auf dem Foto ist zu dunkel für diesen Filter. Schalten Sie Licht ein, und versuchen Sie es noch einmal.',
  'Your face is cut off by the edge of the photo. Move to the middle and try again.':
    'Ihr Gesicht ist am Rand des Fotos abgeschnitten. Gehen Sie in die Mitte, und versuchen Sie es noch einmal.',
  'The light behind you washes out your face. Turn around, come closer and try again.':
    'Das Licht hinter Ihnen überstrahlt Ihr Gesicht. Drehen Sie sich um, kommen Sie näher, und versuchen Sie es noch einmal.',
  'Your eyes cannot be seen. Take off dark glasses, look at the camera and try again.':
    'Ihre Augen sind nicht zu sehen. Nehmen Sie die dunkle Brille ab, schauen Sie in die Kamera, und versuchen Sie es noch einmal.',
  'Your head is turned another way than the one in this filter. Turn it a little to your left and try again.':
    'Ihr Kopf ist anders gedreht als der in diesem Filter. Drehen Sie ihn etwas nach links, und versuchen Sie es noch einmal.',
  'Your head is turned another way than the one in this filter. Turn it a little to your right and try again.':
    'Ihr Kopf ist anders gedreht als der in diesem Filter. Drehen Sie ihn etwas nach rechts, und versuchen Sie es noch einmal.',
  'Your head is turned another way than the one in this filter. Turn it a little up and try again.':
    'Ihr Kopf ist anders geneigt als der in diesem Filter. Heben Sie ihn etwas, und versuchen Sie es noch einmal.',
  'Your head is turned another way than the one in this filter. Turn it a little down and try again.':
    'Ihr Kopf ist anders geneigt als der in diesem Filter. Senken Sie ihn etwas, und versuchen Sie es noch einmal.',
  'The face in the photo is too small for a costume. Come closer to the camera and try again.':
    'Das Gesicht auf dem Foto ist zu klein für ein Kostüm. Kommen Sie näher an die Kamera, und versuchen Sie es noch einmal.',
  'The head is turned too far to the side for a costume. Look at the camera and try again.':
    'Der Kopf ist für ein Kostüm zu weit zur Seite gedreht. Schauen Sie in die Kamera, und versuchen Sie es noch einmal.',
  'There is a hand on the head. Put your hands down and try again.':
    'Eine Hand liegt am Kopf. Nehmen Sie die Hände herunter, und versuchen Sie es noch einmal.',
  'The head is cut off at the side of the photo. Step back from the camera and try again.':
    'Der Kopf ist am Rand des Fotos abgeschnitten. Gehen Sie etwas zurück, und versuchen Sie es noch einmal.',
  'The top of the head is outside the photo. Step back from the camera and try again.':
    'Der Kopf ist oben abgeschnitten. Gehen Sie etwas zurück, und versuchen Sie es noch einmal.',

  // Bursts and living portraits.
  'A living portrait lasts 2 to 6 seconds.': 'Ein lebendes Porträt dauert 2 bis 6 Sekunden.',
  'A living portrait is made of {fewest} to {most} shots, and there is 1.':
    'Ein lebendes Porträt entsteht aus {fewest} bis {most} Aufnahmen; es ist nur eine.',
  'A living portrait is made of {fewest} to {most} shots, and there are {count}.':
    'Ein lebendes Porträt entsteht aus {fewest} bis {most} Aufnahmen; es sind {count}.',
  'It shows somebody other than the first shot.': 'Sie zeigt jemand anderen als die erste Aufnahme.',
  'People stand before each other in another way than in the first shot.':
    'Die Personen verdecken einander anders als in der ersten Aufnahme.',
  'It shows one person, and the first shot {count} people.':
    'Sie zeigt eine Person, die erste Aufnahme dagegen {count}.',
  'It shows {count} people, and the first shot one person.':
    'Sie zeigt {count} Personen, die erste Aufnahme dagegen eine.',
  'It shows {count} people, and the first shot {others} people.':
    'Sie zeigt {count} Personen, die erste Aufnahme dagegen {others}.',
  'people moved too far from where they are in the shot before it':
    'Die Personen haben sich seit der Aufnahme davor zu weit bewegt',

  // The filter and what it asks for.
  'This filter needs a remote engine, and none is connected.':
    'Dieser Filter braucht eine Engine auf einem anderen Rechner, aber keine ist verbunden.',
  'The request has neither a filter nor a prompt.': 'Die Anfrage hat weder einen Filter noch einen Prompt.',
  'The catalog has no scenes.': 'Der Katalog hat keine Szenen.',
  'The catalog has no scene called {name}.': 'Der Katalog hat keine Szene {name}.',
  'The catalog has no costume called {name}.': 'Der Katalog hat kein Kostüm {name}.',
  'The catalog has no light called {name}.': 'Der Katalog hat kein Licht {name}.',
  'The catalog has no weather called {name}.': 'Der Katalog hat kein Wetter {name}.',
  'The catalog has no palette called {name}.': 'Der Katalog hat keine Palette {name}.',
  'There is no look called {name}.': 'Den Look {name} gibt es nicht.',
  'The picture of this filter shows no face. Choose another filter.':
    'Das Bild dieses Filters zeigt kein Gesicht. Wählen Sie einen anderen Filter.',
  'The picture of this filter shows a face that is too small. Choose another filter.':
    'Das Bild dieses Filters zeigt ein zu kleines Gesicht. Wählen Sie einen anderen Filter.',
  'The picture of this filter is too dark. Choose another filter.':
    'Das Bild dieses Filters ist zu dunkel. Wählen Sie einen anderen Filter.',
  'The picture of this filter shows too many people. Choose another filter.':
    'Das Bild dieses Filters zeigt zu viele Personen. Wählen Sie einen anderen Filter.',
  'The face in the template picture is too small. Choose another filter.':
    'Das Gesicht im Vorlagenbild ist zu klein. Wählen Sie einen anderen Filter.',
  'The face in the template picture looks too far to the side. Choose another filter.':
    'Das Gesicht im Vorlagenbild schaut zu weit zur Seite. Wählen Sie einen anderen Filter.',
  'The face in the template picture does not show its eyes. Choose another filter.':
    'Beim Gesicht im Vorlagenbild sind die Augen nicht zu sehen. Wählen Sie einen anderen Filter.',
  'The face in the template picture is covered. Choose another filter.':
    'Das Gesicht im Vorlagenbild ist verdeckt. Wählen Sie einen anderen Filter.',
  'This server has no workflow for this job.': 'Dieser Server hat keinen Workflow für diesen Auftrag.',
  'This server does not run nodes of the class {name}.':
    'Dieser Server führt keine Knoten der Klasse {name} aus.',
  'The workflow of this filter takes one photo.': 'Der Workflow dieses Filters verarbeitet genau ein Foto.',
  'The workflow of this filter takes {count} photos.':
    'Der Workflow dieses Filters verarbeitet genau {count} Fotos.',
  'The workflow of this filter failed on this photo. Try another photo.':
    'Der Workflow dieses Filters ist an diesem Foto gescheitert. Versuchen Sie es mit einem anderen Foto.',
  'The workflow of this filter failed. Choose another filter.':
    'Der Workflow dieses Filters ist fehlgeschlagen. Wählen Sie einen anderen Filter.',
  'The workflow of this filter does not run on the GPU servers of this installation.':
    'Der Workflow dieses Filters läuft auf den GPU-Servern dieser Installation nicht.',
  'The workflow of this filter left no file to fetch.':
    'Der Workflow dieses Filters hat keine Datei hinterlassen.',

  // The server and its queue.
  'The job was cancelled.': 'Der Auftrag wurde abgebrochen.',
  'The job took longer than it may and was stopped.':
    'Der Auftrag hat länger gedauert als erlaubt und wurde abgebrochen.',
  'The server can no longer read this job. Submit it again.':
    'Der Server kann diesen Auftrag nicht mehr lesen. Starten Sie ihn noch einmal.',
  'Something went wrong on the server while making this.': 'Dabei ist auf dem Server ein Fehler aufgetreten.',
  'The server was stopped again and again while making this.':
    'Der Server wurde dabei immer wieder angehalten.',
  'This server has no engine for this kind of job yet.':
    'Dieser Server hat noch keine Engine für solche Aufträge.',
  'This server has no engine that finds faces.': 'Dieser Server hat keine Engine, die Gesichter findet.',
  'Photos stay on this installation here, and nothing on it makes this. Choose another style.':
    'Fotos verlassen diese Installation nicht, und die Installation selbst kann das nicht erzeugen. Wählen Sie einen anderen Stil.',
  'The queue is full. Retry after 10 s.':
    'Die Warteschlange ist voll. Versuchen Sie es in 10 Sekunden noch einmal.',
  'This account has {limit} jobs waiting, as many as may wait. Retry after 10 s.':
    'Von diesem Konto warten {limit} Aufträge, mehr dürfen es nicht sein. Versuchen Sie es in 10 Sekunden noch einmal.',
  'Jobs of this account that failed took {seconds} s of the last 10 minutes. Retry after {wait} s.':
    'Fehlgeschlagene Aufträge dieses Kontos haben in den letzten 10 Minuten {seconds} s gedauert. Versuchen Sie es in {wait} s noch einmal.',
  'The picture could not be worked on now. Retry after 2 s.':
    'Das Bild lässt sich gerade nicht bearbeiten. Versuchen Sie es in 2 Sekunden noch einmal.',
  'This could not be made.': 'Das ist nicht gelungen.',
  'This needed more memory than the server allows and was stopped.':
    'Dafür war mehr Speicher nötig, als der Server erlaubt; es wurde abgebrochen.',
  'The engine is being stopped.': 'Die Engine wird gerade angehalten.',
  'The engine stopped in the middle of the work.': 'Die Engine hat sich mitten in der Arbeit beendet.',
  'The engine stopped answering in the middle of the work.':
    'Die Engine antwortete mitten in der Arbeit nicht mehr.',
  'The engine did not make a picture.': 'Die Engine hat kein Bild erzeugt.',
  'The engine made a black picture.': 'Die Engine hat ein schwarzes Bild erzeugt.',
  'The engine made a picture of an unusable shape.':
    'Die Engine hat ein Bild in einem unbrauchbaren Format erzeugt.',
  'The engine made a picture that cannot be read.': 'Die Engine hat ein unlesbares Bild erzeugt.',
  'The engine made a video that cannot be read.': 'Die Engine hat ein unlesbares Video erzeugt.',
  'The engine made a file that is far too large.': 'Die Engine hat eine viel zu große Datei erzeugt.',
  'The engine did not make a file of type {type}.': 'Die Engine hat keine Datei vom Typ {type} erzeugt.',
  'Decoding the picture took too long.': 'Das Dekodieren des Bildes hat zu lange gedauert.',
  'Laying the overlay over the picture took too long.': 'Das Auflegen des Overlays hat zu lange gedauert.',
  'The video could not be encoded.': 'Das Video ließ sich nicht kodieren.',
  'Videos cannot be finished on this server: ffmpeg does not start.':
    'Videos lassen sich auf diesem Server nicht fertigstellen: ffmpeg startet nicht.',
  'This server cannot make videos: it has no working ffmpeg with H.264. Install ffmpeg, or run npm ci or install Guise again.':
    'Dieser Server kann keine Videos erstellen: Ihm fehlt ein funktionierendes ffmpeg mit H.264. Installieren Sie ffmpeg, führen Sie npm ci aus, oder installieren Sie Guise neu.',

  // GPU servers, services and other servers.
  'No GPU server can be reached right now. Try again in a while.':
    'Gerade ist kein GPU-Server zu erreichen. Versuchen Sie es später noch einmal.',
  'The GPU servers of this installation are too old.': 'Die GPU-Server dieser Installation sind zu alt.',
  'The GPU servers did not take the job.': 'Die GPU-Server haben den Auftrag nicht angenommen.',
  'The GPU servers did not get to this job in time.':
    'Die GPU-Server sind nicht rechtzeitig zu diesem Auftrag gekommen.',
  'The GPU server stopped answering.': 'Der GPU-Server antwortet nicht mehr.',
  'The GPU server lost this job again and again.': 'Der GPU-Server hat diesen Auftrag immer wieder verloren.',
  'The GPU server did not answer as it should.': 'Der GPU-Server hat nicht wie erwartet geantwortet.',
  'The GPU could not finish this job.': 'Die GPU konnte diesen Auftrag nicht fertigstellen.',
  'The photo did not reach the GPU server.': 'Das Foto hat den GPU-Server nicht erreicht.',
  'The rented GPU did not get to this job in time.':
    'Die gemietete GPU ist nicht rechtzeitig zu diesem Auftrag gekommen.',
  'The rented GPU took longer than it may.': 'Die gemietete GPU hat länger gebraucht als erlaubt.',
  'The rented GPU did not answer as it should.': 'Die gemietete GPU hat nicht wie erwartet geantwortet.',
  'The job was cancelled at the rented GPU.': 'Der Auftrag wurde bei der gemieteten GPU abgebrochen.',
  'The result could not be fetched from where the rented GPU put it.':
    'Das Ergebnis ließ sich dort nicht abrufen, wo die gemietete GPU es abgelegt hat.',
  'The picture service refused this photo or these words. Try another photo, or choose another style.':
    'Der Bilddienst hat dieses Foto oder diesen Text abgelehnt. Versuchen Sie es mit einem anderen Foto oder einem anderen Stil.',
  'The picture service refused the picture that it made. Try again, or choose another style.':
    'Der Bilddienst hat sein eigenes Bild abgelehnt. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Stil.',
  'The picture service could not use this photo.': 'Der Bilddienst konnte dieses Foto nicht verwenden.',
  'The picture service has too much to do right now.': 'Der Bilddienst hat gerade zu viel zu tun.',
  'The picture service did not answer as it should.': 'Der Bilddienst hat nicht wie erwartet geantwortet.',
  'The picture service of this installation cannot be used right now.':
    'Der Bilddienst dieser Installation ist gerade nicht verfügbar.',
  'The result could not be fetched from the picture service.':
    'Das Ergebnis ließ sich nicht vom Bilddienst abrufen.',
  'The other server cannot be reached right now.': 'Der andere Server ist gerade nicht zu erreichen.',
  'The other server no longer knows this job.': 'Der andere Server kennt diesen Auftrag nicht mehr.',
  'The other server could not make this.': 'Dem anderen Server ist das nicht gelungen.',
  'The other server gave no result.': 'Der andere Server hat kein Ergebnis geliefert.',
  'The other server hands this job on to this one.':
    'Der andere Server gibt diesen Auftrag an diesen Server weiter.',
  'The other server refuses our key.': 'Der andere Server lehnt unseren Schlüssel ab.',
  'The other server does not take this job.': 'Der andere Server nimmt diesen Auftrag nicht an.',
  'The result could not be fetched from the other server.':
    'Das Ergebnis ließ sich nicht vom anderen Server abrufen.',
  'Our account on the other server has no credits left.':
    'Unser Konto auf dem anderen Server hat keine Credits mehr.',
  'This job names no filter.': 'Der Auftrag nennt keinen Filter.',
  'A look alone is no custom filter.': 'Ein Look allein ist kein eigener Filter.',
  'A scene of an account is known only here.': 'Die Szene eines Kontos ist nur hier bekannt.',

  // Jobs that are refused when they are submitted, retried or erased.
  'There is no filter with this id.': 'Einen Filter mit dieser ID gibt es nicht.',
  'This filter is not available for groups.': 'Diesen Filter gibt es nicht für Gruppen.',
  'This filter is not available for single persons.': 'Diesen Filter gibt es nicht für einzelne Personen.',
  'This filter cannot be used for face swap.': 'Dieser Filter lässt sich nicht für Face-Swap verwenden.',
  'This filter cannot be used for multi swap.': 'Dieser Filter lässt sich nicht für Multi-Swap verwenden.',
  'This request costs 1 credit, more than the account has.':
    'Das kostet 1 Credit, und so viel hat das Konto nicht.',
  'This request costs {price} credits, more than the account has.':
    'Das kostet {price} Credits, und so viel hat das Konto nicht.',
  'This request costs 1 credit, more than is left of the budget of this key.':
    'Das kostet 1 Credit, und so viel ist vom Budget dieses Schlüssels nicht mehr übrig.',
  'This request costs {price} credits, more than is left of the budget of this key.':
    'Das kostet {price} Credits, und so viel ist vom Budget dieses Schlüssels nicht mehr übrig.',
  'Nothing is left of the budget of this key.': 'Das Budget dieses Schlüssels ist aufgebraucht.',
  'The photo of this cell was removed from its set.':
    'Das Foto zu diesem Bild wurde aus dem Fotoset entfernt.',
  'This was not submitted. Retry it.': 'Das wurde nicht eingereicht. Wiederholen Sie es.',
  'Only a job that has failed can be retried.': 'Wiederholen lassen sich nur fehlgeschlagene Aufträge.',
  'The photos of this job were deleted when it ended. Submit it again with the photos.':
    'Die Fotos dieses Auftrags wurden gelöscht, als er endete. Starten Sie ihn mit den Fotos neu.',

  // Webhooks of a job.
  'The receiver did not answer in time.': 'Der Empfänger hat nicht rechtzeitig geantwortet.',
  'The receiver answered with status {status}.': 'Der Empfänger hat mit Status {status} geantwortet.',
  'Could not reach the receiver.': 'Der Empfänger war nicht zu erreichen.',
  'The endpoint is disabled.': 'Der Endpunkt ist deaktiviert.',
};
