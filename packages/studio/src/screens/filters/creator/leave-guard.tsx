import { useBlocker } from '@tanstack/react-router';
import { Confirm } from '../../../ui/confirm.tsx';

/** Asks before a page with unsaved changes is left. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && blocker.reset()}
      title="Leave without saving?"
      text="What you changed here is lost."
      action="Leave"
      onConfirm={async () => blocker.proceed()}
    />
  );
}
