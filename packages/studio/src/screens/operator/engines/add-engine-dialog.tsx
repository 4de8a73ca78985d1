import type { EngineTest, NewEngineInput } from '@guise/contract/operator/engine-setup.ts';
import type { EngineList } from '@guise/contract/operator/operator.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import { operatorSentence } from '../operator-sentence.ts';
import { StateMark } from '../state-mark.tsx';
import { ComfyuiSetupPart, RunpodSetupPart } from './comfyui-setup-part.tsx';
import { EngineFields, isWhole } from './engine-fields.tsx';
import { familyWords } from './engine-words.ts';

interface AddEngineDialogProps {
  /** An engine that was added here and is set up anew; without one, another is added. */
  again?: NewEngineInput;
  onAdded(list: EngineList): void;
  onClose(): void;
}

const empty: NewEngineInput = { name: '', type: 'comfyui', url: '', fallback: true };

/** Another engine. It is asked before it is saved, and saved only where it answers. */
export function AddEngineDialog({ again, onAdded, onClose }: AddEngineDialogProps) {
  const guise = useGuise();
  const [engine, setEngine] = useState<NewEngineInput>(again ?? empty);
  const [answer, setAnswer] = useState<EngineTest | null>(null);
  const test = useMutation({
    mutationFn: (wanted: NewEngineInput) => guise.operator.testEngine(wanted),
    onSuccess: setAnswer,
  });
  const add = useMutation({
    mutationFn: () => guise.operator.addEngine(engine),
    onSuccess(list) {
      onAdded(list);
      onClose();
    },
  });
  const change = (part: Partial<NewEngineInput>) => {
    setEngine((before) => ({ ...before, ...part }));
    // What was said is of what was asked.
    setAnswer(null);
    test.reset();
    add.reset();
  };
  const changeAndAsk = (part: Partial<NewEngineInput>) => {
    setEngine((before) => ({ ...before, ...part }));
    test.mutate({ ...engine, ...part });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (answer?.ok) add.mutate();
    else test.mutate(engine);
  };
  const error = test.error ?? add.error;
  const save = say(again ? 'Save' : 'Add the engine');
  return (
    <Dialog
      open
      wide={!!answer?.setup}
      title={again ? say('Set up {name} again', { name: again.name }) : say('Add an engine')}
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <EngineFields engine={engine} onChange={change} />
        {answer?.setup &&
          (engine.type === 'runpod' ? (
            <RunpodSetupPart setup={answer.setup} onChangeAndAsk={changeAndAsk} />
          ) : (
            <ComfyuiSetupPart setup={answer.setup} engine={engine} onChangeAndAsk={changeAndAsk} />
          ))}
        <div className="sticky -bottom-5 -mx-5 -mb-5 flex flex-col gap-3 border-t bg-raised px-5 py-3">
          {answer && <Answer answer={answer} />}
          {error && <Problem error={error} />}
          <div className="flex justify-end gap-2">
            <Button kind="quiet" onClick={onClose}>
              {say('Not now')}
            </Button>
            <Button
              kind="primary"
              type="submit"
              disabled={!isWhole(engine)}
              busy={test.isPending || add.isPending}
            >
              {answer?.ok ? save : say('Test the connection')}
            </Button>
          </div>
        </div>
      </form>
    </Dialog>
  );
}

/** What the engine said, and what it would make. */
function Answer({ answer: { ok, says, missing, families } }: { answer: EngineTest }) {
  return (
    <div role="status" className="flex gap-2">
      <StateMark ok={ok} label={say(ok ? 'It can be used' : 'It cannot be used')} />
      <div className="min-w-0 text-small">
        <p className={ok ? '' : 'text-lost'}>{operatorSentence(says)}</p>
        {ok && <p className="text-ink-soft">{madeSentence(families)}</p>}
        {missing.length > 0 && (
          <p className="text-ink-soft">
            {say('It lacks {missing}.', { missing: missing.map(sayOfServer).join(', ') })}
          </p>
        )}
      </div>
    </div>
  );
}

/** A ComfyUI server without the models of a set runs what customers bring. */
const madeSentence = (families: readonly string[]) =>
  families.length === 0
    ? say('It makes nothing but workflows of custom filters until it has the models of its set.')
    : say('It makes: {families}', { families: familyWords(families) });
