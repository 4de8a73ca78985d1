/** The address of a PNG that came as base64, for `<img>`; to be revoked. */
export function pngUrl(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
}
