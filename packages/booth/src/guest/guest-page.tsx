import { renderPage } from '@guise/web/render-page.tsx';
import { lastPathPart } from '../shared/address.ts';
import '../shared/style.css';
import '../shared/fonts.css';
import { loadTexts, SpokenContext, setPageLanguage, textsIn } from '../shared/texts/texts.ts';
import './guest.css';
import { GalleryView } from './gallery/gallery-view.tsx';
import { GuestView } from './guest-view.tsx';

/** Tokens of galleries are longer than those of guests: what they open, and until when, is written in them. */
const galleryTokenLength = 55;

const { language } = navigator;

/** What a link opens that was given to guests: the pictures of one of them, or the gallery of an event. */
function GuestPage({ token }: { token: string }) {
  return (
    <SpokenContext value={{ language, texts: textsIn(language) }}>
      {token.length === galleryTokenLength ? <GalleryView token={token} /> : <GuestView token={token} />}
    </SpokenContext>
  );
}

document.documentElement.dataset.page = 'guest';
setPageLanguage(language);
await loadTexts([language]);
renderPage(<GuestPage token={lastPathPart()} />);
