/** Where the jobs of each family are submitted and read. Plain data: the client library needs no schema for it. */
export const familyPaths = {
  face_swap_v6: { run: '/v6/run/face_swap', status: '/v6/status/{job_id}' },
  face_swap_v5: { run: '/v5/run/face_swap', status: '/v5/status/{job_id}' },
  face_swap_v1: { run: '/v1/run/faceswap', status: '/v2/status/{job_id}' },
  face_swap_capture_v1: { run: '/v1/run/face_swap', status: '/v2/status/{job_id}' },
  face_swap_capture_v2: { run: '/v2/run/filter_id/', status: '/v2/status/{job_id}' },
  self_prompt_v2: { run: '/v2/run/self-prompt', status: '/v2/status/{job_id}' },
  multi_swap_v5: { run: '/v5/run/multi_swap', status: '/v5/status_multi_swap/{job_id}' },
  multi_swap_self_prompt_v5: {
    run: '/v5/run/multi_swap_self_prompt',
    status: '/v5/status_multi_swap/{job_id}',
  },
  stylized_multi_swap_v1: {
    run: '/v1/run/stylized_multi_swap',
    status: '/v1/status_stylized_multi_swap/{job_id}',
  },
  stylized_multi_swap_self_prompt_v1: {
    run: '/v1/run/stylized_multi_swap_self_prompt',
    status: '/v1/status_stylized_multi_swap/{job_id}',
  },
  multi_swap_v3: { run: '/v3/run/multi_swap', status: '/v3/status_multi_swap/{job_id}' },
  multi_swap_v4: { run: '/v4/multi_swap_styles/', status: '/v1/status_multi_swap/{job_id}' },
  single_frame_video: { run: '/v1/run/single_frame_video', status: '/v1/status/single_frame_video/{job_id}' },
  first_last_frame_video: {
    run: '/v1/run/first_last_frame_video',
    status: '/v1/status/single_frame_video/{job_id}',
  },
  living_portrait: { run: '/v1/run/living_portrait', status: '/v1/status/living_portrait/{job_id}' },
} as const satisfies Record<string, { run: string; status: string }>;
