import type { ObjectInfo } from '../../src/engines/workflow/object-info.ts';
import { objectInfo } from './comfyui-nodes.ts';

/** What the reference workflows stand on, as the sources of ComfyUI and of its custom nodes define it. */
const int = ['INT', {}];
const float = ['FLOAT', {}];
const file = [[], {}];
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

const nodes: ObjectInfo = {
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
};

/** The shared ones come from the fake server, without its lists of files. */
export function referenceNodes(): ObjectInfo {
  const shared = structuredClone(objectInfo()) as ObjectInfo;
  shared.CheckpointLoaderSimple!.input!.required!.ckpt_name = file;
  shared.KSampler!.input!.required!.sampler_name = [['euler', 'dpmpp_2m', 'uni_pc'], {}];
  return { ...shared, ...nodes };
}
