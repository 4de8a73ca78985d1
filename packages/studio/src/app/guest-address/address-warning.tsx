import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { say } from '../../words/say.ts';
import { useSession } from '../session.tsx';
import { useGuestAddress } from './use-guest-address.ts';

const AddressDialog = lazy(() => import('./address-dialog.tsx').then((m) => ({ default: m.AddressDialog })));

/** Stands wherever a link for others is made: says where it leads nowhere, and lets the operator set the address. */
export function AddressWarning() {
  const { address } = useGuestAddress();
  const maySet = useSession().me.scopes.includes('operator');
  const [isOpen, setIsOpen] = useState(false);
  if (!address) return null;
  return (
    <>
      {address.is_local && (
        <div
          role="note"
          className="flex flex-wrap items-center gap-3 rounded-card border border-accent bg-raised px-4 py-3"
        >
          <p className="min-w-0 flex-1 basis-60 text-small">
            {say('Links lead to {host}, which only this computer reaches.', {
              host: new URL(address.url).host,
            })}{' '}
            {maySet
              ? say('Set the address at which phones and tablets reach the server.')
              : say('Ask the operator of the server to set its address for guests.')}
          </p>
          {maySet && <Button onClick={() => setIsOpen(true)}>{say('Set the address')}</Button>}
        </div>
      )}
      {/* Stays open when the address is set: the code to scan is in it. */}
      {isOpen && (
        <Suspense>
          <AddressDialog address={address} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
