import { useMutation } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { say } from '../../words/say.ts';
import { Restarting } from './restarting.tsx';

interface RestartNoticeProps {
  /** What waits for a restart. */
  text: string;
  canRestart: boolean;
}

/** Says that something waits for a restart, which is a click where this server can do it. */
export function RestartNotice({ text, canRestart }: RestartNoticeProps) {
  const guise = useGuise();
  const restart = useMutation({ mutationFn: () => guise.operator.restart() });
  if (restart.isSuccess) return <Restarting label={say('The server stops and starts again.')} />;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded-card border border-accent px-4 py-3"
    >
      <p className="min-w-0 flex-1 basis-64">{text}</p>
      {canRestart && (
        <Confirm
          trigger={<Button kind="primary">{say('Restart now')}</Button>}
          title={say('Restart the server?')}
          text={say(
            'It takes a few seconds. Pictures that are being made are begun again after it; booths keep their photos and wait.',
          )}
          action={say('Restart')}
          dismiss={say('Not now')}
          loses={false}
          onConfirm={() => restart.mutateAsync()}
        />
      )}
    </div>
  );
}
