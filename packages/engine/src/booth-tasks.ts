import type { PhotoCheck } from '@guise/contract/booth/event-guests.ts';
import {
  layOverlay,
  type OverlayResult,
  type OverlayToLay,
  type OverlayToPrepare,
  prepareOverlay,
} from './booth/overlay.ts';
import { checkPhoto, type PhotoUse } from './booth/photo-check.ts';
import { type PicturePrint, printPicture } from './booth/print.ts';
import type { EngineSettings } from './engine.ts';
import { blazeFace, faceMesh } from './models/models.ts';
import { session } from './models/sessions.ts';

/** What is done for booths beside making pictures. */
export type BoothTask =
  | ({ kind: 'check-photo'; file: string } & PhotoUse)
  | ({ kind: 'prepare-overlay' } & OverlayToPrepare)
  | ({ kind: 'lay-overlay' } & OverlayToLay)
  | ({ kind: 'print' } & PicturePrint);

export type BoothTaskOf<Kind extends BoothTask['kind']> = Extract<BoothTask, { kind: Kind }>;

export interface BoothResults {
  'check-photo': PhotoCheck;
  'prepare-overlay': null;
  'lay-overlay': OverlayResult;
  print: null;
}

/** The tasks of booths as a library. Needs none of the models but those that find faces. */
export interface BoothEngine {
  do(task: BoothTask): Promise<BoothResults[BoothTask['kind']]>;
  warmUp(): Promise<void>;
}

export function createBoothEngine({ cacheDir = null }: Pick<EngineSettings, 'cacheDir'> = {}): BoothEngine {
  return {
    async do(task) {
      switch (task.kind) {
        case 'check-photo':
          return checkPhoto(task.file, task);
        case 'prepare-overlay':
          return prepareOverlay(task);
        case 'lay-overlay':
          return layOverlay(task);
        case 'print':
          return printPicture(task);
      }
    },
    async warmUp() {
      await Promise.all([blazeFace, faceMesh].map((model) => session(model, cacheDir)));
    },
  };
}
