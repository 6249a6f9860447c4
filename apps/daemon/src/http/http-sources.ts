import type { BoardState, Hold } from '@agent/orchestrator';
import type { Json } from '../text/redact-json.ts';
import type { WebhookRoute } from './webhook-routes.ts';

/** What the endpoints show, and where platforms deliver to. */
export interface HttpSources {
  readonly board: () => BoardState;
  /** The tasks that wait for their turn, and what holds them back. */
  readonly queue: {
    readonly waiting: () => readonly string[] | Promise<readonly string[]>;
    readonly hold: () => Hold | null;
  };
  /** Paused tasks and those that ended last, in the words of the JSON; read from disk when asked. */
  readonly history: () => Promise<{ readonly paused: readonly Json[]; readonly recent: readonly Json[] }>;
  /** Takes secrets out of every text before it leaves. */
  readonly redact: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly now: () => number;
  readonly memory: () => { readonly rss: number; readonly heapUsed: number };
  /** Address that the server listens on. */
  readonly host: string;
  /** Further names that it is asked by, such as a service's in a cluster. */
  readonly allowedHosts: readonly string[];
  /** None: there are no addresses for webhooks. */
  readonly webhooks: readonly WebhookRoute[];
  /** Hears of an endpoint that could not answer. */
  readonly onError: (error: unknown) => void;
}
