import type { JobState } from '../schema.ts';
import { columns, statement } from '../statement.ts';
import type { QaCellRow, QaRunRow } from './qa-schema.ts';

export const insertQaRun = statement((db, p: QaRunRow) =>
  db
    .insertInto('qa_runs')
    .values(
      columns(p, [
        'id',
        'account_id',
        'filter_id',
        'filter_name',
        'filter_type',
        'versions',
        'photo_set_id',
        'photo_set_name',
        'price',
        'created_at',
      ]),
    ),
);

export const findQaRun = statement((db, p: { id: string; account_id: string }) =>
  db.selectFrom('qa_runs').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
);

export const countQaRuns = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('qa_runs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', p.account_id),
);

/** An account's runs, newest first, before the run `before`. */
export const listQaRuns = statement((db, p: { account_id: string; before: string; limit: number }) =>
  db
    .selectFrom('qa_runs')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

export const deleteQaRun = statement((db, p: { id: string; account_id: string }) =>
  db.deleteFrom('qa_runs').where('id', '=', p.id).where('account_id', '=', p.account_id),
);

export const insertQaCell = statement((db, p: QaCellRow) =>
  db
    .insertInto('qa_cells')
    .values(
      columns(p, [
        'id',
        'run_id',
        'account_id',
        'position',
        'photo_id',
        'photo_name',
        'people',
        'version',
        'job_id',
        'submits',
        'error',
        'verdict',
        'note',
        'revision',
      ]),
    ),
);

export const findQaCell = statement((db, p: { id: string; run_id: string; account_id: string }) =>
  db
    .selectFrom('qa_cells')
    .selectAll()
    .where('id', '=', p.id)
    .where('run_id', '=', p.run_id)
    .where('account_id', '=', p.account_id),
);

/** The cells of a run in their order, each with what is known of its job and of its photo; nulls where they are gone. */
export const listQaCells = statement((db, p: { run_id: string; account_id: string }) =>
  db
    .selectFrom('qa_cells')
    .leftJoin('jobs', 'jobs.id', 'qa_cells.job_id')
    .leftJoin('photos', 'photos.id', 'qa_cells.photo_id')
    .selectAll('qa_cells')
    .select([
      'jobs.state as job_state',
      'jobs.progress as job_progress',
      'jobs.error as job_error',
      'jobs.result_key as job_result_key',
      'jobs.result_notes as job_result_notes',
      'jobs.expires_at as job_expires_at',
      'photos.id as kept_photo_id',
    ])
    .where('qa_cells.run_id', '=', p.run_id)
    .where('qa_cells.account_id', '=', p.account_id)
    .orderBy('qa_cells.position'),
);

/** A cell as it is listed. */
export type ListedCell = QaCellRow & {
  job_state: JobState | null;
  job_progress: number | null;
  job_error: string | null;
  job_result_key: string | null;
  job_result_notes: string | null;
  job_expires_at: number | null;
  kept_photo_id: string | null;
};

/** How many cells of a run got each verdict, by version. */
export const countVerdicts = statement((db, p: { run_id: string }) =>
  db
    .selectFrom('qa_cells')
    .select(({ fn }) => ['version', 'verdict', fn.countAll<number>().as('count')])
    .where('run_id', '=', p.run_id)
    .groupBy(['version', 'verdict']),
);

/** Names the job that was submitted for a cell, and forgets the verdict on the one before. For one of those who try at once. */
export const setCellJob = statement((db, p: { id: string; submits: number; job_id: string }) =>
  db
    .updateTable('qa_cells')
    .set((eb) => ({
      job_id: p.job_id,
      submits: eb('submits', '+', eb.lit(1)),
      error: null,
      verdict: null,
      revision: eb('revision', '+', eb.lit(1)),
    }))
    .where('id', '=', p.id)
    .where('submits', '=', p.submits),
);

/** Says why no job could be submitted for a cell. Changes no row when somebody else has submitted one. */
export const setCellError = statement((db, p: { id: string; submits: number; error: string }) =>
  db.updateTable('qa_cells').set({ error: p.error }).where('id', '=', p.id).where('submits', '=', p.submits),
);

/** Changes no row unless `revision` is the current one. */
export const judgeCell = statement(
  (db, p: Pick<QaCellRow, 'id' | 'account_id' | 'verdict' | 'note' | 'revision'>) =>
    db
      .updateTable('qa_cells')
      .set((eb) => ({ verdict: p.verdict, note: p.note, revision: eb('revision', '+', eb.lit(1)) }))
      .where('id', '=', p.id)
      .where('account_id', '=', p.account_id)
      .where('revision', '=', p.revision),
);

export const deleteQaCells = statement((db, p: { run_id: string; account_id: string }) =>
  db
    .deleteFrom('qa_cells')
    .where('run_id', '=', p.run_id)
    .where('account_id', '=', p.account_id)
    .returning('job_id'),
);
