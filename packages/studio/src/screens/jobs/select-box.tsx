interface SelectBoxProps {
  /** What is chosen, for those who cannot see it. */
  label: string;
  isSelected: boolean;
  onToggle(isRange: boolean): void;
  className?: string;
}

/** A checkbox with room for a finger. */
export function SelectBox({ label, isSelected, onToggle, className = '' }: SelectBoxProps) {
  return (
    <label className={`grid size-10 place-items-center ${className}`}>
      <input
        type="checkbox"
        aria-label={label}
        checked={isSelected}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey)}
        className="size-4.5 accent-accent"
      />
    </label>
  );
}
