import type { Span } from '../clean/edits.ts';
import { type Blocks, findBlocks } from '../clean/find-blocks.ts';
import { emptyFindings } from '../clean/findings.ts';
import { toPage, toText } from '../clean/page.ts';
import { scanInline } from '../clean/scan-inline.ts';

/** A command that somebody gave. */
export interface Command<Name extends string = string> {
  readonly name: Name;
  /** The text behind the name, on its line; empty where nothing does. */
  readonly argument: string;
  /** The number of its line in the body, from 0. */
  readonly line: number;
  /** The line as it was written. */
  readonly written: string;
}

/** Commands of a body, and its other lines. */
export interface ParsedCommands<Name extends string = string> {
  /** In the order of the body. */
  readonly commands: readonly Command<Name>[];
  /** The other lines of the body, ended by LF; the body as it is where it gives no command. */
  readonly rest: string;
}

/**
 * Reads the commands in a comment: lines that begin with a slash and one of the names, with nothing before it and white
 * space or nothing behind it. Case does not matter, and signs may be full-width, as phones and Japanese keyboards write
 * them. Nothing is a command in code, in a quote, in a comment of HTML or where else a page shows no text, as CommonMark
 * reads it. Takes time in proportion to the text.
 *
 * @example
 * parseCommands('Thanks!\n/stop for today', ['stop', 'pause']);
 * // { commands: [{ name: 'stop', argument: 'for today', line: 1, written: '/stop for today' }], rest: 'Thanks!' }
 *
 * @see https://spec.commonmark.org/0.31.2/
 */
export function parseCommands<Name extends string>(
  body: string,
  names: readonly Name[],
): ParsedCommands<Name> {
  const lines = splitLines(body);
  const named = lines.flatMap(({ text }, line) =>
    readCommand(text, names).map((read) => ({ ...read, line })),
  );
  if (named.length === 0) return { commands: [], rest: body };
  const isProse = findProse(body, lines);
  const commands = named.filter(({ line }) => isProse(line));
  if (commands.length === 0) return { commands, rest: body };
  const given = new Set(commands.map(({ line }) => line));
  const others = lines.filter((_, line) => !given.has(line));
  return { commands, rest: others.map(({ text }) => text).join('\n') };
}

interface Line extends Span {
  readonly text: string;
}

function splitLines(body: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { 0: lineEnd, index } of body.matchAll(/\r\n|\r|\n/g)) {
    lines.push({ start, end: index, text: body.slice(start, index) });
    start = index + lineEnd.length;
  }
  lines.push({ start, end: body.length, text: body.slice(start) });
  return lines;
}

/** The command that a line would give where it is prose: none or one. */
function readCommand<Name extends string>(
  written: string,
  names: readonly Name[],
): readonly Omit<Command<Name>, 'line'>[] {
  const found = /^[/／](\S{1,64})(?!\S)/.exec(written);
  if (found === null) return [];
  const [{ length }, word = ''] = found;
  const plain = word.replace(/[\uff01-\uff5e]/g, toHalfWidth).toLowerCase();
  const name = names.find((one) => one === plain);
  return name === undefined ? [] : [{ name, argument: written.slice(length).trim(), written }];
}

function toHalfWidth(sign: string): string {
  return String.fromCharCode(sign.charCodeAt(0) - 0xfee0);
}

/** Makes the function that tells whether a line, by its number, begins as a part of the text that a page shows. */
function findProse(body: string, lines: readonly Line[]): (line: number) => boolean {
  const page = toPage(body);
  const blocks = findBlocks(page);
  if (blocks.isTooDeep) return () => false;
  const read = { ...page, text: blocks.isBlanked ? toText(page.units) : body };
  const into = emptyFindings();
  for (const { kind, textStart, end } of blocks.texts) {
    if (kind !== 'html')
      scanInline({ start: textStart, end }, { page: read, into, isDefined: null, trustsCode: true });
  }
  const definitions = blocks.texts.map(({ start, textStart }) => ({ start, end: textStart - 1 }));
  const others = [blocks.code, blocks.quotes, blocks.verbatim, definitions, into.code, into.cuts];
  const tags = into.tags.map(({ tag }) => tag);
  const spans = [...others.flat(), ...tags].toSorted((one, other) => one.start - other.start);
  const covered = findCovered(lines, spans);
  const fenced = findLooseFences(body, { lines, blocks });
  return (line) => !covered.has(line) && !fenced.has(line);
}

/** The lines whose first character lies in one of the spans, which are in the order of their beginnings. */
function findCovered(lines: readonly Line[], spans: readonly Span[]): ReadonlySet<number> {
  const covered = new Set<number>();
  let next = 0;
  let reached = -1;
  for (const [line, { start }] of lines.entries()) {
    for (let span = spans[next]; span !== undefined && span.start <= start; span = spans[next]) {
      reached = Math.max(reached, span.end);
      next += 1;
    }
    if (start < reached) covered.add(line);
  }
  return covered;
}

interface LooseText {
  readonly lines: readonly Line[];
  readonly blocks: Blocks;
}

/**
 * The lines of code whose fence an item of a list opens, and which are not indented as the item is: for CommonMark the code
 * ends with the item, for who wrote it at the closing fence. In a quote each line has a sign of its own.
 */
function findLooseFences(body: string, { lines, blocks }: LooseText): ReadonlySet<number> {
  const fenced = new Set<number>();
  let open: string | null = null;
  let next = 0;
  for (const [line, { start, end, text }] of lines.entries()) {
    if (open === null) {
      while ((blocks.fenceInfos[next]?.start ?? Number.POSITIVE_INFINITY) < start) next += 1;
      const info = blocks.fenceInfos[next];
      if (info === undefined) return fenced;
      const opening = body.slice(start, info.start);
      if (info.start <= end && !opening.includes('>')) open = readMarks(opening);
    } else {
      fenced.add(line);
      if (/^[ \t]*(?:`{3,}|~{3,})[ \t]*$/.test(text) && text.trimStart().startsWith(open)) open = null;
    }
  }
  return fenced;
}

/** The signs that a text ends with, all the same. */
function readMarks(opening: string): string {
  const sign = opening.at(-1) ?? '';
  let start = opening.length;
  while (start > 0 && opening[start - 1] === sign) start -= 1;
  return opening.slice(start);
}
