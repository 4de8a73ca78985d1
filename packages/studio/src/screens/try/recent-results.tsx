import type { JobDetail } from '@guise/contract/job-details.ts';

/** What was made since the page was opened. */
export function RecentResults({ jobs }: { jobs: readonly JobDetail[] }) {
  if (jobs.length < 2) return null;
  return (
    <section aria-label="Made before">
      <h2 className="mb-2 text-small font-medium text-ink-soft">Made before</h2>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] gap-2">
        {jobs.slice(1).map((job) => (
          <a key={job.id} href={job.result_url ?? undefined} target="_blank" rel="noreferrer">
            <img
              src={job.thumbnail_url ?? undefined}
              alt={job.filter_name ?? 'Earlier result'}
              loading="lazy"
              className="aspect-square w-full rounded-card bg-panel object-cover"
            />
          </a>
        ))}
      </div>
    </section>
  );
}
