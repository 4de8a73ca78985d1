import { Frame } from '../shared/frame.tsx';
import { renderPage } from '../shared/render-page.tsx';
import { textsIn } from '../shared/texts/texts.ts';

renderPage(<Frame title={textsIn(navigator.language).booth.title} />);
