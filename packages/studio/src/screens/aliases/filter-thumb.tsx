interface FilterThumbProps {
  src: string | null | undefined;
  className?: string;
}

/** A filter as a small picture beside its name. */
export function FilterThumb({ src, className = '' }: FilterThumbProps) {
  return (
    <span className={`block shrink-0 overflow-hidden rounded-[4px] bg-panel ${className}`}>
      {src && <img src={src} alt="" decoding="async" className="size-full object-cover" />}
    </span>
  );
}
