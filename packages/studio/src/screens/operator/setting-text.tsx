import type { ReactNode } from 'react';
import { sayOfServer } from '../../words/say-of-server.ts';

export const settingsKey = ['settings'];

/** Names and values stand between backticks in the descriptions; links lead to pages of the documentation. */
export function settingText(text: string): ReactNode[] {
  return sayOfServer(text)
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, 'docs/$1')
    .split('`')
    .map((part, at) =>
      at % 2 === 0 ? (
        part
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move.
        <code key={at} className="font-mono break-words text-ink">
          {part}
        </code>
      ),
    );
}
