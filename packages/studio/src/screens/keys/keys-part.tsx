import type { CreatedKey } from '@guise/contract/keys.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SecretNote } from '../../ui/secret-note.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { say } from '../../words/say.ts';
import { KeyRow } from './key-row.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';

/** The account's keys: the valid ones, and on demand those that were. */
export function KeysPart() {
  const guise = useGuise();
  const queries = useQueryClient();
  const [isMaking, setIsMaking] = useState(false);
  const [made, setMade] = useState<CreatedKey>();
  const [showsOld, setShowsOld] = useState(false);
  const { pages, error, readAgain, more } = usePages(['keys', 'pages'], guise.keys.list);
  const keys = pages?.flatMap((page) => page.keys);
  const valid = keys?.filter(({ state }) => state === 'valid') ?? [];
  const old = keys?.filter(({ state }) => state !== 'valid') ?? [];
  const nameOf = (id: string | null) => keys?.find((key) => key.id === id)?.name;
  const makeOne = (
    <Button
      kind={made ? 'plain' : 'primary'}
      icon={<Plus size={17} aria-hidden />}
      onClick={() => setIsMaking(true)}
    >
      {say('Make a key')}
    </Button>
  );
  return (
    <div className="flex flex-col gap-5">
      {(valid.length > 0 || more.hasMore) && <div>{makeOne}</div>}
      {made && (
        <SecretNote
          title={say('The secret of “{name}”', { name: made.name })}
          text={say('Copy it now: it is not shown again. Send it in the header X-API-Key.')}
          secrets={[{ label: say('Secret'), value: made.secret }]}
          onDone={() => setMade(undefined)}
        />
      )}
      {error && <Problem error={error} onRetry={readAgain} />}
      {keys && valid.length === 0 && !more.hasMore && (
        <EmptyState
          title={say('No key yet')}
          text={say(
            'Make one for each booth or program, so that each can be limited and revoked on its own.',
          )}
        >
          {makeOne}
        </EmptyState>
      )}
      {valid.length > 0 && (
        <ul aria-label={say('Keys')} className="border-t">
          {valid.map((key) => (
            <KeyRow key={key.id} of={key} maker={nameOf(key.made_by)} />
          ))}
        </ul>
      )}
      <div className="-ml-3.5 flex flex-wrap gap-2">
        {old.length > 0 && (
          <Button kind="quiet" aria-expanded={showsOld} onClick={() => setShowsOld(!showsOld)}>
            {showsOld
              ? say('Hide {count} expired or revoked', { count: old.length })
              : say('Show {count} expired or revoked', { count: old.length })}
          </Button>
        )}
        <ShowMore more={more} />
      </div>
      {showsOld && old.length > 0 && (
        <ul aria-label={say('Expired or revoked keys')} className="border-t">
          {old.map((key) => (
            <KeyRow key={key.id} of={key} maker={nameOf(key.made_by)} />
          ))}
        </ul>
      )}
      {isMaking && (
        <NewKeyDialog
          onClose={() => setIsMaking(false)}
          onMade={(key) => {
            setIsMaking(false);
            setMade(key);
            void queries.invalidateQueries({ queryKey: ['keys'] });
          }}
        />
      )}
    </div>
  );
}
