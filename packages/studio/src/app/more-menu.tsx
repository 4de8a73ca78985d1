import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { say } from '../words/say.ts';
import { AccountItems } from './account-menu.tsx';
import type { RailEntry } from './rail-entries.ts';

/** The screens that have no room below the page of a phone, and the account. */
export function MoreMenu(props: { entries: readonly RailEntry[]; className: string; children: ReactNode }) {
  const navigate = useNavigate();
  return (
    <Menu className={props.className} label={say('More')} trigger={props.children} defaultOpen>
      {props.entries.map(({ to, label }) => (
        <MenuItem key={to} onClick={() => void navigate({ to })}>
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <AccountItems />
    </Menu>
  );
}
