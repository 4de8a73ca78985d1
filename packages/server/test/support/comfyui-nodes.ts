/** What the fake ComfyUI knows of its nodes, in the form of `/object_info` (shape as recorded on 0.3.64). */
export interface NodeClass {
  required: Record<string, unknown[]>;
  optional?: Record<string, unknown[]>;
  output: string[];
  outputNode?: boolean;
}

const text = ['STRING', { multiline: true }];
const prefix = ['STRING', { default: 'ComfyUI' }];
const size = ['INT', { default: 512, min: 16, max: 16384, step: 8 }];

export const nodeClasses: Record<string, NodeClass> = {
  LoadImage: { required: { image: [['example.png'], { image_upload: true }] }, output: ['IMAGE', 'MASK'] },
  CheckpointLoaderSimple: {
    required: { ckpt_name: [['sd_xl_base_1.0.safetensors']] },
    output: ['MODEL', 'CLIP', 'VAE'],
  },
  CLIPTextEncode: { required: { text, clip: ['CLIP', {}] }, output: ['CONDITIONING'] },
  EmptyLatentImage: {
    required: { width: size, height: size, batch_size: ['INT', { default: 1, min: 1, max: 4096 }] },
    output: ['LATENT'],
  },
  KSampler: {
    required: {
      model: ['MODEL', {}],
      seed: ['INT', { default: 0, min: 0, max: Number.MAX_SAFE_INTEGER }],
      steps: ['INT', { default: 20, min: 1, max: 10000 }],
      cfg: ['FLOAT', { default: 8, min: 0, max: 100 }],
      sampler_name: [['euler', 'dpmpp_2m']],
      scheduler: ['COMBO', { options: ['normal', 'karras', 'simple'] }],
      positive: ['CONDITIONING', {}],
      negative: ['CONDITIONING', {}],
      latent_image: ['LATENT', {}],
      denoise: ['FLOAT', { default: 1, min: 0, max: 1 }],
    },
    output: ['LATENT'],
  },
  VAEEncode: { required: { pixels: ['IMAGE', {}], vae: ['VAE', {}] }, output: ['LATENT'] },
  VAEDecode: { required: { samples: ['LATENT', {}], vae: ['VAE', {}] }, output: ['IMAGE'] },
  ImageScale: {
    required: {
      image: ['IMAGE', {}],
      upscale_method: [['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'], {}],
      width: ['INT', { default: 512, min: 0, max: 16384, step: 1 }],
      height: ['INT', { default: 512, min: 0, max: 16384, step: 1 }],
      crop: [['disabled', 'center'], {}],
    },
    output: ['IMAGE'],
  },
  ImageBatch: { required: { image1: ['IMAGE', {}], image2: ['IMAGE', {}] }, output: ['IMAGE'] },
  SaveImage: { required: { images: ['IMAGE', {}], filename_prefix: prefix }, output: [], outputNode: true },
  PreviewImage: { required: { images: ['IMAGE', {}] }, output: [], outputNode: true },
  CreateVideo: {
    required: { images: ['IMAGE', {}], fps: ['FLOAT', { default: 30, min: 1, max: 120 }] },
    output: ['VIDEO'],
  },
  SaveVideo: {
    required: {
      video: ['VIDEO', {}],
      filename_prefix: prefix,
      format: [['auto', 'mp4'], {}],
      codec: [['auto', 'h264'], {}],
    },
    output: [],
    outputNode: true,
  },
  VHS_VideoCombine: {
    required: {
      images: ['IMAGE', {}],
      frame_rate: ['FLOAT', { default: 8 }],
      loop_count: ['INT', { default: 0 }],
      filename_prefix: prefix,
      format: [['image/gif', 'video/h264-mp4', 'video/webm'], {}],
      pingpong: ['BOOLEAN', { default: false }],
      save_output: ['BOOLEAN', { default: true }],
    },
    output: ['VHS_FILENAMES'],
    outputNode: true,
  },
};

