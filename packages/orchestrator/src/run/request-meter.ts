import type { RequestRecord } from '@agent/platforms';

export interface RequestCount {
  /** Requests made to the platform by this process for this run. */
  readonly made: number;
  /** How many of them were answered "not modified" and cost nothing of the limit. */
  readonly unchanged: number;
}

export interface RequestMeter {
  readonly onRequest: (record: RequestRecord) => void;
  readonly count: () => RequestCount;
}

/** Counts what a run costs on its platform. */
export function createRequestMeter(): RequestMeter {
  let made = 0;
  let unchanged = 0;
  return {
    onRequest: (record) => {
      made += 1;
      if (record.status === 304) unchanged += 1;
    },
    count: () => ({ made, unchanged }),
  };
}
