import { useBlocker } from '@tanstack/react-router';
import { Confirm } from '../../../ui/confirm.tsx';
import { say } from '../../../words/say.ts';

/** Asks before a page with unsaved changes is left. */
export function LeaveGuard({
  isChanged,
  text = say('Your changes will be lost.'),
}: {
  isChanged: boolean;
  text?: string;
}) {
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
      title={say('Leave this page?')}
      text={text}
      action={say('Leave')}
      onConfirm={async () => blocker.proceed()}
    />
  );
}
