import './telemetry-off.ts';

/** The only import of onnxruntime, so that nothing can load it before its telemetry is off. */
export { InferenceSession, Tensor } from 'onnxruntime-node';
