import type { SharedPicture } from '@guise/contract/events/event-guests.ts';
import { useEffect, useState } from 'react';
import { prefersReducedMotion } from './screen.ts';

interface WallCellProps {
  picture: SharedPicture | undefined;
  /** What is not among them has gone and is not shown for another moment. */
  ids: ReadonlySet<string>;
  /** Whether thumbnails would be too small for it. */
  isSharp: boolean;
  /** Its width by its height. */
  shape: number;
  isLarge: boolean;
  /** The shape of a picture that has loaded: width by height. */
  onShape(shape: number): void;
  className?: string;
}

interface Layer {
  id: string;
  src: string;
  /** Set where it is a video that plays. */
  poster: string | undefined;
  /** Its width by its height. */
  shape: number;
  /** Whether a frame or letters over it would be cut off. */
  hasOverlay: boolean;
}

/** A picture that would lose more than this share to its cell is shown whole, with dark sides. */
const mostCut = { picture: 0.3, overlay: 0.01 };
const isWhole = (cell: number, { shape, hasOverlay }: Layer) =>
  Math.min(cell, shape) / Math.max(cell, shape) < 1 - (hasOverlay ? mostCut.overlay : mostCut.picture);

/** A picture, and for a moment the one before it beneath. The next one is loaded and decoded before it fades in. */
export function WallCell({ picture, ids, isSharp, isLarge, onShape, ...cell }: WallCellProps) {
  const [layers, setLayers] = useState<readonly Layer[]>([]);
  const next = picture && layerOf(picture, isSharp, isLarge);
  const { id, src, poster } = next ?? {};
  const hasOverlay = picture?.has_overlay ?? false;
  useEffect(() => {
    if (id === undefined || src === undefined) return;
    let isGone = false;
    const image = new Image();
    image.src = poster ?? src;
    image.decode().then(
      () => {
        if (isGone) return;
        const shape = image.naturalWidth / image.naturalHeight;
        onShape(shape);
        const layer = { id, src, poster, shape, hasOverlay };
        // Without a fade nothing has to stay beneath, and no end of it is told.
        setLayers((before) =>
          prefersReducedMotion() ? [layer] : [...before.filter((other) => other.id !== id).slice(-1), layer],
        );
      },
      // It was erased or has expired, or the server is away: what is there stays.
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [id, src, poster, hasOverlay, onShape]);
  const endFade = () => setLayers((before) => before.slice(-1));
  return (
    <div className={`wall-cell ${isLarge ? 'wall-cell-large' : ''} ${cell.className ?? ''}`}>
      {layers
        .filter((layer) => ids.has(layer.id))
        .map((layer) => {
          const fit = `wall-layer ${isWhole(cell.shape, layer) ? 'wall-layer-whole' : ''}`;
          return layer.poster === undefined ? (
            <img key={layer.id} className={fit} src={layer.src} alt="" onAnimationEnd={endFade} />
          ) : (
            <video
              key={layer.id}
              className={fit}
              src={layer.src}
              poster={layer.poster}
              onAnimationEnd={endFade}
              muted
              autoPlay
              loop
              playsInline
            />
          );
        })}
    </div>
  );
}

function layerOf(
  picture: SharedPicture,
  isSharp: boolean,
  isLarge: boolean,
): Pick<Layer, 'id' | 'src' | 'poster'> {
  const { id, url, thumbnail_url: thumbnail } = picture;
  const isVideo = picture.media_type.startsWith('video/');
  // A living portrait moves where there are few cells, too: many at once would be too much for a projector's computer.
  if (isVideo && picture.poster_url !== undefined && (isSharp || isLarge))
    return { id, src: url, poster: picture.poster_url };
  if (isVideo) return { id, src: isLarge ? url : thumbnail, poster: isLarge ? thumbnail : undefined };
  return { id, src: isSharp || isLarge ? url : thumbnail, poster: undefined };
}
