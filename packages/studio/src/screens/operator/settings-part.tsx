import type { SettingInfo } from '@guise/contract/operator.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { AddressSetting } from '../../app/guest-address/address-setting.tsx';
import { useGuise } from '../../app/guise-context.ts';
import { Problem } from '../../ui/problem.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';

type Shown = 'all' | 'set';
const shownOptions = [
  { value: 'all', label: 'All' },
  { value: 'set', label: 'Set here' },
] as const;

/** The address for guests, and the settings as the server reads them, which are changed in its environment. */
export function SettingsPart() {
  const guise = useGuise();
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState<Shown>('all');
  const { data, error, refetch } = useQuery({
    queryKey: ['settings'],
    queryFn: () => guise.operator.settings(),
  });
  const wanted = search.trim().toLowerCase();
  const found = data?.settings.filter(
    ({ name, description, source }) =>
      (shown === 'all' || source === 'environment') &&
      `${name} ${description}`.toLowerCase().includes(wanted),
  );
  return (
    <div className="flex max-w-5xl flex-col gap-5">
      <AddressSetting />
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label="Search the settings"
          value={search}
          onChange={setSearch}
          className="min-w-48 flex-1 sm:max-w-80"
        />
        <Segmented<Shown> label="Which settings" value={shown} options={shownOptions} onChange={setShown} />
      </div>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {found && found.length > 0 && (
        <ul aria-label="Settings" className="border-t">
          {found.map((setting) => (
            <SettingRow key={setting.name} setting={setting} />
          ))}
        </ul>
      )}
      {found?.length === 0 && (
        <p className="text-ink-soft">
          {wanted
            ? `No setting has “${search}” in its name or description.`
            : 'Every setting is at its default.'}
        </p>
      )}
    </div>
  );
}

function SettingRow({ setting }: { setting: SettingInfo }) {
  const isSet = setting.source === 'environment';
  return (
    <li className="grid grid-cols-2 gap-x-8 gap-y-1 border-b py-3 max-md:grid-cols-1">
      <div className="min-w-0">
        <p className="font-mono text-small font-medium break-all">{setting.name}</p>
        <p className="text-small text-ink-soft">{withCode(setting.description)}</p>
      </div>
      <div className="min-w-0">
        {setting.value === null ? (
          <p className="text-ink-soft">Set (hidden)</p>
        ) : (
          <p className={`break-all ${isSet ? 'font-medium' : 'text-ink-soft'}`}>{setting.value || 'Empty'}</p>
        )}
        {isSet && (
          <p className="text-small text-ink-soft">Set here, by default {setting.default || 'empty'}</p>
        )}
      </div>
    </li>
  );
}

/** Names and values stand between backticks in the descriptions. */
function withCode(text: string): ReactNode[] {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move.
      <code key={at} className="font-mono break-words text-ink">
        {part}
      </code>
    ),
  );
}
