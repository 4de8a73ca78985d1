import type { Ability } from '@guise/server/engines/engine.ts';
import type { DatabaseServer } from './database-network.ts';
import type { Notifications } from './notifications.ts';
import type { BlobStore } from './simulated-blobs.ts';
import type { Receivers } from './simulated-receivers.ts';
import type { Simulation } from './simulation.ts';

/** A process that an operator keeps running. */
export interface NodeSpec {
  name: string;
  role: 'api' | 'worker' | 'all';
  /** What the engines of a worker make. */
  abilities: readonly Ability[];
  slots: number;
  isRemote: boolean;
}

/** What the nodes of an installation share. */
export interface Surroundings {
  simulation: Simulation;
  isEmbedded: boolean;
  accountConcurrency: number;
  database: DatabaseServer;
  storage: BlobStore;
  receivers: Receivers;
  notifications: Notifications;
}
