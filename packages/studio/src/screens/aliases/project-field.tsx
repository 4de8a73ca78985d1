import { useId } from 'react';
import { TextField } from '../../ui/text-field.tsx';
import { say } from '../../words/say.ts';
import { groupByProject, useAliases } from './use-aliases.ts';

interface ProjectFieldProps {
  value: string;
  onChange(value: string): void;
  error?: string | undefined;
}

/** The name of a project: one that exists, or a new one. */
export function ProjectField({ value, onChange, error }: ProjectFieldProps) {
  const { aliases = [] } = useAliases();
  const list = useId();
  return (
    <>
      <TextField
        label={say('Project')}
        hint={say('Slots are grouped by project (optional).')}
        placeholder={say('Summer tour')}
        maxLength={200}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        list={list}
        error={error}
      />
      <datalist id={list}>
        {groupByProject(aliases)
          .filter(({ name }) => name !== '')
          .map(({ name }) => (
            <option key={name} value={name} />
          ))}
      </datalist>
    </>
  );
}
