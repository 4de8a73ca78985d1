import type { Account } from '@guise/contract/operator.ts';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { shortTime } from '../../ui/format-time.ts';
import { GrantCreditsDialog } from './grant-credits-dialog.tsx';

export function AccountRow({ account }: { account: Account }) {
  const [isGranting, setIsGranting] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium" title={account.email}>
          {account.email}
        </p>
        <p className="text-small text-ink-soft">
          {account.role === 'operator' && 'Operator, '}
          {account.role === 'operator' ? 'since' : 'Since'} {shortTime(account.created_at)}
        </p>
      </div>
      <p className="text-right max-sm:flex-1 max-sm:text-left">
        {account.balance.toLocaleString('en')} <span className="text-ink-soft">credits</span>
      </p>
      <Button aria-label={`Give credits to ${account.email}`} onClick={() => setIsGranting(true)}>
        Give credits
      </Button>
      {isGranting && <GrantCreditsDialog account={account} onClose={() => setIsGranting(false)} />}
    </li>
  );
}
