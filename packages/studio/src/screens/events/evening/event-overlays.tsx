import { base64Of } from '@guise/client/bytes.ts';
import type { BoothEvent } from '@guise/contract/events/events.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2, Upload } from 'lucide-react';
import { useRef } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { say } from '../../../words/say.ts';
import { eventQuery } from '../event-query.ts';

type Ratio = BoothEvent['ratios'][number];

const shapes: Record<Ratio, { label: string; inText: string; size: string; className: string }> = {
  portrait: { label: say('Upright'), inText: say('upright'), size: '1200 × 1800', className: 'aspect-[2/3]' },
  landscape: { label: say('Wide'), inText: say('wide'), size: '1800 × 1200', className: 'aspect-[3/2]' },
  square: { label: say('Square'), inText: say('square'), size: '1280 × 1280', className: 'aspect-square' },
};

/** A frame or a logo that is laid over every picture, for each shape that pictures of the event have. */
export function EventOverlays({ event }: { event: BoothEvent }) {
  // Such pictures keep the shape of their photo, and cameras are wide, whatever shapes guests may choose.
  const hasWide = event.offers.some(({ kind }) => kind === 'group' || kind === 'stylized');
  const ratios = [...new Set([...event.ratios, ...(hasWide ? (['landscape'] as const) : [])])];
  const lacksWide =
    hasWide && event.overlays.length > 0 && !event.overlays.some(({ ratio }) => ratio === 'landscape');
  return (
    <section aria-label={say('Overlays')} className="flex min-w-0 flex-col gap-3">
      <div>
        <h2>{say('Overlays')}</h2>
        <p className="text-small text-ink-soft">
          {say(
            'A PNG with transparent parts, laid over every picture of its shape unless it would cover a face.',
          )}
        </p>
        {lacksWide && (
          <p className="text-small text-accent-ink">
            {say(
              'Pictures of groups and paintings keep the shape of their photo, which is mostly wide. Without a wide overlay, those that cannot be cropped come out without any.',
            )}
          </p>
        )}
      </div>
      <ul className="border-t">
        {ratios.map((ratio) => (
          <OverlayRow key={ratio} event={event} ratio={ratio} />
        ))}
      </ul>
    </section>
  );
}

function OverlayRow({ event, ratio }: { event: BoothEvent; ratio: Ratio }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const { label, inText: shape, size, className } = shapes[ratio];
  const overlay = event.overlays.find((entry) => entry.ratio === ratio);
  const readAgain = () => queries.invalidateQueries({ queryKey: eventQuery(guise, event.id).queryKey });
  const put = useMutation({
    mutationFn: async (file: File) =>
      guise.events.putOverlay(event.id, ratio, { image: await base64Of(file) }),
    onSuccess: readAgain,
  });
  const remove = useMutation({
    mutationFn: () => guise.events.removeOverlay(event.id, ratio),
    onSuccess: readAgain,
  });
  const error = put.error ?? remove.error;
  return (
    <li className="flex items-center gap-4 border-b py-3">
      <span
        className={`block w-14 shrink-0 overflow-hidden rounded-[4px] bg-[repeating-conic-gradient(var(--line)_0_25%,transparent_0_50%)] bg-[length:12px_12px] ${className}`}
      >
        {overlay && <img src={overlay.url} alt="" className="size-full object-contain" />}
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium">{label}</p>
        {error ? (
          <p role="alert" className="text-small text-lost">
            {errorSentence(error)}
          </p>
        ) : (
          <p className="text-small text-ink-soft">{say('{size} pixels', { size })}</p>
        )}
      </div>
      <Button
        busy={put.isPending}
        icon={<Upload size={16} aria-hidden />}
        aria-label={
          overlay
            ? say('Replace the overlay, {shape}', { shape })
            : say('Upload the overlay, {shape}', { shape })
        }
        onClick={() => {
          remove.reset();
          input.current?.click();
        }}
      >
        {overlay ? say('Replace') : say('Upload')}
      </Button>
      {overlay && (
        <IconButton
          label={say('Remove the overlay, {shape}', { shape })}
          disabled={remove.isPending}
          onClick={() => {
            put.reset();
            remove.mutate();
          }}
        >
          <Trash2 size={17} aria-hidden />
        </IconButton>
      )}
      <input
        ref={input}
        type="file"
        accept="image/png"
        aria-label={say('File of the overlay, {shape}', { shape })}
        className="hidden"
        onChange={(change) => {
          const [file] = change.target.files ?? [];
          if (file) put.mutate(file);
          change.target.value = '';
        }}
      />
    </li>
  );
}
