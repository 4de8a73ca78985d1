import { Clock, CloudOff, ImageOff } from 'lucide-react';
import { useTexts } from '../shared/texts/texts.ts';
import type { Trouble } from './guest-api.ts';
import { MessagePage } from './message-page.tsx';

/** Why there is nothing to show. */
export function TroubleNote({ trouble }: { trouble: Trouble }) {
  const texts = useTexts().guest;
  const icon = { unknown: <ImageOff />, expired: <Clock />, away: <CloudOff />, busy: <Clock /> }[trouble];
  return (
    <MessagePage icon={icon} title={texts[trouble]}>
      {texts[`${trouble}Hint`]}
    </MessagePage>
  );
}
