import { renderPage } from '@guise/web/render-page.tsx';
import { RouterProvider } from '@tanstack/react-router';
import { createStudio } from './app/create-studio.tsx';
import './style.css';
import { language } from './words/language.ts';

document.documentElement.lang = language;
const studio = createStudio();
renderPage(
  <studio.Providers>
    <RouterProvider router={studio.router} />
  </studio.Providers>,
);
