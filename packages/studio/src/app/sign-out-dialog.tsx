import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { say } from '../words/say.ts';
import { useSession } from './session.tsx';

interface SignOutDialogProps {
  everywhere: boolean;
  onSetPassword(): void;
  onClose(): void;
}

/** Whoever has no password cannot sign in again by themselves: they are told before they sign out. */
export function SignOutDialog({ everywhere, onSetPassword, onClose }: SignOutDialogProps) {
  const { me, commandLine, signOut } = useSession();
  return (
    <Dialog open title={say('Sign out without a password?')} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p>
          {say(
            'Your account has no password. Once you are signed out, only a new sign-in link leads back in. It is made on the server, with',
          )}
        </p>
        <code className="block rounded-card bg-panel px-3 py-2 text-small wrap-anywhere select-all">
          {commandLine} accounts link {me.email}
        </code>
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" onClick={onSetPassword}>
            {say('Set a password')}
          </Button>
          <Button kind="danger" onClick={() => void signOut(everywhere)}>
            {say('Sign out anyway')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
