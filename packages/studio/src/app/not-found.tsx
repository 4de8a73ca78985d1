import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { say } from '../words/say.ts';

export function NotFound() {
  return (
    <EmptyState
      title={say('There is nothing here')}
      text={say('The page may have moved, or the link is incomplete.')}
    >
      <Link to="/" className="text-accent-ink underline">
        {say('Go to Try')}
      </Link>
    </EmptyState>
  );
}
