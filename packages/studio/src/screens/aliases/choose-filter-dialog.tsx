import type { CustomFilter } from '@guise/contract/catalogs.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { OwnFilterWall } from './own-filter-wall.tsx';

interface ChooseFilterDialogProps {
  title: string;
  chosenId: string | null;
  onChoose(filter: CustomFilter): void;
  onClose(): void;
}

/** A wall of own filters: one click takes one. */
export function ChooseFilterDialog({ title, chosenId, onChoose, onClose }: ChooseFilterDialogProps) {
  return (
    <Dialog open wide title={title} onClose={onClose}>
      <OwnFilterWall
        columns={wallColumns}
        chosenId={chosenId}
        onChoose={(filter) => {
          onClose();
          onChoose(filter);
        }}
      />
    </Dialog>
  );
}

export const wallColumns = 'grid-cols-[repeat(auto-fill,minmax(8rem,1fr))]';
