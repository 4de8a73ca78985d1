import { z } from 'zod';

export const TokenForm = z.object({
  username: z.string().min(1).max(320),
  password: z.string().min(1).max(1024),
});

export const Token = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number().int(),
});

export const Credits = z.object({
  balance: z.number().int(),
  entries: z.array(
    z.object({
      id: z.string(),
      amount: z.number().int(),
      reason: z.string(),
      job_id: z.string().nullable(),
      created_at: z.iso.datetime(),
    }),
  ),
  next_cursor: z.string().nullable(),
});
export type Credits = z.infer<typeof Credits>;
