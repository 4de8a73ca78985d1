import type { Command } from 'commander';
import { example } from '../example.ts';
import { jsonOption } from '../options.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../read-settings.ts';

export function addDoctor(guise: Command): void {
  guise
    .command('doctor')
    .summary('Check this installation and say what is wrong.')
    .description('Check this installation and say what is wrong. Ends with 1 where something is.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise doctor'))
    .action(runDoctor);
}

async function runDoctor({ json }: { json?: boolean }): Promise<void> {
  const { checkInstallation } = await import('../../app/check-installation.ts');
  const { readEnginesPlan } = await import('../../engines/engines-file.ts');
  const settings = await readSettings();
  const findings = await checkInstallation(settings, readEnginesPlan(settings, process.env));
  printResult(
    json,
    findings,
    findings.map(({ what, ok, says }) => `${ok ? 'ok  ' : 'BAD '} ${what.padEnd(24)} ${says}`),
  );
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
}
