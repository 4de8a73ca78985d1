/** A socket that tells of a prompt's progress for as long as it can. It decides nothing: polling does. */
export interface ProgressSocket {
  /** When the first connection stands or has failed: messages sent before it are never seen. */
  ready: Promise<void>;
  close(): void;
}

const firstDelayMs = 500;
const longestDelayMs = 15_000;
const connectMs = 2000;

/**
 * Calls back with every text message; previews, which are binary, are left alone. Reconnects under the same client
 * id, and only once the former socket has closed: a server that sees them overlap goes silent on the new one.
 */
export function progressSocket(
  address: string,
  headers: Record<string, string>,
  onText: (text: string) => void,
): ProgressSocket {
  const ready = Promise.withResolvers<void>();
  let socket: WebSocket | null = null;
  let timer: NodeJS.Timeout | undefined;
  let delay = firstDelayMs;
  let closed = false;

  const connect = () => {
    socket = openSocket(address, headers);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      if (closed) socket?.close();
      ready.resolve();
    };
    socket.onmessage = ({ data }) => {
      delay = firstDelayMs;
      if (typeof data === 'string' && !closed) onText(data);
    };
    // Every error is followed by a close.
    socket.onerror = () => {};
    socket.onclose = () => {
      ready.resolve();
      if (closed) return;
      timer = setTimeout(connect, delay).unref();
      delay = Math.min(delay * 2, longestDelayMs);
    };
  };
  connect();
  const connectLimit = setTimeout(ready.resolve, connectMs);
  void ready.promise.then(() => clearTimeout(connectLimit));

  return {
    ready: ready.promise,
    close() {
      closed = true;
      ready.resolve();
      clearTimeout(timer);
      socket?.close();
    },
  };
}

/** Node's takes headers. The types of a browser's, which the tests of pages are checked with, have none. */
function openSocket(address: string, headers: Record<string, string>): WebSocket {
  return Reflect.construct(WebSocket, [address, { headers }]);
}
