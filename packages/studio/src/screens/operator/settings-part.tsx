import type { SettingInfo } from '@guise/contract/operator/operator.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AddressSetting } from '../../app/guest-address/address-setting.tsx';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';
import { RestartNotice } from './restart-notice.tsx';
import { SettingDialog } from './setting-dialog.tsx';
import { settingsKey, settingText } from './setting-text.tsx';
import { VersionLine } from './version-line.tsx';

type Shown = 'all' | 'set';
const shownOptions = [
  { value: 'all', label: say('All') },
  { value: 'set', label: say('Changed') },
] as const;

/** The address for guests, and the settings: what they mean, what they are, and what they become at the next start. */
export function SettingsPart() {
  const guise = useGuise();
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState<Shown>('all');
  const { data, error, refetch } = useQuery({
    queryKey: settingsKey,
    queryFn: () => guise.operator.settings(),
  });
  const changes = data?.settings.filter(({ pending }) => pending).length ?? 0;
  const wanted = search.trim().toLowerCase();
  const found = data?.settings.filter(
    ({ name, description, source, pending }) =>
      (shown === 'all' || source !== 'default' || pending) &&
      `${name} ${sayOfServer(description)}`.toLowerCase().includes(wanted),
  );
  return (
    <div className="flex max-w-7xl flex-col gap-5">
      <AddressSetting />
      <VersionLine />
      {data?.last_error && (
        <p role="alert" className="text-lost">
          {say('The server did not start with the changed settings, which were put back: {error}', {
            error: sayOfServer(data.last_error),
          })}
        </p>
      )}
      {changes > 0 && (
        <RestartNotice
          text={
            changes === 1
              ? say('1 change waits for a restart of the server.')
              : say('{count} changes wait for a restart of the server.', { count: changes })
          }
          canRestart={data?.can_restart ?? false}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label={say('Search the settings')}
          value={search}
          onChange={setSearch}
          className="min-w-48 flex-1 sm:max-w-80"
        />
        <Segmented<Shown>
          label={say('Which settings')}
          value={shown}
          options={shownOptions}
          onChange={setShown}
        />
      </div>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {found && found.length > 0 && (
        <ul aria-label={say('Settings')} className="border-t">
          {found.map((setting) => (
            <SettingRow key={setting.name} setting={setting} />
          ))}
        </ul>
      )}
      {found?.length === 0 && (
        <p className="text-ink-soft">
          {wanted
            ? say('No setting has “{search}” in its name or description.', { search })
            : say('Every setting is at its default.')}
        </p>
      )}
    </div>
  );
}

function SettingRow({ setting }: { setting: SettingInfo }) {
  const [isOpen, setIsOpen] = useState(false);
  const isSet = setting.source !== 'default';
  return (
    <li className="grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)_5.5rem] gap-x-8 gap-y-1 border-b py-3 max-md:grid-cols-[minmax(0,1fr)_5.5rem]">
      <div className="min-w-0 max-md:col-span-2">
        <p className="font-mono text-small font-medium break-all">{setting.name}</p>
        <p className="text-small text-ink-soft">{settingText(setting.description)}</p>
      </div>
      <div className="min-w-0">
        {setting.value === null ? (
          <p className="text-ink-soft">{say('Set (hidden)')}</p>
        ) : (
          <p className={`break-all ${isSet ? 'font-medium' : 'text-ink-soft'}`}>
            {setting.value || say('Empty')}
          </p>
        )}
        {setting.pending && <p className="text-small font-medium">{afterRestart(setting)}</p>}
        {isSet && (
          <p className="text-small text-ink-soft">
            {say(
              setting.source === 'stored'
                ? 'Changed here, by default {value}'
                : 'Set in the environment of the server, by default {value}',
              { value: sayOfServer(setting.default) || say('empty') },
            )}
          </p>
        )}
      </div>
      <div className="text-right">
        {setting.changeable && (
          <Button aria-label={say('Change {name}', { name: setting.name })} onClick={() => setIsOpen(true)}>
            {say('Change')}
          </Button>
        )}
      </div>
      {isOpen && <SettingDialog setting={setting} onClose={() => setIsOpen(false)} />}
    </li>
  );
}

function afterRestart({ stored, secret, default: byDefault }: SettingInfo): string {
  if (secret) return say('Changes at the next restart');
  return say('After a restart: {value}', { value: stored ?? (sayOfServer(byDefault) || say('empty')) });
}
