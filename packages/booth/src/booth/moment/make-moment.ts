/** Longer than that, the guest has gone. */
const longestMs = 20_000;

/** The shots of a burst as a GIF that goes forwards and backwards; null where the browser cannot make one. */
export async function makeMoment(shots: readonly Blob[]): Promise<Blob | null> {
  if (shots.length < 2 || typeof OffscreenCanvas === 'undefined') return null;
  const worker = new Worker(new URL('./moment-worker.ts', import.meta.url), { type: 'module' });
  try {
    const gif = await new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
      setTimeout(() => reject(new Error('The moving picture took too long.')), longestMs);
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = () => reject(new Error('The moving picture could not be made.'));
      worker.postMessage([...shots]);
    });
    performance.mark('guise-moment');
    return new Blob([gif], { type: 'image/gif' });
  } catch {
    // The picture of the photo is made all the same.
    return null;
  } finally {
    worker.terminate();
  }
}
