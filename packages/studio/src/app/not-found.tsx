import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state.tsx';

export function NotFound() {
  return (
    <EmptyState title="There is nothing here" text="The page may have moved, or the link is incomplete.">
      <Link to="/" className="text-accent-ink underline">
        Go to Try
      </Link>
    </EmptyState>
  );
}
