import type { CallOptions } from '@agent/platforms';
import {
  type ClientContext,
  client,
  methods,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk';
import { sleepBySystem, withTimeout } from '../call-limits.ts';
import { type AcpExecutorOptions, chooseSteering, type SteeringWay } from './acp-options.ts';
import { AgentStream } from './agent-stream.ts';
import { EventQueue } from './event-queue.ts';
import { AgentFailure, type ExecutorEvent, type OpenedSession, type OpenOptions } from './executor.ts';
import { answerPermission, readPermissionRequest } from './permission-policy.ts';
import { PromptsUnderWay } from './prompts-under-way.ts';
import { readAgent, readInitialized, readSessionId, readSteeringOutcome, toFailure } from './read-answers.ts';
import { SessionCost } from './session-cost.ts';
import { readNotification, readText, SessionUpdates, type Update } from './session-updates.ts';
import type { AgentProcess } from './start-agent.ts';

/** Code of the protocol for what is not there; not all agents use it. */
const unknownSession = RequestError.resourceNotFound().code;

/** Milliseconds that an agent whose output has ended may take to end. */
const lastWordsMs = 2_000;
/** Characters of a replay that are kept; a longer one is no conversation that anybody had. */
const maxReplayedChars = 16_000_000;

/** One process of an agent, from its start to its end. Nothing that it says is believed to fit the protocol. */
export class AcpConnection {
  readonly #process: AgentProcess;
  readonly #options: AcpExecutorOptions;
  readonly #stream: AgentStream;
  readonly #agent: ClientContext;
  readonly #closeStream: () => void;
  readonly #failed: Promise<never>;
  readonly #events: EventQueue;
  readonly #prompts: PromptsUnderWay;
  #updates: SessionUpdates;
  #sessionId: string | null = null;
  /** Words of the user that are replayed; null while no session is loaded. */
  #replayed: { texts: string[]; chars: number } | null = null;
  #way: SteeringWay = 'wait';
  #asks = 0;
  #isCanceled = false;
  #signIn: readonly string[] = [];

  constructor(process: AgentProcess, options: AcpExecutorOptions) {
    this.#process = process;
    this.#options = options;
    this.#updates = this.#beginUpdates(0);
    this.#events = new EventQueue({ onRoom: () => this.#stream.readOn() });
    this.#prompts = new PromptsUnderWay((answer) =>
      answer instanceof AgentFailure
        ? this.#events.fail(answer)
        : this.#events.add(this.#updates.endTurn(answer)),
    );
    // An answer may wait behind events that nobody reads before it is there.
    this.#stream = new AgentStream(process, {
      hasRoom: () => this.#events.hasRoom || this.#asks > 0,
      onUpdate: (params) => {
        const told = readNotification(params);
        if (told !== null && told.sessionId === this.#sessionId) this.#hear(told.update);
      },
    });
    const app = client({ name: 'agent-runner' }).onRequest(
      methods.client.session.requestPermission,
      (params: unknown) => params,
      ({ params }) => this.#permit(params),
    );
    const connected = app.connect(this.#stream.stream);
    this.#agent = connected.agent;
    this.#closeStream = () => connected.close();
    this.#failed = process.ended.then((said) => {
      throw new AgentFailure(`The agent exited: ${said}.`, { code: 'ended', said });
    });
    this.#failed.catch((failure: AgentFailure) => this.#events.fail(failure));
  }

  /** @returns null where the agent does not load the session, for a reason that may pass */
  async open(
    session: string | null,
    { signal, costMicros = 0, isLastTry }: OpenOptions & { readonly isLastTry: boolean },
  ): Promise<OpenedSession | null> {
    const answer = await this.#request(
      methods.agent.initialize,
      {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: 'agent-runner', version: '0.0.0' },
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      },
      { signal },
    );
    const initialized = readInitialized(answer, PROTOCOL_VERSION);
    const { steering = 'auto', rules } = this.#options;
    this.#way = steering === 'auto' ? chooseSteering(initialized) : steering;
    this.#signIn = initialized.authMethods.map(({ name }) => name).filter((name) => name !== '');
    const agent = readAgent(initialized);
    const replays = initialized.agentCapabilities?.loadSession === true;
    const place = { cwd: rules.directory, mcpServers: [] };
    if (session !== null && replays) {
      this.#updates = this.#beginUpdates(costMicros);
      const userText = await this.#load(session, { place, signal });
      if (typeof userText === 'string') return { id: session, isKept: true, userText, agent };
      if (!userText.isUnknown && !isLastTry) return null;
    }
    this.#updates = this.#beginUpdates(0);
    const id = readSessionId(await this.#request(methods.agent.session.new, place, { signal }));
    this.#sessionId = id;
    return { id, isKept: false, userText: replays ? '' : null, agent };
  }

  /** Loads a session. @returns what the agent replays of the user; where it does not load it, whether it says that it does not know it */
  async #load(
    sessionId: string,
    { place, signal }: CallOptions & { readonly place: object },
  ): Promise<string | { readonly isUnknown: boolean }> {
    this.#sessionId = sessionId;
    const replayed = { texts: [], chars: 0 };
    this.#replayed = replayed;
    try {
      await this.#request(methods.agent.session.load, { ...place, sessionId }, { signal });
      return replayed.texts.join('');
    } catch (error) {
      if (!(AgentFailure.isInstance(error) && error.code === 'refused')) throw error;
      this.#options.logger?.warn({ err: error }, 'failed to load agent session');
      return { isUnknown: error.cause instanceof RequestError && error.cause.code === unknownSession };
    } finally {
      this.#replayed = null;
    }
  }

  async *turn(texts: readonly string[], { signal }: CallOptions): AsyncIterable<ExecutorEvent> {
    const { sleep = sleepBySystem, cancelTimeoutMs = 10_000 } = this.#options;
    this.#isCanceled = false;
    this.#prompt(texts);
    const ended = new AbortController();
    void onceAborted(signal, ended.signal)
      .then(async () => {
        this.#cancel();
        await sleep(cancelTimeoutMs, { signal: ended.signal });
        this.#events.fail(
          new AgentFailure('The agent continued although its turn was canceled.', { code: 'silent' }),
        );
      })
      .catch(() => undefined);
    try {
      for (;;) {
        const event = await this.#events.next();
        yield event;
        if (event.type === 'end') return;
      }
    } finally {
      ended.abort();
    }
  }

  async steer(text: string, { signal }: CallOptions): Promise<'handed' | 'later' | 'unsure'> {
    if (this.#prompts.isEmpty) return 'later';
    switch (this.#way) {
      case 'steering':
        return this.#inject(text, signal);
      case 'prompt':
        this.#prompt([text]);
        return 'handed';
      case 'cancel':
        this.#cancel();
        return 'later';
      case 'wait':
        return 'later';
    }
  }

  async close(): Promise<void> {
    this.#events.fail(new AgentFailure('The agent was closed.', { code: 'ended' }));
    await this.#process.end();
    this.#closeStream();
  }

  async #inject(text: string, signal: AbortSignal | undefined): Promise<'handed' | 'later' | 'unsure'> {
    const message = {
      sessionId: this.#sessionId,
      prompt: toBlocks([text]),
      _meta: { steering: { idleBehavior: 'promptRequired' } },
    };
    const { steerTimeoutMs = 10_000 } = this.#options;
    try {
      const answer = await this.#request('_session/steering', message, { signal, timeoutMs: steerTimeoutMs });
      const outcome = readSteeringOutcome(answer);
      if (outcome !== null) return outcome === 'promptRequired' ? 'later' : 'handed';
      this.#way = 'wait';
      return 'unsure';
    } catch (error) {
      const isUnsure =
        AgentFailure.isInstance(error) && (error.code === 'refused' || error.code === 'silent');
      if (!isUnsure) throw error;
      this.#options.logger?.warn({ err: error }, 'failed to send message to running agent');
      this.#way = 'wait';
      return 'unsure';
    }
  }

  #prompt(texts: readonly string[]): void {
    const asked = this.#agent.request<unknown>(methods.agent.session.prompt, {
      sessionId: this.#sessionId,
      prompt: toBlocks(texts),
    });
    const answered = asked.catch((error: unknown) => this.#explain(error, { isTurn: true }));
    void this.#prompts.follow(answered).then(({ isRefused }) => {
      // It refuses a prompt while it works: what is said next waits for the end of the turn.
      if (isRefused) this.#way = 'wait';
    });
  }

  /** Its output ends before the process does, which says why. */
  async #explain(error: unknown, { isTurn = false } = {}): Promise<AgentFailure> {
    const failure = toFailure(error, { signIn: this.#signIn, isTurn });
    if (AgentFailure.isInstance(error) || failure.code !== 'ended') return failure;
    const over = new AbortController();
    const { sleep = sleepBySystem } = this.#options;
    const grace = sleep(lastWordsMs, { signal: over.signal }).then(() => failure);
    const explained = await Promise.race([this.#failed, grace]).catch((why) =>
      toFailure(why, { signIn: this.#signIn }),
    );
    over.abort();
    grace.catch(() => undefined);
    return explained;
  }

  #cancel(): void {
    this.#isCanceled = true;
    this.#agent.notify(methods.agent.session.cancel, { sessionId: this.#sessionId }).catch(() => undefined);
  }

  /** Hears an update: of a replay, of a turn, or of none, when only what it cost matters. */
  #hear(update: Update): void {
    if (this.#replayed !== null && update.sessionUpdate === 'user_message_chunk') {
      const text = readText(update) ?? '';
      this.#replayed.chars += text.length;
      if (this.#replayed.chars <= maxReplayedChars) this.#replayed.texts.push(text);
      return;
    }
    const isOfTurn = this.#replayed === null && !this.#prompts.isEmpty;
    if (isOfTurn || update.sessionUpdate === 'usage_update') this.#events.add(this.#updates.take(update));
  }

  async #permit(params: unknown) {
    const request = readPermissionRequest(params);
    const isOfTurn = request?.sessionId === this.#sessionId && !this.#prompts.isEmpty;
    const canceled = { outcome: { outcome: 'cancelled' as const } };
    if (this.#isCanceled && isOfTurn) return canceled;
    if (request !== null && isOfTurn) this.#hear(request.update);
    const { response, refused } =
      request !== null && isOfTurn
        ? await answerPermission(request, this.#options.rules)
        : { response: canceled, refused: 'it does not belong to a running turn' };
    const refusal = { type: 'refusal' as const, tool: request?.tool ?? 'tool', reason: refused ?? '' };
    this.#events.add([refused === null ? { type: 'activity' } : refusal]);
    return response;
  }

  #beginUpdates(knownMicros: number): SessionUpdates {
    const { currency = null } = this.#options;
    return new SessionUpdates(new SessionCost({ knownMicros, currency }));
  }

  async #request(
    method: string,
    params: object,
    { signal, timeoutMs = this.#options.answerTimeoutMs ?? 120_000 }: CallOptions & { timeoutMs?: number },
  ): Promise<unknown> {
    const { sleep = sleepBySystem } = this.#options;
    this.#asks += 1;
    this.#stream.readOn();
    const asked = () => Promise.race([this.#agent.request<unknown>(method, params), this.#failed]);
    const result = await withTimeout(asked, { timeoutMs, sleep, signal })
      .catch(async (error: unknown) => {
        throw await this.#explain(error);
      })
      .finally(() => {
        this.#asks -= 1;
      });
    if (result.kind === 'done') return result.value;
    if (result.kind === 'aborted') throw new AgentFailure('The agent was closed.', { code: 'ended' });
    const said = `${method}: ${Math.round(timeoutMs / 1_000)} s`;
    throw new AgentFailure(`The agent did not answer (${said}).`, { code: 'silent', said });
  }
}

function toBlocks(texts: readonly string[]): { type: 'text'; text: string }[] {
  return texts.map((text) => ({ type: 'text', text }));
}

/** Resolves when a signal is aborted; never after `ended`. */
function onceAborted(signal: AbortSignal | undefined, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    else signal?.addEventListener('abort', () => resolve(), { once: true, signal: ended });
  });
}
