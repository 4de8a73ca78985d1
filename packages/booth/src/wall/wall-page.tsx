import { renderPage } from '@guise/web/render-page.tsx';
import '../shared/style.css';
import '../shared/fonts.css';
import { loadTexts, SpokenContext, setPageLanguage, textsIn } from '../shared/texts/texts.ts';
import './wall.css';
import { WallView } from './wall-view.tsx';

/** The token stands behind the `#`, where no server and no log sees it. */
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
const { language } = navigator;

document.documentElement.dataset.page = 'wall';
setPageLanguage(language);
await loadTexts([language]);
renderPage(
  <SpokenContext value={{ language, texts: textsIn(language) }}>
    <WallView token={token} />
  </SpokenContext>,
);
