import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { say } from '../words/say.ts';
import { Button } from './button.tsx';
import { shortId } from './short-id.ts';

interface CopyButtonProps {
  text: string;
  label?: string;
  kind?: 'primary' | 'plain';
}

/** Copies a text, and says so. */
export function CopyButton({ text, label = say('Copy'), kind = 'plain' }: CopyButtonProps) {
  const { copied, copy } = useCopy(text);
  return (
    <Button
      kind={kind}
      onClick={copy}
      icon={copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
    >
      {copied ? say('Copied') : label}
    </Button>
  );
}

interface CopyIdProps {
  id: string;
  /** What the id is of. */
  label: string;
}

/** An id in short, which copies all of it. */
export function CopyId({ id, label }: CopyIdProps) {
  const { copied, copy } = useCopy(id);
  return (
    <button
      type="button"
      title={id}
      aria-label={say('Copy {label}, {id}', { label, id: shortId(id) })}
      onClick={copy}
      className="-ml-1.5 inline-flex min-h-9 max-w-full items-center gap-2 rounded-card px-1.5 font-mono text-small text-ink-soft hover:bg-panel hover:text-ink"
    >
      <span className="truncate">{copied ? say('Copied') : shortId(id)}</span>
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </button>
  );
}

function useCopy(text: string) {
  const [copiedText, setCopiedText] = useState<string | null>(null);
  const copy = async () => {
    await copyText(text);
    setCopiedText(text);
    setTimeout(() => setCopiedText(null), 2000);
  };
  // Another text that is shown meanwhile has not been copied.
  return { copied: copiedText === text, copy };
}

/** Without https a page may not use the clipboard: then the text is selected to be copied. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
