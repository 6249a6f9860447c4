import type { RequestRecord } from '../model.ts';
import type { CallOptions } from '../ports.ts';

/** Makes the next calls of an operation fail, as an unreachable platform would. */
export interface MemoryFailure {
  /** Name of the port function: `listComments`, `ensureComment`, … */
  readonly operation: string;
  readonly error: Error;
  /** Number of calls; default 1. */
  readonly times?: number;
  /** True where the call takes effect before its answer is lost; default false. */
  readonly afterEffect?: boolean;
}

/** Runs what a port function does, with everything that goes with a request. */
export type MemoryCall = <Result>(
  operation: string,
  call: CallOptions & {
    readonly answer: () => Result;
    readonly isUnchanged?: (result: Result) => boolean;
  },
) => Promise<Result>;

/** Builds the caller of one thread: honors the signal, fails on demand, counts. */
export function createMemoryCall(options: {
  readonly failures: MemoryFailure[];
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}): MemoryCall {
  return async (operation, call) => {
    call.signal?.throwIfAborted();
    const record = (status: number | null) =>
      options.onRequest?.({ method: 'CALL', route: operation, status, counted: status !== 304 });
    const failure = takeFailure(options.failures, operation);
    if (failure !== null) {
      if (failure.afterEffect === true) call.answer();
      record(null);
      throw failure.error;
    }
    const result = call.answer();
    record(call.isUnchanged?.(result) === true ? 304 : 200);
    return result;
  };
}

function takeFailure(failures: MemoryFailure[], operation: string): MemoryFailure | null {
  const index = failures.findIndex((failure) => failure.operation === operation);
  const failure = failures[index];
  if (failure === undefined) return null;
  const times = (failure.times ?? 1) - 1;
  if (times > 0) failures[index] = { ...failure, times };
  else failures.splice(index, 1);
  return failure;
}
