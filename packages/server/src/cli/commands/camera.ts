import { type Command, Option } from 'commander';
import { AppError } from '../../errors.ts';
import { example } from '../example.ts';
import { wholeNumber } from '../options.ts';
import { stopOnSignal } from '../stop-on-signal.ts';

export function addCamera(guise: Command): void {
  guise
    .command('camera')
    .description('Give a booth on this machine a camera by cable (gphoto2), or the photos of a folder.')
    .option('--booth <url>', 'Address of the booth’s page, as its browser has it.')
    .addOption(new Option('--folder <folder>', 'Photos that appear here, in place of a camera by cable.'))
    .addOption(
      new Option('--port <port>', 'Port on this machine.')
        .default(8090)
        .argParser(wholeNumber('--port', 1, 65_535)),
    )
    .addHelpText('after', example('guise camera --booth http://localhost:8080'))
    .action(runCamera);
}

interface CameraOptions {
  booth?: string;
  folder?: string;
  port: number;
}

async function runCamera({ booth, folder, port }: CameraOptions): Promise<void> {
  if (booth === undefined || !URL.canParse(booth))
    throw new AppError('USAGE', '--booth must be an address such as http://localhost:8080.');
  const { openFolderCamera } = await import('../../camera/folder-camera.ts');
  const { openTetheredCamera } = await import('../../camera/tethered-camera.ts');
  const { serveCamera } = await import('../../camera/camera-server.ts');
  const camera = folder === undefined ? await openTetheredCamera() : openFolderCamera(folder);
  const report = (line: string) => process.stderr.write(`${line}\n`);
  const server = await serveCamera({ camera, origin: new URL(booth).origin, port, report });
  stopOnSignal(server);
  report(`${camera.name}: photos at ${server.url}. Enter that in the booth’s settings. Ctrl-C stops.`);
}
