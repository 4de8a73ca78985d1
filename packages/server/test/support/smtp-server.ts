import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/**
 * A real mail server that keeps what it gets. It knows no mailbox `nobody@`, and answers to a mail to `slow@` when it is
 * released. With `refusesLogins` it takes nothing.
 */
export interface TestMailServer {
  url: string;
  received: { to: string; content: string }[];
  /** How many mails wait to be released. */
  held(): number;
  release(): void;
  stop(): Promise<void>;
}

export async function startMailServer({ refusesLogins = false } = {}): Promise<TestMailServer> {
  const held: (() => void)[] = [];
  const received: TestMailServer['received'] = [];
  const server = new SMTPServer({
    authOptional: !refusesLogins,
    allowInsecureAuth: true,
    disabledCommands: refusesLogins ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    onAuth: (_auth, _session, done) =>
      done(Object.assign(new Error('Wrong password'), { responseCode: 535 })),
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('nobody@'))
        done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
      else done();
    },
    onData(stream, session, done) {
      buffer(stream).then((bytes) => {
        const to = session.envelope.rcptTo[0]!.address;
        received.push({ to, content: bytes.toString() });
        if (to.startsWith('slow@')) held.push(done);
        else done();
      }, done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const login = refusesLogins ? 'booth:wrong@' : '';
  return {
    url: `smtp://${login}127.0.0.1:${port}`,
    received,
    held: () => held.length,
    release() {
      for (const answer of held.splice(0)) answer();
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
