import type { BoothEvent } from '@guise/contract/events/events.ts';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { say } from '../../../words/say.ts';
import { plainLink } from '../../filters/primary-link.ts';
import { useUndoChange } from '../use-undo-change.ts';

/** The way to the form of the event, and back from the change that went live last. */
export function DraftNote({ event: { id, draft, can_undo } }: { event: BoothEvent }) {
  const undo = useMutation({ mutationFn: useUndoChange(id) });
  return (
    <>
      {can_undo && (
        <Button
          kind="quiet"
          busy={undo.isPending}
          icon={<Undo2 size={17} aria-hidden />}
          onClick={() => undo.mutate()}
        >
          {say('Undo the last change')}
        </Button>
      )}
      <Link
        to="/studio/events/$id/edit"
        params={{ id }}
        className={plainLink}
        title={draft ? say('It has changes that guests do not get yet.') : undefined}
      >
        {draft ? say('Open draft') : say('Change')}
      </Link>
    </>
  );
}
