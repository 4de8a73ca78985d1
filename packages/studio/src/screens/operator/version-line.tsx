import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';

/** Which version this is, and a newer one where the installation may ask for it. */
export function VersionLine() {
  const guise = useGuise();
  const { data } = useQuery({ queryKey: ['version'], queryFn: () => guise.operator.version() });
  if (!data) return null;
  return (
    <p className="text-small text-ink-soft">
      Guise {data.version}.{' '}
      {data.newer && <strong className="font-medium text-ink">Version {data.newer} exists.</strong>}
      {data.error}
      {data.is_asked && !data.newer && !data.error && 'There is no newer version.'}
      {!data.is_asked && 'Nobody is asked for newer versions: GUISE_RELEASES_URL is empty.'}
    </p>
  );
}
