import type { PictureTasks } from '../engines/picture-tasks/picture-tasks.ts';

/** What does picture tasks, and where their files are meanwhile. */
export interface PictureTaskParts {
  pictureTasks: PictureTasks;
  /** A folder of this process alone, for files of jobs that run and of pictures that are worked on. */
  scratchDir: string;
}
