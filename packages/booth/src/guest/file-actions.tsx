import { Download, Share2 } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../shared/texts/texts.ts';
import { GuestButton, GuestLink } from './guest-button.tsx';
import type { PictureFile } from './use-picture-file.ts';

/** Whether this browser hands files to other apps: asked with an empty one, because the answer is by type. */
function canShareFiles(): boolean {
  const file = new File([''], 'picture.png', { type: 'image/png' });
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [file] });
}

interface FileActionsProps {
  file: PictureFile;
  /** Where the same is as a GIF, for apps that play no videos in a loop. */
  gif?: string | undefined;
}

/** Share and download. Where the browser has no share sheet, the download is what comes first. */
export function FileActions({ file, gif }: FileActionsProps) {
  const texts = useTexts().guest;
  const [isBusy, setIsBusy] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const canShare = canShareFiles();
  const share = async () => {
    setIsBusy(true);
    setHasFailed(false);
    try {
      await navigator.share({ files: [await file.read()] });
    } catch (error) {
      // A guest who closes the share sheet has not failed.
      setHasFailed(!(error instanceof DOMException && error.name === 'AbortError'));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-3">
        {canShare && (
          <GuestButton
            kind="primary"
            className="flex-1"
            busy={isBusy}
            icon={<Share2 size={20} aria-hidden />}
            onClick={share}
          >
            {texts.share}
          </GuestButton>
        )}
        <GuestLink
          kind={canShare ? 'plain' : 'primary'}
          className="flex-1"
          href={file.href}
          download={file.name}
          icon={<Download size={20} aria-hidden />}
        >
          {texts.download}
        </GuestLink>
        {gif && (
          <GuestLink
            href={gif}
            download={file.name.replace(/\.\w+$/, '.gif')}
            icon={<Download size={20} aria-hidden />}
          >
            GIF
          </GuestLink>
        )}
      </div>
      <p role="alert" className="text-center text-small text-danger empty:hidden">
        {(hasFailed || file.isLost) && texts.notLoaded}
      </p>
    </div>
  );
}
