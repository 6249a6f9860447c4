import type { Locale } from '@agent/text';

/** Longest length of a text, in UTF-16 code units, and language of the note about a cut. */
export interface FitCommentBodyOptions {
  readonly maxChars: number;
  readonly locale: Locale;
}

const notes: Record<Locale, string> = {
  ja: '*…（長すぎるため、ここから先は省略しました）*',
  en: '*… (too long: the rest was left out)*',
};

/**
 * Cuts a text to what a platform accepts and says so in its last line. A code block that the cut leaves open is
 * closed, and no character is cut in two.
 */
export function fitCommentBody(body: string, options: FitCommentBodyOptions): string {
  if (body.length <= options.maxChars) return body;
  const note = `\n\n${notes[options.locale]}`;
  const longestFence = 12;
  const kept = body.slice(0, Math.max(0, options.maxChars - note.length - longestFence));
  const whole = kept.replace(/[\ud800-\udbff]$/u, '');
  return whole + closingFence(whole).slice(0, longestFence) + note;
}

/** The text, with an end for the code block that it leaves open: what is written behind it is read as text. */
export function closeCodeBlock(text: string): string {
  return text + closingFence(text);
}

/** Looks at the left margin alone: a block in a list ends with its list, and one more mark would open another. */
function closingFence(text: string): string {
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const [, indent = '', fence, info = ''] = /^( {0,3})(`{3,}|~{3,})(.*)$/su.exec(line) ?? [];
    if (fence === undefined) continue;
    if (open === null) open = indent === '' && isOpening(fence, info) ? fence : null;
    else if (fence.startsWith(open) && info.trim() === '') open = null;
  }
  return open === null ? '' : `\n${open}`;
}

function isOpening(fence: string, info: string): boolean {
  return fence.startsWith('~') || !info.includes('`');
}
