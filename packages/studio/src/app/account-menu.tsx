import type { ReactNode } from 'react';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { useAccountDialog } from './account-dialogs.tsx';
import { useSession } from './session.tsx';
import { type Theme, useTheme } from './theme.tsx';

const themes: { theme: Theme; label: string }[] = [
  { theme: 'system', label: 'System theme' },
  { theme: 'light', label: 'Light theme' },
  { theme: 'dark', label: 'Dark theme' },
];

/** Who is signed in, the balance, the theme, signing out. */
export function AccountMenu({ className, children }: { className: string; children: ReactNode }) {
  return (
    <Menu className={className} label="Account" trigger={children} defaultOpen>
      <AccountItems />
    </Menu>
  );
}

/** The entries, which phones have in the menu "More". */
export function AccountItems() {
  const { me, hasPassword, signOut } = useSession();
  const show = useAccountDialog();
  const { theme, setTheme } = useTheme();
  return (
    <>
      <div className="px-3 py-2">
        <p className="truncate font-medium">{me.email}</p>
        <p className="text-small text-ink-soft">{me.balance.toLocaleString('en')} credits</p>
      </div>
      <MenuSeparator />
      {themes.map((entry) => (
        <MenuItem key={entry.theme} isChosen={theme === entry.theme} onClick={() => setTheme(entry.theme)}>
          {entry.label}
        </MenuItem>
      ))}
      <MenuSeparator />
      {hasPassword !== null && (
        <>
          <MenuItem onClick={() => show('password')}>
            {hasPassword ? 'Change the password' : 'Set a password'}
          </MenuItem>
          <MenuItem onClick={() => show('link')}>Sign in on another device</MenuItem>
        </>
      )}
      <MenuItem onClick={() => window.open('/docs', '_blank')}>API reference</MenuItem>
      <MenuItem onClick={() => (hasPassword === false ? show('sign-out') : void signOut())}>
        Sign out
      </MenuItem>
      <MenuItem onClick={() => (hasPassword === false ? show('sign-out-everywhere') : void signOut(true))}>
        Sign out everywhere
      </MenuItem>
    </>
  );
}
