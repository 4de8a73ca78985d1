interface CompareRangeProps {
  label: string;
  /** Where the edge between both pictures is, in percent of the width. */
  share: number;
  onShare(share: number): void;
}

/** Lies over two pictures unseen: the edge between them is dragged wherever a finger is, and moved by the keyboard. */
export function CompareRange({ label, share, onShare }: CompareRangeProps) {
  return (
    <input
      type="range"
      min={0}
      max={100}
      value={share}
      aria-label={label}
      onChange={(event) => onShare(event.target.valueAsNumber)}
      className="absolute inset-0 size-full cursor-ew-resize opacity-0"
    />
  );
}
