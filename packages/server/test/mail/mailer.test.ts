import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { createMailer, MailFailure } from '../../src/mail/mailer.ts';

const message = {
  id: 'x',
  to: 'ann@example.com',
  subject: 's',
  text: 't',
  html: '<p>t</p>',
  attachment: null,
};
const refusal = (responseCode: number) => Object.assign(new Error('No'), { responseCode });

/** What comes of a mail where the server answers like this. */
async function failureOf(options: SMTPServerOptions, login = ''): Promise<MailFailure> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], ...options });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const mailer = createMailer({ url: `smtp://${login}127.0.0.1:${port}`, from: 'booth@example.com' });
  try {
    return await mailer.send(message).then(
      () => assert.fail('it was sent'),
      (error) => (error instanceof MailFailure ? error : assert.fail(error)),
    );
  } finally {
    mailer.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

test('a mail that its server refuses is not tried again', async () => {
  const refused: SMTPServerOptions[] = [
    { onMailFrom: (_address, _session, done) => done(refusal(553)) },
    { onRcptTo: (_address, _session, done) => done(refusal(550)) },
    {
      onData(stream, _session, done) {
        stream.resume().on('end', () => done(refusal(552)));
      },
    },
  ];
  for (const options of refused) {
    const { retryable, message } = await failureOf(options);
    assert.deepEqual([retryable, message.slice(0, 36)], [false, 'The mail server refused this mail: 5']);
  }
});

test('a mail is tried again where the server refuses the login or the connection, or takes nothing now', async () => {
  const refused: [SMTPServerOptions, string?][] = [
    [
      { authOptional: false, allowInsecureAuth: true, onAuth: (_auth, _session, done) => done(refusal(535)) },
      'booth:wrong@',
    ],
    [{ onConnect: (_session, done) => done(refusal(554)) }],
    [{ onRcptTo: (_address, _session, done) => done(refusal(450)) }],
  ];
  for (const [options, login] of refused) {
    const { retryable, message } = await failureOf(options, login);
    assert.deepEqual([retryable, message.slice(0, 41)], [true, 'The mail server cannot take this mail now']);
  }
});
