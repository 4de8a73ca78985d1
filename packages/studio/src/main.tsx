import { renderPage } from '@guise/web/render-page.tsx';
import { RouterProvider } from '@tanstack/react-router';
import { createStudio } from './app/create-studio.tsx';
import './style.css';

const studio = createStudio();
renderPage(
  <studio.Providers>
    <RouterProvider router={studio.router} />
  </studio.Providers>,
);
