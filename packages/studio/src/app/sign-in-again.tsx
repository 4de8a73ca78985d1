import { Dialog } from '../ui/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Asks for the password above a page whose session has ended. */
export function SignInAgain({ email }: { email: string }) {
  return (
    <Dialog open title="Sign in again" onClose={() => {}}>
      <p className="mb-4 text-ink-soft">
        Your session has ended. Sign in to go on; what you typed is still here.
      </p>
      <SignInForm email={email} />
    </Dialog>
  );
}
