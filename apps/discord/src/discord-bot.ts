import type { LanguageModel } from 'ai';
import { BotError } from './bot-error.ts';
import { loadTerminalTexts } from './cli/command-io.ts';
import { createModel } from './create-model.ts';
import type { IncomingMessage } from './message/incoming-message.ts';
import type { Place, Surroundings } from './place/place.ts';
import { parseSettings, readInstructions } from './settings/parse-settings.ts';
import { type RunningBot, startBot } from './start-bot.ts';

/** A model of the AI SDK: version 2 of its specification, or newer. */
export interface BotModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
}

/** Receives what the bot reports: fields, then a constant message. Never a text of a user, and no token. */
export interface BotLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Options of `DiscordBot`. */
export interface DiscordBotOptions {
  /** Token of the bot. Default: `environment.DISCORD_TOKEN`. */
  readonly token?: string | undefined;
  /** Answers. Default: the model that the environment names, LM Studio without a name. */
  readonly model?: BotModel | undefined;
  /** Settings by the names of the variables that `agent-discord` reads; others are ignored. Default: none, so each has its default. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Default: silent. */
  readonly logger?: BotLogger | undefined;
}

/** One call of `start`, up to its `stop`. */
interface Attempt {
  readonly running: Promise<RunningBot>;
  readonly stopping: AbortController;
}

const silent: BotLogger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * A bot that answers in Discord threads, inside your program.
 *
 * @example
 * const bot = new DiscordBot({ token: process.env.DISCORD_TOKEN, model: openai('gpt-5') });
 * await bot.start();
 * await bot.stop();
 */
export class DiscordBot {
  readonly #start: (signal: AbortSignal) => Promise<RunningBot>;
  #attempt: Attempt | null = null;
  #stopped: Promise<void> = Promise.resolve();
  #running: RunningBot | null = null;

  constructor({ token, model, environment = {}, logger = silent }: DiscordBotOptions = {}) {
    this.#start = async (signal) => {
      const texts = await loadTerminalTexts(environment);
      const all = { ...environment, ...(token && { DISCORD_TOKEN: token }) };
      const settings = await readInstructions(parseSettings(all, texts));
      // A structural type for the declarations, which name no other package.
      const asked = await createModel(settings, { model: model as LanguageModel | undefined });
      return startBot({ settings, model: asked, logger, loginTexts: texts, signal });
    };
  }

  /**
   * Logs in and begins to answer. Repeating it changes nothing while the bot starts or runs. After a failure, a lost session or
   * `stop`, it logs in again.
   *
   * @throws BotError `settings` if a setting is wrong or the token is missing; `login` if Discord refuses the token; `discord-temporary` if it has not answered for 15 minutes; `stopped` if `stop` was called meanwhile
   */
  async start(): Promise<void> {
    const attempt = this.#attempt ?? this.#begin();
    this.#attempt = attempt;
    try {
      this.#running = await attempt.running;
    } catch (error) {
      if (this.#attempt === attempt) this.#attempt = null;
      throw error;
    }
  }

  #begin(): Attempt {
    const stopping = new AbortController();
    const running = this.#stopped.catch(() => {}).then(() => this.#start(stopping.signal));
    const attempt = { running, stopping };
    const clear = async (): Promise<void> => {
      if (this.#attempt === attempt) await this.stop();
    };
    // A failure to start is reported by `start`, a failure to stop by `stop`.
    running.then(({ lost }) => lost.catch(clear)).catch(() => {});
    return attempt;
  }

  /** The account that answers. @throws TypeError before `start` */
  get account(): { readonly id: string; readonly name: string } {
    return this.#require().bot;
  }

  /** Rejects if Discord ends the session for good. @throws TypeError before `start` */
  get lost(): Promise<never> {
    return this.#require().lost;
  }

  /** Lets the answers under way finish, for at most `SHUTDOWN_SECONDS`, and leaves Discord. Aborts a `start` that has not finished. */
  stop(): Promise<void> {
    const attempt = this.#attempt;
    this.#attempt = null;
    if (attempt !== null) this.#stopped = endAttempt(attempt);
    return this.#stopped;
  }

  /** @internal Receives a message, as the gateway brings it. */
  onMessageCreate(message: IncomingMessage, around: Surroundings): void {
    this.#require().handler.onMessageCreate(message, around);
  }

  /** @internal Tells whether a message is for the bot. */
  shouldHandle(message: IncomingMessage): boolean {
    return this.#require().handler.shouldHandle(message);
  }

  /** @internal Opens the place where a message is answered. */
  ensureThread(message: IncomingMessage, around: Surroundings): Promise<Place> {
    return this.#require().handler.ensureThread(message, around);
  }

  /** @internal Posts an answer. */
  postReply(place: Place, text: string): Promise<void> {
    return this.#require().handler.postReply(place, text);
  }

  #require(): RunningBot {
    if (this.#running === null) throw new TypeError('DiscordBot: call start() first');
    return this.#running;
  }
}

async function endAttempt({ running, stopping }: Attempt): Promise<void> {
  stopping.abort(new BotError('stopped', 'the bot was stopped before it had started'));
  await (await running.catch(() => null))?.stop();
}
