import type { Account } from '@guise/contract/operator/operator.ts';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { shortTime } from '../../ui/format-time.ts';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';
import { GrantCreditsDialog } from './grant-credits-dialog.tsx';

export function AccountRow({ account }: { account: Account }) {
  const [isGranting, setIsGranting] = useState(false);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-2 border-b py-3 sm:grid-cols-[minmax(0,1fr)_auto_auto]">
      <div className="min-w-0">
        <p className="truncate font-medium" title={account.email}>
          {account.email}
        </p>
        <p className="text-small text-ink-soft">
          {say(account.role === 'operator' ? 'Operator, since {time}' : 'Since {time}', {
            time: shortTime(account.created_at),
          })}
        </p>
      </div>
      <p className="text-right">
        {numberText(account.balance)} <span className="text-ink-soft">{say('credits')}</span>
      </p>
      <Button
        aria-label={say('Give credits to {email}', { email: account.email })}
        onClick={() => setIsGranting(true)}
        className="justify-self-start"
      >
        {say('Give credits')}
      </Button>
      {isGranting && <GrantCreditsDialog account={account} onClose={() => setIsGranting(false)} />}
    </li>
  );
}
