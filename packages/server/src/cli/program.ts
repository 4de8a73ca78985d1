import { Command } from 'commander';
import { addAccountsCreate } from './commands/accounts/accounts-create.ts';
import { addAccountsLink } from './commands/accounts/accounts-link.ts';
import { addAccountsList } from './commands/accounts/accounts-list.ts';
import { addCreateBucket } from './commands/create-bucket.ts';
import { addCreditsGrant } from './commands/credits-grant.ts';
import { addDoctor } from './commands/doctor.ts';

import { addEnginesCheck } from './commands/engines/engines-check.ts';
import { addEnginesInit } from './commands/engines/engines-init.ts';

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
import { addMigrateStore } from './commands/migrate-store.ts';
import { addModelsAdd } from './commands/models/models-add.ts';
import { addModelsConvert } from './commands/models/models-convert.ts';
import { addModelsGet } from './commands/models/models-get.ts';
import { addModelsList } from './commands/models/models-list.ts';
import { addProvenanceInit } from './commands/provenance/provenance-init.ts';
import { addProvenanceVerify } from './commands/provenance/provenance-verify.ts';
import { addStart } from './commands/start.ts';
import { addStartApi } from './commands/start-api.ts';
import { addStartWorker } from './commands/start-worker.ts';
import { addWatch } from './commands/watch.ts';
import { addWebhooksEndpoints } from './commands/webhooks/webhooks-endpoints.ts';
import { addWebhooksList } from './commands/webhooks/webhooks-list.ts';
import { addWorkers } from './commands/workers.ts';
import { example } from './example.ts';

/**
 * The command line. Only the names, options and help of the commands are loaded here: what a command does is imported
 * when it runs, so that `guise --help` answers at once.
 */
export function guiseProgram(): Command {
  const guise = new Command('guise')
    .description(
      'Makes pictures and videos of people. Settings come from the environment: docs/configuration.md.',
    )
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand(false)
    // Errors are thrown to main.ts, which prints them as sentences.
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', example('guise start', 'guise accounts create --email a@b.c --credits 100'));

  addStart(guise);
  addStartApi(guise);
  addStartWorker(guise);
  addWorkers(guise);
  addWatch(guise);

  const jobs = guise
    .command('jobs')
    .description('Look at the jobs of all accounts, and retry them.')
    .addHelpText('after', example('guise jobs list --state running'));
  addJobsList(jobs);
  addJobsDead(jobs);
  addJobsRetry(jobs);

  const accounts = guise
    .command('accounts')
    .description('Create and list accounts, and make links that sign in to them.')
    .addHelpText('after', example('guise accounts create --email a@b.c --credits 100'));
  addAccountsCreate(accounts);
  addAccountsList(accounts);
  addAccountsLink(accounts);

  const keys = guise
    .command('keys')
    .description('Create, list and revoke API keys.')
    .addHelpText('after', example('guise keys create --email a@b.c --name "booth 2"'));
  addKeysCreate(keys);
  addKeysList(keys);
  addKeysRevoke(keys);

  const credits = guise
    .command('credits')
    .description('Grant credits.')
    .addHelpText('after', example('guise credits grant --email a@b.c --amount 100'));
  addCreditsGrant(credits);

  const webhooks = guise
    .command('webhooks')
    .description('Look at the webhooks of all accounts.')
    .addHelpText('after', example('guise webhooks list --state failed'));
  addWebhooksList(webhooks);
  addWebhooksEndpoints(webhooks);

  const models = guise
    .command('models')
    .description('Fetch models that do not come with the installation, and use networks of your own.')
    .addHelpText('after', example('guise models list'));
  addModelsAdd(models);
  addModelsConvert(models);
  addModelsGet(models);
  addModelsList(models);

  const engines = guise
    .command('engines')
    .description('Set up GPU servers, and try them: docs/gpu.md.')
    .addHelpText('after', example('guise engines init --comfyui http://10.0.0.5:8188 --write engines.json'));
  addEnginesInit(engines);
  addEnginesCheck(engines);

  const filters = guise
    .command('filters')
    .description('Import, list and remove packs of scenes, costumes and filters.')
    .addHelpText('after', example('guise filters import ./beach-pack'));
  addFiltersImport(filters);
  addFiltersList(filters);
  addFiltersRemove(filters);

  const events = guise
    .command('events')
    .description('Take events with you.')
    .addHelpText('after', example('guise events export 01a1dd2e-… ./gala'));
  addEventsExport(events);

  const provenance = guise
    .command('provenance')
    .description('Show what results are signed with, and check files: docs/provenance.md.')
    .addHelpText('after', example('guise provenance verify ./result.png'));
  addProvenanceInit(provenance);
  addProvenanceVerify(provenance);

  addCreateBucket(guise);
  addMigrateStore(guise);
  addDoctor(guise);
  return guise;
}
