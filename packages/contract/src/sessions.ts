import { z } from 'zod';
import { Me } from './account.ts';
import { Text } from './texts.ts';

/** The cookie that a session is kept in, and the header without which it counts for nothing. */
export const sessionCookie = 'guise_session';
export const sessionHeader = 'X-Guise-Session';

const signInFields = 'must have email and password, or link';

/** Signs in by email and password, or by the token of a sign-in link. */
export const NewSession = z
  .union(
    [
      z.object({ link: Text.min(1).max(200) }),
      z.object({ email: Text.min(1).max(320), password: z.string().min(1).max(1024) }),
    ],
    signInFields,
  )
  .meta({ id: 'NewSession' });
export type NewSession = z.infer<typeof NewSession>;

export const CreatedSession = z
  .object({ id: z.string(), account: Me, expires_at: z.iso.datetime() })
  .meta({ id: 'CreatedSession' });
export type CreatedSession = z.infer<typeof CreatedSession>;

/** Who the browser is signed in as. Asking is no error where nobody is. */
export const CurrentSession = z
  .object({
    account: Me.nullable().meta({ description: 'Null where nobody is signed in' }),
    has_password: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether one can sign in to the account by password; null without a session' }),
    command_line: z.string().meta({
      description: 'What the commands of this installation begin with on the server, such as `npx guise`',
    }),
  })
  .meta({ id: 'CurrentSession' });
export type CurrentSession = z.infer<typeof CurrentSession>;

/** The current one is needed where the account has a password. */
export const NewPassword = z
  .object({
    password: z.string().min(8).max(1024),
    current_password: z.string().min(1).max(1024).optional(),
  })
  .meta({ id: 'NewPassword' });
export type NewPassword = z.infer<typeof NewPassword>;

export const SignInLink = z
  .object({ url: z.string().meta({ description: 'Signs in once' }), expires_at: z.iso.datetime() })
  .meta({ id: 'SignInLink' });
export type SignInLink = z.infer<typeof SignInLink>;

export const Session = z
  .object({
    id: z.string(),
    current: z.boolean().meta({ description: 'Whether this request came with it' }),
    user_agent: z.string(),
    created_at: z.iso.datetime(),
    last_used: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

export const SessionList = z
  .object({ sessions: z.array(Session), next_cursor: z.string().nullable() })
  .meta({ id: 'SessionList' });
export type SessionList = z.infer<typeof SessionList>;
