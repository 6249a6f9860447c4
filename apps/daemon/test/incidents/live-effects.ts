import type { Effect, EffectKind, Published } from './effect.ts';

export interface LiveOptions {
  /** Host of the platform: links to it are allowed. */
  readonly host: string;
  /** Number of the task's thread, which a draft may close. */
  readonly number: number;
}

/** Markers of the daemon in its own texts. */
const ownMarkers = /<!-- agent-(?:comment|note|daemon): [\w .:=+-]* -->\n?/g;

/** Words on which bots and platforms act, wherever they are in a text. */
const commands: readonly (readonly [string, RegExp])[] = [
  ['a slash command', /^\/[a-z][\w-]*/m],
  ['a command to a bot', /@dependabot\b|\bbors r\+/],
  ['words that skip a pipeline', /\[(?:skip ci|ci skip)\]/i],
];

/**
 * Finds what acts, or loads something, when the platform shows a text or a bot reads it. It reads the source and reports too much
 * rather than too little: the daemon's own texts need none of these forms.
 */
export function findLiveEffects(
  { where, text, isMarkdown }: Published,
  { host, number }: LiveOptions,
): readonly Effect[] {
  const own = text.replace(ownMarkers, '');
  const report = (kind: EffectKind) => (found: string) => ({
    kind,
    where: `${where}: ${found.slice(0, 100)}`,
  });
  const prose = isMarkdown ? removeCode(own) : '';
  return [
    ...[
      ...commands.flatMap(([name, form]) =>
        [form.exec(own)].flatMap((one) => (one ? [`${name}: ${one[0]}`] : [])),
      ),
      ...findClosed(own, number).map((words) => `it closes: ${words}`),
      ...[...prose.matchAll(/(?<![\w/])@[a-z0-9]+/gi)].map(([name]) => `a mention: ${name}`),
    ].map(report('live command')),
    ...findLoads(prose, host).map(report('live link or picture')),
  ];
}

function findClosed(text: string, number: number): readonly string[] {
  const form = /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd])?|resolve[sd]?)\s*:?\s*#(\d+)/gi;
  return [...text.matchAll(form)].flatMap(([words, closed]) => (Number(closed) === number ? [] : [words]));
}

/** Pictures, HTML, and addresses of other hosts. */
function findLoads(prose: string, host: string): readonly string[] {
  const isOwn = (address: string) => URL.canParse(address) && new URL(address).host === host;
  const found = (name: string, form: RegExp) =>
    [...prose.matchAll(form)].map(([words]) => `${name} ${words}`);
  const addresses = [
    ...prose.matchAll(/\]\(\s*<?([^)>\s]*)/g),
    ...prose.matchAll(/^ {0,3}\[[^\]\n]{1,999}\]:\s*<?([^>\s]*)/gm),
    ...prose.matchAll(/\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>()"']*)/gi),
  ].flatMap(([, address = '']) => (isOwn(address) || address.startsWith('#') ? [] : [`address ${address}`]));
  return [
    ...found('picture', /(?<!\\)!\[/g),
    ...found('HTML', /(?<!\\)<(?!\/?(?:details|summary)>|https?:)[a-z/!?][^>\n]{0,40}/gi),
    ...found('address', /(?<![\w.])www\.[a-z]\S*/gi),
    ...addresses,
  ];
}

/** A text without fenced blocks and code spans. */
function removeCode(text: string): string {
  const prose: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const [, mark = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === null && mark !== '' && !rest.includes('`')) fence = mark;
    else if (fence === null) prose.push(line);
    else if (mark.startsWith(fence) && rest.trim() === '') fence = null;
  }
  return prose
    .join('\n')
    .split(/\n{2,}/)
    .map(removeSpans)
    .join('\n\n');
}

function removeSpans(paragraph: string): string {
  let rest = '';
  let at = 0;
  const runs = [...paragraph.matchAll(/`+/g)];
  for (const [index, run] of runs.entries()) {
    if (run.index < at || paragraph[run.index - 1] === '\\') continue;
    const closing = runs.slice(index + 1).find(([marks]) => marks.length === run[0].length);
    if (closing === undefined) continue;
    rest += paragraph.slice(at, run.index);
    at = closing.index + closing[0].length;
  }
  return rest + paragraph.slice(at);
}
