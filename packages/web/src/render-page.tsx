import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

export function renderPage(page: ReactNode): void {
  createRoot(document.getElementById('root')!).render(<StrictMode>{page}</StrictMode>);
}
