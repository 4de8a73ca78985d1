import { renderPage } from '@guise/web/render-page.tsx';
import '../shared/style.css';
import '../shared/fonts.css';
import { loadTexts } from '../shared/texts/texts.ts';
import { BoothRoot } from './booth-root.tsx';

// All of them: guests change the language, also while the server is away.
await loadTexts();
renderPage(<BoothRoot />);

// Starts the page without the server next time. Browsers have workers for pages by https and of this machine only.
if ('serviceWorker' in navigator)
  navigator.serviceWorker.register('/booth-files/service-worker.js', { scope: '/booth' }).catch(() => {});
