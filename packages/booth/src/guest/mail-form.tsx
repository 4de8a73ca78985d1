import { GuiseError } from '@guise/client/guise-error.ts';
import { Mail } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useLanguage, useTexts } from '../shared/texts/texts.ts';
import { guests } from './guest-api.ts';
import { GuestButton } from './guest-button.tsx';

type State = 'idle' | 'sending' | 'sent' | { problem: string };

/** An address that the picture is sent to, with the guest’s consent to that. */
export function MailForm({ token, id }: { token: string; id: string }) {
  const language = useLanguage();
  const { mail: texts, notLoaded } = useTexts().guest;
  const field = useId();
  const [address, setAddress] = useState('');
  const [agrees, setAgrees] = useState(false);
  const [state, setState] = useState<State>('idle');
  const send = async (submitted: FormEvent) => {
    submitted.preventDefault();
    setState('sending');
    try {
      await guests.mail(token, id, { address: address.trim(), language, consent: true });
      setAddress('');
      setState('sent');
    } catch (error) {
      const isLimit = error instanceof GuiseError && error.status === 429;
      const isAway = !(error instanceof GuiseError) || error.retryable;
      setState({ problem: isLimit ? error.message : isAway ? notLoaded : texts.failed });
    }
  };
  return (
    <details className="group rounded-card border">
      <summary className="flex min-h-12 cursor-pointer items-center justify-center gap-2.5 px-5 text-small">
        <Mail size={20} aria-hidden /> {texts.open}
      </summary>
      <form onSubmit={(submitted) => void send(submitted)} className="flex flex-col gap-3 p-3 pt-0">
        <label htmlFor={field} className="text-small font-medium">
          {texts.address}
        </label>
        <input
          id={field}
          type="email"
          required
          dir="ltr"
          maxLength={254}
          autoComplete="email"
          value={address}
          onChange={({ target }) => setAddress(target.value)}
          className="min-h-12 w-full rounded-card border bg-ground px-3 text-ink"
        />
        <label className="flex items-start gap-3 text-small">
          <input
            type="checkbox"
            required
            checked={agrees}
            onChange={({ target }) => setAgrees(target.checked)}
            className="mt-0.5 size-5 shrink-0"
          />
          {texts.consent}
        </label>
        <GuestButton type="submit" busy={state === 'sending'} disabled={!agrees || address.trim() === ''}>
          {texts.send}
        </GuestButton>
        <p role="status" className="text-center text-small empty:hidden">
          {state === 'sent' && texts.sent}
        </p>
        <p role="alert" className="text-center text-small text-danger empty:hidden">
          {typeof state === 'object' && state.problem}
        </p>
      </form>
    </details>
  );
}
