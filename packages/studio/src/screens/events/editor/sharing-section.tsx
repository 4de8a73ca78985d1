import { useFormContext } from 'react-hook-form';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import type { EventFields } from './event-fields.ts';
import { FormSection } from './form-section.tsx';

const walls = [
  { value: 'off', label: say('No wall') },
  { value: 'approved', label: say('Pictures that you approve') },
  { value: 'all', label: say('All except those you hide') },
];
const galleries = [
  { value: 'off', label: say('No gallery') },
  { value: 'link', label: say('Anyone with the link') },
  { value: 'password', label: say('With a password') },
];

/** Where pictures are shown to others than their guests. */
export function SharingSection() {
  const { register, watch, formState } = useFormContext<EventFields>();
  const [wall, gallery] = [watch('wall'), watch('gallery')];
  const asks = (...ids: string[]) => watch('questions').some(({ id }) => ids.includes(id));
  const isAsked = asks('wall', 'gallery');

  const hadPassword = formState.defaultValues?.gallery === 'password';
  return (
    <FormSection
      title={say('Wall and gallery')}
      text={say('The wall is for a projector, the gallery for guests at home.')}
    >
      <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
        <SelectField label={say('On the wall')} options={walls} {...register('wall')} />
        <SelectField label={say('In the gallery')} options={galleries} {...register('gallery')} />
        {gallery === 'password' && (
          <TextField
            label={say('Password of the gallery')}
            autoComplete="off"
            maxLength={200}
            placeholder={hadPassword ? say('As it is') : ''}
            error={formState.errors.password?.message}
            {...register('password', {
              validate: (password, fields) =>
                fields.gallery !== 'password' ||
                (hadPassword && password === '') ||
                password.length >= 6 ||
                say('At least 6 characters.'),
            })}
          />
        )}
      </div>
      {(wall !== 'off' || gallery !== 'off') && !isAsked && (
        <p className="text-small text-accent-ink">
          {say('Guests are not asked whether their pictures may be shown. Add the question above.')}
        </p>
      )}
      {gallery !== 'off' && asks('wall') && !asks('gallery') && (
        <p className="text-small text-ink-soft">
          {say(
            'A question about the gallery is added when you save: a yes to the wall is none to the gallery.',
          )}
        </p>
      )}
      <label className="flex min-h-9 items-center gap-3">
        <input type="checkbox" className="size-4.5 shrink-0 accent-accent" {...register('moments')} />
        {say(
          'Guests get five quick shots of their photo as a moving picture at once, on their own page. It is kept with the picture, and guests are told so.',
        )}
      </label>
      <label className="flex min-h-9 items-center gap-3">
        <input type="checkbox" className="size-4.5 shrink-0 accent-accent" {...register('hostedEngines')} />
        {say(
          'Photos of guests may go to the company of a hosted engine, where the installation has one. Guests are told to whom.',
        )}
      </label>
    </FormSection>
  );
}
