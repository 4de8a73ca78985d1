import { type ReactNode, useEffect } from 'react';
import { FormProvider, type UseFormReturn } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
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
  /** The verb on the button. */
  action: string;
  canSave: boolean;
  onSave(fields: EventFields): Promise<void>;
  /** What stands above the button: that somebody else changed the event. */
  notice?: ReactNode;
}

/** Everything that is set of an event before its evening. */
export function EventForm({ form, action, canSave, onSave, notice }: EventFormProps) {
  const { errors, isSubmitting } = form.formState;
  // The server's sentence is about what was sent.
  useEffect(() => {
    const { unsubscribe } = form.watch((_, { name }) => {
      if (form.formState.errors.root) form.clearErrors('root');
      if (name?.startsWith('offers')) form.clearErrors('offers');
    });
    return unsubscribe;
  }, [form]);
  const wrong = Object.keys(errors).filter((name) => name !== 'root').length;
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
          {notice}
          <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
            {errors.root && (
              <p role="alert" className="min-w-0 flex-1 basis-60 text-lost">
                {errors.root.message}
              </p>
            )}
            {!errors.root && wrong > 0 && (
              <p role="alert" className="min-w-0 flex-1 basis-60 text-lost">
                Check the fields marked above.
              </p>
            )}
            <Button kind="primary" type="submit" busy={isSubmitting} disabled={!canSave}>
              {action}
            </Button>
          </div>
        </div>
      </form>
    </FormProvider>
  );
}
