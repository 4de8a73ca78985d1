import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { say } from '../words/say.ts';

interface MenuProps {
  label: string;
  trigger: ReactNode;
  className?: string;
  /** It is open as soon as it is shown. */
  defaultOpen?: boolean;
  children: ReactNode;
}

export function Menu({ label, trigger, className, defaultOpen = false, children }: MenuProps) {
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger aria-label={label} className={className}>
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup className="max-w-72 min-w-52 rounded-card border bg-raised py-1 shadow-float outline-none">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps {
  onClick(): void;
  isChosen?: boolean;
  isDanger?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

export function MenuItem({ onClick, isChosen, isDanger, disabled = false, children }: MenuItemProps) {
  return (
    <Base.Item
      onClick={onClick}
      disabled={disabled}
      className={`flex min-h-9 cursor-pointer items-center justify-between gap-3 px-3 py-1.5 outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-panel ${isDanger ? 'text-lost' : ''}`}
    >
      {children}
      {isChosen && <Check size={16} aria-label={say('chosen')} />}
    </Base.Item>
  );
}

export const MenuSeparator = () => <Base.Separator className="my-1 border-t" />;
