import { fitStart } from '../prompts/fit-start.ts';

/** Room for the line that says what is left out. */
const reserveChars = 40;

/** As many of the first lines as there is room for, and how many more there are; `none` where there are none. */
export function fitLines(lines: readonly string[], maxChars: number): string {
  const whole = lines.join('\n');
  if (whole.length <= maxChars) return whole || 'none';
  const room = Math.max(0, maxChars - reserveChars);
  const shown: string[] = [];
  let left = room;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    shown.push(line);
  }
  if (shown.length === 0) shown.push(fitStart(lines[0] ?? '', room));
  const omitted = lines.length - shown.length;
  return omitted === 0 ? shown.join('\n') : [...shown, `- (${omitted} more are left out)`].join('\n');
}
