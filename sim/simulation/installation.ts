import { createDatabaseServer, type DatabaseOptions } from './database-network.ts';
import { createNotifications } from './notifications.ts';
import type { SimulatedProcess } from './scheduler.ts';
import { createBlobStore } from './simulated-blobs.ts';
import { createReceivers } from './simulated-receivers.ts';
import type { Simulation } from './simulation.ts';
import { type RunningNode, startNode } from './start-node.ts';
import type { NodeSpec, Surroundings } from './surroundings.ts';

/** A node, which may be down, and the process it runs in now or ran in last. */
export interface InstalledNode {
  spec: NodeSpec;
  process: SimulatedProcess;
  /** Null while it starts and while it is down. */
  running: RunningNode | null;
  /** Whether somebody means it to run. */
  isWanted: boolean;
}

/** Nodes with what they share. */
export interface Installation extends Surroundings {
  nodes: Map<string, InstalledNode>;
  start(spec: NodeSpec): void;
  /** It stops as when its machine loses power. */
  kill(name: string): void;
  /** As an operator stops it: it ends what it does first. */
  stop(name: string): Promise<void>;
}

export interface InstallationOptions extends DatabaseOptions {
  accountConcurrency: number;
}

export function createInstallation(simulation: Simulation, options: InstallationOptions): Installation {
  const { scheduler } = simulation;
  const { isEmbedded, openStore } = options;
  const nodes = new Map<string, InstalledNode>();
  const notifications = createNotifications(simulation);
  const supervisor = scheduler.start('supervisor');
  const installation: Installation = {
    simulation,
    isEmbedded,
    accountConcurrency: options.accountConcurrency,
    database: createDatabaseServer(simulation, { openStore, isEmbedded }),
    storage: createBlobStore(simulation),
    receivers: createReceivers(simulation),
    notifications,
    nodes,
    start(spec) {
      const process = scheduler.start(spec.name);
      const earlier = nodes.get(spec.name);
      // The clock belongs to the machine, and not to the process.
      process.clockOffsetMs = earlier?.process.clockOffsetMs ?? 0;
      const node: InstalledNode = { spec, process, running: null, isWanted: true };
      nodes.set(spec.name, node);
      simulation.timeline.add(scheduler.now, spec.name, 'starts');
      if (isEmbedded) installation.database.reopen();
      scheduler.runAs(process, () => {
        startNode(installation, spec).then(
          (running) => {
            node.running = running;
          },
          (error) => {
            simulation.timeline.add(scheduler.now, spec.name, `cannot start: ${error.message}`);
            scheduler.kill(process);
            // Whoever keeps it running tries again.
            const again = () => node.isWanted && nodes.get(spec.name) === node && installation.start(spec);
            scheduler.schedule(5000, again, supervisor);
          },
        );
      });
    },
    kill(name) {
      const node = nodes.get(name)!;
      simulation.timeline.add(scheduler.now, name, 'is killed');
      scheduler.kill(node.process);
      node.running = null;
      installation.database.forget(node.process);
      notifications.forget(node.process);
    },
    async stop(name) {
      const node = nodes.get(name)!;
      const { running, process } = node;
      node.isWanted = false;
      simulation.timeline.add(scheduler.now, name, 'is told to stop');
      if (running) await scheduler.runAs(process, () => running.stop());
      simulation.timeline.add(scheduler.now, name, 'has stopped');
      scheduler.kill(process);
      node.running = null;
      installation.database.forget(process);
      notifications.forget(process);
    },
  };
  installation.database.onEnqueued = notifications.enqueued;
  return installation;
}
