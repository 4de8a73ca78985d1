import { say } from '../../words/say.ts';
import type { RunState } from './run-states.ts';

/** How far a run is, in words and as a share. */
export function barOf(state: Extract<RunState, { share: number }>): { label: string; share: number | null } {
  if (state.step === 'sending') return { label: say('Sending the photo'), share: state.share };
  if (state.step === 'waiting') return { label: say('Waiting for an engine'), share: null };
  return { label: say('Making…'), share: state.share };
}
