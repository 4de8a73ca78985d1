import { useFormContext } from 'react-hook-form';
import { SelectField } from '../../../ui/select-field.tsx';
import { ColourField } from './colour-field.tsx';
import type { EventFields, Ratio } from './event-fields.ts';
import { FormSection } from './form-section.tsx';

const layouts = [
  { value: '', label: 'No prints' },
  { value: '4x6', label: '4 × 6 in, one picture' },
  { value: '2x6', label: '2 × 6 in, strip' },
  { value: 'two_strips', label: '4 × 6 in, two strips' },
  { value: 'square', label: 'Square, 4 × 4 in' },
  { value: 'a6', label: 'A6, one picture' },
  { value: 'a5', label: 'A5, one picture' },
];
const shapes: { value: Ratio; label: string }[] = [
  { value: 'portrait', label: 'Upright' },
  { value: 'landscape', label: 'Wide' },
  { value: 'square', label: 'Square' },
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
  register('ratios', { validate: (chosen) => chosen.length > 0 || 'Choose at least one shape.' });
  return (
    <FormSection
      title="Look"
      text="Colours of the booth and of the guest’s page, and the shapes of pictures."
    >
      <fieldset>
        <legend className="mb-1 text-small font-medium">Shapes</legend>
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
                <span className="text-small text-ink-soft">first</span>
              )}
            </label>
          ))}
        </div>
        {formState.errors.ratios && <p className="text-small text-lost">{formState.errors.ratios.message}</p>}
      </fieldset>
      <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
        <ColourField name="background" label="Background" />
        <ColourField name="text" label="Text" />
        <ColourField name="accent" label="Accent" />
      </div>
      <div className="max-w-xs">
        <SelectField label="Prints" options={layouts} {...register('printLayout')} />
      </div>
    </FormSection>
  );
}
