import type { MailState } from '@guise/contract/events/mails.ts';
import type { PrintLayout } from '@guise/contract/events/print-template.ts';
import type { PrintState } from '@guise/contract/events/prints.ts';

/** A printer of an account, by its address. */
export interface PrinterRow {
  id: string;
  account_id: string;
  name: string;
  url: string;
  /** Whether an operator has entered it, who may name addresses of private networks. */
  trusted: 0 | 1;
  created_at: number;
}

/** Something of an event that leaves the server: what prints and mails have in common. */
export interface OutboxRow {
  id: string;
  event_id: string;
  account_id: string;
  guest_id: string;
  /** The picture, of a strip the first one. */
  job_id: string;
  /** Where the guest's page is reached. */
  base_url: string;
  /** What holds it up or has failed, for the operator. */
  sentence: string | null;
  attempts: number;
  /** When it is looked at next; the lease is that of store/lease.ts. */
  due_at: number;
  claim: number;
  lease_until: number | null;
  created_at: number;
  sent_at: number | null;
  /** Null while there is something to do. */
  ended_at: number | null;
}

export interface EventPrintRow extends OutboxRow {
  state: PrintState;
  /** The event key that asked for it; null for the operator. */
  key_id: string | null;
  /** JSON. */
  job_ids: string;
  layout: PrintLayout;
  copies: number;
  printer_id: string;
  /** The job of the printer, from the moment it has one: by it a print that was cut off is continued. */
  printer_job_id: number | null;
}

export interface EventMailRow extends OutboxRow {
  state: MailState;
  address: string;
  language: string;
  /** When the guest agreed that the address is used. */
  consent_at: number;
}
