import type { CreatedKey } from '@guise/contract/keys.ts';
import { QrCode } from '@guise/web/qr-code.tsx';
import { AddressWarning } from '../../../app/guest-address/address-warning.tsx';
import { useGuestAddress } from '../../../app/guest-address/use-guest-address.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { say } from '../../../words/say.ts';
import { plainLink } from '../../filters/primary-link.ts';

interface BoothLinkProps {
  eventId: string;
  made: CreatedKey;
  onDone(): void;
}

/** The address that opens the booth page with its key. The key is behind the #, which browsers do not send. */
const boothAddress = (base: string, eventId: string, secret: string): string =>
  `${base}/booth/${eventId}#key=${encodeURIComponent(secret)}`;

/** A new key as a link and a QR code. Both are shown once: the server keeps no secret. */
export function BoothLink({ eventId, made, onDone }: BoothLinkProps) {
  const { base } = useGuestAddress();
  const address = boothAddress(base, eventId, made.secret);
  return (
    <section
      aria-label={say('Open the booth “{name}”', { name: made.name })}
      aria-live="polite"
      className="flex flex-wrap gap-5 rounded-card border border-accent bg-raised p-4"
    >
      <QrCode
        text={address}
        label={say('QR code that opens the booth “{name}”', { name: made.name })}
        className="size-56 shrink-0 rounded-card"
      />
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-3">
        <div>
          <h3 className="font-semibold">{say('Open the booth “{name}”', { name: made.name })}</h3>
          <p className="text-ink-soft">
            {say(
              'Scan the code with the tablet, or copy the link. It is not shown again, and whoever has it can take photos for this event.',
            )}
          </p>
          {needsHttps(base) && (
            <p className="mt-1 text-small text-accent-ink">
              {say('Browsers give the camera only to pages over https.')}
            </p>
          )}
        </div>
        <AddressWarning />
        <code className="block font-mono text-small break-all select-all">{address}</code>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={address} label={say('Copy the link')} kind="primary" />
          <a href={address} target="_blank" rel="noreferrer" className={plainLink}>
            {say('Open it here')}
          </a>
          <Button kind="quiet" onClick={onDone}>
            {say('Done')}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** The pages of this computer have the camera without https; AddressWarning tells of those. */
const needsHttps = (base: string) =>
  base.startsWith('http:') && !['localhost', '127.0.0.1', '[::1]'].includes(new URL(base).hostname);
