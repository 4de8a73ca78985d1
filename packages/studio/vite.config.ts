import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Files go to `dist`, which the server serves under /studio/. Addresses of files have their hash: they never change. */
export default defineConfig({
  base: '/studio/',
  plugins: [react(), tailwind()],
  build: {
    target: 'es2023',
    // A file as a data URL would be refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
  // For `npm run dev -w @guise/studio` beside a running server.
  server: { proxy: { '^/(?!studio/)': 'http://127.0.0.1:8080' } },
});
