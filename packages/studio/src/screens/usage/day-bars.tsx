import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { locale, numberText } from '../../words/language.ts';

interface DayBarsProps {
  label: string;
  /** The beginning of each day in seconds. */
  times: readonly number[];
  /** One series, or two of which the second is what of the first was lost. */
  values: readonly (readonly number[])[];
  height: number;
  /** Names the days below; the chart above another one has them there. */
  hasDays?: boolean;
  /** The day under the pointer. */
  onPoint(at: number | null): void;
}

const day = 86_400;
const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A bar for each day. */
export function DayBars({ label, times, values, height, hasDays = false, onPoint }: DayBarsProps) {
  const box = useRef<HTMLDivElement>(null);
  const point = useRef(onPoint);
  point.current = onPoint;

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const data = [times, ...values] as unknown as UPlot.AlignedData;
    const chart = new UPlot(
      optionsOf(label, values.length > 1, hasDays, { width: element.clientWidth, height }, (at) =>
        point.current(at),
      ),
      data,
      element,
    );
    const sized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    sized.observe(element);
    // Its colours are those of the theme.
    const themed = new MutationObserver(() => chart.redraw());
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      sized.disconnect();
      themed.disconnect();
      chart.destroy();
    };
  }, [label, times, values, height, hasDays]);

  return (
    <div>
      <p className="text-small text-ink-soft">{label}</p>
      <div ref={box} role="img" aria-label={label} className="overflow-hidden" style={{ height }} />
    </div>
  );
}

const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);

function optionsOf(
  label: string,
  hasLost: boolean,
  hasDays: boolean,
  size: { width: number; height: number },
  onPoint: (at: number | null) => void,
): UPlot.Options {
  const font = `13px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { font, stroke: () => color('ink-soft'), ticks: { show: false } };
  const bar = (name: string, fill: string) => ({
    label: name,
    fill: () => color(fill),
    width: 0,
    points: { show: false },
    paths: UPlot.paths.bars!({ size: [0.5, 28] }),
  });
  return {
    ...size,
    legend: { show: false },
    padding: [8, 8, hasDays ? 0 : 12, 0],
    cursor: {
      x: true,
      y: false,
      drag: { x: false, y: false },
      points: { show: false },
      sync: { key: 'usage' },
    },
    scales: {
      x: { range: (_, min, max) => [min - day / 2, max + day / 2] },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.05)] },
    },
    series: [{}, bar(label, 'ink'), ...(hasLost ? [bar('failed', 'lost')] : [])],
    axes: [
      {
        ...axis,
        ...(!hasDays && { show: false }),
        size: 28,
        space: 64,
        incrs: [1, 2, 7, 14, 30, 61].map((days) => days * day),
        values: (_, splits) => splits.map((time) => dayFormat.format(time * 1000)),
        grid: { show: false },
      },
      {
        ...axis,
        size: 56,
        space: 36,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000, 1_000_000],
        values: (_, splits) => splits.map(numberText),
        grid: { stroke: () => color('line'), width: 1 },
      },
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)] },
  };
}
