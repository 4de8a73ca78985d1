import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { readSettings } from '../../read-settings.ts';

export function addEventsExport(events: Command): void {
  events
    .command('export')
    .summary('Write an event as a folder.')
    .description(
      'Write the pictures of an event, its jobs and the consents of its guests to a new folder: docs/events.md.',
    )
    .argument('<id>', 'Id of the event.')
    .argument('<folder>', 'Where to write. It must be new or empty.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise events export 01a1dd2e-… ./gala'))
    .action(runEventsExport);
}

async function runEventsExport(id: string, folder: string, { json }: { json?: boolean }): Promise<void> {
  const { openStorage } = await import('../../../app/storage.ts');
  const { exportEvent } = await import('../../../events/export-event.ts');
  const storage = await openStorage(await readSettings());
  try {
    const exported = await exportEvent(storage, id.toLowerCase(), folder);
    const { event, jobs, pictures, consents } = exported;
    printResult(json, exported, [
      `${event}: ${pictures} pictures of ${jobs} jobs and ${consents} consents are in ${folder}.`,
    ]);
  } finally {
    await storage.close();
  }
}
