import { useCallback, useEffect, useRef, useState } from 'react';
import { ownPath, readFile } from './guest-api.ts';

/** A picture or video as a file, for the share sheet and for downloads. */
export interface PictureFile {
  name: string;
  /** Where it is: on this page once it was read, else on the server. */
  href: string;
  /** Reads it if that was not done yet. */
  read(): Promise<File>;
  /** It could not be read; calls of `read` try again. */
  isLost: boolean;
}

/**
 * The file behind a link. With `isRead` it is read at once and shown from memory: the share sheet has to open in the
 * moment of the tap, and must not wait for a second download. The link without its signature says which file it is.
 */
export function usePictureFile(
  url: string | null,
  { name, isRead }: { name: string; isRead: boolean },
): PictureFile {
  const path = url === null ? '' : ownPath(url);
  const [source, setSource] = useState({ path: '', href: '' });
  const [isLost, setIsLost] = useState(false);
  const begun = useRef<{ path: string; file: Promise<File> }>(undefined);

  const read = useCallback(() => {
    if (begun.current?.path === path) return begun.current.file;
    const file = readFile(path).then((blob) => new File([blob], name, { type: blob.type }));
    begun.current = { path, file };
    file.then(
      () => setIsLost(false),
      () => {
        begun.current = undefined;
        setIsLost(true);
      },
    );
    return file;
  }, [path, name]);

  useEffect(() => {
    if (!isRead || path === '') return;
    let href = '';
    let isGone = false;
    read().then(
      (file) => {
        if (isGone) return;
        href = URL.createObjectURL(file);
        setSource({ path, href });
      },
      () => {},
    );
    return () => {
      isGone = true;
      if (href) URL.revokeObjectURL(href);
    };
  }, [read, isRead, path]);

  return { name, href: source.path === path ? source.href : path, read, isLost };
}
