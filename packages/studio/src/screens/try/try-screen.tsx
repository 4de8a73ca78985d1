import { createLazyRoute } from '@tanstack/react-router';
import { useState } from 'react';
import type { Photo } from '../../photo/photo.ts';
import { PhotoInput } from '../../photo/photo-input.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export const Route = createLazyRoute('/')({ component: TryScreen });

function TryScreen() {
  const [photo, setPhoto] = useState<Photo>();
  return (
    <>
      <PageHeader title="Try" />
      <div className="px-6">
        <PhotoInput label="Photo" photo={photo} onChange={setPhoto} takesPasted />
      </div>
    </>
  );
}
