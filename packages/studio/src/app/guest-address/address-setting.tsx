import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { say } from '../../words/say.ts';
import { useGuestAddress } from './use-guest-address.ts';

const AddressDialog = lazy(() => import('./address-dialog.tsx').then((m) => ({ default: m.AddressDialog })));

const sources = {
  environment: say('Set by GUISE_PUBLIC_URL.'),
  stored: say('Set in the studio.'),
  request: say('The address by which you opened the studio.'),
} as const;

/** Where links for guests and clients lead, for the operator to change. */
export function AddressSetting() {
  const { address } = useGuestAddress();
  const [isOpen, setIsOpen] = useState(false);
  if (!address) return null;
  return (
    <section aria-label={say('Address for guests')} className="flex flex-wrap items-center gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <h2>{say('Address for guests')}</h2>
        <p className="break-all">{address.url}</p>
        <p className="text-small text-ink-soft">
          {sources[address.source]}
          {address.is_local &&
            ` ${say('Only this computer reaches it. To let phones and tablets in, change HOST to 0.0.0.0 and restart.')}`}
        </p>
      </div>
      {address.source !== 'environment' && <Button onClick={() => setIsOpen(true)}>{say('Change')}</Button>}
      {isOpen && (
        <Suspense>
          <AddressDialog address={address} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </section>
  );
}
