import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { say } from '../words/say.ts';

interface DialogProps {
  open: boolean;
  title: string;
  onClose(): void;
  children: ReactNode;
  /** For pictures. */
  wide?: boolean;
  /** What has the focus when it is closed; otherwise what had it before. */
  finalFocus?: () => HTMLElement | null;
}

/** A page above the page. It fills the screen of a phone. */
export function Dialog({ open, title, onClose, children, wide = false, finalFocus }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/60 transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Base.Popup
          {...(finalFocus && { finalFocus })}
          // React hands events of a portal on to its parents: a form in here would send the one around it too.
          onSubmit={(event) => event.stopPropagation()}
          className={`fixed top-1/2 left-1/2 z-50 flex max-h-[92dvh] w-[calc(100%-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col overflow-hidden rounded-card bg-raised shadow-float outline-none ${wide ? 'max-w-4xl' : 'max-w-md'} max-sm:h-dvh max-sm:max-h-dvh max-sm:w-full max-sm:rounded-none`}
        >
          <div className="flex items-center justify-between border-b py-2 pr-2 pl-5">
            <Base.Title>{title}</Base.Title>
            <Base.Close
              aria-label={say('Close')}
              className="grid size-9 place-items-center rounded-card text-ink-soft hover:text-ink"
            >
              <X size={18} aria-hidden />
            </Base.Close>
          </div>
          <div className="min-h-0 overflow-y-auto p-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
