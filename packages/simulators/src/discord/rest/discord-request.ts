import type { DiscordRoute } from './all-routes.ts';

/** A request to the REST side, as it came in and was answered. */
export interface DiscordRequest {
  readonly method: string;
  /** Null: nothing that this Discord knows. */
  readonly route: DiscordRoute | null;
  /** Without `/api/v10`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed; undefined without one. */
  readonly body: unknown;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null until it is answered. */
  readonly status: number | null;
}
