import type { AnyParams } from '@guise/contract/families/families.ts';
import type { FamilyRule } from './family-rules.ts';
import type { OutlineModel } from './matting/segment-anything.ts';
import type { NeuralSwap } from './swap/network/network-swap.ts';
import type { UpscaleModel } from './upscale/upscale-network.ts';

export interface RenderOptions {
  rule: FamilyRule;
  params: AnyParams;
  seed: number;
  /** The operator's own swap network, where there is one. */
  swapNetwork(): Promise<NeuralSwap | null>;
  /** The model of people's outlines, where the operator has fetched it. */
  outlineModel(): Promise<OutlineModel | null>;
  /** The model that draws small faces larger, where the operator has fetched it. */
  upscaleModel(): Promise<UpscaleModel | null>;
  signal: AbortSignal;
  progress(done: number): void;
  /** For measuring the judge: every picture is delivered as it first came out. */
  onlyJudge?: boolean;
}
