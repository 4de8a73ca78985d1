import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileJson } from 'lucide-react';
import { useId, useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Problem } from '../../../ui/problem.tsx';
import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import { readJsonFile } from '../json-file.ts';
import type { EditedWorkflow, PickedBindings } from './edited-filter.ts';
import { WorkflowBindings } from './workflow-bindings.tsx';

interface WorkflowEditorProps {
  edited: EditedWorkflow | undefined;
  onChange(edited: EditedWorkflow | undefined): void;
}

/** A filter from a ComfyUI workflow: the file is dropped in, and the inputs of its nodes are picked from lists. */
export function WorkflowEditor({ edited, onChange }: WorkflowEditorProps) {
  const guise = useGuise();
  const queries = useQueryClient();
  const [problem, setProblem] = useState<unknown>();
  const [isReading, setReading] = useState(false);
  const checkOf = (workflow: Record<string, unknown>) => ({
    queryKey: ['workflow_check', workflow],
    queryFn: () => guise.filterDrafts.checkWorkflow(workflow),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const check = useQuery({ ...checkOf(edited?.workflow ?? {}), enabled: edited !== undefined });

  const take = async (file: File | undefined) => {
    if (!file) return;
    setProblem(undefined);
    setReading(true);
    try {
      const { workflow, ...given } = workflowIn(await readJsonFile(file));
      const { nodes, bindings, problems } = await queries.fetchQuery(checkOf(workflow));
      if (nodes.length === 0)
        throw new Error(problems[0] ?? say('{name} holds no nodes.', { name: file.name }));
      onChange({
        name: file.name,
        workflow: workflow as EditedWorkflow['workflow'],
        bindings: given.bindings ?? pickedOf(bindings),
      });
    } catch (error) {
      setProblem(error);
    } finally {
      setReading(false);
    }
  };

  return (
    <div className="flex flex-col gap-5">
      <WorkflowDrop name={edited?.name} isReading={isReading} onFile={(file) => void take(file)} />
      {problem !== undefined && <Problem error={problem} />}
      {check.error && <Problem error={check.error} onRetry={() => void check.refetch()} />}
      {edited && check.data && (
        <>
          {check.data.problems.length > 0 && (
            <ul className="flex flex-col gap-1 text-lost">
              {check.data.problems.map((sentence) => (
                <li key={sentence}>{sayOfServer(sentence)}</li>
              ))}
            </ul>
          )}
          {check.data.left_out.length > 0 && (
            <ul className="flex flex-col gap-1 text-ink-soft">
              {check.data.left_out.map((sentence) => (
                <li key={sentence}>{sayOfServer(sentence)}</li>
              ))}
            </ul>
          )}
          <WorkflowBindings
            nodes={check.data.nodes}
            bindings={edited.bindings}
            onChange={(bindings) => onChange({ ...edited, bindings })}
          />
        </>
      )}
    </div>
  );
}

/** The workflow of a file: as ComfyUI exports it, or with bindings, as filters are exported. */
function workflowIn(file: Record<string, unknown>): {
  workflow: Record<string, unknown>;
  bindings?: PickedBindings;
} {
  const { definition } = file as { definition?: { kind?: unknown } };
  if (definition?.kind !== 'workflow') return { workflow: file };
  return definition as unknown as EditedWorkflow;
}

/** Suggestions are all places of nodes, without the values that a choice may stand for. */
function pickedOf(suggested: { photos: PickedBindings['photos'] } & Record<string, unknown>): PickedBindings {
  const { size, ...bindings } = suggested as Omit<PickedBindings, 'size'> & {
    size?: Omit<NonNullable<PickedBindings['size']>, 'multiple'>;
  };
  return { ...bindings, ...(size && { size: { multiple: 8, ...size } }) };
}

interface WorkflowDropProps {
  name: string | undefined;
  isReading: boolean;
  onFile(file: File | undefined): void;
}

function WorkflowDrop({ name, isReading, onFile }: WorkflowDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    <section
      aria-label={say('Workflow file')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer.files[0]);
      }}
      className={`flex flex-wrap items-center justify-center gap-x-4 gap-y-2 rounded-card border border-dashed px-4 text-center ${name ? 'py-3' : 'flex-col py-10'} ${isOver ? 'border-accent bg-panel' : 'border-ink-soft'}`}
    >
      {!name && <FileJson size={28} strokeWidth={1.4} className="text-ink-soft" aria-hidden />}
      <p className="min-w-0 text-ink-soft">
        {isReading
          ? say('Reading the workflow…')
          : (name ?? say('Drop a workflow here, as ComfyUI saves it with “Export (API)”'))}
      </p>
      <label
        htmlFor={id}
        className="inline-flex min-h-10 items-center rounded-card border bg-raised px-3.5 hover:border-ink-soft has-focus-visible:outline-2"
      >
        {name ? say('Replace') : say('Choose a file')}
        <input
          id={id}
          type="file"
          accept=".json,application/json"
          className="sr-only"
          onChange={(event) => {
            onFile(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </label>
    </section>
  );
}
