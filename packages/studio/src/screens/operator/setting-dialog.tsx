import { GuiseError } from '@guise/client/guise-error.ts';
import type { SettingInfo } from '@guise/contract/operator/operator.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';
import { settingsKey, settingText } from './setting-text.tsx';

interface SettingDialogProps {
  setting: SettingInfo;
  onClose(): void;
}

/** Another value for a setting, which holds from the next start on. */
export function SettingDialog({ setting, onClose }: SettingDialogProps) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { name, choices, secret } = setting;
  const current = setting.stored ?? (secret ? '' : (setting.value ?? ''));
  const [value, setValue] = useState(current);
  const save = useMutation({
    mutationFn: (next: string | null) => guise.operator.changeSettings({ [name]: next }),
    onSuccess: (list) => {
      queries.setQueryData(settingsKey, list);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(value.trim());
  };
  const change = (next: string) => {
    setValue(next);
    save.reset();
  };
  return (
    <Dialog open title={name} onClose={onClose}>
      <form className="flex flex-col gap-5" onSubmit={submit} noValidate>
        <p className="text-ink-soft">{settingText(setting.description)}</p>
        {choices ? (
          <SelectField
            label={say('Value')}
            value={value}
            options={choices.map((choice) => ({ value: choice, label: choiceWords(choice) }))}
            onChange={(event) => change(event.target.value)}
          />
        ) : (
          <TextField
            label={say('Value')}
            value={value}
            autoComplete="off"
            autoFocus
            placeholder={secret ? say('Not shown') : sayOfServer(setting.default)}
            error={save.error ? problemOf(save.error) : undefined}
            onChange={(event) => change(event.target.value)}
          />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          {(setting.source === 'stored' || setting.stored !== null || (secret && setting.pending)) && (
            <Button busy={save.isPending} onClick={() => save.mutate(null)}>
              {!secret && setting.default
                ? say('Back to the default: {value}', {
                    value: choices ? choiceWords(setting.default) : sayOfServer(setting.default),
                  })
                : say('Back to the default')}
            </Button>
          )}
          <Button
            kind="primary"
            type="submit"
            busy={save.isPending}
            disabled={value.trim() === '' || (value === current && !secret)}
          >
            {say('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const choiceWords = (choice: string) =>
  choice === 'true' ? say('On') : choice === 'false' ? say('Off') : choice;

/** What is wrong with the value itself, where the server says it. */
function problemOf(error: Error): string {
  if (!(error instanceof GuiseError)) return errorSentence(error);
  const message = error.fields[0]?.message;
  if (message !== undefined)
    return say('This value is not taken: {message}.', { message: sayOfServer(message) });
  const sentence = sayOfServer(error.message);
  return sentence === error.message ? errorSentence(error) : sentence;
}
