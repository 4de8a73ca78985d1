/**
 * Words that are on no print, whatever the event says: the coarsest of the languages that booths speak. An event adds
 * its own. Each is in the form that `plain` gives.
 */
const always = [
  ...['fuck', 'cunt', 'nigger', 'nigga', 'faggot', 'whore', 'slut', 'wanker', 'motherfucker', 'asshole'],
  ...['arschloch', 'fotze', 'hure', 'hurensohn', 'wichser', 'missgeburt', 'schlampe', 'heil hitler'],
  ...['putain', 'salope', 'connard', 'connasse', 'encule', 'enfoire'],
  ...['puta', 'puto', 'hijo de puta', 'gilipollas', 'maricon', 'cabron'],
  ...['puttana', 'stronzo', 'stronza', 'vaffanculo', 'frocio', 'cazzo'],
  ...['caralho', 'foda se', 'viado', 'filho da puta', 'buceta'],
  ...['hoer', 'kanker', 'kutwijf', 'klootzak', 'flikker'],
  ...['kurwa', 'chuj', 'pizda', 'pierdol', 'jebac', 'skurwysyn'],
  ...['orospu', 'orospu cocugu', 'siktir', 'amcik', 'pezevenk'],
  ...['死ね', 'ちんこ', 'まんこ', 'きちがい'],
  ...['شرموطة', 'كس امك', 'عرص', 'منيوك'],
];

/** Digits and signs that stand for letters. */
const looksLike: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Lower case without marks, one blank between words. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll(/[^\p{L}\p{N}@$!]+/gu, ' ')
    .trim();
}

const lettersFor = (text: string) => text.replaceAll(/[013457@$!]/g, (sign) => looksLike[sign]!);
const once = (text: string) => text.replaceAll(/(\p{L})\1+/gu, '$1');
const isSpaced = (text: string) => / /.test(text) && text.split(' ').every((word) => [...word].length === 1);
/** Alphabets that are written without blanks between words. */
const hasNoBlanks = (word: string) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(word);

/** Whether one of the words is a blocked one with letters that are repeated. Niger has none, and is a country. */
const hasStretched = (form: string, blocked: string) =>
  form.split(' ').some((word) => word !== once(word) && once(word) === once(blocked));

/**
 * Whether a text has one of the words, as a word of its own: Scunthorpe is a town, and Cassandra a name. Digits for
 * letters, letters that are repeated, and letters with blanks between them are the same word.
 */
export function hasBlockedWord(text: string, words: readonly string[]): boolean {
  const found = plain(text);
  const letters = lettersFor(found);
  const joined = isSpaced(letters) ? letters.replaceAll(' ', '') : letters;
  const withoutSigns = found.replaceAll(/[@$!]+/g, ' ').trim();
  const forms = [withoutSigns, letters, joined];
  return [...always, ...words].some((word) => {
    const blocked = plain(word);
    if (blocked === '') return false;
    if (hasNoBlanks(blocked)) return forms.some((form) => form.replaceAll(' ', '').includes(blocked));
    return forms.some((form) => ` ${form} `.includes(` ${blocked} `) || hasStretched(form, blocked));
  });
}
