import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig, mergeConfig, type Plugin } from 'vite';
import { configFor } from '../web/vite-config.ts';

export default mergeConfig(
  configFor('/booth-files/'),
  defineConfig({
    plugins: [listFilesForWorker()],
    // The weights of the face finder, which their package does not export.
    resolve: {
      alias: [{ find: '@vladmandic/human/models', replacement: modelsFolder() }],
    },
    worker: { format: 'es' },
    build: {
      rolldownOptions: {
        input: {
          booth: 'booth.html',
          guest: 'guest.html',
          wall: 'wall.html',
          'service-worker': 'src/worker/service-worker.ts',
        },
        output: {
          // A browser asks for the worker by the same address for ever.
          entryFileNames: ({ name }) =>
            name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
        },
      },
    },
  }),
);

/** Tells the service worker what the booth page consists of: that changes the worker with every build, too. */
function listFilesForWorker(): Plugin {
  return {
    name: 'list-files-for-worker',
    generateBundle(_options, bundle) {
      const worker = bundle['service-worker.js'];
      if (worker?.type !== 'chunk') throw new Error('The build has no service worker.');
      // Japanese letters are in a hundred files: the worker keeps those that a page has shown.
      const files = Object.keys(bundle).filter((file) => /^assets\/(?!guest|wall|noto-sans-jp)/.test(file));
      worker.code = worker.code.replace('%BOOTH_FILES%', files.sort().join(' '));
    },
  };
}

function modelsFolder(): string {
  const main = createRequire(import.meta.url).resolve('@vladmandic/human');
  return join(dirname(main), '../models');
}
