import { Argument, type Command } from 'commander';
import { AppError } from '../../../errors.ts';
import { example } from '../../example.ts';
import { jsonOption, oneOf } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { readSettings } from '../../read-settings.ts';

const kinds = ['swap', 'embed', 'matrix'] as const;
type Kind = (typeof kinds)[number];

export function addModelsAdd(models: Command): void {
  models
    .command('add')
    .description('Swap faces with a network of your own instead of the mesh.')
    .addArgument(
      new Argument('<kind>', 'What the file is.').choices(kinds).argParser(oneOf('The kind', kinds)),
    )
    .argument('<file>', 'The model: an ONNX file, or the matrix of a swap network.')
    .option('--licence <text>', 'Licence under which you use it, kept beside the file. Required.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise models add swap ./swap.onnx --licence "bought from Example Ltd."'))
    .action(runModelsAdd);
}

async function runModelsAdd(
  kind: Kind,
  file: string,
  { licence, json }: { licence?: string; json?: boolean },
): Promise<void> {
  if (licence === undefined) throw licenceNeeded(kind);
  const { addOperatorModel } = await import('@guise/engine/swap/network/operator-models.ts');
  const { operatorModelsDir } = await import('../../../engines/local/local-engine.ts');
  const entry = await addOperatorModel(operatorModelsDir(await readSettings()), kind, file, licence);
  const hint = entry.needsMatrix ? ['It lacks its matrix: add it with "models add matrix FILE".'] : [];
  printResult(json, entry, [`${entry.kind} model added, ${(entry.bytes / 1e6).toFixed(1)} MB.`, ...hint]);
}

function licenceNeeded(kind: Kind): AppError {
  return new AppError(
    'USAGE',
    `Under which licence do you use this ${kind} model? Many are for research only. Say it with --licence "…"; it is written down beside the file.`,
  );
}
