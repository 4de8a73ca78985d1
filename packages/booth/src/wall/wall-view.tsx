import type { SharedPicture } from '@guise/contract/events/event-guests.ts';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useBranding } from '../shared/branding.ts';
import { useTexts } from '../shared/texts/texts.ts';
import { GalleryCode } from './gallery-code.tsx';
import { useFadeIn, useStayAwake, useWindowSize } from './screen.ts';
import { Spotlight } from './spotlight.tsx';
import { useWall, type WallState } from './use-wall.ts';
import { WallCell } from './wall-cell.tsx';
import { layoutFor, type WallLayout } from './wall-layout.ts';
import { emptyRotation, turned, withPictures } from './wall-rotation.ts';

/** One cell changes in this time: calm for those who watch, and in an evening everybody is seen. */
const turnMs = 4000;
/** The longer side of a thumbnail. A cell that is larger than this times its share gets the picture itself. */
const thumbnailSide = 384;
const mostEnlarged = 1.25;

/** Pictures of an event for a projector. */
export function WallView({ token }: { token: string }) {
  const texts = useTexts().wall;
  const { pictures, event, isUnknown } = useWall(token);
  useStayAwake();
  useBranding(accentOf(event));
  if (isUnknown)
    return (
      <main className="wall-note text-ink-soft">
        <div className="max-w-lg text-center">
          <h1>{texts.unknown}</h1>
          <p className="mt-3">{texts.unknownHint}</p>
        </div>
      </main>
    );
  if (pictures === undefined) return <main aria-busy />;
  if (pictures.length === 0)
    return (
      <main className="wall-note text-ink-soft">
        <p className="text-center text-title">{texts.empty}</p>
      </main>
    );
  return (
    <>
      <Pictures pictures={pictures} />
      {event?.gallery_url && <GalleryCode url={event.gallery_url} />}
      <Spotlight pictures={pictures} />
    </>
  );
}

const noBranding = {};

/** The wall stays black, whatever the event is like: what is beside a picture must not shine. */
function accentOf(event: WallState['event']): { accent?: string } {
  const accent = event?.branding.accent;
  return accent === undefined ? noBranding : { accent };
}

function Pictures({ pictures }: { pictures: readonly SharedPicture[] }) {
  const texts = useTexts().wall;
  const { width, height } = useWindowSize();
  const { shape, noteShape } = useCommonShape();
  const { columns, rows, hasLarge, cells } = layoutFor({ width, height }, pictures.length, shape);
  const [rotation, setRotation] = useState(emptyRotation);
  const byId = useMemo(() => new Map(pictures.map((picture) => [picture.id, picture])), [pictures]);
  const ids = useMemo(() => new Set(byId.keys()), [byId]);
  useEffect(() => setRotation((before) => withPictures(before, [...ids], cells)), [ids, cells]);
  useEffect(() => {
    const timer = setInterval(() => setRotation(turned), turnMs);
    return () => clearInterval(timer);
  }, []);
  const grid = useFadeIn(`${columns} ${rows}`);
  const cellSide = Math.max(width / columns, height / rows) * devicePixelRatio;
  return (
    <main
      ref={grid}
      aria-label={texts.title}
      className="wall-grid"
      style={{
        gridTemplateColumns: `repeat(${columns}, 1fr)`,
        gridTemplateRows: `repeat(${rows}, 1fr)`,
      }}
    >
      {rotation.cells.slice(0, cells).map((id, at) => (
        <WallCell
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is a place on the screen, whatever picture is in it.
          key={at}
          picture={id === null ? undefined : byId.get(id)}
          ids={ids}
          isSharp={cellSide > thumbnailSide * mostEnlarged}
          isLarge={at === 0 && (hasLarge || cells === 1)}
          shape={width / columns / (height / rows)}
          onShape={noteShape}
          className={at === 0 && hasLarge ? largePlace({ columns, rows }) : ''}
        />
      ))}
    </main>
  );
}

/** The large cell stands in the middle, as far as the columns have one. */
function largePlace({ columns, rows }: Pick<WallLayout, 'columns' | 'rows'>): string {
  const column = ['col-start-1', 'col-start-2', 'col-start-3', 'col-start-4', 'col-start-5'];
  const row = ['row-start-1', 'row-start-2', 'row-start-3', 'row-start-4', 'row-start-5'];
  const at = (count: number) => Math.min(4, Math.floor((count - 2) / 2));
  return `col-span-2 row-span-2 ${column[at(columns)]} ${row[at(rows)]}`;
}

/** Most pictures of an event have one shape. Until one has loaded, they are taken to be upright. */
function useCommonShape() {
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>({});
  const noteShape = useCallback((shape: number) => {
    const name = shape.toFixed(1);
    setCounts((before) => ({ ...before, [name]: (before[name] ?? 0) + 1 }));
  }, []);
  const [common] = Object.entries(counts).sort((a, b) => b[1] - a[1])[0] ?? ['0.8'];
  return { shape: Math.max(0.1, Number(common)), noteShape };
}
