import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createStudio } from './app/create-studio.tsx';
import './style.css';

const studio = createStudio();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <studio.Providers>
      <RouterProvider router={studio.router} />
    </studio.Providers>
  </StrictMode>,
);
