import type { NewCustomFilter } from '@guise/contract/catalogs.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { readJsonFile } from './json-file.ts';

/** Makes a filter from a file that was exported, here or from another server. */
export function ImportFilter() {
  const guise = useGuise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);

  const take = async (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    try {
      const body = await readJsonFile(file);
      if (!('definition' in body))
        throw new Error(say('{name} is not an exported filter.', { name: file.name }));
      // What else is wrong with it, the server says.
      const { id, name } = await guise.customFilters.create(body as unknown as NewCustomFilter);
      await queries.invalidateQueries({ queryKey: ['filters'] });
      toast.tell(say('{name} is imported.', { name }));
      await navigate({ to: '/studio/filters/$id', params: { id } });
    } catch (error) {
      toast.fail(errorSentence(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Button icon={<FileUp size={17} aria-hidden />} busy={isBusy} onClick={() => input.current?.click()}>
        {say('Import')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label={say('File of an exported filter')}
        className="hidden"
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
    </>
  );
}
