import { cleanLine, cleanText } from '../text/terminal-text.ts';

const marks = { ok: '✓', warning: '!', failed: '✗' } as const;

/** One thing that was looked at. */
export interface Finding {
  /** What it belongs to: `config`, the name of a platform, `model`, `git`, … */
  readonly area: string;
  /** `warning`: works, but not as somebody may expect. */
  readonly status: 'ok' | 'warning' | 'failed';
  readonly text: string;
  /** What to do about it; null for what is well. */
  readonly mend: string | null;
  /** Where to do it, if that is a page. */
  readonly url: string | null;
}

/** Hears of each finding as soon as it is known. */
export type Report = (finding: Finding) => void;

/** What somebody has to do, and where. */
export interface Mend {
  readonly mend: string;
  readonly url?: string | null | undefined;
}

/** Reports on one area. */
export interface AreaReport {
  readonly ok: (text: string) => void;
  readonly warning: (text: string, mend: Mend) => void;
  readonly failed: (text: string, mend: Mend) => void;
}

/** The same report for one area. */
export function reportOn(area: string, report: Report): AreaReport {
  const say =
    (status: 'warning' | 'failed') =>
    (text: string, { mend, url = null }: Mend): void =>
      report({ area, status, text, mend, url });
  return {
    ok: (text) => report({ area, status: 'ok', text, mend: null, url: null }),
    warning: say('warning'),
    failed: say('failed'),
  };
}

/** A finding as people read it: a line, and below it what to do and where. */
export function formatFinding({ status, area, text, mend, url }: Finding): string {
  const [first = '', ...more] = cleanText(text).trim().split('\n');
  const lines = [`${marks[status]} ${cleanLine(area)}: ${first}`, ...more.map((line) => `  ${line}`)];
  if (mend !== null) lines.push(`    → ${cleanLine(mend)}`);
  if (url !== null) lines.push(`      ${cleanLine(url)}`);
  return lines.join('\n');
}
