import { photo } from './harness.ts';

/** Each job family as the interface and its decisions tell it, written down apart from the code. */
export interface FamilyCase {
  family: string;
  run: string;
  status: string;
  queued: string;
  running: string;
  price: number;
  output: 'image' | 'video';
  body: Record<string, unknown>;
  required: string[];
  imageField: string;
  filterField?: string;
  filterType?: 'face_swap' | 'multi_swap';
}

export const familyCases: FamilyCase[] = [
  {
    family: 'face_swap_v6',
    run: '/v6/run/face_swap',
    status: '/v6/status/',
    queued: 'IN_QUEUE',
    running: 'IN_QUEUE',
    price: 2,
    output: 'image',
    body: { base64: photo, gender: 0, filter_id: 1 },
    required: ['base64', 'gender', 'filter_id'],
    imageField: 'base64',
    filterField: 'filter_id',
    filterType: 'face_swap',
  },
  {
    family: 'face_swap_v5',
    run: '/v5/run/face_swap',
    status: '/v5/status/',
    queued: 'IN_QUEUE',
    running: 'IN_QUEUE',
    price: 2,
    output: 'image',
    body: { base64: photo, gender: 1, filter_id: 1 },
    required: ['base64', 'gender', 'filter_id'],
    imageField: 'base64',
    filterField: 'filter_id',
    filterType: 'face_swap',
  },
  {
    family: 'face_swap_v1',
    run: '/v1/run/faceswap',
    status: '/v2/status/',
    queued: 'QUEUED',
    running: 'RUNNING',
    price: 1,
    output: 'image',
    body: { image: photo, filter_id: 1 },
    required: ['image', 'filter_id'],
    imageField: 'image',
    filterField: 'filter_id',
    filterType: 'face_swap',
  },
  {
    family: 'self_prompt_v2',
    run: '/v2/run/self-prompt',
    status: '/v2/status/',
    queued: 'QUEUED',
    running: 'RUNNING',
    price: 2,
    output: 'image',
    body: { prompt: 'on a mountain at sunrise', image: photo },
    required: ['prompt'],
    imageField: 'image',
  },
  {
    family: 'multi_swap_v5',
    run: '/v5/run/multi_swap',
    status: '/v5/status_multi_swap/',
    queued: 'IN_QUEUE',
    running: 'PROCESSING',
    price: 3,
    output: 'image',
    body: { input_image: photo, style_id: 1, outpaint: false },
    required: ['input_image', 'style_id', 'outpaint'],
    imageField: 'input_image',
    filterField: 'style_id',
    filterType: 'multi_swap',
  },
  {
    family: 'multi_swap_self_prompt_v5',
    run: '/v5/run/multi_swap_self_prompt',
    status: '/v5/status_multi_swap/',
    queued: 'IN_QUEUE',
    running: 'PROCESSING',
    price: 3,
    output: 'image',
    body: { prompt: 'in a neon city', input_image: photo },
    required: ['prompt', 'input_image'],
    imageField: 'input_image',
  },
  {
    family: 'stylized_multi_swap_v1',
    run: '/v1/run/stylized_multi_swap',
    status: '/v1/status_stylized_multi_swap/',
    queued: 'QUEUED',
    running: 'RUNNING',
    price: 3,
    output: 'image',
    body: { input_image: photo, style_id: 1 },
    required: ['input_image', 'style_id'],
    imageField: 'input_image',
    filterField: 'style_id',
    filterType: 'multi_swap',
  },
  {
    family: 'stylized_multi_swap_self_prompt_v1',
    run: '/v1/run/stylized_multi_swap_self_prompt',
    status: '/v1/status_stylized_multi_swap/',
    queued: 'QUEUED',
    running: 'RUNNING',
    price: 3,
    output: 'image',
    body: { prompt: 'as a woodcut', input_image: photo },
    required: ['prompt', 'input_image'],
    imageField: 'input_image',
  },
  {
    family: 'multi_swap_v4',
    run: '/v4/multi_swap_styles/',
    status: '/v1/status_multi_swap/',
    queued: 'QUEUED',
    running: 'RUNNING',
    price: 3,
    output: 'image',
    body: { filter_id: 1, input_images: [photo, photo] },
    required: ['filter_id', 'input_images'],
    imageField: 'input_images',
    filterField: 'filter_id',
  },
  {
    family: 'single_frame_video',
    run: '/v1/run/single_frame_video',
    status: '/v1/status/single_frame_video/',
    queued: 'IN_QUEUE',
    running: 'IN_PROGRESS',
    price: 12,
    output: 'video',
    body: {
      prompt_image: `data:image/jpeg;base64,${photo}`,
      prompt: 'slow zoom',
      model: 'advanced',
      duration: '6s',
    },
    required: ['prompt_image', 'prompt', 'model', 'duration'],
    imageField: 'prompt_image',
  },
  {
    family: 'first_last_frame_video',
    run: '/v1/run/first_last_frame_video',
    status: '/v1/status/single_frame_video/',
    queued: 'IN_QUEUE',
    running: 'IN_PROGRESS',
    price: 16,
    output: 'video',
    body: { first_frame: photo, last_frame: photo, prompt: 'fade', model: 'advanced', duration: '8s' },
    required: ['first_frame', 'last_frame', 'prompt', 'model', 'duration'],
    imageField: 'first_frame',
  },
];

export const caseOf = (family: string) => familyCases.find((entry) => entry.family === family)!;
