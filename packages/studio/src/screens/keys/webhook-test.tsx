import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { duration } from '../../ui/format-time.ts';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-field.tsx';

/** Sends a signed delivery to an address, and shows what it answered. */
export function WebhookTest() {
  const guise = useGuise();
  const [url, setUrl] = useState('');
  const abort = useRef<AbortController>(null);
  const test = useMutation({
    mutationFn: (to: string) => {
      abort.current = new AbortController();
      return guise.webhooks.test(to, abort.current.signal);
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (url.trim() !== '') test.mutate(url.trim());
  };
  const isCancelled = test.error?.name === 'AbortError';
  return (
    <section aria-label="Send a test" className="flex flex-col gap-3">
      <h2>Send a test</h2>
      <form onSubmit={send} className="flex flex-col gap-3">
        <TextField
          label="Address"
          type="url"
          placeholder="https://example.com/guise"
          autoComplete="url"
          required
          maxLength={2048}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <div className="flex gap-2">
          <Button type="submit" busy={test.isPending} icon={<Send size={16} aria-hidden />}>
            Send a test
          </Button>
          {test.isPending && (
            <Button kind="quiet" onClick={() => abort.current?.abort()}>
              Cancel
            </Button>
          )}
        </div>
      </form>
      <div role="status">
        {test.data && (
          <p className={test.data.error === null ? 'text-good' : 'text-lost'}>
            {test.data.error === null
              ? `The receiver answered ${test.data.status_code}`
              : test.data.error.replace(/\.$/, '')}{' '}
            ({duration(test.data.ms)}).
          </p>
        )}
      </div>
      {test.error && !isCancelled && <Problem error={test.error} />}
    </section>
  );
}
