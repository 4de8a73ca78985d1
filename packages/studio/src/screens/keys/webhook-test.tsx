import { GuiseError } from '@guise/client/guise-error.ts';
import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { duration } from '../../ui/format-time.ts';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { say, sayParts } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';

/** Sends a signed delivery to an address, and shows what it answered. */
export function WebhookTest() {
  const guise = useGuise();
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<string>();
  const abort = useRef<AbortController>(null);
  const test = useMutation({
    mutationFn: (to: string) => {
      abort.current = new AbortController();
      return guise.webhooks.test(to, abort.current.signal);
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    const isWhole = /^https?:\/\/[^/\s]/i.test(url.trim());
    setProblem(isWhole ? undefined : say('Give the whole address, such as https://example.com/guise.'));
    if (isWhole) test.mutate(url.trim());
    else test.reset();
  };
  const isCancelled = test.error?.name === 'AbortError';
  return (
    <section aria-label={say('Send a test')} className="flex flex-col gap-3">
      <h2>{say('Send a test')}</h2>
      <form noValidate onSubmit={send} className="flex flex-col gap-3">
        <TextField
          label={say('Address')}
          type="url"
          placeholder="https://example.com/guise"
          autoComplete="url"
          required
          maxLength={2048}
          value={url}
          error={problem}
          onChange={(event) => {
            setUrl(event.target.value);
            setProblem(undefined);
            test.reset();
          }}
        />
        <div className="flex gap-2">
          <Button type="submit" busy={test.isPending} icon={<Send size={16} aria-hidden />}>
            {say('Send a test')}
          </Button>
          {test.isPending && (
            <Button kind="quiet" onClick={() => abort.current?.abort()}>
              {say('Cancel')}
            </Button>
          )}
        </div>
      </form>
      <div role="status">
        {test.data && (
          <p className={test.data.error === null ? 'text-good' : 'text-lost'}>
            {test.data.error === null
              ? say('The receiver answered {status} ({time}).', {
                  status: String(test.data.status_code),
                  time: duration(test.data.ms),
                })
              : `${sayOfServer(test.data.error).replace(/\.$/, '')} (${duration(test.data.ms)}).`}
          </p>
        )}
      </div>
      {test.error && !isCancelled && <Problem error={test.error} />}
      {test.error instanceof GuiseError && test.error.code === 'URL_NOT_ALLOWED' && (
        <p className="text-small text-ink-soft">
          {sayParts(
            'A receiver in your own network is reached only when the server is started with {setting}.',
            { setting: <code>GUISE_ALLOW_PRIVATE_URLS=true</code> },
          )}
        </p>
      )}
    </section>
  );
}
