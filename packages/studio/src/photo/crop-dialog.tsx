import { useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { say } from '../words/say.ts';
import { cropPhoto, type Photo } from './photo.ts';

const shapes = [
  { value: 'free', label: say('As it is') },
  { value: 'portrait', label: '2:3' },
  { value: 'landscape', label: '3:2' },
  { value: 'square', label: '1:1' },
] as const;
type Shape = (typeof shapes)[number]['value'];
const aspects: Record<Exclude<Shape, 'free'>, number> = { portrait: 2 / 3, landscape: 3 / 2, square: 1 };

interface CropDialogProps {
  photo: Photo;
  onClose(): void;
  onPhoto(photo: Photo): void;
}

export function CropDialog({ photo, onClose, onPhoto }: CropDialogProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [shape, setShape] = useState<Shape>('free');
  const [area, setArea] = useState<Area>();
  const apply = async () => {
    if (area) onPhoto(await cropPhoto(photo, area));
    onClose();
  };
  return (
    <Dialog open title={say('Crop the photo')} onClose={onClose} wide>
      <div className="relative h-[55dvh] overflow-hidden rounded-card bg-black">
        <Cropper
          image={photo.url}
          crop={crop}
          zoom={zoom}
          aspect={shape === 'free' ? photo.width / photo.height : aspects[shape]}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setArea(pixels)}
          disableAutomaticStylesInjection
        />
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-4">
        <Segmented<Shape> label={say('Shape')} value={shape} options={shapes} onChange={setShape} />
        <label className="flex min-w-40 flex-1 items-center gap-3 text-small">
          {say('Zoom')}
          <input
            type="range"
            min={1}
            max={4}
            step={0.05}
            value={zoom}
            onChange={(event) => setZoom(event.target.valueAsNumber)}
            className="flex-1 accent-accent"
          />
        </label>
        <Button kind="primary" onClick={apply}>
          {say('Use this part')}
        </Button>
      </div>
    </Dialog>
  );
}
