import { useQuery } from '@tanstack/react-query';
import { say } from '../words/say.ts';
import { useGuise } from './guise-context.ts';

/** For whoever has no password, or no account. The commands work as they are shown. */
export function WaysIn({ email }: { email?: string }) {
  const guise = useGuise();
  const { data } = useQuery({ queryKey: ['me'], queryFn: () => guise.sessions.current() });
  if (!data) return null;
  const command = (words: string) => (
    <code className="my-1 block rounded-card bg-panel px-3 py-2 wrap-anywhere text-ink select-all">
      {data.command_line} {words}
    </code>
  );
  return (
    <div className="mt-8 text-small text-ink-soft">
      <p>
        {say(
          'No password? On the server, in the folder of Guise and with the server’s settings (GUISE_DATA_DIR, PORT and others, where you have set them), this prints a link that signs in:',
        )}
      </p>
      {command(email ? `accounts link ${email}` : 'accounts link')}
      {!email && (
        <>
          <p className="mt-3">{say('And this makes an account:')}</p>
          {command('accounts create --email you@example.com --credits 100')}
        </>
      )}
    </div>
  );
}
