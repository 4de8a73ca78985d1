/** A folder that the system is to watch. */
export interface WatchService {
  name: string;
  /** With the machine, before anybody signs in; otherwise when its user signs in. */
  atStart: boolean;
  /** The words of the command, without its key. */
  watch: readonly string[];
  photos: string;
}

/** Whose service it is: where files go, and who runs it. */
export interface ServiceOwner {
  name: string;
  /** Negative on Windows. */
  uid: number;
  gid: number;
  home: string;
}

export interface ServiceDescription {
  /** Where the system looks for the definition, or where it is kept. */
  file: string;
  text: string;
  /** What is written: some systems want another encoding. */
  bytes: Uint8Array;
  keyFile: string;
  /** Where what the command says can be read. */
  messages: string;
  /** What is left to do by hand. */
  hint?: string;
  start: readonly ManagerCommand[];
  stop: readonly ManagerCommand[];
  owner: ServiceOwner;
}

/** A command of the system. */
export interface ManagerCommand {
  words: readonly [program: string, ...words: string[]];
  /** Where there may be nothing to do. */
  mayFail?: true;
}
