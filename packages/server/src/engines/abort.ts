/** Why a run is told to stop. With `ended`, another worker has taken the job over and ended it. */
const abortReasons = ['cancelled', 'ended', 'timed-out', 'taken-over', 'shutdown'] as const;
export type AbortReason = (typeof abortReasons)[number];

export function abortWith(controller: AbortController, reason: AbortReason): void {
  controller.abort(reason);
}

/** Null while nobody has aborted, and for signals that did not come from `abortWith`. */
export function abortReasonOf(signal: AbortSignal): AbortReason | null {
  return abortReasons.find((reason) => reason === signal.reason) ?? null;
}

/** Whether another process goes on with a remote run, so that it must not be cancelled. */
export function isContinuedElsewhere(signal: AbortSignal): boolean {
  const reason = abortReasonOf(signal);
  return reason === 'shutdown' || reason === 'taken-over';
}
