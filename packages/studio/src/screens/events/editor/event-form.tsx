import { type ReactNode, useEffect } from 'react';
import { FormProvider, type UseFormReturn, useFormState } from 'react-hook-form';
import { say } from '../../../words/say.ts';
import { BrandingSection } from './branding-section.tsx';
import { DesignSection } from './design-section.tsx';
import { DetailsSection } from './details-section.tsx';
import type { EventFields } from './event-fields.ts';
import { LimitsSection } from './limits-section.tsx';
import { MailSection } from './mail-section.tsx';
import { OffersSection } from './offers/offers-section.tsx';
import { OverlayTextsSection } from './overlay-texts-section.tsx';
import { PrintingSection } from './printing-section.tsx';
import { QuestionsSection } from './questions-section.tsx';
import { SharingSection } from './sharing-section.tsx';
import { TextsSection } from './texts-section.tsx';
import { WhenSection } from './when-section.tsx';

interface EventFormProps {
  form: UseFormReturn<EventFields>;
  onSave(fields: EventFields): Promise<unknown>;
  /** What stands below the fields, always in sight. */
  children: ReactNode;
}

/** Everything that is set of an event before its evening. */
export function EventForm({ form, onSave, children }: EventFormProps) {
  // The server's sentence is about what was sent.
  useEffect(() => {
    const { unsubscribe } = form.watch((_, { name }) => {
      if (form.formState.errors.root) form.clearErrors('root');
      if (name?.startsWith('offers')) form.clearErrors('offers');
    });
    return unsubscribe;
  }, [form]);
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={form.handleSubmit(onSave)} className="flex flex-col">
        <div className="flex flex-col px-6 max-md:px-4">
          <WhenSection />
          <OffersSection />
          <LimitsSection />
          <TextsSection />
          <QuestionsSection />
          <DetailsSection />
          <SharingSection />
          <BrandingSection />
          <OverlayTextsSection />
          <DesignSection />
          <PrintingSection />
          <MailSection />
        </div>
        <div className="sticky bottom-0 z-10 flex flex-col gap-3 border-t bg-ground px-6 py-3 max-md:px-4">
          {children}
        </div>
      </form>
    </FormProvider>
  );
}

/** Why nothing was saved, where the eye is. */
export function FormProblem() {
  const { errors } = useFormState<EventFields>();
  const wrong = Object.keys(errors).filter((name) => name !== 'root').length;
  if (!errors.root && wrong === 0) return null;
  return (
    <p role="alert" className="min-w-0 flex-1 basis-60 text-lost">
      {errors.root?.message ?? say('Check the fields marked above.')}
    </p>
  );
}
