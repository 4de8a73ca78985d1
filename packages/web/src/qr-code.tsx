import { useMemo } from 'react';
import { encode } from 'uqr';

interface QrCodeProps {
  text: string;
  /** What it opens, for people who do not see it. */
  label: string;
  className: string;
}

/** A QR code as one path: dark on white with the quiet border that cameras need, whatever the colours of the page. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const [size, path] = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: 3 });
    return [
      size,
      data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join(''),
    ];
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} />
    </svg>
  );
}
