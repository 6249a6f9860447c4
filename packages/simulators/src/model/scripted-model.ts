import type { Misbehavior } from './misbehavior.ts';
import type { Script } from './script.ts';

/** Settings of a scripted model. */
export interface ScriptedModelOptions {
  readonly script: Script;
  /** The names it answers to; others get 404. Default: `scripted-model`. */
  readonly models?: readonly string[];
  /** Tokens of a request, at 4 characters each, above which it is refused as too long. Default: no limit. */
  readonly contextLength?: number | undefined;
  /** Without it as `Authorization: Bearer …`, 401. Default: null, no key is asked for. */
  readonly apiKey?: string | null;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Address of this machine to listen at; default 127.0.0.1, which nobody else reaches. */
  readonly host?: string;
  /** Told of every request before it is answered; the answer waits for it. Default: nobody. */
  readonly onRequest?: (request: ModelRequest) => void | Promise<void>;
  /** Milliseconds since the epoch. Default: the real time. */
  readonly now?: () => number;
  /** Waits before a `slow` answer; ends when the model closes. Default: real time. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/** A request as it came in. */
export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  /** Parsed; null when there was none or it was no JSON. */
  readonly body: unknown;
}

/** A scripted model that runs. */
export interface ScriptedModel {
  /** Base URL, the `base_url` of a configuration: `http://127.0.0.1:41234/v1`. */
  readonly baseUrl: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** The next answers (default: one) go wrong in this way. Several calls queue up. */
  readonly misbehave: (misbehavior: Misbehavior, options?: { readonly times?: number }) => void;
  /** Forgets what is left of what was to go wrong. */
  readonly behave: () => void;
  /** Ends it, and with it every answer that hangs. */
  readonly close: () => Promise<void>;
}
