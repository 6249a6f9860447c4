import { cleanLine, cleanText } from '../text/clean-text.ts';
import type { Finding } from './finding.ts';

const marks = { ok: '✓', warning: '!', failed: '✗' } as const;

/** A finding as people read it: a line, and below it what to do and where. */
export function formatFinding({ status, area, text, mend, url }: Finding): string {
  const [first = '', ...more] = cleanText(text).trim().split('\n');
  const lines = [`${marks[status]} ${cleanLine(area)}: ${first}`, ...more.map((line) => `  ${line}`)];
  if (mend !== null) lines.push(`    → ${cleanLine(mend)}`);
  if (url !== null) lines.push(`      ${cleanLine(url)}`);
  return lines.join('\n');
}
