import type { JobDetail } from '@guise/contract/job-details.ts';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';

type Webhook = NonNullable<JobDetail['webhook']>;

const outcomes: Record<Webhook['status'], (count: number) => string> = {
  delivered: (count) =>
    count === 1 ? say('Delivered after one attempt') : say('Delivered after {count} attempts', { count }),
  pending: (count) =>
    count === 1
      ? say('Will be sent again after one attempt')
      : say('Will be sent again after {count} attempts', { count }),
  failed: (count) =>
    count === 1 ? say('Given up after one attempt') : say('Given up after {count} attempts', { count }),
  disabled: () => say('Not sent: its endpoint is switched off'),
};

/** What became of the message about the job's end. */
export function webhookSentence(webhook: JobDetail['webhook']): string {
  if (!webhook) return say('None requested');
  const { status, attempts, last_status_code, last_error } = webhook;
  if (status === 'pending' && attempts === 0) return say('Not sent yet');
  const outcome = outcomes[status](attempts);
  const answer =
    (last_error && sayOfServer(last_error)) ??
    (last_status_code === null ? null : say('answer {status}', { status: last_status_code }));
  return answer === null ? outcome : `${outcome}, ${answer}`;
}
