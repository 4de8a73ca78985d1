import { z } from 'zod';
import { Integer, Uuid } from '../common.ts';
import { Text } from '../texts.ts';
import { BoothEventState } from './events.ts';

/** How many stations an event may have. */
export const mostStations = 200;
/** A booth that has not reported for this long counts as silent. */
export const silentAfterMs = 90_000;

/** Whether the booth has a camera that it may use. */
export const CameraState = z.enum(['ready', 'denied', 'missing', 'insecure']).meta({ id: 'CameraState' });
export type CameraState = z.infer<typeof CameraState>;

const Count = Integer.min(0).max(1_000_000_000);

/** What a booth says of itself, every 30 seconds or so. */
export const NewStationReport = z
  .object({
    station: Uuid.meta({ description: 'Chosen by the booth’s page, and kept by the device' }),
    name: Text.trim().min(1).max(100).meta({ description: 'Such as “Foyer, left”' }),
    waiting_photos: Count.default(0).meta({ description: 'Photos that wait on the device to be sent' }),
    prints: Count.default(0).meta({ description: 'Made by the device at this event' }),
    page_version: Text.trim().max(100).default(''),
    camera: CameraState.optional().meta({
      description: 'Whether its camera can be used; `insecure` where the page is not by https',
    }),
  })
  .meta({ id: 'NewStationReport' });
export type NewStationReport = z.infer<typeof NewStationReport>;
export type NewStationReportInput = z.input<typeof NewStationReport>;

/** What a booth learns from its report: it reads the event again when `updated_at` is not the one it knows. */
export const StationAnswer = z
  .object({
    state: BoothEventState,
    paused: z.boolean(),
    safe_mode: z.boolean(),
    consent_version: z.number().int(),
    updated_at: z.iso.datetime().meta({ description: 'When the event was last changed' }),
  })
  .meta({ id: 'StationAnswer' });
export type StationAnswer = z.infer<typeof StationAnswer>;

export const Station = z
  .object({
    id: z.string(),
    name: z.string(),
    key_id: z.string().nullable().meta({ description: 'The event key of its last report' }),
    waiting_photos: z.number().int(),
    prints: z.number().int(),
    page_version: z.string(),
    camera: CameraState.nullable().meta({ description: 'Null where the booth has not said' }),
    first_seen_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime(),
    is_silent: z.boolean().meta({ description: `Nothing came for ${silentAfterMs / 1000} seconds` }),
  })
  .meta({ id: 'Station' });
export type Station = z.infer<typeof Station>;

/** How far the jobs of an event are. Those that were erased or have expired are not counted. */
export const EventProgress = z
  .object({
    waiting: z.number().int(),
    running: z.number().int(),
    completed: z.number().int(),
    failed: z.number().int(),
    wait_ms: z.number().int().meta({ description: 'How long the job that waits longest has waited' }),
    usual_ms: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'From photo to picture, the median of the last 20 pictures' }),
  })
  .meta({ id: 'EventProgress' });
export type EventProgress = z.infer<typeof EventProgress>;

export const StationList = z
  .object({
    stations: z.array(Station).meta({ description: 'By name' }),
    progress: EventProgress,
  })
  .meta({ id: 'StationList' });
export type StationList = z.infer<typeof StationList>;
