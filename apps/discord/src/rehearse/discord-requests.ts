import { z } from 'zod';

const messageSchema = z.object({
  id: z.string(),
  channel_id: z.string(),
  type: z.number(),
  content: z.string(),
  author: z.object({ id: z.string(), bot: z.boolean().nullish() }),
  message_reference: z.object({ message_id: z.string().nullish() }).nullish(),
  reactions: z
    .array(z.object({ me: z.boolean(), emoji: z.object({ name: z.string().nullable() }) }))
    .nullish(),
});

/** A message as Discord lists it. */
export type ListedMessage = z.infer<typeof messageSchema>;

const accountSchema = z.object({ id: z.string(), username: z.string() });
const applicationSchema = z.object({ id: z.string(), flags: z.number().nullish() });

/** A token in a header. Errors of `fetch` quote any other header. */
const tokenFormat = /^[\x21-\x7e]+$/;

const unknownChannel = 10_003;
const unknownMessage = 10_008;

/** Request that Discord refused or did not answer. */
export class DiscordRequestError extends Error {
  override readonly name = 'DiscordRequestError';
  /** Null: no answer arrived. */
  readonly status: number | null;
  /** Discord's own code; null for none. */
  readonly code: number | null;

  constructor(
    message: string,
    details: ErrorOptions & { readonly status: number | null; readonly code: number | null },
  ) {
    super(message, details);
    this.status = details.status;
    this.code = details.code;
  }

  /** True if the channel or message does not exist. */
  get isGone(): boolean {
    return this.status === 404 && (this.code === unknownChannel || this.code === unknownMessage);
  }
}

/** Options of requests to Discord. */
export interface DiscordRequestsOptions {
  /** `https://discord.com/api`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Ends requests and waits. */
  readonly signal: AbortSignal;
}

/** Times that one request is sent while Discord limits it. */
const maxTries = 5;
/** Waits before a request that Discord failed to answer is sent again, in milliseconds. */
const retryWaitsMs = [1_000, 2_000];
/** Longest wait for one rate limit, in milliseconds. */
const maxWaitMs = 60_000;
const timeoutMs = 20_000;

/** Requests of a rehearsal to Discord, with the token of the bot. */
export class DiscordRequests {
  readonly #options: DiscordRequestsOptions;

  constructor(options: DiscordRequestsOptions) {
    this.#options = { ...options, token: options.token.replace(/^(?:Bot|Bearer) /, '') };
  }

  /** Reads the account of the bot, and the difference between the clocks in milliseconds; null without a `Date` header. */
  async readAccount(now: () => number) {
    const response = await this.#send('GET', '/users/@me');
    const date = Date.parse(response.headers.get('date') ?? '');
    const aheadMs = Number.isNaN(date) ? null : now() - date;
    return { ...accountSchema.parse(await response.json()), aheadMs };
  }

  async readApplication() {
    return applicationSchema.parse(await (await this.#send('GET', '/applications/@me')).json());
  }

  /** Lists the newest messages of a channel or thread, newest first; null if it does not exist. */
  async listMessages(channelId: string): Promise<readonly ListedMessage[] | null> {
    try {
      const response = await this.#send('GET', `/channels/${channelId}/messages?limit=100`);
      return z.array(messageSchema).parse(await response.json());
    } catch (error) {
      if (error instanceof DiscordRequestError && error.isGone) return null;
      throw error;
    }
  }

  async deleteMessage(channelId: string, id: string): Promise<void> {
    await this.#remove(`/channels/${channelId}/messages/${id}`);
  }

  async deleteThread(threadId: string): Promise<void> {
    await this.#remove(`/channels/${threadId}`);
  }

  async archiveThread(threadId: string): Promise<void> {
    await this.#send('PATCH', `/channels/${threadId}`, { archived: true });
  }

  async #remove(path: string): Promise<void> {
    await this.#send('DELETE', path).catch((error: unknown) => {
      if (!(error instanceof DiscordRequestError && error.isGone)) throw error;
    });
  }

  /** @throws DiscordRequestError */
  async #send(method: string, path: string, body?: object): Promise<Response> {
    const { sleep, signal } = this.#options;
    for (let tried = 1; ; tried += 1) {
      signal.throwIfAborted();
      const response = await this.#sendUntilAnswered(method, path, body);
      if (response.ok) return response;
      const text = await response.text();
      const waitMs = response.status === 429 ? findWaitMs(response, text) : Number.POSITIVE_INFINITY;
      if (waitMs > maxWaitMs || tried === maxTries) throw toRefusal(response.status, text);
      await sleep(waitMs, signal);
    }
  }

  /** Sends a request again after a failure that another attempt may not meet: each request has the same effect twice. */
  async #sendUntilAnswered(method: string, path: string, body: object | undefined): Promise<Response> {
    const { sleep, signal } = this.#options;
    for (const waitMs of retryWaitsMs) {
      const response = await this.#sendOnce(method, path, body).catch((error: unknown) => {
        if (error instanceof DiscordRequestError && error.status === null) return null;
        throw error;
      });
      if (response !== null && response.status < 500) return response;
      await response?.body?.cancel();
      await sleep(waitMs, signal);
    }
    return this.#sendOnce(method, path, body);
  }

  async #sendOnce(method: string, path: string, body: object | undefined): Promise<Response> {
    const { apiUrl, token, fetch, signal } = this.#options;
    if (!tokenFormat.test(token))
      throw new DiscordRequestError('401 Unauthorized', { status: 401, code: null });
    try {
      return await fetch(`${apiUrl}/v10${path}`, {
        method,
        headers: {
          authorization: `Bot ${token}`,
          'user-agent': 'DiscordBot (agent-discord rehearse, 0)',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
    } catch (error) {
      signal.throwIfAborted();
      const { cause, message } = error as Error;
      const reason = cause instanceof Error ? cause.message || message : message;
      throw new DiscordRequestError(reason, { status: null, code: null, cause: error });
    }
  }
}

function findWaitMs({ headers }: Response, text: string): number {
  const seconds = Number(headers.get('retry-after') ?? readField(text, 'retry_after') ?? 1);
  return (Number.isNaN(seconds) ? 1 : seconds) * 1_000;
}

/** `403 Missing Permissions` */
function toRefusal(status: number, text: string): DiscordRequestError {
  const [message, code] = [readField(text, 'message'), readField(text, 'code')];
  const described =
    typeof message === 'string' ? `${status} ${message.replace(/^\d+: /, '')}` : String(status);
  return new DiscordRequestError(described, { status, code: typeof code === 'number' ? code : null });
}

function readField(text: string, name: string): unknown {
  try {
    return (JSON.parse(text) as Record<string, unknown>)[name] ?? null;
  } catch {
    return null;
  }
}
