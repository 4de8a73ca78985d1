import net from 'node:net';

/** Preloaded into a child: whatever would reach out of the machine ends it at once. */
net.Socket.prototype.connect = () => {
  console.error('the engine tried to open a connection');
  process.exit(86);
};
