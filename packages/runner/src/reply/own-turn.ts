/** Speakers of a transcript, and what its newest message asks for. */
export interface Speakers {
  /** Names of the participants. */
  readonly names: ReadonlySet<string>;
  /** True if the newest message names two speakers, or one with a colon: an answer may quote or write a dialogue. */
  readonly isDialogue: boolean;
}

/** Roles of transcripts and of the templates of models. */
const roles: readonly string[] = ['user', 'assistant', 'model'];
const ownRole = /^\s*(?:assistant|model)(?:[:：]\s+|：)/;

/** Reads the speakers of a transcript: lines such as `user: alice: hello`. Further lines of a turn are indented. */
export function readSpeakers(transcript: string): Speakers {
  const names = new Set(
    [...transcript.matchAll(/^user: ([^:\n]{1,100}): /gm)].map(([, name = '']) => name.trim()),
  );
  const at = transcript.startsWith('user: ') ? Math.max(0, transcript.lastIndexOf('\nuser: ')) : 0;
  const newest = transcript.slice(at).replace(/^\n?user: (?:[^:\n]{1,100}: )?/, '');
  const mentioned = [...roles, ...names].filter((name) => findWord(newest, name) !== -1);
  const isWritten = mentioned.some((name) =>
    /^[:：]/.test(newest.slice(findWord(newest, name) + name.length)),
  );
  return { names, isDialogue: mentioned.length > 1 || isWritten };
}

/** Position of a name; a name in Latin letters is not found within another word. */
function findWord(text: string, name: string): number {
  const isLatin = (sign: string) => /[\p{Script=Latin}\p{N}_]/u.test(sign);
  for (let at = text.indexOf(name); at !== -1 && name !== ''; at = text.indexOf(name, at + name.length)) {
    const isWithin =
      (isLatin(name.charAt(0)) && isLatin(text.charAt(at - 1))) ||
      (isLatin(name.slice(-1)) && isLatin(text.charAt(at + name.length)));
    if (!isWithin) return at;
  }
  return -1;
}

interface OwnTurnOptions {
  readonly speakers: Speakers;
  /** False for a text that still grows: what may become a label is not shown yet. */
  readonly isWhole: boolean;
}

/**
 * The own turn of a reply: without the role before it, and without the turns that the model wrote for others behind it. A dialogue
 * stays if it is announced by a line with a colon at its end, stands in a fence, or is what the newest message asks for.
 *
 * @example
 * toOwnTurn('assistant: Paris.\nuser: alice: Thanks!', { speakers, isWhole: true }); // 'Paris.'
 */
export function toOwnTurn(text: string, { speakers, isWhole }: OwnTurnOptions): string {
  const own = text.replace(/^\s*assistant: /i, '').replace(ownRole, '');
  if (!isWhole && own === text && isBeginning(text.trimStart(), ['assistant', 'model'])) return '';
  const lines = own.split('\n');
  const end = findOtherTurn(lines, speakers);
  const kept = end === -1 ? lines : lines.slice(0, end);
  const last = kept.at(-1) ?? '';
  const isOpen = !isWhole && end === -1 && isBeginning(last, [...roles, ...speakers.names]);
  const shown = isOpen && kept.length > 1 ? kept.slice(0, -1) : kept;
  return shown.length === lines.length ? own : shown.join('\n').trimEnd();
}

/** Tells whether a line may still become a label. */
function isBeginning(line: string, labels: readonly string[]): boolean {
  return (
    line !== '' &&
    labels.some((label) => `${label}: `.startsWith(line.toLowerCase()) || `${label}: `.startsWith(line))
  );
}

function findOtherTurn(lines: readonly string[], { names, isDialogue }: Speakers): number {
  let fence = '';
  let isAnnounced = false;
  let before = '';
  const addressesNames = readLabel(lines[0] ?? '', names) === 'name';
  for (const [index, line] of lines.entries()) {
    const [, mark = ''] = /^\s{0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== '' && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : '';
    const label = fence === '' ? readLabel(line, names) : null;
    if (/[:：][*_\s]*$/.test(before) && label !== null) isAnnounced = true;
    else if (label === null && line.trim() !== '' && (lines[index - 1] ?? '').trim() === '')
      isAnnounced = false;
    const isKept = isAnnounced || isDialogue || (label === 'name' && addressesNames);
    if (label !== null && !isKept) return index;
    if (line.trim() !== '') before = line;
  }
  return -1;
}

/** Label of a turn at the beginning of a line: a role, a participant's name, or none. */
function readLabel(line: string, names: ReadonlySet<string>): 'role' | 'name' | null {
  const [, speaker = '', colon = '', behind = ''] = /^([^:：\n]{1,100})([:：])(.?)/u.exec(line) ?? [];
  if (colon === '' || (colon === ':' && behind.trim() !== '')) return null;
  if (roles.includes(speaker)) return 'role';
  return names.has(speaker.trimEnd()) ? 'name' : null;
}
