import type { TemplateCheck } from '@guise/contract/definition-checks.ts';
import type { FamilyName, MediaType } from '@guise/contract/families/families.ts';
import type { GenerationRequest } from '@guise/contract/families/requests.ts';
import type { FilterKind, WorkflowDefinition } from '@guise/contract/filters.ts';
import type { StageTime } from '@guise/contract/job-details.ts';
import type { Notes } from '@guise/contract/notes.ts';
import type {
  GeneratedPicture,
  GuestPhotos,
  IdentityCheck,
  PhotoPeople,
} from '@guise/engine/identity-check.ts';
import type { GeneratorPrompt } from '../catalog/generator-prompt.ts';
import { AppError, type FieldProblem } from '../errors.ts';
import type { JobTasks } from '../media/decoder.ts';
import type { ServerReports } from './server-reports.ts';

/** What an engine is asked to make. Everything is validated; photos are files in the run's own scratch folder. */
export type EngineRequest = GenerationRequest & {
  jobId: string;
  /** The filter as the caller named it: a catalog's integer or a UUID. */
  filterRef: string | null;
  /** Paths of the input photos, in the order of the family's image fields. */
  images: readonly string[];
  /** A folder of this run alone: the engine writes its result here. It is removed after the run. */
  scratch: string;
  /** The installations that the request has come through, this one last: it must not go back to one of them. */
  via: readonly string[];
  /** Whether its photos may not go to a company, here or on an installation that it is handed on to. */
  photosStay?: boolean;
  /** The request in words, for engines that run workflows. */
  words?: GeneratorPrompt;
  /** Whether a picture of it came out badly, so that this one is made with another seed. */
  isSecondTake?: boolean;
};

/** What came of handing a job to a server. */
export interface EngineAttempt {
  /** As the operator knows it. */
  server: string;
  /** Why it was not made there, for the operator; null where it was. */
  cause: string | null;
  /** How long the server was at work for it, its queue left out, where it says that. */
  gpuSeconds?: number;
  /** What it cost, in US dollars, where that is known. */
  cost?: number;
  /** How like the photo the person is who came out least like it, from 0 to 1, where that was measured. */
  likeness?: number;
}

export interface EngineContext {
  /** Cancel, time limit and shutdown all come this way: `abortReasonOf` tells which. */
  signal: AbortSignal;
  /** 0 to 1. */
  progress(done: number): void;
  /** Where a run that an earlier process began can be picked up; null on a first run. */
  handle: string | null;
  /** Called before waiting on a remote run, so that a restarted worker continues it instead of generating again. */
  saveHandle(handle: string): Promise<void>;
  /**
   * Whether the next try finds what is stored when this one fails for now: then a run elsewhere is left to it. Else it
   * is stopped where that is possible, since nobody would fetch what it makes.
   */
  isTriedAgain?: boolean;
  /** Decodes photos and results for engines that hand jobs to servers. Those that run here have processes of their own. */
  decoder: JobTasks;
  /** Calls back when somebody publishes news of the topic, in whatever process, until the returned function is called. */
  subscribe?(topic: string, listener: () => void): () => void;
  /** Told by engines that hand jobs to servers, of each server that the job was with. */
  attempted?(attempt: EngineAttempt): void;
  /**
   * Told of a file that is written and not yet checked, so that it can be stored meanwhile. The engine changes it no more,
   * and if the run fails, it counts for nothing.
   */
  fileWritten?(made: Pick<EngineResult, 'file' | 'type'>): void;
}

/** What was made, with what of the prompt and the options was followed and what was not. */
export interface EngineResult extends Notes {
  /** Path of the finished file inside `scratch`. */
  file: string;
  type: MediaType;
  /** Path of the best frame of a loop as a PNG, for prints and posters. */
  still?: string;
  /** How long its stages took, where the engine knows. */
  stages?: StageTime[];
  /** Whether somebody is not in it as in the photos: another engine may do better. */
  isUnlike?: boolean;
}

export interface Engine {
  readonly name: string;
  /** The families it makes; `kinds` limits them to some kinds of filter. */
  readonly abilities: readonly Ability[];
  /** Jobs it takes on at once; without it, as many as the server is set to. Engines of one name share them. */
  readonly slots?: number;
  /** Whether its runs take this machine's processors: then those that fail are counted against their account. */
  readonly runsHere?: boolean;
  /** The servers that it hands jobs to. Engines of one name share them. */
  readonly servers?: ServerReports;
  /** The company that gets the photos of its jobs; without it, they stay with whoever runs this installation. */
  readonly sendsPhotosTo?: string;
  /** Whether this machine makes what it could not. */
  readonly hasFallback?: boolean;
  /** How long a job may take, where that is more than its family's limit. */
  timeLimitOf?(family: FamilyName): number;
  /** What an engine that runs callers' workflows finds wrong with one, by its place in the definition. */
  checkWorkflow?(definition: WorkflowDefinition): Promise<FieldProblem[]>;
  /** The faces of a photo that is to become a template, by an engine that finds faces. */
  checkTemplate?(file: string, signal: AbortSignal): Promise<TemplateCheck>;
  /** Who is in photos, for `checkIdentity`: asked while a picture of them is being generated. */
  findGuests?(photos: GuestPhotos, signal: AbortSignal): Promise<PhotoPeople>;
  /** How the people of photos came out in a generated picture, by an engine that finds faces. */
  checkIdentity?(made: GeneratedPicture, signal: AbortSignal): Promise<IdentityCheck>;
  run(request: EngineRequest, context: EngineContext): Promise<EngineResult>;
  close(): Promise<void>;
}

/** What of a family an engine makes: all of it, or only what every list given here allows. */
export interface Ability {
  family: FamilyName;
  kinds?: readonly FilterKind[];
  /** Kinds of filter that it does not make. */
  exceptKinds?: readonly FilterKind[];
  /** Filters as callers name them. */
  filters?: readonly string[];
  /** Video models. */
  models?: readonly string[];
  /** Numbers of photos. */
  photos?: readonly number[];
  /** Whether photos go to a company: then jobs whose photos stay are not for it. */
  photosLeave?: boolean;
  /** The share of the jobs that it makes, from 0 to 1, by the last digits of their ids. */
  share?: number;
}

/** The job cannot succeed however often it is tried; the sentence is for the guest in front of the camera. */
export function cannotMake(sentence: string, cause?: unknown): AppError {
  return new AppError('ENGINE_REFUSED', sentence, { cause });
}

/** The engine cannot make this, though another may: trying it again there is no use. */
export function engineUnfit(sentence: string, cause?: unknown): AppError {
  return new AppError('ENGINE_BROKE', sentence, { cause });
}

/** Whether an engine could not make something that another one may. */
export const isEngineFault = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'ENGINE_BROKE';

/** Something broke that may work on another try. */
export function engineBroke(sentence: string, cause?: unknown): AppError {
  return new AppError('ENGINE_BROKE', sentence, { cause, retryable: true });
}
