import type { Command } from 'commander';
import { AppError } from '../../../errors.ts';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { readSettings } from '../../read-settings.ts';
import { withRecords } from '../../with-records.ts';

export function addProvenanceInit(provenance: Command): void {
  provenance
    .command('init')
    .summary('Show the certificate that results are signed with.')
    .description(
      'Show the certificate that results are signed with. The installation’s own is made where there is none.',
    )
    .option('--renew', 'Make a new certificate and key first. A server uses them after a restart.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise provenance init --renew'))
    .action(runProvenanceInit);
}

async function runProvenanceInit({ renew, json }: { renew?: boolean; json?: boolean }): Promise<void> {
  const { isOperators, signingIdentity } = await import('../../../app/open-signer.ts');
  const { describeIdentity } = await import('../../../provenance/signing-identity.ts');
  const { renewIdentity } = await import('../../../provenance/stored-identity.ts');
  const { c2pa } = await readSettings();
  if (!c2pa) throw new AppError('USAGE', 'Results are not signed: GUISE_C2PA is false.');
  if (renew && isOperators(c2pa))
    throw new AppError(
      'USAGE',
      'The certificate is that of GUISE_C2PA_CERT: renew it where you have it from.',
    );
  const identity = await withRecords((db) => (renew ? renewIdentity(db) : signingIdentity(c2pa, db)));
  const { certificates } = identity;
  const described = describeIdentity(identity);
  const { signer, issuer, algorithm, validFrom, validTo, fingerprint } = described;
  printResult(json, { ...described, certificates }, [
    `signer       ${signer}`,
    `issuer       ${issuer}`,
    `algorithm    ${algorithm}`,
    `valid        ${validFrom.toISOString()} to ${validTo.toISOString()}`,
    `fingerprint  ${fingerprint}`,
    '',
    certificates.trimEnd(),
  ]);
}
