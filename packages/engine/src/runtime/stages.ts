import { channel } from 'node:diagnostics_channel';

/** Where the bench listens; publishing costs nothing while nobody does. */
export const stages = channel('guise:engine:stage');

/** Says what the engine works on from here until the next stage begins. */
export function beginStage(name: string): void {
  stages.publish(name);
}
