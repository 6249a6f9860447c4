import type { CallOptions } from '@agent/platforms';
import type { CommentChange } from './changes.ts';
import type { CommentAuthor, SourceComment } from './comment.ts';
import type { DetectionSettings } from './comment-detection-options.ts';

export interface AuthorFilterOptions {
  readonly settings: DetectionSettings;
  readonly isOwnComment: ((comment: SourceComment) => boolean) | undefined;
  readonly monotonicNow: () => number;
  /** Finds the agent's own account, if no option names it. Default: not found. */
  readonly findOwnAccount?: ((options: CallOptions) => Promise<CommentAuthor | null>) | undefined;
  /** Called if `findOwnAccount` found none. */
  readonly onUnknownAccount?: (() => void) | undefined;
  /** Told once of a bot that says too much, until it was quieter. */
  readonly onNoisyBot: (login: string) => void;
}

/** Knows who is speaking: the agent itself, somebody who is ignored, a bot that says too much, or anybody else. */
export class AuthorFilter {
  readonly #options: AuthorFilterOptions;
  #bot: BotIdentity;
  #isAccountSought = false;
  readonly #ignored: ReadonlySet<string>;
  #posted: readonly PostedComment[] = [];
  #arrivals: readonly BotArrival[] = [];
  #noisy: ReadonlySet<string> = new Set();

  constructor(options: AuthorFilterOptions) {
    const { botId, botUsername, ignoreUsers } = options.settings;
    this.#options = options;
    this.#bot = { id: botId, login: botUsername };
    this.#ignored = new Set(ignoreUsers.map(normalizeLogin));
  }

  /** Login of the agent's own account, as far as it is known. */
  get login(): string | null {
    return this.#bot.login;
  }

  /** Finds the own account once, if no option names it. Rejects if it could not be asked for. */
  async findAccount(options: CallOptions): Promise<void> {
    const { findOwnAccount, onUnknownAccount } = this.#options;
    if (findOwnAccount === undefined || this.#isAccountSought) return;
    const account = await findOwnAccount(options);
    this.#isAccountSought = true;
    if (account === null) onUnknownAccount?.();
    else this.#bot = { id: account.id === '' ? null : account.id, login: account.login };
  }

  /** Tells whether the agent wrote it. With an unknown account, what it said in the last ten minutes counts. */
  isOwn(comment: SourceComment, ownIds: ReadonlySet<string>): boolean {
    const { isOwnComment, monotonicNow } = this.#options;
    if (ownIds.has(comment.id) || isOwnComment?.(comment)) return true;
    const accountKnown = this.#bot.id !== null || this.#bot.login !== null;
    if (accountKnown) return isByBot(comment, this.#bot);
    return repeatsOwnPost(comment, { posted: this.#posted, now: monotonicNow() });
  }

  isIgnored({ author }: SourceComment): boolean {
    return author !== null && this.#ignored.has(normalizeLogin(author.login));
  }

  recordPosted(comment: { readonly id: string; readonly body: string }): void {
    this.#posted = [...this.#posted.slice(-99), toPosted(comment, this.#options.monotonicNow())];
  }

  /** Takes note of what other bots said. */
  recordArrivals(found: readonly CommentChange[]): void {
    const at = this.#options.monotonicNow();
    const arrived = found.flatMap(({ kind, comment: { author } }) =>
      kind === 'added' && isOtherBot(author) ? [{ login: author.login, at }] : [],
    );
    this.#arrivals = [...this.#arrivals, ...arrived];
    this.#listen();
  }

  /** Tells whether what it says is held back for now. */
  isHeldBack({ author }: SourceComment): boolean {
    if (this.#arrivals.length > 0) this.#listen();
    return author !== null && this.#noisy.has(author.login);
  }

  #listen(): void {
    this.#arrivals = recentArrivals(this.#arrivals, this.#options.monotonicNow());
    const noisy = findNoisyBots(this.#arrivals);
    for (const login of noisy) if (!this.#noisy.has(login)) this.#options.onNoisyBot(login);
    this.#noisy = noisy;
  }
}

/** When a comment of another bot was first seen; milliseconds of a clock that never goes back. */
interface BotArrival {
  readonly login: string;
  readonly at: number;
}

const windowMs = 10 * 60_000;

const maxArrivals = 20;

function isOtherBot(author: CommentAuthor | null): author is CommentAuthor {
  return author !== null && (author.kind === 'bot' || /\[bot\]$/i.test(author.login));
}

/** The arrivals that still count. */
function recentArrivals(arrivals: readonly BotArrival[], now: number): readonly BotArrival[] {
  return arrivals.filter(({ at }) => now - at < windowMs);
}

/**
 * Bots of which more than 20 comments arrived within ten minutes: two programs that answer each other. What they
 * say is held back until they are quieter.
 *
 * @see decision B17
 */
function findNoisyBots(arrivals: readonly BotArrival[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { login } of arrivals) counts.set(login, (counts.get(login) ?? 0) + 1);
  return new Set([...counts].flatMap(([login, count]) => (count > maxArrivals ? [login] : [])));
}

/** The agent's own account, as far as it is known. */
interface BotIdentity {
  /** The platform's number as text. */
  readonly id: string | null;
  readonly login: string | null;
}

/** A comment that the agent posted. */
interface PostedComment {
  readonly id: string;
  /** Its words, without what no page shows. */
  readonly text: string;
  /** A body that is longer than this does not say the same: it is not read. */
  readonly maxChars: number;
  /** Milliseconds of a clock that never goes back. */
  readonly at: number;
}

/** Tells whether the account wrote the comment: by number where both are known, else by name. @see decision X2 */
function isByBot({ author }: SourceComment, bot: BotIdentity): boolean {
  if (author === null) return false;
  if (bot.id !== null && author.id !== '') return author.id === bot.id;
  return bot.login !== null && normalizeLogin(author.login) === normalizeLogin(bot.login);
}

/** Names compare without case and without the `[bot]` that only one of GitHub's interfaces shows. */
function normalizeLogin(login: string): string {
  return login.toLowerCase().replace(/\[bot\]$/, '');
}

const echoWindowMs = 10 * 60_000;

/** Room for what a platform or an app puts beside the words. */
const markChars = 1_000;

/** Words of the agent, as they are compared with what is listed later. `at` is by a clock that never goes back. */
function toPosted({ id, body }: { readonly id: string; readonly body: string }, at: number): PostedComment {
  const text = plainBody(body);
  return { id, text, maxChars: 2 * body.length + markChars, at };
}

/** Tells whether the comment says just what the agent said in the last ten minutes. @see decision B7 */
function repeatsOwnPost(
  { body }: SourceComment,
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
