import { say } from '../words/say.ts';
import { Button } from './button.tsx';

interface ShowMoreProps {
  more: { hasMore: boolean; isLoading: boolean; load(): void };
}

/** Below a list that goes on. */
export function ShowMore({ more }: ShowMoreProps) {
  if (!more.hasMore) return null;
  return (
    <Button kind="quiet" busy={more.isLoading} onClick={more.load} className="self-start">
      {say('Show more')}
    </Button>
  );
}
