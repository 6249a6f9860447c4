import { checkValue, expected, expectList } from '../check-options.ts';
import { dropCovered, pickProse, splitLines } from './pick-prose.ts';

/** A command that somebody gave. */
export interface Command<Name extends string = string> {
  /** As the list of names spells it. */
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
 * reads it. A name may be written with its slash. Takes time in proportion to the text.
 *
 * @throws TypeError for a name that no line can give
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
  checkValue('The names of commands', names, commandNames);
  const lines = splitLines(body);
  const named = lines.flatMap(({ text }, line) =>
    readCommand(text, names).map((read) => ({ ...read, line })),
  );
  if (named.length === 0) return { commands: [], rest: body };
  const starts = named.map(({ line }) => lines[line]?.start ?? 0);
  const shown = pickProse(body, { places: starts, of: 'lines' });
  const commands = named.filter((_, index) => shown.has(starts[index] ?? -1));
  if (commands.length === 0) return { commands, rest: body };
  const given = new Set(commands.map(({ line }) => line));
  const others = lines.filter((_, line) => !given.has(line));
  return { commands, rest: others.map(({ text }) => text).join('\n') };
}

const commandNames = expectList(expected.commandName);

/** The command that a line would give where it is prose: none or one. */
function readCommand<Name extends string>(
  written: string,
  names: readonly Name[],
): readonly Omit<Command<Name>, 'line'>[] {
  const found = /^[/／](\S{1,64})(?!\S)/.exec(written);
  if (found === null) return [];
  const [{ length }, word = ''] = found;
  const plain = toPlainName(word);
  const name = names.find((one) => toPlainName(one.replace(/^[/／]/, '')) === plain);
  return name === undefined ? [] : [{ name, argument: written.slice(length).trim(), written }];
}

function toPlainName(word: string): string {
  return word.replace(/[\uff01-\uff5e]/g, toHalfWidth).toLowerCase();
}

function toHalfWidth(sign: string): string {
  return String.fromCharCode(sign.charCodeAt(0) - 0xfee0);
}

/**
 * Tells whether a comment speaks to an account: `@name` in its prose. Case does not matter; letters of other scripts may stand
 * beside it, as in Japanese. Nothing is a mention in code, in a quote, in a link or an address, in HTML, in a comment of HTML
 * or behind a backslash, nor where the name goes on: `@name-2`, `@name/team`. An app's `[bot]` may be left out. Takes
 * time in proportion to the text.
 *
 * @example
 * isMentioned('@robot could you fix this?', 'robot'); // true
 *
 * @see https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#mentioning-people-and-teams
 */
export function isMentioned(body: string, login: string): boolean {
  const name = login.replace(/\[bot\]$/u, '').replace(/[^\w-]/g, String.raw`\$&`);
  // Without the flag u no letter beyond ASCII is taken for one of a name.
  const plain = String.raw`@${name}(?![\w@/-]|\.+[\w-])`;
  const slanted = String.raw`_{1,3}@${name}_{1,3}(?![\w@/-])`;
  const mention = new RegExp(String.raw`(?<![\w@.=&#+\\-])(?:${plain}|${slanted})`, 'gi');
  const written = [...body.matchAll(mention)].map(({ index }) => index);
  if (written.length === 0) return false;
  const addresses = [...body.matchAll(/(?:https?:\/\/|www\.)\S*/gi)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
  return pickProse(body, { places: dropCovered(written, addresses), of: 'words' }).size > 0;
}
