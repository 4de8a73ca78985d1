import type { FamilyName } from '@guise/contract/families/families.ts';
import type { ComfyuiSetup, NewEngine } from '@guise/contract/operator/engine-setup.ts';
import { cardFor, cards, workflowsOf } from '../../engines/comfyui/setup/cards.ts';
import { type ChosenRoute, chooseAmong } from '../../engines/comfyui/setup/choose-workflows.ts';
import { routeOfFile } from '../../engines/comfyui/setup/engines-file-for.ts';
import { filesOfCard } from '../../engines/comfyui/setup/propose-setup.ts';
import { downloadScriptFor } from './comfyui-setup.ts';

/** The card of most rented GPUs that have room for the models of pictures and videos. */
const usualCardGb = 24;

/**
 * What an endpoint at RunPod makes whose volume has the set of models for its graphics card. It cannot be asked what it
 * has: trying its workflows shows it.
 */
export function planRunpod(
  { name, card_gb, fallback }: Pick<NewEngine, 'name' | 'card_gb' | 'fallback'>,
  families: readonly FamilyName[],
) {
  const card = cardFor(card_gb ?? usualCardGb);
  const workflows = workflowsOf(card).map((workflow) => ({
    workflow,
    lacks: { models: [], packs: [], others: [] },
  }));
  const routes = chooseAmong(workflows)
    .routes.map(
      (route): ChosenRoute => ({
        ...route,
        families: route.families.filter((family) => families.includes(family)),
      }),
    )
    .filter(({ families }) => families.length > 0);
  const setup: ComfyuiSetup = {
    card_gb: card.vram_gb,
    cards: cards.map(({ vram_gb }) => vram_gb),
    servers: [],
    workflows: routes.flatMap(({ families, workflows: ofRoute }) =>
      ofRoute.map((workflow) => ({ name: workflow.name, families })),
    ),
    ...downloadScriptFor(filesOfCard(card)),
  };
  return {
    routes: routes.map((route) => routeOfFile(route, name, fallback)),
    families: [...new Set(routes.flatMap((route) => route.families))],
    setup,
  };
}
