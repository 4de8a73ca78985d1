import type { Workflow } from '@guise/contract/workflow.ts';
import { z } from 'zod';

const Message = z.object({ type: z.string(), data: z.looseObject({ prompt_id: z.string().optional() }) });
const NodeProgress = z.looseObject({ value: z.number(), max: z.number(), state: z.string().optional() });

/** Sampling takes nearly all of the time, and loading the models most of the rest. */
const weights: [RegExp, number][] = [
  [/sampler/i, 30],
  [/loader|decode|encode/i, 2],
];

/** Follows one prompt through the socket's messages, which may come late, twice, reordered or not at all. */
export interface Progress {
  /** Reads a text message; says whether it was the prompt's last. */
  read(text: string): 'nothing' | 'moved' | 'ended';
  /** 0 to 1. */
  done(): number;
}

export function promptProgress(workflow: Workflow, promptId: string): Progress {
  const nodes = new Map(
    Object.entries(workflow).map(([id, { class_type }]) => {
      const weight = weights.find(([pattern]) => pattern.test(class_type))?.[1] ?? 1;
      return [id, { weight, done: 0 }];
    }),
  );
  const total = [...nodes.values()].reduce((sum, node) => sum + node.weight, 0);
  const move = (id: string, done: number) => {
    const node = nodes.get(id);
    if (node) node.done = Math.max(node.done, Math.min(1, done));
  };
  const endings = ['execution_success', 'execution_error', 'execution_interrupted'];

  return {
    read(text) {
      const message = Message.safeParse(parsed(text));
      if (!message.success || message.data.data.prompt_id !== promptId) return 'nothing';
      const { type, data } = message.data;
      if (endings.includes(type) || (type === 'executing' && data.node === null)) return 'ended';
      if (type === 'execution_cached' && Array.isArray(data.nodes))
        for (const id of data.nodes) move(String(id), 1);
      if (type === 'executed' && typeof data.node === 'string') move(data.node, 1);
      if (type === 'progress' && typeof data.node === 'string') moveBy(data.node, data);
      if (type === 'progress_state') {
        for (const [id, state] of Object.entries((data.nodes ?? {}) as Record<string, unknown>))
          moveBy(id, state);
      }
      return 'moved';
    },
    done: () => [...nodes.values()].reduce((sum, node) => sum + node.weight * node.done, 0) / total,
  };

  function moveBy(id: string, state: unknown): void {
    const read = NodeProgress.safeParse(state);
    if (!read.success || !(read.data.max > 0)) return;
    move(id, read.data.state === 'finished' ? 1 : read.data.value / read.data.max);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
