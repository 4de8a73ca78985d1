import { Link } from '@tanstack/react-router';

interface PartTabsProps {
  label: string;
  /** The parts of a screen and their addresses. */
  parts: readonly { to: string; label: string }[];
}

/** The parts of a screen, each with an address of its own. */
export function PartTabs({ label, parts }: PartTabsProps) {
  return (
    <nav
      aria-label={label}
      className="flex gap-5 overflow-x-auto border-b px-6 max-md:px-4 max-sm:gap-4 max-sm:text-small"
    >
      {parts.map((part) => (
        <Link
          key={part.to}
          to={part.to}
          activeOptions={{ exact: true }}
          className="-mb-px grid min-h-10 shrink-0 place-items-center border-b-2 border-transparent text-ink-soft hover:text-ink data-[status=active]:border-ink data-[status=active]:font-medium data-[status=active]:text-ink"
        >
          {part.label}
        </Link>
      ))}
    </nav>
  );
}
