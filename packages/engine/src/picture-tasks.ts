import type { PhotoCheck } from '@guise/contract/events/event-guests.ts';
import { analyseBackdrop, type BackdropAnalysis } from './backdrop/analyse-backdrop.ts';
import { type SceneToWrite, type WrittenScene, writeScene } from './backdrop/write-scene.ts';
import type { EngineSettings } from './engine.ts';
import { useImportedModels } from './models/model-files.ts';
import { blazeFace, faceMesh } from './models/models.ts';
import { session } from './models/sessions.ts';
import {
  layOverlay,
  type OverlayResult,
  type OverlayToLay,
  type OverlayToPrepare,
  prepareOverlay,
  type TextsToWrite,
  writeTexts,
} from './picture-tasks/overlay.ts';
import { checkPhoto, type PhotoUse } from './picture-tasks/photo-check.ts';
import { type PicturePrint, printPicture } from './picture-tasks/print.ts';

/** Work on a photo or a picture beside making pictures: a check, an overlay, a print, a backdrop that becomes a scene. */
export type PictureTask =
  | ({ kind: 'check-photo'; file: string } & PhotoUse)
  | ({ kind: 'prepare-overlay' } & OverlayToPrepare)
  | ({ kind: 'lay-overlay' } & OverlayToLay)
  | ({ kind: 'write-texts' } & TextsToWrite)
  | ({ kind: 'print' } & PicturePrint)
  | { kind: 'analyse-backdrop'; file: string }
  | ({ kind: 'write-scene' } & SceneToWrite);

export type PictureTaskOf<Kind extends PictureTask['kind']> = Extract<PictureTask, { kind: Kind }>;

export interface PictureTaskResults {
  'check-photo': PhotoCheck;
  'prepare-overlay': null;
  'lay-overlay': OverlayResult;
  'write-texts': null;
  print: null;
  'analyse-backdrop': BackdropAnalysis;
  'write-scene': WrittenScene;
}

/** Picture tasks as a library. Needs none of the models but those that find faces, and for costumes the one of body classes. */
export interface PictureTaskEngine {
  do(task: PictureTask): Promise<PictureTaskResults[PictureTask['kind']]>;
  warmUp(): Promise<void>;
}

export function createPictureTaskEngine({
  modelsDir = null,
  cacheDir = null,
}: Omit<EngineSettings, 'packs'> = {}): PictureTaskEngine {
  if (modelsDir !== null) useImportedModels(modelsDir);
  return {
    async do(task) {
      switch (task.kind) {
        case 'check-photo':
          return checkPhoto(task.file, task);
        case 'prepare-overlay':
          return prepareOverlay(task);
        case 'lay-overlay':
          return layOverlay(task);
        case 'write-texts':
          return writeTexts(task);
        case 'print':
          return printPicture(task);
        case 'analyse-backdrop':
          return analyseBackdrop(task.file);
        case 'write-scene':
          return writeScene(task);
      }
    },
    async warmUp() {
      await Promise.all([blazeFace, faceMesh].map((model) => session(model, cacheDir)));
    },
  };
}
