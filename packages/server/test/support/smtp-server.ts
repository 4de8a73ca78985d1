import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A real mail server that keeps what it gets. It knows no mailbox `nobody@`. */
export interface TestMailServer {
  url: string;
  received: { to: string; content: string }[];
  stop(): Promise<void>;
}

export async function startMailServer(): Promise<TestMailServer> {
  const received: TestMailServer['received'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('nobody@'))
        done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
      else done();
    },
    onData(stream, session, done) {
      buffer(stream).then((bytes) => {
        received.push({ to: session.envelope.rcptTo[0]!.address, content: bytes.toString() });
        done();
      }, done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
