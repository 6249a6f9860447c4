import { findChatCode, removeHidden, stripEscapes } from '@agent/text';
import { checkOptions, type Expectation, expected, expectPort } from '@agent/text/options';

/** Finds the names of ids; null for an id that is not known. */
export interface NameLookup {
  readonly user: (id: string) => string | null;
  readonly role: (id: string) => string | null;
  readonly channel: (id: string) => string | null;
}

/** Options of the conversion of a Discord text to one that a model reads. */
export interface ReadableTextOptions {
  readonly lookup: NameLookup;
  /** Mentions of this account stay as they are. Empty if it is not known. */
  readonly botUserId: string;
  /** Called with each name and the markup that it replaces. */
  readonly onName?: ((name: string, markup: string) => void) | undefined;
}

const expectations = {
  lookup: expectPort('user', 'role', 'channel'),
  botUserId: { isMet: (value) => typeof value === 'string', text: 'a text, empty if it is not known' },
  onName: expected.function,
} as const satisfies Record<keyof ReadableTextOptions, Expectation>;

/** @see https://docs.discord.com/developers/reference#message-formatting */
const markup =
  /<(?:@!?(?<user>\d+)|@&(?<role>\d+)|#(?<channel>\d+)|a?:(?<emoji>\w+):\d+|t:(?<seconds>-?\d{1,13})(?::(?<style>\w))?|\/(?<command>[^<>:\n]+):\d+|id:(?<page>\w+))>/g;

/**
 * Replaces Discord's markup with the text that people see: `@bob`, `#general`, `:wave:`, `2026-01-05 09:30 UTC`. Code keeps it, as on
 * Discord.
 *
 * @example
 * toReadableText('what did <@1457523995443200006> promise?', options); // 'what did @bob promise?'
 */
export function toReadableText(text: string, options: ReadableTextOptions): string {
  checkOptions('ReadableTextOptions', options, expectations, ['lookup', 'botUserId']);
  if (!text.includes('<')) return text;
  return mapProse(text, (prose) =>
    prose.replace(markup, (written, ...rest) => {
      const found = rest.at(-1) as Readonly<Record<string, string | undefined>>;
      return toName(written, found, options) ?? written;
    }),
  );
}

function toName(
  written: string,
  found: Readonly<Record<string, string | undefined>>,
  { lookup, botUserId, onName = () => {} }: ReadableTextOptions,
): string | null {
  const { user, role, channel, emoji, seconds, style, command, page } = found;
  if (user === botUserId) return null;
  if (seconds !== undefined) return toTime(Number(seconds), style);
  if (command !== undefined) return `/${command}`;
  if (page !== undefined) return `#${page}`;
  const [name, id] =
    emoji !== undefined
      ? [`:${emoji}:`, written]
      : user !== undefined
        ? [mark('@', lookup.user(user)), `<@${user}>`]
        : role !== undefined
          ? [mark('@', lookup.role(role)), written]
          : [mark('#', lookup.channel(channel ?? '')), written];
  if (name !== null) onName(name, id);
  return (
    name ??
    (channel === undefined ? (role === undefined ? '@unknown-user' : '@unknown-role') : '#unknown-channel')
  );
}

function mark(sign: '@' | '#', name: string | null): string | null {
  const plain = name === null ? '' : toOneLine(name);
  return plain === '' ? null : `${sign}${plain.startsWith(sign) ? plain.slice(1) : plain}`;
}

/** Null for a time that no calendar has. */
function toTime(seconds: number, style: string | undefined): string | null {
  const date = new Date(seconds * 1_000);
  if (Number.isNaN(date.getTime())) return null;
  const iso = date.toISOString();
  const day = iso.slice(0, iso.indexOf('T'));
  const time = iso.slice(iso.indexOf('T') + 1);
  return `${day} ${time.slice(0, style === 'T' || style === 'S' ? 8 : 5)} UTC`;
}

/** Changes the parts of a text that are no code. */
export function mapProse(text: string, change: (prose: string) => string): string {
  let result = '';
  let reached = 0;
  for (const { start, end } of findChatCode(text)) {
    result += change(text.slice(reached, start)) + text.slice(start, end);
    reached = end;
  }
  return result + change(text.slice(reached));
}

/** A name on one line, without characters that are invisible. */
export function toOneLine(name: string): string {
  return removeHidden(toPlainLine(name)).replace(/\s+/g, ' ').trim();
}

/** A text on one line, that cannot command the terminal that shows it. */
export function toPlainLine(text: string): string {
  return stripEscapes(text).replace(/\p{Cc}+/gu, ' ');
}
