/** Part of a text: a fence without its marks, or what stands between fences. */
export interface TextPart {
  readonly text: string;
  readonly isCode: boolean;
  /** Language of a fence; empty outside of one. */
  readonly info: string;
}

/** Splits a text at its fences. A fence that nothing closes reaches the end of the text. */
export function splitFences(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let lines: string[] = [];
  let fence: { readonly mark: string; readonly info: string } | null = null;
  const flush = (): void => {
    const info = fence?.info ?? '';
    if (lines.length > 0 || fence !== null)
      parts.push({ text: lines.join('\n'), isCode: fence !== null, info });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const { mark, info } = readFence(line);
    if (fence === null && mark !== '') {
      flush();
      fence = { mark, info: info.toLowerCase() };
    } else if (fence !== null && mark.startsWith(fence.mark) && info === '') {
      flush();
      fence = null;
    } else lines.push(line);
  }
  flush();
  return parts;
}

/** Mark and language of a line that is a fence; else both are empty. */
function readFence(line: string): { readonly mark: string; readonly info: string } {
  const [found = '', mark = '', info = ''] = /^\s{0,12}(`{3,}|~{3,})\s{0,3}([\w-]{0,30})/.exec(line) ?? [];
  return line.includes('`', found.length) ? { mark: '', info: '' } : { mark, info };
}

/** Words around a fence that holds calls. */
export interface Announcement {
  readonly info: string;
  readonly before: string;
  readonly after: string;
  readonly hasCalled: boolean;
}

const callLanguages: ReadonlySet<string> = new Set([
  'tool_code',
  'tool_call',
  'tool_calls',
  'tool',
  'tool_use',
  'function_call',
]);
const intent =
  /\b(?:i(?:'|’)?ll|i will|i(?:'|’)m going to|i am going to|let me|let(?:'|’)?s|let us|i need to|i should|i must|i have to|to (?:start|begin|do|fix|see|check|find|understand|verify|solve))\b|(?:^|[.!?] {1,3})(?:ok(?:ay)?,? |so,? )?(?:first|next|now|then|calling|using|reading|checking|running|writing)\b|ます[。:：]?$|まず|それでは/im;
const explanation =
  /\b(?:examples?|e\.g|for instance|like this|looks? like|shows?|how to|usage|syntax|format|you (?:can|could|may)|users? (?:can|call)|clients?|callers?|endpoint|server|documented|requests?|protocol|schema|returns?|is called|are called|(?:now|can be) called)\b|例|次のよう|以下のよう|形式/i;

/** Tells whether the words around a fence announce a call. An explanation is no announcement. */
export function isAnnounced({ info, before, after, hasCalled }: Announcement): boolean {
  if (callLanguages.has(info)) return true;
  const lead =
    before
      .split('\n')
      .filter((line) => line.trim() !== '')
      .at(-1) ?? '';
  if (explanation.test(lead) || (after.length > maxAfterChars && !isPlan(after))) return false;
  if (intent.test(lead) || /^\**(?:action|tool|call)\**(?::\**)?$/i.test(lead.trim())) return true;
  if (!hasCalled && after === '' && /^#{1,6} /.test(lead)) return true;
  const around = `${before}\n${after}`;
  if (around.length > maxAroundChars || explanation.test(around) || /^[ \t]*(?:#{1,6} |[-*] )/m.test(around))
    return false;
  return !hasCalled || !/\p{L}{2}/u.test(around) || intent.test(around);
}

/** Tells whether the words behind a call say what comes next. */
function isPlan(after: string): boolean {
  return intent.test(after.slice(0, maxAfterChars)) && !explanation.test(after.slice(0, maxAroundChars));
}

const maxAfterChars = 120;
const maxAroundChars = 400;
