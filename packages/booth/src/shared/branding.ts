import type { EventBranding } from '@guise/contract/booth/events.ts';
import { useLayoutEffect } from 'react';

/** Gives the page the colours of the event. Text that the event names no colour for is readable on what it names. */
export function useBranding({ background, text, accent }: EventBranding): void {
  useLayoutEffect(() => {
    const colours: Record<string, string | undefined> = {
      '--ground': background,
      '--ink': text ?? (background && readableOn(background)),
      '--accent': accent,
      '--on-accent': accent && readableOn(accent),
    };
    const { style } = document.documentElement;
    for (const [name, colour] of Object.entries(colours))
      if (colour === undefined) style.removeProperty(name);
      else style.setProperty(name, colour);
    if (background) style.colorScheme = readableOn(background) === dark ? 'light' : 'dark';
    else style.removeProperty('color-scheme');
  }, [background, text, accent]);
}

const dark = '#141416';
const light = '#f7f6f3';

/** The darker or the lighter of two inks, by the contrast ratio of WCAG. */
export function readableOn(colour: string): string {
  const ratio = (other: string) => {
    const [a, b] = [luminance(colour) + 0.05, luminance(other) + 0.05];
    return Math.max(a, b) / Math.min(a, b);
  };
  return ratio(dark) >= ratio(light) ? dark : light;
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