export function objectInfo(names = Object.keys(nodeClasses)): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const node = nodeClasses[name];
      if (!node) return [];
      const { required, optional, output, outputNode = false } = node;
      const info = {
        input: { required, ...(optional && { optional }) },
        input_order: { required: Object.keys(required) },
        output,
        output_is_list: output.map(() => false),
        output_name: output,
        name,
        display_name: name,
        description: '',
        python_module: 'nodes',
        category: 'test',
        output_node: outputNode,
      };
      return [[name, info]];
    }),
  );
}

export interface GraphNode {
  class_type?: string;
  inputs?: Record<string, unknown>;
}
export type Graph = Record<string, GraphNode>;

export const isLink = (value: unknown): value is [string, number] =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';

interface NodeError {
  type: string;
  message: string;
  details: string;
  extra_info: Record<string, unknown>;
}

/** The answer of `POST /prompt` to this graph: null when it is accepted whole. */
export function validate(
  graph: Graph,
  hasImage: (name: string) => boolean,
): { status: number; body: { error?: unknown; node_errors: Record<string, unknown> } } | null {
  for (const [id, node] of Object.entries(graph)) {
    const details = `Node ID '#${id}'`;
    if (!node?.class_type)
      return refusal('Cannot execute because a node is missing the class_type property.', details);
    if (!nodeClasses[node.class_type])
      return refusal(`Cannot execute because node ${node.class_type} does not exist.`, details);
  }
  const outputs = Object.keys(graph).filter((id) => nodeClasses[graph[id]!.class_type!]!.outputNode);
  if (outputs.length === 0) {
    const error = {
      type: 'prompt_no_outputs',
      message: 'Prompt has no outputs',
      details: '',
      extra_info: {},
    };
    return { status: 400, body: { error, node_errors: {} } };
  }
  const errors: Record<string, { errors: NodeError[]; dependent_outputs: string[]; class_type: string }> = {};
  const bad = outputs.filter((output) => {
    const wrong = ancestors(graph, output).flatMap((id) => {
      const found = problems(graph, id, hasImage);
      if (found.length > 0)
        errors[id] = { errors: found, dependent_outputs: [output], class_type: graph[id]!.class_type! };
      return found;
    });
    return wrong.length > 0;
  });
  if (bad.length === 0) return null;
  if (bad.length < outputs.length) return { status: 200, body: { node_errors: errors } };
  const error = {
    type: 'prompt_outputs_failed_validation',
    message: 'Prompt outputs failed validation',
    details: '',
    extra_info: {},
  };
  return { status: 400, body: { error, node_errors: errors } };
}

function refusal(message: string, details: string) {
  const error = { type: 'invalid_prompt', message, details, extra_info: {} };
  return { status: 400, body: { error, node_errors: {} } };
}

function problems(graph: Graph, id: string, hasImage: (name: string) => boolean): NodeError[] {
  const node = graph[id]!;
  const inputs = node.inputs ?? {};
  return Object.entries(nodeClasses[node.class_type!]!.required).flatMap(([input, [type]]): NodeError[] => {
    const value = inputs[input];
    const extra_info = { input_name: input };
    if (value === undefined)
      return [
        { type: 'required_input_missing', message: 'Required input is missing', details: input, extra_info },
      ];
    if (isLink(value) || Array.isArray(value)) return [];
    if (node.class_type === 'LoadImage' && !hasImage(String(value)))
      return [
        {
          type: 'custom_validation_failed',
          message: 'Custom validation failed for node',
          details: `image - Invalid image file: ${value}`,
          extra_info,
        },
      ];
    if (Array.isArray(type) && node.class_type !== 'LoadImage' && !type.includes(value))
      return [
        {
          type: 'value_not_in_list',
          message: 'Value not in list',
          details: `${input}: '${value}' not in ${JSON.stringify(type)}`,
          extra_info: { ...extra_info, received_value: value },
        },
      ];
    return [];
  });
}

/** The nodes an output needs, each after those it needs itself. */
export function ancestors(graph: Graph, id: string, seen: string[] = []): string[] {
  if (seen.includes(id) || !graph[id]) return seen;
  for (const value of Object.values(graph[id].inputs ?? {}))
    if (isLink(value)) ancestors(graph, value[0], seen);
  if (!seen.includes(id)) seen.push(id);
  return seen;
}
