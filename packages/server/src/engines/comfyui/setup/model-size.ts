/** The number of a size such as "about 20.5 GB". */
export function gigabytesOf(size: string): number {
  const [, number, unit] = /([\d.]+) (GB|MB)/.exec(size) ?? [];
  return unit === 'MB' ? Number(number) / 1000 : Number(number ?? 0);
}
