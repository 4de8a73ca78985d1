import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { say } from '../words/say.ts';

/** Short messages about what was done, with a way to undo it. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider timeout={6000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed bottom-4 left-1/2 z-[60] flex w-[calc(100%-2rem)] max-w-sm -translate-x-1/2 flex-col gap-2 max-md:bottom-20">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      aria-label={String(toast.description)}
      className="flex items-center gap-3 rounded-card border bg-raised py-2 pr-2 pl-4 shadow-float transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0"
    >
      <Toast.Title className={`min-w-0 flex-1 ${toast.type === 'error' ? 'text-lost' : ''}`} />
      <Toast.Action className="rounded-card px-2 py-1 font-medium text-accent-ink hover:bg-panel" />
      <Toast.Close aria-label={say('Close')} className="grid size-8 place-items-center text-ink-soft">
        <X size={16} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ));
}

/** Tells what was done, or why it was not. */
export function useToast() {
  const { add, close } = Toast.useToastManager();
  return {
    tell(text: string, undo?: { label: string; onClick(): void }) {
      const onClick = () => {
        close(id);
        undo?.onClick();
      };
      const id = add({ title: text, ...(undo && { actionProps: { children: undo.label, onClick } }) });
    },
    fail: (text: string) => add({ title: text, type: 'error', timeout: 10_000 }),
  };
}
