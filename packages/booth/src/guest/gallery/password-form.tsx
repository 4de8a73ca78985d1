import { Lock } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../shared/texts/texts.ts';
import { GuestButton } from '../guest-button.tsx';

interface PasswordFormProps {
  unlock(password: string): Promise<'wrong' | 'tooMany' | 'away' | undefined>;
}

export function PasswordForm({ unlock }: PasswordFormProps) {
  const texts = useTexts();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setProblem('');
    const why = await unlock(password);
    setIsBusy(false);
    if (why) setProblem(why === 'away' ? texts.guest.notLoaded : texts.gallery[why]);
  };
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center p-6">
      <form onSubmit={submit} className="flex w-full max-w-sm flex-col gap-4">
        <h1 className="flex items-center gap-3">
          <Lock aria-hidden /> {texts.gallery.title}
        </h1>
        <p className="text-small text-ink-soft">{texts.gallery.passwordHint}</p>
        <label className="flex flex-col gap-1.5 text-small">
          {texts.gallery.password}
          <input
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={({ target }) => setPassword(target.value)}
            className="min-h-12 rounded-card border bg-panel px-4 text-base"
          />
        </label>
        <p role="alert" className="text-small text-danger empty:hidden">
          {problem}
        </p>
        <GuestButton kind="primary" type="submit" busy={isBusy}>
          {texts.gallery.open}
        </GuestButton>
      </form>
    </main>
  );
}
