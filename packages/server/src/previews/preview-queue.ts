import { customKinds } from '@guise/contract/filters.ts';
import { facesWanted, renderWaiting, sampleFamilies, writeWants } from '../catalog/filter-renders.ts';
import type { Engine } from '../engines/engine.ts';
import { serves } from '../engines/routing.ts';
import type { Changes } from '../jobs/changes.ts';
import type { Db } from '../store/db.ts';
import { claimRenderOf, deleteTests, releaseAllRenders } from '../store/render-records.ts';
import type { RenderRow } from '../store/schema.ts';

/** Previews and tests of custom filters that wait for a worker. Accounts take turns. */
export interface PreviewQueue {
  /** The next one of these families, claimed; undefined when there is none. */
  claim(families: readonly string[]): Promise<RenderRow | undefined>;
  /** Calls back when there may be something to claim. Returns the function that unsubscribes. */
  onEnqueued(listener: () => void): () => void;
}

interface Parts {
  db: Db;
  changes: Changes;
  /** Whether other processes enqueue and claim too. */
  shared: boolean;
}

/** In a shared installation a message may be missed, and the lease of a worker that is gone runs out unannounced. */
const pollIntervalMs = 10_000;

/** For a worker with these engines. What has been found empty is not asked for again before something is enqueued. */
export function previewQueue({ db, changes, shared }: Parts, engines: readonly Engine[]): PreviewQueue {
  const statements = new Map<string, ReturnType<typeof claimStatements>>();
  /** Lists of families that nothing waits for. */
  const empty = new Set<string>();
  /** The account that was served last. */
  let account_id = '';

  return {
    async claim(families) {
      const key = families.join();
      if (empty.has(key)) return undefined;
      // An embedded server has no other worker: it also claims what it cannot make, and says so.
      const wants = wantsOf(families, shared ? engines : null);
      if (wants.length === 0) return undefined;
      const [claimAfter, claimOther] = statements.get(key) ?? claimStatements(wants);
      statements.set(key, [claimAfter, claimOther]);
      // Before the database is asked: what is enqueued meanwhile takes it out again.
      empty.add(key);
      try {
        const params = { account_id };
        const render = (await db.one(claimAfter, params)) ?? (await db.one(claimOther, params));
        if (!render) return undefined;
        account_id = render.account_id;
        empty.delete(key);
        return render;
      } catch (error) {
        empty.delete(key);
        throw error;
      }
    },
    onEnqueued(listener) {
      const notify = () => {
        empty.clear();
        listener();
      };
      const unsubscribe = changes.subscribe(renderWaiting, notify);
      const timer = shared ? setInterval(notify, pollIntervalMs) : undefined;
      return () => {
        unsubscribe();
        clearInterval(timer);
      };
    },
  };
}

const claimStatements = (wants: readonly string[]) =>
  [claimRenderOf(wants, 'after'), claimRenderOf(wants, 'others')] as const;

/** What renders of these families may want; with `engines`, only what they make. */
function wantsOf(families: readonly string[], engines: readonly Engine[] | null): string[] {
  const findsFaces =
    families.includes(sampleFamilies.face_swap) &&
    (engines === null || engines.some((engine) => engine.checkTemplate !== undefined));
  const pictures = Object.values(sampleFamilies)
    .filter((family) => families.includes(family))
    .flatMap((family) =>
      customKinds
        .filter((kind) => engines === null || serves(engines, family, kind))
        .map((kind) => writeWants(family, kind)),
    );
  return findsFaces ? [...pictures, writeWants(sampleFamilies.face_swap, facesWanted)] : pictures;
}

/** When an embedded server starts, nobody holds a claim and nobody waits for a test. */
export async function resetPreviewQueue(db: Db): Promise<void> {
  await db.run(deleteTests, {});
  await db.run(releaseAllRenders, {});
}
