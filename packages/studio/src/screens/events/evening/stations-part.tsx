import type { Station } from '@guise/contract/events/stations.ts';
import { fullTime, shortTime } from '../../../ui/format-time.ts';
import { Problem } from '../../../ui/problem.tsx';
import { numberText } from '../../../words/language.ts';
import { say } from '../../../words/say.ts';
import { StateMark } from '../../operator/state-mark.tsx';

interface StationsPartProps {
  /** Undefined until they are read. */
  stations: readonly Station[] | undefined;
  error: Error | null;
}

/** The booths of the evening: whether they are there, and what waits on them. */
export function StationsPart({ stations, error }: StationsPartProps) {
  return (
    <section aria-label={say('Stations')} className="min-w-0">
      <h2 className="mb-3">{say('Stations')}</h2>
      {error && <Problem error={error} />}
      {stations?.length === 0 && (
        <p className="text-ink-soft">
          {say(
            'No booth has reported yet. Make a key, and open its link on a tablet or a laptop with a camera.',
          )}
        </p>
      )}
      {stations && stations.length > 0 && (
        <ul className="border-t">
          {stations.map((station) => (
            <StationRow key={station.id} station={station} />
          ))}
        </ul>
      )}
    </section>
  );
}

function StationRow({ station }: { station: Station }) {
  const { name, is_silent, waiting_photos, prints, page_version, last_seen_at } = station;
  const time = shortTime(last_seen_at);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 border-b py-3">
      <StateMark ok={!is_silent} label={is_silent ? say('Silent') : say('There')} />
      <div className="min-w-0">
        <p className="truncate font-medium">{name}</p>
        <p
          className={`text-small ${is_silent ? 'text-lost' : 'text-ink-soft'}`}
          title={fullTime(last_seen_at)}
        >
          {is_silent ? say('Silent since {time}', { time }) : say('Last seen {time}', { time })}
        </p>
      </div>
      <div className="text-right text-small text-ink-soft">
        <p className={waiting_photos > 0 ? 'font-medium text-accent-ink' : ''}>
          {waiting_photos === 1
            ? say('1 photo waits')
            : say('{count} photos wait', { count: numberText(waiting_photos) })}
        </p>
        <p>
          {prints === 1 ? say('1 print') : say('{count} prints', { count: numberText(prints) })}
          {page_version && ` · ${say('page {version}', { version: page_version })}`}
        </p>
      </div>
    </li>
  );
}
