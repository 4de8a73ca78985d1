import { CameraOff } from 'lucide-react';
import { useId } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { useTexts } from '../../shared/texts/texts.ts';
import type { CameraState } from './use-camera.ts';

interface CameraProblemProps {
  problem: Exclude<CameraState, 'on' | 'starting'>;
  onRetry(): void;
  /** A photo of the camera app; null where that is of no use. */
  onFile: ((file: Blob) => void) | null;
}

/** Why there is no camera, who can help, and the way around: tablets and phones have a camera app. */
export function CameraProblem({ problem, onRetry, onFile }: CameraProblemProps) {
  const { camera, tryAgain } = useTexts().booth;
  const id = useId();
  return (
    <div role="alert" className="flex size-full flex-col items-center justify-center gap-5 text-center">
      <CameraOff size={88} strokeWidth={1.3} aria-hidden className="text-ink-soft" />
      <h2 className="text-title">{camera[problem]}</h2>
      <p className="max-w-[36ch] text-ink-soft">{camera[`${problem}Hint`]}</p>
      <div className="mt-3 flex flex-wrap justify-center gap-4">
        <BigButton kind="primary" onClick={onRetry}>
          {tryAgain}
        </BigButton>
        {onFile && (
          <label
            htmlFor={id}
            className="inline-flex min-h-18 items-center rounded-full border bg-panel px-8 font-semibold has-focus-visible:outline-3"
          >
            {camera.app}
            <input
              id={id}
              type="file"
              accept="image/*"
              capture="user"
              className="sr-only"
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file) onFile(file);
                target.value = '';
              }}
            />
          </label>
        )}
      </div>
    </div>
  );
}
