import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { detailsIn } from '@guise/contract/events/details.ts';
import { usualLayoutOf } from '@guise/contract/events/events.ts';
import type { PrintTemplate } from '@guise/contract/events/print-template.ts';
import type { NewPrintPreview } from '@guise/contract/events/prints.ts';
import type { PictureTaskOf } from '@guise/engine/picture-tasks.ts';
import { samplePhotos } from '@guise/engine/samples.ts';
import { isoTime } from '../../iso-time.ts';
import { withScratchFolder } from '../../jobs/scratch.ts';
import type { PictureTaskParts } from '../picture-task-parts.ts';

const namesIn = (template: PrintTemplate | null) =>
  (template?.items ?? []).flatMap((item) => (item.kind === 'text' ? detailsIn(item.text) : []));

/** A JPEG of what a print with this look would be, with sample photos in place of pictures. */
export async function previewPrint(
  { pictureTasks, scratchDir }: PictureTaskParts,
  { name, branding }: NewPrintPreview,
  { accountId, code, signal }: { accountId: string; code: string; signal: AbortSignal },
): Promise<Buffer> {
  const layout = usualLayoutOf(branding);
  const template = branding.print_template?.paper === layout ? branding.print_template : null;
  const { onePerson, twoPeople } = samplePhotos;
  const files = [onePerson, twoPeople, onePerson, twoPeople];
  const { background, text, accent } = branding;
  return withScratchFolder(scratchDir, async (folder) => {
    const output = join(folder, 'print.jpeg');
    const task: PictureTaskOf<'print'> = {
      kind: 'print',
      pictures: files.map((file) => ({ file, overlay: null, written: [] })),
      layout,
      template,
      format: 'jpeg',
      branding: { ...(background && { background }), ...(text && { text }), ...(accent && { accent }) },
      title: name,
      date: isoTime(Date.now()).slice(0, 10),
      // As their names: what guests give is not known yet.
      words: Object.fromEntries(namesIn(template).map((id) => [id, id])),
      code: branding.print_code || template ? code : null,
      output,
    };
    await pictureTasks.doTask(task, { accountId, signal });
    return readFile(output);
  });
}
