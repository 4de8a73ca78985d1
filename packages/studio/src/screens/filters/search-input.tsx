import { Search } from 'lucide-react';

/** Finds by name, while it is typed. */
export function SearchInput({ value, onChange }: { value: string; onChange(value: string): void }) {
  return (
    <label className="relative min-w-0 flex-1 basis-32 sm:max-w-72">
      <span className="sr-only">Search by name</span>
      <Search
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-soft"
      />
      <input
        type="search"
        value={value}
        placeholder="Search"
        onChange={(event) => onChange(event.target.value)}
        className="min-h-9 w-full rounded-card border bg-raised py-1 pr-2 pl-9 placeholder:text-ink-soft"
      />
    </label>
  );
}
