import { Guise, type JobProgress, verifyWebhook } from '@guise/client';

/** For the types of browsers, without those of Node. */
export async function onFile(file: File, show: (job: JobProgress) => void): Promise<string> {
  const guise = new Guise({ baseUrl: '/api/guise', downscale: true });
  const picture = await guise.faceSwap({ photo: file, filter: 1, gender: 'group' }, { onProgress: show });
  return picture.url;
}

export const onWebhook = async (request: Request, secret: string): Promise<string> =>
  (await verifyWebhook({ body: await request.text(), headers: request.headers, secret })).data.id;
