import { ModelSection } from './model-section.tsx';
import { PackSection } from './pack-section.tsx';

/** What the local engine has beside its catalog: packs of scenes and filters, and models. */
export function PacksPart() {
  return (
    <div className="flex max-w-7xl flex-col gap-10">
      <PackSection />
      <ModelSection />
    </div>
  );
}
