import type { FileTasks, JobTasks } from '../../media/decoder.ts';

/** What a decoding process does. */
export interface DecodingTasks extends FileTasks, JobTasks {
  checkPicture(asked: { bytes: Uint8Array }): Promise<void>;
}

export type TaskName = keyof DecodingTasks;

/** A task as it is sent to the process. */
export type DecodingTask = { [Name in TaskName]: { name: Name; asked: Asked<Name> } }[TaskName];

export type Asked<Name extends TaskName> = Parameters<DecodingTasks[Name]>[0];
export type Decoded<Name extends TaskName> = Awaited<ReturnType<DecodingTasks[Name]>>;
