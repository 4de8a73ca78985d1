import { type ReactNode, Suspense, useState } from 'react';

interface RailMenuProps {
  label: string;
  className: string;
  trigger: ReactNode;
  /** The menu itself, which is open when it is first shown. */
  children: ReactNode;
}

/** A menu that is loaded when somebody opens it for the first time: most visits never do. */
export function RailMenu({ label, className, trigger, children }: RailMenuProps) {
  const [isWanted, setIsWanted] = useState(false);
  const button = (
    <button
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      className={className}
      onClick={() => setIsWanted(true)}
    >
      {trigger}
    </button>
  );
  return isWanted ? <Suspense fallback={button}>{children}</Suspense> : button;
}
