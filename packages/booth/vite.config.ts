import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Files go to `dist`, which the server serves under /booth-files/. Addresses under assets/ have their hash. */
export default defineConfig({
  base: '/booth-files/',
  plugins: [react(), tailwind(), listFilesForWorker()],
  build: {
    target: 'es2023',
    // A file as a data URL would be refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
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
  // For `npm run dev -w @guise/booth` beside a running server.
  server: { proxy: { '^/(?!booth-files/)': 'http://127.0.0.1:8080' } },
});

/** Tells the service worker what the booth page consists of: that changes the worker with every build, too. */
function listFilesForWorker(): Plugin {
  return {
    name: 'list-files-for-worker',
    generateBundle(_options, bundle) {
      const worker = bundle['service-worker.js'];
      if (worker?.type !== 'chunk') throw new Error('The build has no service worker.');
      const files = Object.keys(bundle).filter((file) => /^assets\/(?!guest|wall)/.test(file));
      worker.code = worker.code.replace('%BOOTH_FILES%', files.sort().join(' '));
    },
  };
}
