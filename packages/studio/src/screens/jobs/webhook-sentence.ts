import type { JobDetail } from '@guise/contract/job-details.ts';

/** What became of the message about the job's end. */
export function webhookSentence(webhook: JobDetail['webhook']): string {
  if (!webhook) return 'None requested';
  const { status, attempts, last_status_code, last_error } = webhook;
  const tries = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
  const answer = last_error ?? (last_status_code === null ? null : `answer ${last_status_code}`);
  const why = answer === null ? '' : `, ${answer}`;
  switch (status) {
    case 'delivered':
      return `Delivered after ${tries}${why}`;
    case 'pending':
      return attempts === 0 ? 'Not sent yet' : `Will be sent again after ${tries}${why}`;
    case 'failed':
      return `Given up after ${tries}${why}`;
    case 'disabled':
      return `Not sent: its endpoint is switched off${why}`;
  }
}
