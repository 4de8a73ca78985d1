import { GuiseError } from '@guise/client/guise-error.ts';
import type { QaCell } from '@guise/contract/qa-runs.ts';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { say } from '../../../words/say.ts';

/** A note that is not saved yet. */
export interface NoteDraft {
  text: string;
  /** Of the cell when the person began to type: what others change after that is not overwritten. */
  etag: string;
}

export interface NoteFieldProps {
  runId: string;
  cell: QaCell;
  field: RefObject<HTMLTextAreaElement | null>;
  autoFocus: boolean;
  /** Keeps what could not be saved while another cell is looked at. */
  drafts: Map<string, NoteDraft>;
  onSaved(cell: QaCell): void;
}

/** What a person says about a picture. It is saved by Enter and by leaving the field. */
export function NoteField({ runId, cell, field, autoFocus, drafts, onSaved }: NoteFieldProps) {
  const id = useId();
  const guise = useGuise();
  const [draft, setDraft] = useState(drafts.get(cell.id));
  const text = draft?.text ?? cell.note;
  const dropDraft = () => {
    drafts.delete(cell.id);
    setDraft(undefined);
  };
  const save = useMutation({
    mutationFn: ({ note, etag }: { note: string; etag: string | undefined }) =>
      guise.qaRuns.judge(runId, cell.id, { note }, etag),
    onSuccess(saved) {
      onSaved(saved);
      dropDraft();
    },
  });
  const change = (next: string) => {
    const changed = { text: next, etag: draft?.etag ?? cell.etag };
    drafts.set(cell.id, changed);
    setDraft(changed);
  };
  const leave = () => {
    if (!draft) return;
    if (text.trim() === cell.note) return dropDraft();
    save.mutate({ note: text.trim(), etag: draft.etag });
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      field.current?.blur();
    } else if (event.key === 'Escape') {
      // Closes the field, not the picture.
      event.stopPropagation();
      field.current?.blur();
    }
  };
  const isOlder = save.error instanceof GuiseError && save.error.code === 'CHANGED_ELSEWHERE';
  return (
    <div className="min-w-48 flex-1">
      <label htmlFor={id} className="sr-only">
        {say('Note')}
      </label>
      <textarea
        ref={field}
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the key n opens the picture to write a note.
        autoFocus={autoFocus}
        rows={1}
        maxLength={2000}
        value={text}
        placeholder={say('Note (n)')}
        aria-describedby={`${id}-state`}
        onChange={(event) => change(event.target.value)}
        onBlur={leave}
        onKeyDown={press}
        className="field-sizing-content max-h-32 min-h-10 w-full resize-none rounded-card border bg-raised px-3 py-2 placeholder:text-ink-soft"
      />
      <div id={`${id}-state`} aria-live="polite" className="text-small text-ink-soft">
        {save.isPending && say('Saving…')}
        {save.isSuccess && !draft && say('Saved')}
        {isOlder ? (
          <OlderNote
            onLoad={async () => {
              const { cells } = await guise.qaRuns.get(runId);
              const newer = cells.find((found) => found.id === cell.id);
              if (!newer) return;
              onSaved(newer);
              dropDraft();
              save.reset();
            }}
            onKeep={() => save.mutate({ note: text.trim(), etag: undefined })}
          />
        ) : (
          save.error && <span className="text-lost">{errorSentence(save.error)}</span>
        )}
      </div>
    </div>
  );
}

function OlderNote({ onLoad, onKeep }: { onLoad(): Promise<void>; onKeep(): void }) {
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2">
      <span className="text-lost">{say('This was changed elsewhere meanwhile.')}</span>
      <Button onClick={() => void onLoad()}>{say('Load the newer one')}</Button>
      <Button onClick={onKeep}>{say('Keep mine')}</Button>
    </div>
  );
}
