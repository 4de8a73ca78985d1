import type { CommercialUse, LackingModel } from '@guise/contract/operator/engine-setup.ts';
import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';

const commercialWords: Readonly<Record<CommercialUse, string>> = {
  yes: say('may be used commercially'),
  threshold: say('free below a revenue: read its licence'),
  region: say('not everywhere: read its licence'),
  ask: say('commercial use is not clear: read its licence'),
  no: say('not for commercial use'),
};

/** Every file with its size, its licence and where it comes from. */
export function LackingModels({ models }: { models: readonly LackingModel[] }) {
  return (
    <details className="text-small">
      <summary className="min-h-9 cursor-pointer py-1.5">{say('Files, sizes and licences')}</summary>
      <ul className="flex flex-col border-t">
        {models.map((model) => (
          <li
            key={`${model.folder}/${model.file}`}
            className="grid grid-cols-[minmax(0,5fr)_minmax(0,4fr)] gap-x-6 gap-y-0.5 border-b py-2 max-sm:grid-cols-1"
          >
            <p className="min-w-0">
              <a
                href={model.url}
                className="break-all underline underline-offset-4"
                rel="noreferrer"
                target="_blank"
              >
                {model.file}
              </a>
              <span className="block text-ink-soft">
                {say('{size}, to {folder}', { size: sayOfServer(model.size), folder: model.folder })}
              </span>
            </p>
            <p className="text-ink-soft">
              {model.licence}; {commercialWords[model.commercial]}
              {model.needs_account &&
                `; ${say('only for accounts at Hugging Face that accepted it (HF_TOKEN)')}`}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}
