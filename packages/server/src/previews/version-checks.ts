import type { PromptCheck } from '@guise/contract/definition-checks.ts';
import type { SamplePhoto } from '@guise/contract/filter-drafts.ts';
import type { CustomDefinition } from '@guise/contract/filters.ts';
import { readTemplate } from '../catalog/custom-filters.ts';
import { type DefinitionChecks, definitionOf, findDefinitionProblems } from '../catalog/definitions.ts';
import { type Draft, enqueueCheck } from '../catalog/filter-renders.ts';
import { blobsOfChecks, removeBlobsOf } from '../catalog/filter-versions.ts';
import type { CheckPrompt } from '../catalog/prompt-checks.ts';
import { newId } from '../ids.ts';
import { photoKeys } from '../qa/photo-blobs.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { deleteChecks, insertCheck, touchDraft } from '../store/filter-draft-records.ts';
import { lockCustomFilterToChange } from '../store/filter-records.ts';
import { listPhotosOfAccount } from '../store/qa/photo-set-records.ts';
import type { FilterCheckRow } from '../store/qa/qa-schema.ts';
import type { CustomFilterRow, CustomFilterVersionRow } from '../store/schema.ts';

interface Parts {
  db: Db;
  blobs: Blobs;
  checks: DefinitionChecks;
  checkPrompt: CheckPrompt;
}

/** Photos of the account's own sets that a version is checked on, beside the samples. */
const mostOwnPhotos = 3;

/** What a check found, before it is stored. */
type Finding = Pick<FilterCheckRow, 'kind' | 'outcome'> & { sentences: string[] };

/** A photo that a version is checked on. */
interface CheckPhoto {
  name: string;
  sample: SamplePhoto | null;
  photo: string | null;
}

/**
 * Checks a version anew: at once what it says, then, by the workers, what it makes of photos. No credits are charged, and no
 * picture of the account's own photos is kept.
 */
export async function startChecks(
  parts: Parts,
  filter: CustomFilterRow,
  version: CustomFilterVersionRow,
): Promise<void> {
  const definition = definitionOf(version);
  const findings = [
    await checkDefinition(parts, definition, filter),
    ...(await checkWords(parts, definition, filter)),
    await checkEngine(parts, definition, filter),
  ];
  const canBeMade = findings.every(({ outcome }) => outcome !== 'failed');
  const photos = canBeMade ? await choosePhotos(parts.db, filter) : [];
  const { id: filter_id } = filter;
  const removed = await parts.db.transaction(async (tx) => {
    // Of two who begin at once, the later takes the place of the earlier; of a deleted filter nothing is checked.
    if (!(await tx.one(lockCustomFilterToChange, { id: filter_id, account_id: filter.account_id })))
      return [];
    const earlier = await tx.all(deleteChecks, { filter_id, version: version.version });
    const row = { filter_id, version: version.version, picture: null };
    for (const [position, { sentences, ...found }] of findings.entries())
      await tx.run(insertCheck, {
        ...row,
        ...found,
        id: newId(),
        position,
        photo: null,
        sentences: JSON.stringify(sentences),
      });
    for (const [at, { name, sample, photo }] of photos.entries()) {
      const id = newId();
      const position = findings.length + at;
      const waiting = { kind: 'photo', outcome: 'waiting', sentences: '[]' } as const;
      await tx.run(insertCheck, { ...row, ...waiting, id, position, photo: name });
      const draft: Draft = { filter_type: filter.filter_type, definition, sample, photo, gender: null };
      await enqueueCheck(tx, filter, id, draft);
    }
    await tx.run(touchDraft, { id: filter_id, version: version.version, now: parts.db.now() });
    return blobsOfChecks(tx, earlier);
  });
  await removeBlobsOf(parts, removed);
}

async function checkDefinition(
  { checks, blobs }: Parts,
  definition: CustomDefinition,
  { filter_type, account_id }: CustomFilterRow,
): Promise<Finding> {
  const problems =
    definition.kind === 'template'
      ? await checks.template(await readTemplate(blobs, definition.image))
      : await findDefinitionProblems(checks, definition, filter_type, account_id);
  const sentences = problems.map(({ path, message }) =>
    path === 'image' ? `The template ${message}.` : `${path}: ${message}.`,
  );
  return { kind: 'definition', outcome: sentences.length > 0 ? 'failed' : 'passed', sentences };
}

async function checkWords(
  { checkPrompt }: Parts,
  definition: CustomDefinition,
  { filter_type }: CustomFilterRow,
): Promise<Finding[]> {
  if (definition.kind !== 'prompt') return [];
  const family = filter_type === 'face_swap' ? 'self_prompt_v2' : 'multi_swap_self_prompt_v5';
  const { ignored } = await checkPrompt({ family, prompt: definition.prompt, model: 'advanced' });
  const sentences = ignored.map(ignoredSentence);
  return [{ kind: 'words', outcome: sentences.length > 0 ? 'warned' : 'passed', sentences }];
}

const ignoredSentence = ({ words, reason }: PromptCheck['ignored'][number]) =>
  reason === null ? `“${words}” will be ignored.` : `“${words}” will be ignored: ${reason}.`;

async function checkEngine(
  { checks }: Parts,
  { kind }: CustomDefinition,
  { filter_type }: CustomFilterRow,
): Promise<Finding> {
  if (await checks.isMade(kind, filter_type)) return { kind: 'engine', outcome: 'passed', sentences: [] };
  const sentences = ['No engine that is there now makes such filters.'];
  return { kind: 'engine', outcome: 'failed', sentences };
}

/** The samples and the account's newest photos that show as many people as the filter is for. */
async function choosePhotos(db: Db, { filter_type, account_id }: CustomFilterRow): Promise<CheckPhoto[]> {
  const isSingle = filter_type === 'face_swap';
  const samples: CheckPhoto[] = isSingle
    ? [
        { name: 'One person', sample: 'one_person', photo: null },
        { name: 'Man', sample: 'man', photo: null },
      ]
    : [
        { name: 'Two people', sample: 'two_people', photo: null },
        { name: 'One person', sample: 'one_person', photo: null },
      ];
  const own = await db.all(listPhotosOfAccount, { account_id, limit: 50 });
  const fitting = own.filter(({ people }) => people === null || isSingle === (people === 1));
  return [
    ...samples,
    ...fitting
      .slice(0, mostOwnPhotos)
      .map(({ id, name }) => ({ name, sample: null, photo: photoKeys(id).photo })),
  ];
}
