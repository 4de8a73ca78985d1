import type { EventBranding } from '@guise/contract/events/events.ts';
import { useLayoutEffect } from 'react';

/** Gives the page the colours of the event. Text that the event names no colour for is readable on what it names. */
export function useBranding({ background, text, accent }: EventBranding): void {
  useLayoutEffect(() => {
    const ink = text ?? (background && readableOn(background));
    const mixes = background && ink ? strongerMixes(background, ink) : {};
    const colours: Record<string, string | undefined> = {
      '--ground': background,
      '--ink': ink,
      '--ink-soft': mixes.softInk,
      '--panel': mixes.panel,
      '--accent': accent,
      '--on-accent': accent && readableOn(accent),
      '--danger': background && ink && dangerOn(background, ink),
    };
    const { style } = document.documentElement;
    for (const [name, colour] of Object.entries(colours))
      if (colour === undefined) style.removeProperty(name);
      else style.setProperty(name, colour);
    if (background) style.colorScheme = luminance(readableOn(background)) < 0.5 ? 'light' : 'dark';
    else style.removeProperty('color-scheme');
  }, [background, text, accent]);
}

const dark = '#141416';
const light = '#f7f6f3';

/** What WCAG asks for of text. */
const leastContrast = 4.5;
const reds = ['#a8261c', '#ff8f86', '#5f0f08', '#ffd2cd'];

/** A red that can be read on the colour of an event; on a red or a middle grey there is none, and the ink has to do. */
function dangerOn(background: string, ink: string): string {
  return reds.find((red) => contrast(red, background) >= leastContrast) ?? ink;
}

/** Where the style sheet's mix of ink and ground is hard to read, the ink itself, and the ground for panels. */
function strongerMixes(background: string, ink: string): { softInk?: string; panel?: string } {
  return {
    ...(contrast(mix(ink, background, 0.72), background) < leastContrast && { softInk: ink }),
    ...(contrast(ink, mix(ink, background, 0.07)) < leastContrast && { panel: background }),
  };
}

/** A share of one colour in another. */
function mix(colour: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [of, on] = [colour, other].map((text) => Number.parseInt(text.slice(at, at + 2), 16));
    return Math.round(share * of! + (1 - share) * on!)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

/** The darker or the lighter of two inks, by the contrast ratio of WCAG. */
export function readableOn(colour: string): string {
  const isLight = contrast(colour, dark) >= contrast(colour, light);
  const ink = isLight ? dark : light;
  if (contrast(colour, ink) >= leastContrast) return ink;
  return isLight ? '#000000' : '#ffffff';
}

export function contrast(colour: string, other: string): number {
  const [a, b] = [luminance(colour) + 0.05, luminance(other) + 0.05];
  return Math.max(a, b) / Math.min(a, b);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
