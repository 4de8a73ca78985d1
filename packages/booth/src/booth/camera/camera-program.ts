import { photoOfFile, photoOfVideo } from './take-photo.ts';

/** A camera that focuses in the dark takes some seconds. */
const longestMs = 35_000;

/**
 * The photo of the camera that a program of this machine serves (`guise camera`), or where there is none or it does not
 * answer, what the video shows: a guest is not sent away for a cable.
 */
export async function takePhoto(video: HTMLVideoElement, program: string): Promise<Blob> {
  if (program === '') return photoOfVideo(video);
  try {
    const signal = AbortSignal.timeout(longestMs);
    const answer = await fetch(new URL('/photos', program), { method: 'POST', signal });
    if (!answer.ok) throw new Error(`The camera program answered with ${answer.status}.`);
    return await photoOfFile(await answer.blob());
  } catch (error) {
    console.warn('The photo is of the mirror view: the camera program gave none.', error);
    return photoOfVideo(video);
  }
}
