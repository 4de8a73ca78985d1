import type { JobAttempt, JobDetail } from '@guise/contract/job-details.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { dollars } from '../../ui/dollars.ts';
import { fullTime } from '../../ui/format-time.ts';
import { jobSentence } from '../../ui/job-sentence.ts';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';
import { creditsOf, filterParams, paramInWords } from './job-words.ts';
import { useKeyNames } from './use-key-names.ts';
import { webhookSentence } from './webhook-sentence.ts';

const filterKinds: Record<string, string> = {
  scene: say('scene'),
  look: say('look'),
  prompt: say('prompt'),
  template: say('template'),
  workflow: say('workflow'),
};

/** How the job was asked for and made. */
export function JobFacts({ job }: { job: JobDetail }) {
  const { submitterName } = useKeyNames();
  return (
    <>
      {job.quality && <QualityFacts quality={job.quality} />}
      {(job.applied.length > 0 || job.ignored.length > 0) && <WhatWasDone job={job} />}
      <section>
        <h2 className="mb-2">{say('Request')}</h2>
        <Facts>
          {Object.entries(job.params ?? {})
            .filter(([name]) => !filterParams.includes(name))
            .map(([name, value]) => {
              const { label, text } = paramInWords(name, value);
              return (
                <Fact key={name} name={label}>
                  {text}
                </Fact>
              );
            })}
          {job.params === null && <Fact name={say('Parameters')}>{say('Deleted when the job expired')}</Fact>}
          {job.filter !== null && (
            <Fact name={say('Filter')}>
              <Link
                to="/studio/jobs"
                search={{ filter: job.filter }}
                className="underline decoration-line underline-offset-4"
              >
                {job.filter_name ?? job.filter}
              </Link>
              {[
                job.filter_kind && (filterKinds[job.filter_kind] ?? job.filter_kind),
                job.filter_version !== null && say('version {version}', { version: job.filter_version }),
              ]
                .filter(Boolean)
                .map((part) => `, ${part}`)
                .join('')}
            </Fact>
          )}
          <Fact name={say('Submitted with')}>{submitterName(job)}</Fact>
          <Fact name={say('Price')}>{creditsOf(job)}</Fact>
        </Facts>
      </section>
      <section>
        <h2 className="mb-2">{say('How it ran')}</h2>
        <Facts>
          <Fact name={say('Engine')}>{job.engine ?? say('Not known yet')}</Fact>
          <Fact name={say('Worker')}>{job.worker ?? say('Not assigned yet')}</Fact>
          {job.retries > 0 && <Fact name={say('Retries')}>{job.retries}</Fact>}
          {job.cause && <Fact name={say('Cause, for operators')}>{job.cause}</Fact>}
          {job.attempts?.map(({ cause, ...attempt }) => (
            <Fact
              key={`${attempt.server} ${attempt.at}`}
              name={cause === null ? say('Made by') : say('Not made by')}
            >
              {[attemptFacts(attempt), cause].filter(Boolean).join(': ')}
            </Fact>
          ))}
          {job.finished_at && <Fact name={say('Ended')}>{fullTime(job.finished_at)}</Fact>}
          <Fact name={job.result_url ? say('Kept until') : say('Record kept until')}>
            {fullTime(job.expires_at)}
          </Fact>
          <Fact name={say('Webhook')}>{webhookSentence(job.webhook)}</Fact>
          <Fact name={say('Id')}>
            <span className="break-all">{job.id}</span>
          </Fact>
        </Facts>
      </section>
    </>
  );
}

/** Where the job was, when, how long, what it cost, and how like the photo the picture is. */
function attemptFacts({ server, at, seconds, gpu_seconds, cost_usd, likeness }: Omit<JobAttempt, 'cause'>) {
  const took = seconds === undefined ? [] : [`${seconds} s`];
  const cost = cost_usd === undefined ? [] : [dollars(cost_usd)];
  const gpu =
    gpu_seconds === undefined ? [] : [say('{seconds} s of its GPU', { seconds: numberText(gpu_seconds, 1) })];
  const alike = likeness === undefined ? [] : [say('likeness {value}', { value: numberText(likeness, 2) })];
  return [server, fullTime(at), ...took, ...gpu, ...cost, ...alike].join(', ');
}

/** What the engine thinks of the picture. */
const QualityFacts = ({ quality: { grade, reasons } }: { quality: NonNullable<JobDetail['quality']> }) => (
  <section>
    <h2 className="mb-2">{grade === 'good' ? say('Quality: good') : say('Quality: fair')}</h2>
    <ul className="grid gap-1 text-small">
      {reasons.map((sentence) => (
        <li key={sentence}>{sayOfServer(sentence)}</li>
      ))}
    </ul>
  </section>
);

/** What the engine made of the filter's and the caller's wishes. */
const WhatWasDone = ({ job: { applied, ignored } }: { job: JobDetail }) => (
  <section>
    <h2 className="mb-2">{say('What was done')}</h2>
    <ul className="grid gap-1 text-small">
      {applied.map((sentence) => (
        <li key={sentence} className="first-letter:uppercase">
          {jobSentence(sentence)}
        </li>
      ))}
      {ignored.map((sentence) => (
        <li key={sentence} className="text-ink-soft">
          {say('Ignored: {sentence}', { sentence: jobSentence(sentence) })}
        </li>
      ))}
    </ul>
  </section>
);

const Facts = ({ children }: { children: ReactNode }) => <dl className="text-small">{children}</dl>;

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[8rem_minmax(0,1fr)] gap-3 border-t py-1.5">
      <dt className="break-words text-ink-soft">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
