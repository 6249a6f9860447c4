import { setTimeout as wait } from 'node:timers/promises';
import type { SimulatedRequest, Traffic } from './http/exchange.ts';
import { createFailures, type DemandedFailure, type KnownRequests } from './http/failures.ts';

/** Options that every forge takes. */
export interface SimulatorOptions {
  /** Milliseconds since the epoch; what the server's clock shows. Default: the real one. */
  readonly now?: () => number;
  /** Waits before a `slow` answer; ends when the simulator closes. Default: real time. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Address of this machine to listen at; default 127.0.0.1, which nobody else reaches. */
  readonly host?: string;
  /** Told of every request when its effect is done and before its answer is sent; the answer waits for it. */
  readonly onRequest?: (request: SimulatedRequest) => void | Promise<void>;
}

/** No request yet, and no failure asked for. */
export function createTraffic<Failure extends DemandedFailure>(
  options: SimulatorOptions,
  closing: AbortSignal,
  known: KnownRequests,
): Traffic<Failure> {
  const {
    sleep = (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
    onRequest = () => {},
  } = options;
  return { requests: [], failures: createFailures(known, options.now), onRequest, sleep, closing };
}
