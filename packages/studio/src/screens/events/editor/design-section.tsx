import { type CSSProperties, type ReactNode, useId } from 'react';
import { useFormContext } from 'react-hook-form';
import { say } from '../../../words/say.ts';
import { brandingOf, type EventFields } from './event-fields.ts';
import { FormSection } from './form-section.tsx';
import { PrintDesigner } from './print-designer.tsx';
import { usePrintPreview } from './print-preview.ts';

const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

/** The pages of an event and its print side by side, with the look that is being edited. */
export function DesignSection() {
  const { watch } = useFormContext<EventFields>();
  const fields = watch();
  const colours = {
    background: isColour(fields.background) ? fields.background : '#17150f',
    text: isColour(fields.text) ? fields.text : '#f7f4ec',
    accent: isColour(fields.accent) ? fields.accent : '#e8a33d',
  };
  const [language = 'en'] = fields.languages;
  const { welcome = '', thanks = '' } = fields.texts[language] ?? {};
  const look = brandingOf(fields);
  const chosen = Object.fromEntries(
    Object.entries(look).filter(
      ([name, value]) => !['background', 'text', 'accent'].includes(name) || isColour(String(value)),
    ),
  );
  const print = usePrintPreview({ name: fields.name, branding: chosen });
  const paper: CSSProperties = { background: colours.background, color: colours.text };
  const button: CSSProperties = { background: colours.accent, color: colours.background };
  return (
    <FormSection
      title={say('Preview')}
      text={say('What guests will see, as you type. Pictures are samples.')}
    >
      <div className="grid grid-cols-4 gap-4 max-xl:grid-cols-2">
        <Screen title={say('Booth')}>
          <div style={paper} className="flex h-full flex-col items-center justify-end gap-3 p-3 text-center">
            <Sample className="min-h-0 flex-1" />
            <p className="text-small font-semibold">{fields.name || say('Name of the event')}</p>
            <p className="line-clamp-2 text-small">{welcome}</p>
            <span style={button} className="rounded-card px-4 py-1.5 text-small font-semibold">
              {say('Start')}
            </span>
          </div>
        </Screen>
        <Screen title={say('Guest’s page')}>
          <div style={paper} className="flex h-full flex-col items-center gap-2 p-3 text-center">
            <p className="text-small opacity-80">{fields.name || say('Name of the event')}</p>
            <Sample className="min-h-0 flex-1" />
            <span style={button} className="w-full rounded-card py-1.5 text-small font-semibold">
              {say('Download')}
            </span>
            <p className="line-clamp-2 text-small">{thanks}</p>
          </div>
        </Screen>
        <Screen title={say('Wall')}>
          <div className="grid h-full grid-cols-2 grid-rows-2 gap-1 bg-black p-1">
            <Sample className="col-span-2 size-full object-cover" />
            <Sample className="size-full object-cover" />
            <Sample className="size-full object-cover" />
          </div>
        </Screen>
        <Screen title={say('Print')}>
          {print && (
            <img
              src={print}
              alt={say('Print with the look of the event')}
              className="size-full object-contain"
            />
          )}
        </Screen>
      </div>
      <PrintDesigner preview={print} />
    </FormSection>
  );
}

function Screen({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <figure aria-labelledby={id} className="flex min-w-0 flex-col gap-1">
      <div className="aspect-[2/3] overflow-hidden rounded-card border bg-panel">{children}</div>
      <figcaption id={id} className="text-small text-ink-soft">
        {title}
      </figcaption>
    </figure>
  );
}

const Sample = ({ className }: { className: string }) => (
  <img src="/previews/face_swap/20.webp" alt="" className={`rounded-card object-contain ${className}`} />
);
