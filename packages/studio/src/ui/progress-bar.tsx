import { Progress } from '@base-ui/react/progress';
import { locale } from '../words/language.ts';

/** `share` of 0 to 1; null while nobody knows. */
export function ProgressBar({ label, share }: { label: string; share: number | null }) {
  return (
    <Progress.Root
      value={share === null ? null : Math.round(share * 100)}
      locale={locale}
      aria-label={label}
      className="flex flex-col gap-1.5"
    >
      <div className="flex justify-between text-small text-ink-soft">
        <span>{label}</span>
        {share !== null && <Progress.Value />}
      </div>
      <Progress.Track className="h-1 overflow-hidden rounded-full bg-line">
        <Progress.Indicator
          className={`h-full bg-accent transition-[width] ${share === null ? 'w-1/3 animate-pulse' : ''}`}
        />
      </Progress.Track>
    </Progress.Root>
  );
}
