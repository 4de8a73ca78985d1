import { renderPage } from '@guise/web/render-page.tsx';
import '../shared/style.css';
import { BoothRoot } from './booth-root.tsx';

renderPage(<BoothRoot />);

// Starts the page without the server next time. Browsers have workers for pages by https and of this machine only.
if ('serviceWorker' in navigator)
  navigator.serviceWorker.register('/booth-files/service-worker.js', { scope: '/booth' }).catch(() => {});
