import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Doctor } from '@guise/contract/operator/operator.ts';
import type { Config } from '../config.ts';
import type { Finding } from './check-installation.ts';

export type DoctorTask = Config;
export type DoctorAnswer = { findings: Finding[] } | { error: string };

const child = fileURLToPath(new URL('doctor-child.ts', import.meta.url));
/** Models that are converted for the first time take half a minute. */
const limitMs = 120_000;

/** Checks the installation in a process of its own. Whoever asks while it is being checked shares the answer. */
export function createDoctor(config: Config): () => Promise<Doctor> {
  let running: Promise<Doctor> | undefined;
  return () => {
    running ??= runDoctor(config).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function runDoctor(config: Config): Promise<Doctor> {
  const doctor = fork(child, { stdio: 'ignore' });
  // A server that stops does not wait for the checks.
  doctor.unref();
  doctor.channel?.unref();
  try {
    doctor.send(config);
    const answer = await answerOf(doctor);
    if ('error' in answer)
      return { ok: false, findings: [{ what: 'doctor', ok: false, says: answer.error }] };
    return { ok: answer.findings.every(({ ok }) => ok), findings: answer.findings };
  } finally {
    doctor.kill('SIGKILL');
  }
}

async function answerOf(doctor: ReturnType<typeof fork>): Promise<DoctorAnswer> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(limitMs)]);
  const answered = once(doctor, 'message', { signal }).then(([answer]) => answer as DoctorAnswer);
  const exited = once(doctor, 'exit', { signal }).then(() => ({
    error: 'The checks ended without a result.',
  }));
  try {
    return await Promise.race([answered, exited]);
  } catch {
    return { error: `The checks took longer than ${limitMs / 1000} s.` };
  } finally {
    stop.abort();
    await Promise.allSettled([answered, exited]);
  }
}
