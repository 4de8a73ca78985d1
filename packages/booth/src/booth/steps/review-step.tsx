import { useEffect, useState } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import type { Texts } from '../../shared/texts/en.ts';
import { useTexts } from '../../shared/texts/texts.ts';
import type { CheckedPhoto } from '../camera/checked-photo.ts';
import { PhotoSheet } from '../show/photo-sheet.tsx';
import { GuestFrame } from './guest-frame.tsx';

interface ReviewStepProps {
  photos: readonly [string, ...string[]];
  check: () => Promise<CheckedPhoto>;
  /** Whether the style is for a group, or for one person; null where it takes anybody. */
  takes: 'one' | 'group' | null;
  onBack(): void;
  onStop(): void;
  onRetake(): void;
  /** Leads to the styles for those who are in the photo; null where the event has none. */
  onOtherStyles: (() => void) | null;
  onUse(): void;
}

/** The photo as it will be sent, and what is wrong with it before a picture is spent on it. */
export function ReviewStep(props: ReviewStepProps) {
  const { photos, check, takes, onBack, onStop, onRetake, onOtherStyles, onUse } = props;
  const { shoot, problems: sentences } = useTexts().booth;
  const [checked, setChecked] = useState<CheckedPhoto>();
  const [isUsed, setUsed] = useState(false);
  const [photo] = photos;
  const isStrip = photos.length > 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a photo is checked once, not with every render.
  useEffect(() => {
    let isOver = false;
    setChecked(undefined);
    void check().then((found) => !isOver && setChecked(found));
    return () => {
      isOver = true;
    };
  }, [photo]);
  const problem = checked && problemOf(checked, takes, sentences);
  const isForOthers = problem !== undefined && !problem.blocks && problem.isForOthers;
  const leads = isForOthers && onOtherStyles !== null;
  const use = () => {
    setUsed(true);
    onUse();
  };
  return (
    <GuestFrame
      title={problem?.blocks ? shoot.reviewBlocked : isStrip ? shoot.reviewAll : shoot.review}
      notice={problem?.sentence}
      onBack={onBack}
      onStop={onStop}
      actions={
        <>
          {leads && (
            <BigButton kind="primary" onClick={onOtherStyles}>
              {takes === 'one' ? shoot.groupStyles : shoot.singleStyles}
            </BigButton>
          )}
          <BigButton kind={problem && !leads ? 'primary' : 'plain'} onClick={onRetake}>
            {isStrip ? shoot.retakeAll : shoot.retake}
          </BigButton>
          {!problem?.blocks && (
            <BigButton kind={problem ? 'plain' : 'primary'} disabled={!checked || isUsed} onClick={use}>
              {!checked ? shoot.checking : problem ? shoot.useAnyway : isStrip ? shoot.useAll : shoot.use}
            </BigButton>
          )}
        </>
      }
    >
      <PhotoSheet photos={photos} alt={shoot.photo} />
    </GuestFrame>
  );
}

interface ShownProblem {
  sentence: string;
  blocks: boolean;
  /** Whether the photo is fine, and the style is for more people or for fewer. */
  isForOthers: boolean;
}

/** The one thing that the guest is told. */
function problemOf(
  { problems, people }: CheckedPhoto,
  takes: ReviewStepProps['takes'],
  sentences: Texts['booth']['problems'],
): ShownProblem | undefined {
  const [first] = problems;
  if (first?.code === 'TOO_MANY_PEOPLE')
    return {
      sentence: first.blocks ? sentences.crowd : sentences.TOO_MANY_PEOPLE,
      blocks: first.blocks,
      isForOthers: true,
    };
  if (first) return { sentence: sentences[first.code], blocks: first.blocks, isForOthers: false };
  if (takes === 'group' && people === 1)
    return { sentence: sentences.alone, blocks: false, isForOthers: true };
  return undefined;
}
