import { readdirSync } from 'node:fs';
import type { ObjectInfo } from '../../src/engines/workflow/object-info.ts';
import { ownWorkflow, readWorkflowFile } from '../../src/engines/workflow/workflow-file.ts';
import { objectInfo } from './comfyui-nodes.ts';

/** The weights that the reference workflows load. */
export const referenceWeights: readonly string[] = readdirSync(new URL('.', ownWorkflow('x'))).flatMap(
  (name) => readWorkflowFile(ownWorkflow(name.replace('.json', ''))).needs.models.map((model) => model.file),
);

/** What the reference workflows stand on, as the sources of ComfyUI and of its custom nodes define it. */
const int = ['INT', {}];
const float = ['FLOAT', {}];
const node = (
  required: Record<string, unknown[]>,
  output: string[],
  optional: Record<string, unknown[]> = {},
) => ({
  input: { required, optional },
  output,
  output_node: false,
});
const latentSize = { width: int, height: int, batch_size: int };
const type = (name: string) => [name, {}];

const nodesWith = (file: unknown[]): ObjectInfo => ({
  UNETLoader: node(
    { unet_name: file, weight_dtype: [['default', 'fp8_e4m3fn', 'fp8_e4m3fn_fast', 'fp8_e5m2'], {}] },
    ['MODEL'],
  ),
  CLIPLoader: node(
    { clip_name: file, type: [['stable_diffusion', 'sd3', 'wan', 'qwen_image', 'flux'], {}] },
    ['CLIP'],
  ),
  VAELoader: node({ vae_name: file }, ['VAE']),
  ControlNetLoader: node({ control_net_name: file }, ['CONTROL_NET']),
  CLIPVisionLoader: node({ clip_name: file }, ['CLIP_VISION']),
  CLIPVisionEncode: node(
    { clip_vision: type('CLIP_VISION'), image: type('IMAGE'), crop: [['center', 'none'], {}] },
    ['CLIP_VISION_OUTPUT'],
  ),
  ModelSamplingSD3: node({ model: type('MODEL'), shift: float }, ['MODEL']),
  ModelSamplingAuraFlow: node({ model: type('MODEL'), shift: float }, ['MODEL']),
  EmptySD3LatentImage: node(latentSize, ['LATENT']),
  TextEncodeQwenImageEditPlus: node({ clip: type('CLIP'), prompt: ['STRING', {}] }, ['CONDITIONING'], {
    vae: type('VAE'),
    image1: type('IMAGE'),
    image2: type('IMAGE'),
    image3: type('IMAGE'),
  }),
  Wan22ImageToVideoLatent: node({ vae: type('VAE'), ...latentSize, length: int }, ['LATENT'], {
    start_image: type('IMAGE'),
  }),
  WanFirstLastFrameToVideo: node(
    {
      positive: type('CONDITIONING'),
      negative: type('CONDITIONING'),
      vae: type('VAE'),
      ...latentSize,
      length: int,
    },
    ['CONDITIONING', 'CONDITIONING', 'LATENT'],
    {
      clip_vision_start_image: type('CLIP_VISION_OUTPUT'),
      clip_vision_end_image: type('CLIP_VISION_OUTPUT'),
      start_image: type('IMAGE'),
      end_image: type('IMAGE'),
    },
  ),
  InstantIDModelLoader: node({ instantid_file: file }, ['INSTANTID']),
  InstantIDFaceAnalysis: node({ provider: [['CPU', 'CUDA', 'ROCM', 'CoreML'], {}] }, ['FACEANALYSIS']),
  ApplyInstantID: node(
    {
      instantid: type('INSTANTID'),
      insightface: type('FACEANALYSIS'),
      control_net: type('CONTROL_NET'),
      image: type('IMAGE'),
      model: type('MODEL'),
      positive: type('CONDITIONING'),
      negative: type('CONDITIONING'),
      weight: float,
      start_at: float,
      end_at: float,
    },
    ['MODEL', 'CONDITIONING', 'CONDITIONING'],
    { image_kps: type('IMAGE'), mask: type('MASK') },
  ),
});

/** A server that has every node, and these weights in its folders. The shared nodes come from the fake server. */
export function referenceNodes(weights: readonly string[] = referenceWeights): ObjectInfo {
  const file = [[...weights], {}];
  const shared = structuredClone(objectInfo()) as ObjectInfo;
  shared.CheckpointLoaderSimple!.input!.required!.ckpt_name = file;
  shared.KSampler!.input!.required!.sampler_name = [['euler', 'dpmpp_2m', 'uni_pc'], {}];
  return { ...shared, ...nodesWith(file) };
}
