import { QrCode } from '@guise/web/qr-code.tsx';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { say } from '../words/say.ts';
import { AddressWarning } from './guest-address/address-warning.tsx';
import { useGuestAddress } from './guest-address/use-guest-address.ts';
import { useGuise } from './guise-context.ts';

/** A link that signs in on another device, or here again later. */
export function SignInLinkDialog({ onClose }: { onClose(): void }) {
  const guise = useGuise();
  const { linkFor } = useGuestAddress();
  const make = useMutation({ mutationFn: () => guise.sessions.createLink() });
  const url = make.data && linkFor(make.data.url);
  return (
    <Dialog open title={say('Sign in on another device')} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">
          {say('A sign-in link works once, within 24 hours. Whoever opens it is signed in to your account.')}
        </p>
        {make.error && <Problem error={make.error} onRetry={() => make.mutate()} />}
        {url ? (
          <>
            <QrCode
              text={url}
              label={say('QR code that signs in')}
              className="size-56 shrink-0 rounded-card"
            />
            <code className="block font-mono text-small break-all select-all">{url}</code>
            <AddressWarning />
            <CopyButton text={url} label={say('Copy the link')} kind="primary" />
          </>
        ) : (
          <Button kind="primary" busy={make.isPending} onClick={() => make.mutate()}>
            {say('Make a link')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
