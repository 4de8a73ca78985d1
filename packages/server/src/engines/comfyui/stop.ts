import { pause } from '../pause.ts';
import type { ComfyuiClient } from './comfyui-client.ts';

const limitMs = 20_000;

/** Stops a prompt and no other. An interrupt right after the prompt was sent can be lost, so it is repeated until the prompt is gone. */
export async function stopPrompt(client: ComfyuiClient, promptId: string): Promise<void> {
  const limit = AbortSignal.timeout(limitMs);
  // Twice gone is gone: the prompt itself may still have been on its way at the first poll.
  for (let gone = 0, tries = 0; gone < 2 && !limit.aborted; tries++) {
    try {
      await client.stop(promptId, limit);
      gone = (await client.placeOf(promptId, limit)) ? 0 : gone + 1;
    } catch {
      gone = 0;
    }
    await pause(Math.min(100 + tries * 100, 1000), limit);
  }
}
