import type { ChangeListener, ConnectionState } from '@guise/client/changes.ts';
import type { GuiseApi } from '@guise/client/guise-api.ts';
import { GuiseError } from '@guise/client/guise-error.ts';
import { LeaderSearch } from './leader-search.ts';

/**
 * One stream of changes for all tabs of a browser. A browser opens six connections to a server at most, so that with a
 * stream for each tab the seventh tab would wait for ever, and every request of the others with it.
 *
 * One tab leads: it has the stream and passes on what comes. Tabs find their leader by asking for it, which needs nothing
 * but BroadcastChannel: SharedWorker is missing on Android, and Web Locks in pages without https. Where two lead, which
 * happens when they begin at once, the one with the lower id stays.
 */

interface Change {
  id: string;
  type: string;
  value: unknown;
}

type Message =
  | { kind: 'ask' }
  | { kind: 'lead'; leader: string; state: ConnectionState; queue: Change | undefined }
  | { kind: 'change'; change: Change }
  | { kind: 'refused' }
  | { kind: 'leave' };

export interface SharedListener extends Pick<ChangeListener, 'onChange'> {
  onState(state: ConnectionState): void;
  /** The leader's credentials were refused; in the leader itself, the client tells it. */
  onRefused(): void;
}

/**
 * Follows the changes of an account, together with the other tabs that have the same credentials. `credentials` names
 * them without telling them. Returns what stops it.
 */
export function followSharedChanges(
  guise: GuiseApi,
  credentials: string,
  listener: SharedListener,
): () => void {
  const tab = new SharedTab(guise, credentials, listener);
  // A page that is left says so; one that is shown again from the browser's memory begins anew.
  const leave = () => tab.leave();
  const join = (event: PageTransitionEvent) => event.persisted && tab.join();
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', join);
  tab.join();
  return () => {
    window.removeEventListener('pagehide', leave);
    window.removeEventListener('pageshow', join);
    tab.leave();
  };
}

class SharedTab {
  readonly #id = crypto.getRandomValues(new Uint32Array(4)).join('-');
  readonly #guise: GuiseApi;
  readonly #name: string;
  readonly #listener: SharedListener;
  readonly #search = new LeaderSearch({
    isNeeded: () => !this.#stopStream,
    ask: () => this.#send({ kind: 'ask' }),
    onNobody: () => this.#lead(),
  });
  #channel: BroadcastChannel | undefined;
  /** Where this tab leads: ends its stream. */
  #stopStream: (() => void) | undefined;
  #state: ConnectionState = 'connecting';
  /** The last change, after which a stream goes on. */
  #lastId = '';
  /** The server tells how much waits when that changes: a tab that comes later gets it from the leader. */
  #queue: Change | undefined;

  constructor(guise: GuiseApi, credentials: string, listener: SharedListener) {
    this.#guise = guise;
    this.#name = `guise-changes ${credentials}`;
    this.#listener = listener;
  }

  join(): void {
    if (typeof BroadcastChannel === 'undefined') {
      this.#lead();
      return;
    }
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#receive(data);
    this.#search.begin();
  }

  leave(): void {
    this.#search.end();
    if (this.#stopStream) this.#send({ kind: 'leave' });
    this.#follow();
    this.#channel?.close();
    this.#channel = undefined;
  }

  #receive(message: Message): void {
    switch (message.kind) {
      case 'ask':
        if (this.#stopStream) this.#tellThatItLeads();
        break;
      case 'lead':
        this.#meetLeader(message);
        break;
      case 'leave':
        this.#search.ask();
        break;
      case 'refused':
        this.#listener.onRefused();
        break;
      case 'change':
        // Of two that lead for a moment, the same comes twice.
        if (!this.#stopStream && message.change.id !== this.#lastId) this.#take(message.change);
    }
  }

  #meetLeader({ leader, state, queue }: Message & { kind: 'lead' }): void {
    if (this.#stopStream && leader > this.#id) {
      this.#tellThatItLeads();
      return;
    }
    this.#search.stopWaiting();
    this.#follow();
    this.#show(state);
    if (queue && queue.id !== this.#queue?.id) this.#take(queue);
  }

  #lead(): void {
    this.#stopStream = this.#guise.followChanges(
      {
        onState: (state) => {
          this.#show(state);
          this.#tellThatItLeads();
        },
        onChange: (type, value, id) => {
          // A stream that has been ended may still hand over what it has read.
          if (!this.#stopStream) return;
          const change = { id, type, value };
          this.#take(change);
          this.#send({ kind: 'change', change });
        },
        onError: (error) => {
          if (error instanceof GuiseError && error.status === 401) this.#send({ kind: 'refused' });
        },
      },
      this.#lastId,
    );
  }

  #follow(): void {
    this.#stopStream?.();
    this.#stopStream = undefined;
  }

  #tellThatItLeads(): void {
    this.#send({ kind: 'lead', leader: this.#id, state: this.#state, queue: this.#queue });
  }

  #take(change: Change): void {
    if (change.id) this.#lastId = change.id;
    if (change.type === 'queue') this.#queue = change;
    this.#listener.onChange(change.type, change.value, change.id);
  }

  #show(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#listener.onState(state);
  }

  #send(message: Message): void {
    this.#channel?.postMessage(message);
  }
}
