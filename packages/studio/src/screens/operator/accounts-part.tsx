import type { CreatedAccount } from '@guise/contract/operator/operator.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SecretNote } from '../../ui/secret-note.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { say } from '../../words/say.ts';
import { AccountRow } from './account-row.tsx';
import { accountsKey } from './grant-credits-dialog.tsx';
import { NewAccountDialog } from './new-account-dialog.tsx';

/** Every account with its balance. */
export function AccountsPart() {
  const guise = useGuise();
  const queries = useQueryClient();
  const [isMaking, setIsMaking] = useState(false);
  const [made, setMade] = useState<CreatedAccount>();
  const { pages, error, readAgain, more } = usePages(accountsKey, guise.operator.accounts);
  return (
    <div className="flex max-w-7xl flex-col gap-5">
      <div>
        <Button
          kind={made ? 'plain' : 'primary'}
          icon={<Plus size={17} aria-hidden />}
          onClick={() => setIsMaking(true)}
        >
          {say('Make an account')}
        </Button>
      </div>
      {made && (
        <SecretNote
          title={say('The account {email} is made', { email: made.email })}
          text={say('Share these now: they are not shown again. The link signs in once within 24 hours.')}
          secrets={[
            { label: say('Link'), value: made.sign_in_url },
            { label: say('Key'), value: made.api_key },
            { label: say('Token'), value: made.access_token },
          ]}
          onDone={() => setMade(undefined)}
        />
      )}
      {error && <Problem error={error} onRetry={readAgain} />}
      <ul aria-label={say('Accounts')} className="border-t">
        {pages
          ?.flatMap(({ accounts }) => accounts)
          .map((account) => (
            <AccountRow key={account.id} account={account} />
          ))}
      </ul>
      <ShowMore more={more} />
      {isMaking && (
        <NewAccountDialog
          onClose={() => setIsMaking(false)}
          onMade={(account) => {
            setIsMaking(false);
            setMade(account);
            void queries.invalidateQueries({ queryKey: accountsKey });
          }}
        />
      )}
    </div>
  );
}
