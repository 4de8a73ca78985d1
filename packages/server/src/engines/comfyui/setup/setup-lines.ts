import type { LocatedFile } from './locate-files.ts';
import { isForAnyUse } from './missing-parts.ts';
import { type ServerProposal, type SetupProposal, sumOfSizes } from './propose-setup.ts';
import type { WholeInventory } from './read-inventory.ts';

/** What is proposed, for the operator, before anything is written. */
export function proposalLines({ card, servers, choice }: SetupProposal): string[] {
  return [
    ...servers.flatMap(serverLines),
    '',
    `Set for cards of ${card.vram_gb} GB: ${card.workflows.join(', ')}`,
    '',
    choice.routes.length === 0
      ? 'Nothing of it can be made yet.'
      : 'Can be made now, the best workflow that is there:',
    ...choice.routes.map(
      ({ families, workflows }) =>
        `  ${workflows.map(({ name }) => name).join(', ')} for ${families.join(', ')}`,
    ),
  ];
}

function serverLines({ server, problem, located, toGet, packs, others }: ServerProposal): string[] {
  const head = `${server.url}: ${inventorySentence(server.inventory)}`;
  if (problem) return [head, `  cannot be used: ${problem}`];
  return [
    head,
    ...located.map((one) => `  ${locatedSentence(one)}`),
    ...others.map((sentence) => `  ${sentence}`),
    ...packs.map((pack) => `  ${packSentence(pack)}`),
    ...(toGet.length > 0 ? [`  to download, ${totalOf(toGet)}:`] : []),
    ...(toGet.length === 0 && others.length === 0 ? ['  has every file of the set'] : []),
    ...toGet.flatMap((file) => [
      `    ${file.folder}/${file.file}  ${file.size}, ${file.licence}, commercial use: ${file.commercial}${file.gated ? ', only for accounts that accepted its licence' : ''}`,
      `      ${file.from}`,
    ]),
  ];
}

/** What a server says of itself. */
export function inventorySentence({ version, gpu, vramGb, info }: WholeInventory): string {
  const card = vramGb === null ? 'no GPU' : `${gpu}, ${vramGb} GB of VRAM`;
  return `ComfyUI ${version ?? 'of unknown version'}, ${card}, ${Object.keys(info).length} nodes`;
}

export const packSentence = ({ name, url }: ServerProposal['packs'][number]) =>
  `needs the node pack ${name}: ${url}`;

export function locatedSentence({ file, as, how }: LocatedFile): string {
  if (how === 'in a folder below') return `has ${file} in a folder below: ${as}`;
  if (how === 'in its place') return `has ${as}, which does as well as ${file}`;
  return `takes ${as} for ${file}, because it has its size`;
}

export const totalOf = (files: ServerProposal['toGet']) =>
  `${files.length === 1 ? '1 file' : `${files.length} files`}, about ${sumOfSizes(files).toFixed(1)} GB${files.every(isForAnyUse) ? ', all for commercial use' : ''}`;
