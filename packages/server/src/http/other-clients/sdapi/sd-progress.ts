import type { SdProgress } from '@guise/contract/other-clients/sdapi.ts';
import type { FastifyRequest } from 'fastify';
import { afterEveryId } from '../../../ids.ts';
import { cancel } from '../../../jobs/end.ts';
import { queueOfAccount } from '../../../store/reports/change-records.ts';
import { listRunningJobs } from '../../../store/reports/job-list-records.ts';
import type { HttpParts } from '../../parts.ts';
import { callerOf } from '../../request.ts';

export async function readProgress({ db }: HttpParts, request: FastifyRequest): Promise<SdProgress> {
  const account_id = callerOf(request).id;
  const [newest] = await db.all(listRunningJobs, { account_id, since: '', before: afterEveryId, limit: 1 });
  const { waiting } = (await db.one(queueOfAccount, { account_id }))!;
  return {
    progress: newest?.progress ?? 0,
    eta_relative: 0,
    state: {
      skipped: false,
      interrupted: false,
      job: newest?.id ?? '',
      job_count: waiting + (newest ? 1 : 0),
      job_timestamp: '',
      job_no: 0,
      sampling_step: 0,
      sampling_steps: 0,
    },
    current_image: null,
    textinfo: null,
  };
}

/** Running jobs that are searched for those of the key. */
const mostRunning = 100;

/** Cancels the newest running job of the caller's key: other keys of the account are other booths. */
export async function interruptJob(parts: HttpParts, request: FastifyRequest): Promise<void> {
  const { id: account_id, key_id } = callerOf(request);
  const range = { account_id, since: '', before: afterEveryId, limit: mostRunning };
  const running = await parts.db.all(listRunningJobs, range);
  const newest = running.find((job) => job.key_id === key_id);
  if (newest) await cancel(parts, account_id, newest.id);
}
