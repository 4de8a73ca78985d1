import { useFormContext } from 'react-hook-form';
import { SelectField } from '../../../ui/select-field.tsx';
import { say } from '../../../words/say.ts';
import { ColourField } from './colour-field.tsx';
import type { EventFields, Ratio } from './event-fields.ts';
import { FormSection } from './form-section.tsx';

const layouts = [
  { value: '', label: say('No prints') },
  { value: '4x6', label: say('4 × 6 in, one picture') },
  { value: '2x6', label: say('2 × 6 in, strip') },
  { value: 'two_strips', label: say('4 × 6 in, two strips') },
  { value: 'square', label: say('Square, 4 × 4 in') },
  { value: 'a6', label: say('A6, one picture') },
  { value: 'a5', label: say('A5, one picture') },
];
const shapes: { value: Ratio; label: string }[] = [
  { value: 'portrait', label: say('Upright') },
  { value: 'landscape', label: say('Wide') },
  { value: 'square', label: say('Square') },
];

/** How booth and guest’s page look, which shapes pictures have, and how they are printed. */
export function BrandingSection() {
  const { register, watch, setValue, formState } = useFormContext<EventFields>();
  const ratios = watch('ratios');
  const toggle = (ratio: Ratio) =>
    setValue(
      'ratios',
      ratios.includes(ratio) ? ratios.filter((other) => other !== ratio) : [...ratios, ratio],
      {
        shouldDirty: true,
        shouldValidate: true,
      },
    );
  register('ratios', { validate: (chosen) => chosen.length > 0 || say('Choose at least one shape.') });
  return (
    <FormSection
      title={say('Look')}
      text={say('Colours of the booth and of the guest’s page, and the shapes of pictures.')}
    >
      <fieldset>
        <legend className="mb-1 text-small font-medium">{say('Shapes')}</legend>
        <div className="flex flex-wrap gap-x-6">
          {shapes.map(({ value, label }) => (
            <label key={value} className="flex min-h-10 items-center gap-3">
              <input
                type="checkbox"
                checked={ratios.includes(value)}
                onChange={() => toggle(value)}
                className="size-4.5 shrink-0 accent-accent"
              />
              {label}
              {ratios[0] === value && ratios.length > 1 && (
                <span className="text-small text-ink-soft">{say('first')}</span>
              )}
            </label>
          ))}
        </div>
        {formState.errors.ratios && <p className="text-small text-lost">{formState.errors.ratios.message}</p>}
      </fieldset>
      <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
        <ColourField name="background" label={say('Background')} pick={say('Pick background')} />
        <ColourField name="text" label={say('Text')} pick={say('Pick text')} />
        <ColourField name="accent" label={say('Accent')} pick={say('Pick accent')} />
      </div>
      <div className="max-w-xs">
        <SelectField label={say('Prints')} options={layouts} {...register('printLayout')} />
      </div>
    </FormSection>
  );
}
