import type { ReactNode } from 'react';

/** The definition, with the test people beside it; above it, and always in sight, where the screen is narrow. */
export function CreatorLayout({ strip, children }: { strip: ReactNode; children: ReactNode }) {
  return (
    <div className="gap-x-8 px-6 pb-12 max-md:px-4 lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(17rem,24rem)] xl:grid-cols-[minmax(0,1fr)_27rem]">
      <div className="min-w-0 max-lg:contents lg:order-2">
        <div className="sticky top-0 z-20 bg-ground max-lg:-mx-6 max-lg:border-b max-lg:px-6 max-lg:pb-3 max-md:-mx-4 max-md:px-4 lg:max-h-dvh lg:overflow-y-auto lg:pb-6">
          {strip}
        </div>
      </div>
      <div className="flex min-w-0 flex-col gap-6 max-lg:pt-5">{children}</div>
    </div>
  );
}
