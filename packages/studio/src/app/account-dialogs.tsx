import { createContext, lazy, type ReactNode, Suspense, use, useState } from 'react';

export type AccountDialog = 'password' | 'link' | 'sign-out' | 'sign-out-everywhere';

const ShowDialog = createContext<(dialog: AccountDialog) => void>(() => {});

/** Opens a dialog of the account. The menu that it is chosen in closes, so the dialog is not part of it. */
export const useAccountDialog = () => use(ShowDialog);

const PasswordDialog = lazy(() =>
  import('./password-dialog.tsx').then((m) => ({ default: m.PasswordDialog })),
);
const SignInLinkDialog = lazy(() =>
  import('./sign-in-link-dialog.tsx').then((m) => ({ default: m.SignInLinkDialog })),
);
const SignOutDialog = lazy(() => import('./sign-out-dialog.tsx').then((m) => ({ default: m.SignOutDialog })));

export function AccountDialogs({ children }: { children: ReactNode }) {
  const [dialog, show] = useState<AccountDialog>();
  const close = () => show(undefined);
  return (
    <ShowDialog value={show}>
      {children}
      <Suspense>
        {dialog === 'password' && <PasswordDialog onClose={close} />}
        {dialog === 'link' && <SignInLinkDialog onClose={close} />}
        {(dialog === 'sign-out' || dialog === 'sign-out-everywhere') && (
          <SignOutDialog
            everywhere={dialog === 'sign-out-everywhere'}
            onSetPassword={() => show('password')}
            onClose={close}
          />
        )}
      </Suspense>
    </ShowDialog>
  );
}
