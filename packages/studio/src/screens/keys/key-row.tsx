import type { Key } from '@guise/contract/keys.ts';
import { useQueryClient } from '@tanstack/react-query';
import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { fullTime, shortTime } from '../../ui/format-time.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { BudgetBar } from './budget-bar.tsx';
import { ChangeKeyDialog } from './change-key-dialog.tsx';
import { scopeWords } from './scope-words.ts';

/** A key: what it may do, what it has spent, when it was last used, and by its name the key that made it. */
export function KeyRow({ of: key, maker }: { of: Key; maker?: string | undefined }) {
  const isValid = key.state === 'valid';
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-2 border-b py-3.5 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)_minmax(0,4fr)_2.25rem]">
      <div className={`min-w-0 ${isValid ? '' : 'text-ink-soft'}`}>
        <p className="truncate font-medium">{key.name}</p>
        <p className="truncate text-small text-ink-soft">
          <span className="font-mono">…{key.last4}</span>
          {' · '}
          {key.kind === 'token' && `${say('Token')} · `}
          {key.event_id === null
            ? key.scopes.map((scope) => scopeWords[scope].label).join(', ')
            : say('Booths of an event')}
          {maker !== undefined && ` · ${say('Made with “{name}”', { name: maker })}`}
        </p>
      </div>
      <div className="max-lg:col-span-2 max-lg:row-start-2">
        <BudgetBar spent={key.spent} budget={key.budget} />
      </div>
      <p className="text-small text-ink-soft max-lg:col-span-2 max-lg:row-start-3">
        <span title={key.last_used ? fullTime(key.last_used) : undefined}>
          {key.last_used ? say('Last used {time}', { time: shortTime(key.last_used) }) : say('Never used')}
        </span>
        <span className="lg:block">
          <span className="lg:hidden"> · </span>
          <Validity of={key} />
        </span>
      </p>
      <div className="justify-self-end max-lg:col-start-2 max-lg:row-start-1">
        {isValid && <KeyMenu of={key} />}
      </div>
    </li>
  );
}

function Validity({ of: key }: { of: Key }) {
  if (key.state === 'revoked') return say('Revoked');
  if (key.expires_at === null) return say('Does not expire');
  const time = shortTime(key.expires_at);
  return (
    <span title={fullTime(key.expires_at)}>
      {key.state === 'expired' ? say('Expired {time}', { time }) : say('Expires {time}', { time })}
    </span>
  );
}

function KeyMenu({ of: key }: { of: Key }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell } = useToast();
  const [open, setOpen] = useState<'change' | 'revoke'>();
  const close = () => setOpen(undefined);
  const revoke = async () => {
    await guise.keys.revoke(key.id);
    await queries.invalidateQueries({ queryKey: ['keys'] });
    tell(say('“{name}” is revoked.', { name: key.name }));
  };
  return (
    <>
      <Menu
        label={say('More for {name}', { name: key.name })}
        className="grid size-9 place-items-center rounded-card text-ink-soft hover:bg-panel hover:text-ink"
        trigger={<MoreHorizontal size={18} aria-hidden />}
      >
        <MenuItem onClick={() => setOpen('change')}>{say('Change name, budget or expiry')}</MenuItem>
        <MenuItem isDanger onClick={() => setOpen('revoke')}>
          {say('Revoke')}
        </MenuItem>
      </Menu>
      {open === 'change' && <ChangeKeyDialog of={key} onClose={close} />}
      <Confirm
        open={open === 'revoke'}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={say('Revoke “{name}”?', { name: key.name })}
        text={say(
          'Programs that use this key will be refused, and so will keys and quick test links that were made with it; its events pause. This cannot be undone.',
        )}
        action={say('Revoke')}
        onConfirm={revoke}
      />
    </>
  );
}
