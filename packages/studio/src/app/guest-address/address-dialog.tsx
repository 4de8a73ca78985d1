import { GuiseError } from '@guise/client/guise-error.ts';
import type { GuestAddress } from '@guise/contract/operator/operator.ts';
import { QrCode } from '@guise/web/qr-code.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { TextField } from '../../ui/text-field.tsx';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';
import { useGuise } from '../guise-context.ts';
import { guestAddressKey } from './use-guest-address.ts';

interface AddressDialogProps {
  address: GuestAddress;
  onClose(): void;
}

/** The address of links for guests and clients: chosen, tried by the server, and tried with a phone. */
export function AddressDialog({ address, onClose }: AddressDialogProps) {
  const guise = useGuise();
  const queries = useQueryClient();
  const [url, setUrl] = useState(address.is_local ? (address.suggestions[0] ?? '') : address.url);
  const save = useMutation({
    mutationFn: (check: boolean) => guise.operator.setGuestAddress({ url: url.trim(), check }),
    onSuccess: (saved) => queries.setQueryData(guestAddressKey, saved),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(true);
  };
  const change = (next: string) => {
    setUrl(next);
    save.reset();
  };
  const isUnreached = save.error instanceof GuiseError && save.error.code === 'ADDRESS_NOT_REACHED';
  return (
    <Dialog open title={say('Address for guests')} onClose={onClose}>
      {save.data ? (
        <SavedAddress url={save.data.url} onDone={onClose} onOther={() => save.reset()} />
      ) : (
        <form className="flex flex-col gap-4" onSubmit={submit} noValidate>
          <p className="text-ink-soft">
            {say(
              'Links for guests and clients lead here: quick tests, booths, guests’ pictures, walls, galleries and sign-in links. It is the same for the whole installation.',
            )}
          </p>
          {address.suggestions.length > 0 && (
            <Suggestions urls={address.suggestions} chosen={url} onChoose={change} />
          )}
          <TextField
            label={say('Address')}
            type="url"
            placeholder="https://booth.example.com"
            autoComplete="off"
            value={url}
            error={save.error ? sentenceOf(save.error) : undefined}
            onChange={(event) => change(event.target.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" type="submit" busy={save.isPending} disabled={url.trim() === ''}>
              {say('Check and save')}
            </Button>
            {isUnreached && <Button onClick={() => save.mutate(false)}>{say('Save it anyway')}</Button>}
          </div>
        </form>
      )}
    </Dialog>
  );
}

interface SuggestionsProps {
  urls: readonly string[];
  chosen: string;
  onChoose(url: string): void;
}

function Suggestions({ urls, chosen, onChoose }: SuggestionsProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-small text-ink-soft">{say('Addresses of this machine')}</legend>
      {urls.map((url) => (
        <label key={url} className="flex min-h-9 items-center gap-2">
          <input
            type="radio"
            name="suggestion"
            className="size-4 accent-accent"
            checked={url === chosen}
            onChange={() => onChoose(url)}
          />
          {url}
        </label>
      ))}
    </fieldset>
  );
}

/** What the phone of a guest is tried with. */
function SavedAddress({ url, onDone, onOther }: { url: string; onDone(): void; onOther(): void }) {
  return (
    <div className="flex flex-col gap-4">
      <p>{say('Links for guests and clients now lead to {url}.', { url })}</p>
      <QrCode
        text={url}
        label={say('QR code that opens this server')}
        className="size-56 shrink-0 rounded-card"
      />
      <p className="text-ink-soft">
        {say(
          'Scan the code with a phone in the guests’ network. If the page “Sign in to Guise” opens, their links work.',
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" onClick={onDone}>
          {say('Done')}
        </Button>
        <Button onClick={onOther}>{say('Choose another')}</Button>
      </div>
    </div>
  );
}

/** What is wrong with the address itself, where the server says it. */
function sentenceOf(error: Error): string {
  const message = error instanceof GuiseError ? error.fields[0]?.message : undefined;
  return message === undefined
    ? errorSentence(error)
    : say('The address {problem}.', { problem: sayOfServer(message) });
}
