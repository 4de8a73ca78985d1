/** What guests of an event may choose. */
export const eventsFormOffers = {
  Offers: 'Angebote',
  'Filters, aliases, prompts, videos and living portraits, in the order in which guests see them. An alias can be pointed elsewhere during the evening.':
    'Filter, Aliasse, Prompts, Videos und lebende Porträts, in der Reihenfolge, in der Gäste sie sehen. Den Filter eines Alias können Sie auch während des Events wechseln.',
  'Guests have nothing to choose yet.': 'Gäste haben noch nichts zur Auswahl.',
  'Add offers': 'Angebote hinzufügen',
  'In safe mode everything is made with it.': 'Im sicheren Modus entsteht alles damit.',
  'Label of offer {number}': 'Beschriftung von Angebot {number}',
  'Its filter was deleted. Remove the offer, or guests are refused.':
    'Der Filter wurde gelöscht. Entfernen Sie das Angebot, sonst werden Gäste abgewiesen.',
  'version {number}': 'Version {number}',
  alias: 'Alias',
  'Group, painted': 'Gruppe, gemalt',
  'Move {name} up': '{name} nach oben',
  'Move {name} down': '{name} nach unten',
  'Photos of one touch': 'Fotos pro Auslösung',
  'One photo': 'Ein Foto',
  '4 photos, for a strip': '4 Fotos für einen Streifen',
  'Also made with, to choose from': 'Variante 2, zur Auswahl',
  'Variation {number}': 'Variante {number}',
  'There is no alias yet. An alias is a slot whose filter can be changed during the evening.':
    'Es gibt noch keinen Alias. Ein Alias ist ein Slot, dessen Filter Sie während des Events wechseln können.',
  'The booth takes a burst of photos. Guests get a loop of themselves, moving in the scene.':
    'Die Fotobox macht eine Serienaufnahme. Gäste bekommen eine Endlosschleife, in der sie sich in der Szene bewegen.',
  'A click adds a picture to the offers.': 'Klicken Sie auf ein Bild, um es in die Angebote aufzunehmen.',
  'Offered: {offers}': 'Im Angebot: {offers}',
  Label: 'Beschriftung',
  'Add the prompt': 'Prompt hinzufügen',
  'As a fan of {team} in a stadium at night': 'Als Fan von {team}, nachts in einem Stadion',
  '{team} stands for what the guest gave as “team”: see “What guests give” in the form.':
    '{team} steht für das, was der Gast als „team“ angegeben hat: siehe „Angaben der Gäste“ im Formular.',
  'Who is in it': 'Personen im Bild',
  'Everybody in the photo': 'Alle auf dem Foto',
  'Everybody, painted': 'Alle, gemalt',
  'Add the video': 'Video hinzufügen',
} as const;
