import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';

/**
 * How the pages of an application are built. Files go to its `dist`, which the server serves under `base`. Addresses
 * of files under assets/ have their hash: they never change.
 */
export const configFor = (base: `/${string}/`) =>
  ({
    base,
    plugins: [react(), tailwind()],
    build: {
      target: 'es2023',
      // A file as a data URL would be refused by the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 2000,
    },
    // For `npm run dev -w` of the application beside a running server.
    server: { proxy: { [`^/(?!${base.slice(1)})`]: 'http://127.0.0.1:8080' } },
  }) satisfies UserConfig;
