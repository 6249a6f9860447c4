import type { Redact } from '@agent/text/outgoing';
import type { LoadedConfig } from '../config/load-config.ts';
import type { DaemonLogger } from '../log/logger.ts';
import type { Report } from './finding.ts';
import type { DoctorTexts } from './texts.en.ts';

/** Everything that a check may use. */
export interface DoctorParts {
  readonly loaded: LoadedConfig;
  /** True to call the model once, for a few dozen tokens. */
  readonly callModel: boolean;
  readonly texts: DoctorTexts;
  readonly report: Report;
  readonly redact: Redact;
  /** Silent: what matters is a finding. */
  readonly logger: DaemonLogger;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
