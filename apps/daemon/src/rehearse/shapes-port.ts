import type { CheckResult } from './check-sheet.ts';

/** Facts about a rehearsal that `rehearsal.json` contains beside the shapes. */
export interface FinishedRehearsal {
  readonly checks: readonly CheckResult[];
  /** Versions of `program` and `node`. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Records the shapes of requests and answers, without any text of them. */
export interface ShapeRecorder {
  /** Variables of the daemon that records. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sends the requests of the rehearsal itself. */
  readonly fetch: typeof globalThis.fetch;
  /** Writes `rehearsal.json`. @returns its path; null if nothing is recorded */
  readonly finish: (facts: FinishedRehearsal) => Promise<string | null>;
}

/** Opens a recorder that writes into this directory, with the arguments that Node needs for it. */
export interface OpenShapeRecorder {
  readonly recorderArguments: () => readonly string[];
  readonly openShapes: (options: { readonly directory: string }) => Promise<ShapeRecorder> | ShapeRecorder;
}

/** Records nothing. */
export const noShapes: OpenShapeRecorder = {
  recorderArguments: () => [],
  openShapes: () => ({ environment: {}, fetch: globalThis.fetch, finish: async () => null }),
};
