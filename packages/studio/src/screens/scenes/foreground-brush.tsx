import type { OwnScene } from '@guise/contract/scenes/own-scenes.ts';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { say } from '../../words/say.ts';
import { clamp } from './edited-scene.ts';

/** Of the line around something, in painted pixels. */
const penWidth = 3;

/** The width that is painted in: the server keeps no finer mask. */
const paintedWidth = 1200;

export interface BrushSettings {
  /** Its diameter as a share of the backdrop's width. */
  size: number;
  tool: 'paint' | 'outline' | 'erase';
}

interface ForegroundBrushProps {
  scene: OwnScene;
  brush: BrushSettings;
  /** The painted mask that is shown, as a PNG in base64; null for none, undefined for the saved one. */
  mask: string | null | undefined;
  /** After each stroke: the mask, or null where nothing is painted. */
  onStroke(mask: string | null): void;
}

const colour = '#e9a23b';
const keyWords: Record<BrushSettings['tool'], string> = {
  paint: say('Foreground: arrow keys move the brush, the space bar paints, Shift and arrows paint a line'),
  outline: say(
    'Foreground: arrow keys move the pen, the space bar sets a corner, Enter fills what is inside',
  ),
  erase: say('Foreground: arrow keys move the eraser, the space bar erases, Shift and arrows erase a line'),
};

/**
 * Paints what stands before people over the backdrop, by a brush or by a line around it. Arrow keys move the brush, the
 * space bar paints.
 */
export function ForegroundBrush({ scene, brush, mask, onStroke }: ForegroundBrushProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const at = useRef({ x: 0.5, y: 0.8, isDown: false });
  const outline = useRef<[number, number][]>([]);
  const height = Math.round((paintedWidth * scene.height) / scene.width);
  useShownMask(canvas, scene, mask);

  const paint = (x: number, y: number) => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.globalCompositeOperation = brush.tool === 'erase' ? 'destination-out' : 'source-over';
    context.strokeStyle = colour;
    context.lineCap = 'round';
    context.lineWidth = brush.tool === 'outline' ? penWidth : brush.size * paintedWidth;
    const to = [x * paintedWidth, y * height] as [number, number];
    const isOutline = brush.tool === 'outline';
    const before = isOutline ? outline.current.at(-1) : undefined;
    const [fromX, fromY] = before ?? (isOutline ? to : [at.current.x * paintedWidth, at.current.y * height]);
    if (isOutline) outline.current.push(to);
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(to[0] + 0.01, to[1]);
    context.stroke();
    at.current = { ...at.current, x, y };
  };
  const end = () => {
    const context = canvas.current?.getContext('2d');
    if (brush.tool === 'outline' && context) fillInside(context, outline.current);
    outline.current = [];
    if (canvas.current) onStroke(maskOf(canvas.current));
  };
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-0.02, 0],
      ArrowRight: [0.02, 0],
      ArrowUp: [0, -0.02],
      ArrowDown: [0, 0.02],
    };
    const step = steps[event.key];
    const fills = brush.tool === 'outline' && event.key === 'Enter';
    if (!step && event.key !== ' ' && !fills) return;
    event.preventDefault();
    if (fills) return end();
    const [x, y] = [
      clamp(at.current.x + (step?.[0] ?? 0), 0, 1),
      clamp(at.current.y + (step?.[1] ?? 0), 0, 1),
    ];
    // With Shift the brush paints on its way.
    if (!step || event.shiftKey) {
      paint(x, y);
      if (brush.tool !== 'outline') end();
    } else at.current = { x, y, isDown: false };
  };
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it is painted on, with the keyboard too
    <canvas
      ref={canvas}
      width={paintedWidth}
      height={height}
      tabIndex={0}
      role="application"
      aria-label={keyWords[brush.tool]}
      className="absolute inset-0 size-full cursor-crosshair touch-none opacity-60"
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const [x, y] = pointOf(event);
        at.current = { x, y, isDown: true };
        paint(x, y);
      }}
      onPointerMove={(event) => at.current.isDown && paint(...pointOf(event))}
      onPointerUp={() => {
        at.current.isDown = false;
        end();
      }}
    />
  );
}

/** Where the pointer is, in shares of the picture. */
function pointOf(event: PointerEvent): readonly [number, number] {
  const box = event.currentTarget.getBoundingClientRect();
  return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
}

function fillInside(context: CanvasRenderingContext2D, outline: readonly [number, number][]): void {
  context.globalCompositeOperation = 'source-over';
  context.fillStyle = colour;
  context.beginPath();
  for (const [x, y] of outline) context.lineTo(x, y);
  context.fill();
}

/** Draws the mask that is shown: the saved one, or that of an undone stroke. */
function useShownMask(
  canvas: { current: HTMLCanvasElement | null },
  scene: OwnScene,
  mask: string | null | undefined,
): void {
  const guise = useGuise();
  useEffect(() => {
    let isOver = false;
    const draw = async () => {
      const context = canvas.current?.getContext('2d');
      if (!context) return;
      const blob =
        mask === undefined
          ? scene.foreground_url && (await guise.readFile(scene.foreground_url))
          : mask && new Blob([Uint8Array.from(atob(mask), (letter) => letter.charCodeAt(0))]);
      const bitmap = blob ? await createImageBitmap(blob) : null;
      if (isOver) return;
      const { width, height } = context.canvas;
      context.globalCompositeOperation = 'source-over';
      context.clearRect(0, 0, width, height);
      if (bitmap) showMask(context, bitmap);
      bitmap?.close();
    };
    void draw();
    return () => {
      isOver = true;
    };
  }, [canvas, guise, mask, scene.foreground_url]);
}

/** White becomes the brush's colour, black and what is transparent become nothing. */
function showMask(context: CanvasRenderingContext2D, bitmap: ImageBitmap): void {
  const { width, height } = context.canvas;
  context.drawImage(bitmap, 0, 0, width, height);
  const pixels = context.getImageData(0, 0, width, height);
  const { data } = pixels;
  for (let i = 0; i < data.length; i += 4) {
    const share = (data[i]! / 255) * (data[i + 3]! / 255);
    data.set([233, 162, 59, Math.round(255 * share)], i);
  }
  context.putImageData(pixels, 0, 0);
}

/** What is painted as a white and black PNG in base64. */
function maskOf(canvas: HTMLCanvasElement): string | null {
  const { width, height } = canvas;
  const source = canvas.getContext('2d')!.getImageData(0, 0, width, height);
  let isEmpty = true;
  for (let i = 0; i < source.data.length; i += 4) {
    const alpha = source.data[i + 3]!;
    if (alpha > 127) isEmpty = false;
    source.data.set([alpha, alpha, alpha, 255], i);
  }
  if (isEmpty) return null;
  const target = document.createElement('canvas');
  target.width = width;
  target.height = height;
  target.getContext('2d')!.putImageData(source, 0, 0);
  return target.toDataURL('image/png').split(',')[1]!;
}
