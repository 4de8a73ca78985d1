import { countEventCosts, resultMsOf, returnEventJob, unlinkEventJob } from '../events/count-event-jobs.ts';
import { tellPictureReady } from '../events/event-webhooks.ts';
import type { JobHooks } from '../jobs/job-hooks.ts';
import { returnQuickTestRun } from '../quick-tests/count-runs.ts';

/** What events and quick test links do when a job ends that was made for them. */
export const jobHooks: JobHooks = {
  resultMsOf,
  onSpent: countEventCosts,
  onCompleted: tellPictureReady,
  async onFailed(tx, job) {
    await returnQuickTestRun(tx, job.id);
    await returnEventJob(tx, job);
  },
  async onErased(tx, { id, event_id }) {
    if (event_id !== null) await unlinkEventJob(tx, id);
  },
};
