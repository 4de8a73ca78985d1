import { useEffect, useState } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { FittedBox } from '../../shared/fitted-box.tsx';
import { useTexts } from '../../shared/texts/texts.ts';
import { isHopeless, type PhotoProblem } from '../camera/check-photo.ts';
import { GuestFrame } from './guest-frame.tsx';

interface ReviewStepProps {
  photo: string;
  check: () => Promise<readonly PhotoProblem[]>;
  onBack(): void;
  onStop(): void;
  onRetake(): void;
  onUse(): void;
}

/** The photo as it will be sent, and what is wrong with it before a picture is spent on it. */
export function ReviewStep({ photo, check, onBack, onStop, onRetake, onUse }: ReviewStepProps) {
  const { shoot, problems: sentences } = useTexts().booth;
  const [problems, setProblems] = useState<readonly PhotoProblem[]>();
  const [isUsed, setUsed] = useState(false);
  const [shape, setShape] = useState(3 / 4);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a photo is checked once, not with every render.
  useEffect(() => {
    let isOver = false;
    setProblems(undefined);
    void check().then((found) => !isOver && setProblems(found));
    return () => {
      isOver = true;
    };
  }, [photo]);
  const [worst] = problems ?? [];
  const use = () => {
    setUsed(true);
    onUse();
  };
  return (
    <GuestFrame
      title={shoot.review}
      notice={worst && (sentences[worst.code] ?? sentences.photo)}
      onBack={onBack}
      onStop={onStop}
      actions={
        <>
          <BigButton kind={worst ? 'primary' : 'plain'} onClick={onRetake}>
            {shoot.retake}
          </BigButton>
          {!problems?.some(isHopeless) && (
            <BigButton kind={worst ? 'plain' : 'primary'} disabled={!problems || isUsed} onClick={use}>
              {!problems ? shoot.checking : worst ? shoot.useAnyway : shoot.use}
            </BigButton>
          )}
        </>
      }
    >
      <FittedBox shape={shape}>
        <img
          src={photo}
          alt={shoot.photo}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setShape(naturalWidth / naturalHeight)
          }
          className="size-full"
        />
      </FittedBox>
    </GuestFrame>
  );
}
