import type { DaemonLogger } from '../log/logger.ts';
import { cleanLine, cleanText } from '../text/terminal-text.ts';
import type { DoctorTexts } from './texts.en.ts';

const marks = { ok: '✓', warning: '!', failed: '✗' } as const;

/** One thing that was looked at. */
export interface Finding {
  /** Part that it belongs to: `config`, the name of a platform, `model`, `git`, … */
  readonly area: string;
  /** `warning`: works, but not as somebody may expect. */
  readonly status: 'ok' | 'warning' | 'failed';
  readonly text: string;
  /** Instruction that fixes it; null for what is well. */
  readonly fix: string | null;
  /** Page on which to do it; null where there is none. */
  readonly url: string | null;
}

/** Hears of each finding as soon as it is known. */
export type Report = (finding: Finding) => void;

/** Instruction for whoever fixes it, and the page on which to do it. */
export interface Remedy {
  readonly fix: string;
  readonly url?: string | null | undefined;
}

/** A finding, before it is said which part it belongs to. */
export type Statement = Omit<Finding, 'area'>;

/** Makes statements of each status. */
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

/** Makes the report of one area. */
export function reportOn(area: string, report: Report): AreaReport {
  const tell = (statement: Statement): void => report({ area, ...statement });
  return {
    ok: (text) => tell(state.ok(text)),
    warning: (text, remedy) => tell(state.warning(text, remedy)),
    failed: (text, remedy) => tell(state.failed(text, remedy)),
    tell,
  };
}

/** A finding as people read it: a line, and below it what to do and where. */
export function formatFinding({ status, area, text, fix, url }: Finding): string {
  const [first = '', ...more] = cleanText(text).trim().split('\n');
  const lines = [`${marks[status]} ${cleanLine(area)}: ${first}`, ...more.map((line) => `  ${line}`)];
  if (fix !== null) lines.push(`    → ${cleanLine(fix)}`);
  if (url !== null) lines.push(`      ${cleanLine(url)}`);
  return lines.join('\n');
}

/** Everything that any check may use, beside the settings that it looks at. */
export interface DoctorTools extends Reporting {
  /** Silent: what matters is a finding. */
  readonly logger: DaemonLogger;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Texts of the examination's language, and who hears of findings. */
export interface Reporting {
  readonly texts: DoctorTexts;
  readonly report: Report;
}
