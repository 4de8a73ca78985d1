import type { MailTemplate } from '@guise/contract/events/events.ts';
import { directionOf, guestLanguageOf } from '@guise/contract/events/guest-languages.ts';
import { guestSentences } from '@guise/contract/events/guest-sentences.ts';
import type { EventRow } from '../../store/events/event-schema.ts';
import { settingsOf } from '../event-settings.ts';

export interface MailContent {
  event: EventRow;
  template: MailTemplate;
  language: string;
  guestUrl: string;
}

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => escaped[letter]!);

/** Plain text for every mail program, and the same with the colours of the event. */
export function writeMail({ event, template, language, guestUrl }: MailContent): {
  subject: string;
  text: string;
  html: string;
} {
  const [first] = Object.values(template.texts);
  const { subject, text } = template.texts[language] ?? first!;
  const { mail } = guestSentences[guestLanguageOf(language) ?? 'en'];
  const why = mail.why(event.name);
  const { background = '#ffffff', text: ink = '#1a1a1a', accent = '#1a1a1a' } = settingsOf(event).branding;
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');
  const body = paragraphs
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('');
  return {
    subject,
    text: [text, guestUrl, `${event.name}\n${why}`].filter((part) => part !== '').join('\n\n'),
    html:
      `<html lang="${escapeHtml(language)}" dir="${directionOf(language)}"><body style="margin:0;padding:24px;background:${background};color:${ink};font-family:sans-serif">` +
      `<h1 style="font-size:22px;border-bottom:3px solid ${accent};padding-bottom:8px">${escapeHtml(event.name)}</h1>${body}` +
      `<p><a href="${escapeHtml(guestUrl)}" style="color:${ink};font-weight:bold">${escapeHtml(mail.open)}</a></p>` +
      `<p style="font-size:12px">${escapeHtml(why)}</p></body></html>`,
  };
}
