import type { ReactNode } from 'react';

interface FitBoxProps {
  /** Width divided by height. */
  shape: number;
  children: ReactNode;
  className?: string;
}

/** A box of a shape, as large as the place that it stands in allows, in its middle. */
export function FittedBox({ shape, children, className = '' }: FitBoxProps) {
  return (
    // What is before and after is on the same side in every language.
    <div dir="ltr" className="grid size-full place-items-center [container-type:size]">
      <div
        style={{ width: `min(100cqw, ${100 * shape}cqh)`, aspectRatio: shape }}
        className={`relative overflow-hidden rounded-card ${className}`}
      >
        {children}
      </div>
    </div>
  );
}
