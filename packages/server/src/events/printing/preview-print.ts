import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { detailsIn } from '@guise/contract/events/details.ts';
import { usualLayoutOf } from '@guise/contract/events/events.ts';
import type { OverlayText, PrintTemplate } from '@guise/contract/events/print-template.ts';
import type { NewPrintPreview } from '@guise/contract/events/prints.ts';
import type { PictureTaskOf } from '@guise/engine/picture-tasks.ts';
import { samplePhotos } from '@guise/engine/samples.ts';
import { isoTime } from '../../iso-time.ts';
import { withScratchFolder } from '../../jobs/scratch.ts';
import type { PictureTaskParts } from '../picture-task-parts.ts';

function namesIn(template: PrintTemplate | null, texts: readonly OverlayText[]): string[] {
  const onPaper = (template?.items ?? []).flatMap((item) => (item.kind === 'text' ? [item.text] : []));
  return [...onPaper, ...texts.map(({ text }) => text)].flatMap(detailsIn);
}

/** A JPEG of what a print with this look would be, with sample photos in place of pictures. */
export async function previewPrint(
  { pictureTasks, scratchDir }: PictureTaskParts,
  { name, branding }: NewPrintPreview,
  { accountId, code, signal }: { accountId: string; code: string; signal: AbortSignal },
): Promise<Buffer> {
  const layout = usualLayoutOf(branding);
  const template = branding.print_template?.paper === layout ? branding.print_template : null;
  const { onePerson, twoPeople } = samplePhotos;
  const { background, text, accent, overlay_texts: texts = [] } = branding;
  const title = name;
  const date = isoTime(Date.now()).slice(0, 10);
  // As their names: what guests give is not known yet.
  const words = Object.fromEntries(namesIn(template, texts).map((id) => [id, id]));
  return withScratchFolder(scratchDir, async (folder) => {
    const output = join(folder, 'print.jpeg');
    const written = { texts, content: { title, date, words } };
    const pictureOf = async (file: string) => {
      if (texts.length === 0) return { file, overlay: null, written: texts };
      const task = { kind: 'write-texts', file, ratio: 'portrait', written } as const;
      const made = join(folder, `${basename(file)}.png`);
      await pictureTasks.doTask({ ...task, output: made }, { accountId, signal });
      return { file: made, overlay: null, written: texts };
    };
    const [one, two] = [await pictureOf(onePerson), await pictureOf(twoPeople)];
    const task: PictureTaskOf<'print'> = {
      kind: 'print',
      pictures: [one, two, one, two],
      layout,
      template,
      format: 'jpeg',
      branding: { ...(background && { background }), ...(text && { text }), ...(accent && { accent }) },
      title,
      date,
      words,
      code: branding.print_code || template ? code : null,
      output,
    };
    await pictureTasks.doTask(task, { accountId, signal });
    return readFile(output);
  });
}
