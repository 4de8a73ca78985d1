import { readEnginesPlan } from '../engines/engines-file.ts';
import { checkInstallation } from './check-installation.ts';
import type { DoctorAnswer, DoctorTask } from './run-doctor.ts';

// A server that has gone needs no answer.
process.once('disconnect', () => process.exit());

/** A process of its own, because the checks load every model. */
process.once('message', async (config: DoctorTask) => {
  const answer: DoctorAnswer = await checkInstallation(config, readEnginesPlan(config, process.env)).then(
    (findings) => ({ findings }),
    (error) => ({ error: error instanceof Error ? error.message : String(error) }),
  );
  process.send?.(answer, () => process.disconnect());
});
