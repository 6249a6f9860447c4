import type { Environment } from '@agent/workspace';
import type { DaemonLogger } from '../log/logger.ts';
import { cleanLine, cleanText } from '../text/terminal-text.ts';
import type { DoctorTexts } from './texts.en.ts';

const marks = { ok: '✓', warning: '!', failed: '✗' } as const;

/** Result of one check. */
export interface Finding {
  /** Part that it belongs to: `config`, the name of a platform, `model`, `git`, … */
  readonly area: string;
  /** `warning`: it works, but perhaps not as expected. */
  readonly status: 'ok' | 'warning' | 'failed';
  readonly text: string;
  /** Instruction that fixes it; null if nothing is to be fixed. */
  readonly fix: string | null;
  /** Page on which to do it; null where there is none. */
  readonly url: string | null;
}

/** Called with each finding as soon as it is known. */
export type Report = (finding: Finding) => void;

/** Instruction that fixes a fault, and the page on which to do it. */
export interface Remedy {
  readonly fix: string;
  readonly url?: string | null | undefined;
}

/** A finding without the part that it belongs to. */
export type Statement = Omit<Finding, 'area'>;

/** Creates statements of each status. */
export const state = {
  ok: (text: string): Statement => ({ status: 'ok', text, fix: null, url: null }),
  warning: (text: string, { fix, url = null }: Remedy): Statement => ({ status: 'warning', text, fix, url }),
  failed: (text: string, { fix, url = null }: Remedy): Statement => ({ status: 'failed', text, fix, url }),
};

/** Reports on one area. */
export interface AreaReport {
  readonly ok: (text: string) => void;
  readonly warning: (text: string, fix: Remedy) => void;
  readonly failed: (text: string, fix: Remedy) => void;
  readonly tell: (statement: Statement) => void;
}

/** Creates the report of one area. */
export function reportOn(area: string, report: Report): AreaReport {
  const tell = (statement: Statement): void => report({ area, ...statement });
  return {
    ok: (text) => tell(state.ok(text)),
    warning: (text, remedy) => tell(state.warning(text, remedy)),
    failed: (text, remedy) => tell(state.failed(text, remedy)),
    tell,
  };
}

/** Formats a finding for a terminal: a line, and below it what to do and where. */
export function formatFinding({ status, area, text, fix, url }: Finding): string {
  const [first = '', ...more] = cleanText(text).trim().split('\n');
  const lines = [`${marks[status]} ${cleanLine(area)}: ${first}`, ...more.map((line) => `  ${line}`)];
  if (fix !== null) lines.push(`    → ${cleanLine(fix)}`);
  if (url !== null) lines.push(`      ${cleanLine(url)}`);
  return lines.join('\n');
}

/** Environments that a proxy can be named in. */
export interface ProxyEnvironment {
  /** The process's own, over that of `.env`. */
  readonly environment: Environment;
  /** Environment that Node was started with. */
  readonly processEnvironment: Environment;
}

/** Everything that any check may use, beside the settings that it checks. */
export interface DoctorTools extends Reporting, ProxyEnvironment {
  /** Silent: what matters is a finding. */
  readonly logger: DaemonLogger;
  /** True for the checks of a daemon at work: they send no request that writes. Default: false. */
  readonly readsOnly?: boolean | undefined;
  /** Receives the number of repositories of a platform that a daemon at work does not check. */
  readonly onSkipped?: ((platform: string, count: number) => void) | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Texts in the language of the process, and where findings go. */
export interface Reporting {
  readonly texts: DoctorTexts;
  readonly report: Report;
}
