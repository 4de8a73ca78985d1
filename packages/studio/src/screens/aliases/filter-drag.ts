import { type DragEvent, useState } from 'react';

/** The type of what is dragged, so that files and texts are not taken for filters. */
const dragType = 'application/x-guise-filter';

/** For what can be dragged: the filter's id goes with it. */
export const dragFilter = (id: string) => ({
  draggable: true,
  onDragStart(event: DragEvent) {
    event.dataTransfer.setData(dragType, id);
    event.dataTransfer.effectAllowed = 'copy';
  },
});

/** For where a filter can be dropped. */
export function useFilterDrop(onDrop: (filterId: string) => void) {
  const [isOver, setIsOver] = useState(false);
  const takes = (event: DragEvent) => event.dataTransfer.types.includes(dragType);
  return {
    isOver,
    dropProps: {
      onDragOver(event: DragEvent) {
        if (!takes(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setIsOver(true);
      },
      onDragLeave(event: DragEvent) {
        const isInside = event.currentTarget.contains(event.relatedTarget as Node | null);
        if (!isInside) setIsOver(false);
      },
      onDrop(event: DragEvent) {
        if (!takes(event)) return;
        event.preventDefault();
        setIsOver(false);
        onDrop(event.dataTransfer.getData(dragType));
      },
    },
  };
}
