import { basename } from 'node:path';
import { InferenceSession } from '../../models/onnxruntime.ts';
import { RenderError } from '../../runtime/render-error.ts';

/** A model file that the operator brought cannot be used; `what` continues "The model file x.onnx …". */
export function operatorModelUnusable(file: string, what: string, cause?: unknown): RenderError {
  return new RenderError('MODEL_UNUSABLE', `The model file ${basename(file)} ${what}.`, { cause });
}

/** Name and shape of an input or output; a dimension that is free is null. */
export interface TensorSpec {
  name: string;
  shape: (number | null)[];
}

export interface OperatorModel {
  file: string;
  session: InferenceSession;
  inputs: TensorSpec[];
  outputs: TensorSpec[];
}

/** Opens a model by its path: the runtime maps the file, so that its half gigabyte is not held twice. */
export async function openOperatorModel(file: string): Promise<OperatorModel> {
  let session: InferenceSession;
  try {
    session = await InferenceSession.create(file, { logSeverityLevel: 3, enableCpuMemArena: false });
  } catch (cause) {
    throw operatorModelUnusable(file, `cannot be loaded: ${firstLine(cause)}`, cause);
  }
  return {
    file,
    session,
    inputs: tensorSpecsOf(session.inputMetadata),
    outputs: tensorSpecsOf(session.outputMetadata),
  };
}

function tensorSpecsOf(metadata: readonly InferenceSession.ValueMetadata[]): TensorSpec[] {
  return metadata.map((value) => ({
    name: value.name,
    shape: value.isTensor
      ? value.shape.map((size) => (typeof size === 'number' && size >= 0 ? size : null))
      : [],
  }));
}

/** Whether a port takes or gives exactly this shape; free dimensions fit anything. */
export function fits({ shape }: TensorSpec, wanted: readonly number[]): boolean {
  return shape.length === wanted.length && shape.every((size, i) => size === null || size === wanted[i]);
}

export function describeTensors(tensors: readonly TensorSpec[]): string {
  return tensors
    .map(({ name, shape }) => `${name} [${shape.map((size) => size ?? '?').join(', ')}]`)
    .join(', ');
}

function firstLine(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split('\n')[0]!;
}
