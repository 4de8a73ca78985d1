import type { Transporter } from 'nodemailer';
import type { MailSettings } from '../config.ts';

export interface MailMessage {
  /** The same for each try, so that mailboxes know one that came twice. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  attachment: { name: string; type: string; content: Buffer } | null;
}

/** Sends mail by the operator's server. Rejects with a `MailFailure`. */
export interface Mailer {
  send(message: MailMessage, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** Why a mail was not taken, and whether it may be on another try. */
export class MailFailure extends Error {
  readonly retryable: boolean;
  constructor(sentence: string, retryable: boolean, cause: unknown) {
    super(sentence, { cause });
    this.retryable = retryable;
  }
}

/** The last is for silence after the greeting: servers look through a mail before they answer, which may take minutes. */
const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10 * 60_000 };

export function createMailer({ url, from }: MailSettings): Mailer {
  let transport: Promise<Transporter> | undefined;
  const open = () => {
    transport ??= import('nodemailer').then(({ createTransport }) => createTransport({ url, ...timeLimits }));
    return transport;
  };
  const host = new URL(url).hostname;
  return {
    async send({ id, to, subject, text, html, attachment }, signal) {
      const transporter = await open();
      try {
        await transporter.sendMail({
          from,
          to,
          subject,
          text,
          html,
          ...(signal && { signal }),
          messageId: `<${id}@${host}>`,
          attachments: attachment
            ? [{ filename: attachment.name, contentType: attachment.type, content: attachment.content }]
            : [],
        });
      } catch (error) {
        throw failureOf(error);
      }
    },
    close() {
      void transport?.then((opened) => opened.close());
    },
  };
}

/** What nodemailer tells of a failure. */
interface SmtpError {
  /** The server's answer, where it has answered. */
  responseCode?: number;
  response?: string;
  code?: string;
  /** What it has answered to. */
  command?: string;
}

/** What a server says to these is about one mail. */
const commandsOfMail: readonly (string | undefined)[] = ['MAIL FROM', 'RCPT TO', 'DATA'];

/** A server that refuses the login or the greeting refuses every mail until somebody sees to that. */
function failureOf(error: unknown): MailFailure {
  const { responseCode, response, code, command } = error as SmtpError;
  if (responseCode === undefined) return new MailFailure('The mail server does not answer.', true, error);
  const isRefused = responseCode >= 500 && code !== 'EAUTH' && commandsOfMail.includes(command);
  const sentence = isRefused
    ? 'The mail server refused this mail'
    : 'The mail server cannot take this mail now';
  const said = response ? `: ${response.slice(0, 300)}` : '.';
  return new MailFailure(`${sentence}${said}`, !isRefused, error);
}
