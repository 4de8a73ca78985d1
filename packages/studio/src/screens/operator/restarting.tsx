import { useEffect } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';

/** A stop and a start may be over between two calls. */
const awayAtMostMs = 6000;
const askEveryMs = 1000;

interface RestartingProps {
  label: string;
  /** Signs in to what is restored, where the session of this page is none of it. */
  signInToken?: string;
}

/** Waits until the server is back, and shows the page anew. */
export function Restarting({ label, signInToken }: RestartingProps) {
  const guise = useGuise();
  useEffect(() => {
    const began = performance.now();
    let wasAway = false;
    const timer = setInterval(async () => {
      const isReady = await guise.server.ready().then(
        () => true,
        () => false,
      );
      wasAway ||= !isReady;
      if (!isReady || (!wasAway && performance.now() - began < awayAtMostMs)) return;
      clearInterval(timer);
      if (signInToken === undefined || (await isSignedIn(guise))) window.location.reload();
      else window.location.assign(`/studio/sign-in#${signInToken}`);
    }, askEveryMs);
    return () => clearInterval(timer);
  }, [guise, signInToken]);
  return (
    <div className="max-w-md">
      <ProgressBar label={label} share={null} />
    </div>
  );
}

const isSignedIn = (guise: ReturnType<typeof useGuise>) =>
  guise.sessions.current().then(
    ({ account }) => account !== null,
    () => false,
  );
