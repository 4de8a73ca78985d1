import type { ReactNode } from 'react';

/** Pictures of one shape beside each other, as many as fit. */
export function FilterGrid({ wide, children }: { wide: boolean; children: ReactNode }) {
  const columns = wide
    ? 'grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] max-sm:grid-cols-1'
    : 'grid-cols-[repeat(auto-fill,minmax(11.5rem,1fr))] max-sm:grid-cols-2';
  return <div className={`grid gap-x-4 gap-y-6 max-sm:gap-x-3 ${columns}`}>{children}</div>;
}

/** Keeps the place of pictures that are on their way. */
export function FilterGridLoading({ wide }: { wide: boolean }) {
  return (
    <FilterGrid wide={wide}>
      {Array.from({ length: 10 }, (_, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
          key={at}
          className={`rounded-card bg-panel ${wide ? 'aspect-[3/2]' : 'aspect-[2/3]'}`}
        />
      ))}
    </FilterGrid>
  );
}
