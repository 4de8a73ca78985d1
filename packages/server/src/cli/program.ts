import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { addAccountsCreate } from './commands/accounts/accounts-create.ts';
import { addAccountsLink } from './commands/accounts/accounts-link.ts';
import { addAccountsList } from './commands/accounts/accounts-list.ts';
import { addBackup } from './commands/backup.ts';
import { addCamera } from './commands/camera.ts';
import { addCreateBucket } from './commands/create-bucket.ts';
import { addCreditsGrant } from './commands/credits-grant.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEnginesCheck } from './commands/engines/engines-check.ts';
import { addEnginesCompare } from './commands/engines/engines-compare.ts';
import { addEnginesInit } from './commands/engines/engines-init.ts';
import { addEnginesSetup } from './commands/engines/engines-setup.ts';
import { addEventsExport } from './commands/events/events-export.ts';
import { addFiltersImport } from './commands/filters/filters-import.ts';
import { addFiltersList } from './commands/filters/filters-list.ts';
import { addFiltersRemove } from './commands/filters/filters-remove.ts';
import { addJobsDead } from './commands/jobs/jobs-dead.ts';
import { addJobsList } from './commands/jobs/jobs-list.ts';
import { addJobsRetry } from './commands/jobs/jobs-retry.ts';
import { addKeysCreate } from './commands/keys/keys-create.ts';
import { addKeysList } from './commands/keys/keys-list.ts';
import { addKeysRevoke } from './commands/keys/keys-revoke.ts';
import { addMcp } from './commands/mcp.ts';
import { addMigrateStore } from './commands/migrate-store.ts';
import { addModelsAdd } from './commands/models/models-add.ts';
import { addModelsConvert } from './commands/models/models-convert.ts';
import { addModelsExport } from './commands/models/models-export.ts';
import { addModelsGet } from './commands/models/models-get.ts';
import { addModelsImport } from './commands/models/models-import.ts';
import { addModelsList } from './commands/models/models-list.ts';
import { addProvenanceInit } from './commands/provenance/provenance-init.ts';
import { addProvenanceVerify } from './commands/provenance/provenance-verify.ts';
import { addRestore } from './commands/restore.ts';
import { addStart } from './commands/start.ts';
import { addStartApi } from './commands/start-api.ts';
import { addStartWorker } from './commands/start-worker.ts';
import { addWatch } from './commands/watch/watch.ts';
import { addWebhooksEndpoints } from './commands/webhooks/webhooks-endpoints.ts';
import { addWebhooksList } from './commands/webhooks/webhooks-list.ts';
import { addWorkers } from './commands/workers.ts';
import { example } from './example.ts';

/** Adds a command to the program or to a group of it. */
type AddCommand = (parent: Command) => void;

interface CommandGroup {
  name: string;
  description: string;
  example: string;
  commands: readonly AddCommand[];
}

const groups: readonly CommandGroup[] = [
  {
    name: 'jobs',
    description: 'Look at the jobs of all accounts, and retry them.',
    example: 'guise jobs list --state running',
    commands: [addJobsList, addJobsDead, addJobsRetry],
  },
  {
    name: 'accounts',
    description: 'Create and list accounts, and make links that sign in to them.',
    example: 'guise accounts create --email a@b.c --credits 100',
    commands: [addAccountsCreate, addAccountsList, addAccountsLink],
  },
  {
    name: 'keys',
    description: 'Create, list and revoke API keys.',
    example: 'guise keys create --email a@b.c --name "booth 2"',
    commands: [addKeysCreate, addKeysList, addKeysRevoke],
  },
  {
    name: 'credits',
    description: 'Grant credits.',
    example: 'guise credits grant --email a@b.c --amount 100',
    commands: [addCreditsGrant],
  },
  {
    name: 'webhooks',
    description: 'Look at the webhooks of all accounts.',
    example: 'guise webhooks list --state failed',
    commands: [addWebhooksList, addWebhooksEndpoints],
  },
  {
    name: 'models',
    description: 'Fetch models that do not come with the installation, and use networks of your own.',
    example: 'guise models list',
    commands: [addModelsAdd, addModelsConvert, addModelsExport, addModelsGet, addModelsImport, addModelsList],
  },
  {
    name: 'engines',
    description: 'Set up GPU servers, and try them: docs/gpu.md.',
    example: 'guise engines setup --server http://10.0.0.5:8188',
    commands: [addEnginesSetup, addEnginesInit, addEnginesCheck, addEnginesCompare],
  },
  {
    name: 'filters',
    description: 'Import, list and remove packs of scenes, costumes and filters.',
    example: 'guise filters import ./beach-pack',
    commands: [addFiltersImport, addFiltersList, addFiltersRemove],
  },
  {
    name: 'events',
    description: 'Take events with you.',
    example: 'guise events export 01a1dd2e-… ./gala',
    commands: [addEventsExport],
  },
  {
    name: 'provenance',
    description: 'Show what results are signed with, and check files: docs/provenance.md.',
    example: 'guise provenance verify ./result.png',
    commands: [addProvenanceInit, addProvenanceVerify],
  },
];

/**
 * The command line. Only the names, options and help of the commands are loaded here: what a command does is imported
 * when it runs, so that `guise --help` answers at once.
 */
export function guiseProgram(): Command {
  const guise = new Command('guise')
    .description(
      'Makes pictures and videos of people. Settings come from the environment: docs/configuration.md.',
    )
    .version(packageJson.version, '-V, --version', 'Show the version.')
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand(false)
    // `watch` and the commands below it have options of the same names.
    .enablePositionalOptions()
    // Errors are thrown to main.ts, which prints them as sentences.
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', example('guise start', 'guise accounts create --email a@b.c --credits 100'));
  for (const add of [addStart, addStartApi, addStartWorker, addWorkers, addWatch, addCamera, addMcp])
    add(guise);
  for (const group of groups) addGroup(guise, group);
  for (const add of [addBackup, addRestore, addCreateBucket, addMigrateStore, addDoctor]) add(guise);
  return guise;
}

function addGroup(guise: Command, { name, description, example: call, commands }: CommandGroup): void {
  const group = guise.command(name).description(description).addHelpText('after', example(call));
  for (const add of commands) add(group);
}
