import { networkError } from './guise-error.ts';

interface Post {
  url: string;
  text: string;
  headers: Record<string, string> | undefined;
  signal: AbortSignal | undefined;
  onUpload(share: number): void;
}

/** The part of `XMLHttpRequest` that is used: programs outside of browsers have neither it nor its types. */
interface UploadRequest {
  upload: {
    onprogress: ((event: { lengthComputable: boolean; loaded: number; total: number }) => void) | null;
  };
  status: number;
  responseText: string;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getResponseHeader(name: string): string | null;
  send(body: string): void;
  abort(): void;
}
const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest?: new () => UploadRequest };

/** Whether this is a browser, which tells how much of a body has left. */
export const canWatchUploads = XMLHttpRequest !== undefined;

/** A POST whose upload can be watched: `fetch` tells nothing before the answer. */
export function postWithProgress(post: Post): Promise<{
  status: number;
  text: string;
  header(name: string): string | null;
}> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest!();
    request.open('POST', post.url);
    for (const [name, value] of Object.entries(post.headers ?? {})) request.setRequestHeader(name, value);
    const abort = () => request.abort();
    const end = () => post.signal?.removeEventListener('abort', abort);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) post.onUpload(event.loaded / event.total);
    };
    request.onload = () => {
      end();
      resolve({
        status: request.status,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      });
    };
    request.onerror = () => {
      end();
      reject(networkError(undefined));
    };
    request.onabort = () => {
      end();
      reject(post.signal?.reason);
    };
    if (post.signal?.aborted) return reject(post.signal.reason);
    post.signal?.addEventListener('abort', abort);
    request.send(post.text);
  });
}
