import type { CommentChange } from './changes.ts';
import type { DetectionSettings } from './comment-detection-options.ts';
import { type BotArrival, findNoisyBots, isOtherBot, recentArrivals } from './loop-breaker.ts';
import type { Comment } from './model.ts';
import {
  type BotIdentity,
  isByBot,
  normalizeLogin,
  type PostedComment,
  repeatsOwnPost,
  toPosted,
} from './own-comments.ts';

export interface AuthorFilterOptions {
  readonly settings: DetectionSettings;
  readonly isOwnComment: ((comment: Comment) => boolean) | undefined;
  readonly monotonicNow: () => number;
  /** Told once of a bot that says too much, until it was quieter. */
  readonly onNoisyBot: (login: string) => void;
}

/** Knows who is speaking: the agent itself, somebody who is ignored, a bot that says too much, or anybody else. */
export class AuthorFilter {
  readonly #options: AuthorFilterOptions;
  readonly #bot: BotIdentity;
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

  /** Whether the agent wrote it. With an unknown account, what it said in the last ten minutes counts. */
  isOwn(comment: Comment, ownIds: ReadonlySet<string>): boolean {
    const { isOwnComment, monotonicNow } = this.#options;
    if (ownIds.has(comment.id) || isOwnComment?.(comment)) return true;
    const accountKnown = this.#bot.id !== null || this.#bot.login !== null;
    if (accountKnown) return isByBot(comment, this.#bot);
    return repeatsOwnPost(comment, { posted: this.#posted, now: monotonicNow() });
  }

  isIgnored({ author }: Comment): boolean {
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

  /** Whether what it says is held back for now. */
  isHeldBack({ author }: Comment): boolean {
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
