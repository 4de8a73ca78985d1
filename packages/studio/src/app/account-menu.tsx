import type { ReactNode } from 'react';
import { creditsText } from '../ui/credits-text.ts';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { changeLanguage, type Language, language, languages } from '../words/language.ts';
import { say } from '../words/say.ts';
import { useAccountDialog } from './account-dialogs.tsx';
import { useSession } from './session.tsx';
import { type Theme, useTheme } from './theme.tsx';

const languageNames = Object.entries(languages) as [Language, string][];
const themes: { theme: Theme; label: string }[] = [
  { theme: 'system', label: say('System theme') },
  { theme: 'light', label: say('Light theme') },
  { theme: 'dark', label: say('Dark theme') },
];

/** Who is signed in, the balance, the theme, the language, signing out. */
export function AccountMenu({ className, children }: { className: string; children: ReactNode }) {
  return (
    <Menu className={className} label={say('Account')} trigger={children} defaultOpen>
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
        <p className="text-small text-ink-soft">{creditsText(me.balance)}</p>
      </div>
      <MenuSeparator />
      {themes.map((entry) => (
        <MenuItem key={entry.theme} isChosen={theme === entry.theme} onClick={() => setTheme(entry.theme)}>
          {entry.label}
        </MenuItem>
      ))}
      <MenuSeparator />
      {languageNames.map(([key, name]) => (
        <MenuItem key={key} isChosen={key === language} onClick={() => changeLanguage(key)}>
          {name}
        </MenuItem>
      ))}
      <MenuSeparator />
      {hasPassword !== null && (
        <>
          <MenuItem onClick={() => show('password')}>
            {hasPassword ? say('Change the password') : say('Set a password')}
          </MenuItem>
          <MenuItem onClick={() => show('link')}>{say('Sign in on another device')}</MenuItem>
        </>
      )}
      <MenuItem onClick={() => window.open('/docs', '_blank')}>{say('API reference')}</MenuItem>
      <MenuItem onClick={() => (hasPassword === false ? show('sign-out') : void signOut())}>
        {say('Sign out')}
      </MenuItem>
      <MenuItem onClick={() => (hasPassword === false ? show('sign-out-everywhere') : void signOut(true))}>
        {say('Sign out everywhere')}
      </MenuItem>
    </>
  );
}
