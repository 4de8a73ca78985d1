import { say } from '../../../words/say.ts';

const keys: [string, string][] = [
  [say('Arrows'), say('move')],
  ['1', say('good')],
  ['2', say('bad')],
  ['n', say('note')],
  ['Enter', say('large')],
];

/** The keys of the board, for whoever has a keyboard. */
export function KeyLegend() {
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1.5 text-small text-ink-soft [@media(hover:none)]:hidden max-md:hidden">
      {keys.map(([key, does]) => (
        <div key={key} className="flex items-center gap-1.5">
          <dt>
            <kbd className="inline-grid min-w-6 place-items-center rounded-[4px] border bg-raised px-1.5 font-sans text-ink">
              {key}
            </kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
