import { groupGender, type Ratio } from '@guise/contract/common.ts';
import {
  type OwnSceneChange,
  type OwnScenePicture,
  type OwnSceneTrial,
  ownSceneName,
} from '@guise/contract/scenes/own-scenes.ts';
import type { Draft } from '../catalog/filter-renders.ts';
import { storeDraftPhoto } from '../previews/filter-drafts.ts';
import type { FilterTests } from '../previews/filter-tests.ts';
import { changedScene, findOwnScene, type SceneParts, type SceneRef, type UploadOf } from './own-scenes.ts';
import { type SceneCaller, storeSceneFiles } from './scene-files.ts';

/** What a scene, or a change of it that is not saved, makes of a photo. Waits among the account's tests of filters. */
export async function tryScene(
  parts: SceneParts & { tests: FilterTests },
  ref: SceneRef,
  { ratio, sample, photo_id, ...change }: OwnSceneTrial,
  asked: SceneCaller & { uploadOf: UploadOf },
): Promise<OwnScenePicture> {
  // Before anything is stored for it.
  await findOwnScene(parts.db, ref);
  const draftOf = async (ownerId: string): Promise<Draft> => {
    const photo = await storeDraftPhoto(parts, ref.accountId, photo_id, ownerId);
    const isGroup = sample === 'two_people';
    return {
      filter_type: 'face_swap',
      definition: await definitionOf(parts, ref, change, { ...asked, ownerId, only: ratio }),
      ...{ sample: sample ?? null, photo, gender: isGroup ? groupGender : null, ratio },
    };
  };
  const made = await parts.tests.runDraft(ref.accountId, draftOf, asked.signal);
  const { png, applied, ignored, quality = null } = made;
  return { images: [png.toString('base64')], applied, ignored, quality };
}

/** The scene as it is, or with files of its own for a change. */
async function definitionOf(
  parts: SceneParts,
  ref: SceneRef,
  change: OwnSceneChange,
  asked: SceneCaller & { uploadOf: UploadOf; ownerId: string; only: Ratio },
): Promise<Draft['definition']> {
  const definition = { kind: 'scene', scene: ownSceneName(ref.id) } as const;
  if (Object.values(change).every((value) => value === undefined)) return definition;
  const row = await findOwnScene(parts.db, ref);
  const { uploadOf, only } = asked;
  const drawing = { backdrop: row.backdrop, uploadOf, only, ...changedScene(row, change) };
  const { files, mask } = await storeSceneFiles(parts, asked.ownerId, drawing, asked);
  if (mask !== null) await parts.blobs.remove(mask);
  const { title, place } = drawing.settings;
  return { ...definition, own: { files, title, place } };
}
