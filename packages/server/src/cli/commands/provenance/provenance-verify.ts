import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { AppError } from '../../../errors.ts';
import type { ProvenanceReport } from '../../../provenance/read-provenance.ts';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';

export function addProvenanceVerify(provenance: Command): void {
  provenance
    .command('verify')
    .summary('Say who signed a file, and whether it was altered since.')
    .description(
      'Say who signed a file, when, what made it, and whether it was altered since. Ends with 1 where it was, or where nothing is signed.',
    )
    .argument('<file>', 'A PNG or an MP4.')
    .option('--trust <file>', 'PEM file of certificates that you know: say whether one of them signed.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise provenance verify ./result.png'))
    .action(runProvenanceVerify);
}

async function runProvenanceVerify(
  file: string,
  { trust, json }: { trust?: string; json?: boolean },
): Promise<void> {
  const { loadC2pa } = await import('../../../provenance/c2pa-library.ts');
  const { readProvenance } = await import('../../../provenance/read-provenance.ts');
  const bytes = await readGiven(file);
  const trusted = trust === undefined ? undefined : (await readGiven(trust)).toString('utf8');
  const report = await readProvenance(await loadC2pa(), typeOf(file, bytes), bytes, trusted);
  printResult(json, report, linesOf(report));
  if (report.state !== 'valid') process.exitCode = 1;
}

async function readGiven(file: string): Promise<Buffer> {
  return readFile(file).catch((cause) => {
    throw new AppError('USAGE', `${file} cannot be read.`, { cause });
  });
}

function typeOf(file: string, bytes: Buffer): string {
  if (bytes.toString('latin1', 1, 4) === 'PNG') return 'image/png';
  if (bytes.toString('latin1', 4, 8) === 'ftyp') return 'video/mp4';
  if (bytes.toString('latin1', 0, 4) === 'GIF8') return 'image/gif';
  if (bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  throw new AppError('USAGE', `${file} is neither a PNG nor an MP4, GIF or WebP.`);
}

const verdicts: Record<ProvenanceReport['state'], string> = {
  valid: 'The file is as it was signed.',
  altered: 'The file was ALTERED after it was signed.',
  invalid: 'The signature cannot be accepted.',
  absent: 'The file has no C2PA manifest.',
};

function linesOf({ state, signer, known, software, actions, problems }: ProvenanceReport): string[] {
  const lines = [verdicts[state], ...problems.map((problem) => `             ${problem}`)];
  if (signer) {
    lines.push(`signed by    ${signer.name} (issuer ${signer.issuer}, serial number ${signer.serial})`);
    lines.push(`known        ${known ? 'yes' : 'no: anybody can make a certificate with this name'}`);
  }
  if (software) lines.push(`software     ${software}`);
  for (const { action, when, digitalSourceType } of actions) {
    const kind = digitalSourceType?.split('/').at(-1);
    lines.push(`action       ${[action, when, kind].filter(Boolean).join(', ')}`);
  }
  return lines;
}
