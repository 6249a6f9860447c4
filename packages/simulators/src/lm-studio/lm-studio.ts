import type { IncomingHttpHeaders } from 'node:http';
import type { Changes } from '../shared/changes.ts';
import type { HeldRequest } from '../shared/held-request.ts';
import type { LmMisbehavior } from './misbehavior.ts';

/** Makes what the model says from nothing but the whole text that it is given. */
export type LmScript = (input: string) => string;

/** Settings of a simulated LM Studio. */
export interface LmStudioOptions {
  /** Default: says how many lines it was given, and repeats the last one. */
  readonly script?: LmScript;
  /** The models it has, the loaded one first; none: nothing is loaded. Default: `simulated-model`. */
  readonly models?: readonly string[];
  /** Without it as `Authorization: Bearer …`, 401. Default: null, no key is asked for. */
  readonly apiKey?: string | null;
  /** Waits before each piece of a streamed text; the number counts from 0. Default: not at all. */
  readonly pace?: (number: number) => Promise<void> | void;
  /** Milliseconds since the epoch. Default: the real time. */
  readonly now?: () => number;
  /** Port on 127.0.0.1; default 0, a free one. */
  readonly port?: number;
}

/** A request as it came in. */
export interface LmRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed; null when there was none or it was no JSON. */
  readonly body: unknown;
  /** All that a `POST /v1/responses` said, as one text; null for other requests. */
  readonly input: string | null;
  /** `answered`: to its end. `abandoned`: the caller went away first. */
  readonly state: 'waiting' | 'answered' | 'abandoned';
}

/** A model server on loopback that behaves like LM Studio's: `POST /v1/responses` and `GET /v1/models`. */
export interface LmStudio {
  /** Base URL, the value of `LM_BASE_URL`: `http://127.0.0.1:41234/v1`. */
  readonly baseUrl: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly LmRequest[];
  /** Texts of the requests to the model, oldest first. */
  readonly inputs: () => readonly string[];
  /** Loads the models anew, perhaps others: all earlier responses are forgotten. */
  readonly reload: (models?: readonly string[]) => void;
  /** Plays another script from now on. */
  readonly setScript: (script: LmScript) => void;
  /** The next answers (default: one; `Infinity`: all) go wrong in this way. Several calls queue up. */
  readonly misbehave: (misbehavior: LmMisbehavior, options?: { readonly times?: number }) => void;
  /** Answers normally again. */
  readonly behave: () => void;
  /** The next request to the model is answered when it is let go. */
  readonly holdNext: () => HeldRequest;
  /** Waits until something is there: looks now, and after each request and answer. */
  readonly until: Changes['until'];
  readonly close: () => Promise<void>;
}
