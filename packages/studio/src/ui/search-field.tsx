import { Search } from 'lucide-react';
import { say } from '../words/say.ts';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  className?: string;
}

/** Finds while it is typed. */
export function SearchField({ label, value, onChange, className = '' }: SearchFieldProps) {
  return (
    <label className={`relative block ${className}`}>
      <Search
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-soft"
      />
      <input
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder={say('Search')}
        aria-label={label}
        className="min-h-10 w-full rounded-card border bg-raised pr-3 pl-9 placeholder:text-ink-soft"
      />
    </label>
  );
}
