import type { Comment } from './model.ts';

/** The agent's own account, as far as it is known. */
export interface BotIdentity {
  /** The platform's number as text. */
  readonly id: string | null;
  readonly login: string | null;
}

/** A comment that the agent posted. */
export interface PostedComment {
  readonly id: string;
  /** Its words, without what no page shows. */
  readonly text: string;
  /** What is longer than this does not say the same: it is not read. */
  readonly maxChars: number;
  /** Milliseconds of a clock that never goes back. */
  readonly at: number;
}

/** Whether the account wrote the comment: by number where both are known, else by name. @see decision X2 */
export function isByBot({ author }: Comment, bot: BotIdentity): boolean {
  if (author === null) return false;
  if (bot.id !== null && author.id !== '') return author.id === bot.id;
  return bot.login !== null && normalizeLogin(author.login) === normalizeLogin(bot.login);
}

/** Names compare without case and without the `[bot]` that only one of GitHub's interfaces shows. */
export function normalizeLogin(login: string): string {
  return login.toLowerCase().replace(/\[bot\]$/, '');
}

const echoWindowMs = 10 * 60_000;
/** Room for what a platform or an app puts beside the words. */
const markChars = 1_000;

/** What the agent says, as it is compared with what is listed later. `at` is by a clock that never goes back. */
export function toPosted(
  { id, body }: { readonly id: string; readonly body: string },
  at: number,
): PostedComment {
  const text = plainBody(body);
  return { id, text, maxChars: 2 * body.length + markChars, at };
}

/** Whether the comment says just what the agent said in the last ten minutes. @see decision B7 */
export function repeatsOwnPost(
  { body }: Comment,
  { posted, now }: { readonly posted: readonly PostedComment[]; readonly now: number },
): boolean {
  const near = posted.filter(({ maxChars, at }) => now - at <= echoWindowMs && body.length <= maxChars);
  if (near.length === 0) return false;
  const said = plainBody(body);
  return near.some(({ text }) => text === said);
}

function plainBody(body: string): string {
  const [first = '', ...rest] = body.split('<!--');
  const visible = rest.map((part) => (part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : ''));
  return [first, ...visible].join('').normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}
