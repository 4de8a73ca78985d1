import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';

/** Which version this is, and a newer one where the installation may ask for it. */
export function VersionLine() {
  const guise = useGuise();
  const { data } = useQuery({ queryKey: ['version'], queryFn: () => guise.operator.version() });
  if (!data) return null;
  return (
    <p className="text-small text-ink-soft">
      {say('Guise {version}.', { version: data.version })}{' '}
      {data.newer && (
        <strong className="font-medium text-ink">
          {say('Version {version} exists.', { version: data.newer })}
        </strong>
      )}
      {data.error && sayOfServer(data.error)}
      {data.is_asked && !data.newer && !data.error && say('There is no newer version.')}
      {!data.is_asked && say('Nobody is asked for newer versions: GUISE_RELEASES_URL is empty.')}
    </p>
  );
}
