import type { SettingChanges, SettingList } from '@guise/contract/operator/operator.ts';
import { type Config, type DescribedSetting, faultOf, type SettingName } from '../../config.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Installation } from '../../http/parts.ts';
import { writeStoredSettings } from '../../stored-settings.ts';
import type { Restarts } from './restarts.ts';

/** The settings that this process was started with, and what operators change of them for the next start. */
export function createSettings(
  { described, dataDir, stored: started }: Config,
  restarts: Restarts | undefined,
): Pick<Installation, 'settings' | 'changeSettings' | 'restart'> {
  let stored = started;
  const canChange = ({ changeable }: DescribedSetting) => changeable && restarts !== undefined;

  const list = (): SettingList => ({
    settings: described.map((setting) => ({
      ...setting,
      changeable: canChange(setting),
      pending: canChange(setting) && stored[setting.name] !== started[setting.name],
      stored: setting.secret ? null : (stored[setting.name] ?? null),
    })),
    can_restart: restarts !== undefined,
    last_error: restarts?.last.settingsError ?? null,
    next_cursor: null,
  });

  const changed = ({ settings }: SettingChanges) => {
    const next = { ...stored };
    for (const [name, value] of Object.entries(settings)) {
      const setting = described.find((one) => one.name === name);
      if (!setting) throw invalidField(`settings.${name}`, 'is no setting');
      if (!canChange(setting))
        throw invalidField(`settings.${name}`, 'comes from the environment that the server is started with');
      const text = value?.trim() ?? '';
      if (text === '') delete next[name];
      else {
        const fault = faultOf(name as SettingName, text);
        if (fault !== null) throw invalidField(`settings.${name}`, fault);
        next[name] = text;
      }
    }
    return next;
  };

  return {
    settings: list,
    async changeSettings(changes) {
      const next = changed(changes);
      // What two settings together make impossible.
      await restarts!.check(next).catch((error) => {
        throw error instanceof AppError ? new AppError('VALIDATION_ERROR', error.message) : error;
      });
      await writeStoredSettings(dataDir, next);
      stored = next;
      return list();
    },
    restart() {
      if (!restarts)
        throw new AppError(
          'RESTART_UNAVAILABLE',
          'Restart the processes of this installation where they run.',
        );
      restarts.restart();
    },
  };
}
