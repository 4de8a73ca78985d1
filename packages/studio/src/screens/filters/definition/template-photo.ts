import { base64Of } from '@guise/client/bytes.ts';
import type { Photo } from '../../../photo/photo.ts';
import { say } from '../../../words/say.ts';
import type { TemplatePhoto } from './edited-filter.ts';

export async function templateOfPhoto(photo: Photo): Promise<TemplatePhoto> {
  return { photo, image: await base64Of(photo.blob) };
}

/** The template of a saved filter as its export holds it: the same bytes, so that saving it again loses nothing. */
export async function templateOfDataUri(uri: string): Promise<TemplatePhoto> {
  const [head = '', data = ''] = uri.split(',');
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const blob = new Blob([bytes], { type: head.replace(/^data:|;.*$/g, '') });
  const bitmap = await createImageBitmap(blob);
  const { width, height } = bitmap;
  bitmap.close();
  const photo = { name: say('Saved picture'), blob, url: URL.createObjectURL(blob), width, height };
  return { photo, image: uri };
}
