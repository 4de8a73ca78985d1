import { say } from '../words/say.ts';
import { sayOfServer } from '../words/say-of-server.ts';

interface FairMarkProps {
  reasons: readonly string[];
  className?: string;
}

/** Marks a picture that came out fair, and says why. */
export function FairMark({ reasons, className = '' }: FairMarkProps) {
  const why = reasons.map(sayOfServer).join(' ');
  return (
    <span
      title={why}
      className={`rounded-[4px] border bg-raised px-1.5 py-0.5 text-small font-medium text-accent-ink ${className}`}
    >
      {say('Fair')}
      <span className="sr-only">. {why}</span>
    </span>
  );
}
