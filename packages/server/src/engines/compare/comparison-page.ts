import type { Compared } from './compared.ts';

/**
 * A page of its own, opened from its folder: pairs of pictures in mixed order, the better one of each is chosen without
 * knowing whose it is, and then everything that was measured is shown.
 */
export function comparisonPage(compared: readonly Compared[]): string {
  // A tag in a sentence of a server must not end the script.
  const data = JSON.stringify(compared).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Two engines side by side</title>
<style>${style}</style>
<main id="page"></main>
<script>const compared = ${data};${script}</script>
</html>
`;
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0; }
  main { max-width: 1600px; margin: 0 auto; padding: 16px 24px 48px; }
  h1 { font-size: 1.25rem; margin: 0 0 4px; }
  p { margin: 0 0 16px; }
  .pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 2fr) minmax(0, 2fr); gap: 24px; }
  figure { margin: 0; }
  img { display: block; width: 100%; max-height: 72vh; object-fit: contain; background: #8882; }
  button { font: inherit; min-height: 44px; padding: 0 20px; margin: 12px 12px 0 0; cursor: pointer; }
  table { border-collapse: collapse; margin: 16px 0 32px; }
  th, td { padding: 6px 16px 6px 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
  .numbers :is(th, td):not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; }
  td img { width: 180px; max-height: 240px; }
  @media (max-width: 800px) { .pair { grid-template-columns: 1fr; } }
`;

const script = `
const page = document.getElementById('page');
const names = [...new Set(compared.flatMap(({ pictures }) => pictures.map(({ engine }) => engine)))];
// Only where both made something is there a choice.
const pairs = compared.filter(({ pictures }) => pictures.every(({ file }) => file));
for (let i = pairs.length - 1; i > 0; i--) {
  const j = Math.floor(Math.random() * (i + 1));
  [pairs[i], pairs[j]] = [pairs[j], pairs[i]];
}
const votes = Object.fromEntries(names.map((name) => [name, 0]));
let alike = 0;
let at = 0;

function make(tag, parent, text = '') {
  const element = document.createElement(tag);
  element.textContent = text;
  parent.append(element);
  return element;
}
function button(parent, text, onClick) {
  make('button', parent, text).addEventListener('click', onClick);
}
function picture(parent, file, alt) {
  const image = make('img', parent);
  image.src = file;
  image.alt = alt;
}

function showPair() {
  page.replaceChildren();
  if (at >= pairs.length) return showResult();
  const pair = pairs[at];
  make('h1', page, 'Which one is better?');
  make('p', page, (at + 1) + ' of ' + pairs.length + ': ' + pair.filter + '. Look at the faces first: are they the people of the photo?');
  const row = make('div', page);
  row.className = 'pair';
  picture(make('figure', row), pair.photo, 'The photo');
  const sides = Math.random() < 0.5 ? pair.pictures : pair.pictures.toReversed();
  for (const side of sides) {
    const figure = make('figure', row);
    picture(figure, side.file, 'A picture of it');
    button(figure, 'This one', () => { votes[side.engine]++; at++; showPair(); });
  }
  button(page, 'No difference', () => { alike++; at++; showPair(); });
  button(page, 'Show the result', () => { at = pairs.length; showPair(); });
}

const dollars = (value) => value === null ? '' : '$' + value.toFixed(4);
const mean = (values) => values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
const shown = (value, digits) => value === null ? '' : value.toFixed(digits);
const sum = (values) => values.some((value) => value !== null) ? values.reduce((total, value) => total + (value ?? 0), 0) : null;

function table(parent, head, rows) {
  const element = make('table', parent);
  const first = make('tr', element);
  for (const text of head) make('th', first, text);
  for (const cells of rows) {
    const row = make('tr', element);
    for (const cell of cells) {
      const place = make('td', row, typeof cell === 'object' ? '' : String(cell));
      if (cell?.image) picture(place, cell.image, cell.alt);
    }
  }
  return element;
}

function showResult() {
  make('h1', page, 'The result');
  make('p', page, alike + ' without a difference; pictures that only one of them made were not shown.');
  const sums = table(page, ['engine', 'chosen', 'pictures', 'not made', 'likeness, mean', 'least', 'people missing', 'strangers', 'seconds each', 'GPU seconds', 'cost'],
    names.map((name) => {
      const own = compared.flatMap(({ pictures }) => pictures.filter(({ engine }) => engine === name));
      const made = own.filter(({ file }) => file);
      const people = made.flatMap(({ likeness }) => likeness);
      const there = people.filter((value) => value !== null);
      return [name, votes[name], made.length, own.length - made.length, shown(mean(there), 2),
        shown(there.length ? Math.min(...there) : null, 2), people.length - there.length,
        made.reduce((total, { strangers }) => total + strangers, 0), shown(mean(made.map(({ seconds }) => seconds)), 1),
        shown(sum(made.map(({ gpu_seconds }) => gpu_seconds)), 1), dollars(sum(own.map(({ cost_usd }) => cost_usd)))];
    }));
  sums.className = 'numbers';
  make('h1', page, 'Every picture');
  table(page, ['photo', ...names.flatMap((name) => [name, 'likeness of each person'])],
    compared.map(({ photo, filter, pictures }) => [{ image: photo, alt: filter }, ...pictures.flatMap((one) => [
      one.file ? { image: one.file, alt: filter } : one.error,
      one.likeness.map((value) => value === null ? 'missing' : value.toFixed(2)).join(', ')])]));
}
showPair();
`;
