import {
  type ClientContext,
  client,
  type InitializeResponse,
  methods,
  type NewSessionResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptResponse,
  RequestError,
  type SessionNotification,
} from '@agentclientprotocol/sdk';
import { sleepBySystem, withTimeout } from '../call-limits.ts';
import type { CallOptions } from '../ports.ts';
import { type AcpExecutorOptions, chooseSteering, type SteeringWay } from './acp-options.ts';
import { AgentFailure, type ExecutorEvent, type OpenedSession, type OpenOptions } from './executor.ts';
import { answerPermission } from './permission-policy.ts';
import { readPromptUsage, SessionUpdates, toTurnEnd } from './session-updates.ts';
import type { AgentProcess } from './start-agent.ts';

/** Code of the protocol for what is not there; not all agents use it. */
const unknownSession = RequestError.resourceNotFound().code;

/** Milliseconds that an agent whose output has ended may take to end. */
const lastWordsMs = 2_000;

/** One process of an agent, from its start to its end. */
export class AcpConnection {
  readonly #process: AgentProcess;
  readonly #options: AcpExecutorOptions;
  readonly #agent: ClientContext;
  readonly #closeStream: () => void;
  readonly #failed: Promise<never>;
  readonly #events = new EventQueue();
  readonly #prompts = new Set<Promise<PromptResponse>>();
  readonly #updates = new SessionUpdates();
  #sessionId = '';
  #way: SteeringWay = 'wait';

  constructor(process: AgentProcess, options: AcpExecutorOptions) {
    this.#process = process;
    this.#options = options;
    const app = client({ name: 'agent-runner' })
      .onNotification(methods.client.session.update, ({ params }) => this.#hear(params))
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        const { response, refused } = answerPermission(params, options.rules);
        const tool = params.toolCall.title ?? params.toolCall.kind ?? 'tool';
        if (refused !== null) this.#events.add([{ type: 'refusal', tool, reason: refused }]);
        return response;
      });
    const connected = app.connect(ndJsonStream(process.input, process.output));
    this.#agent = connected.agent;
    this.#closeStream = () => connected.close();
    this.#failed = process.ended.then((how) => {
      throw new AgentFailure(`The agent ended: ${how}.`, { code: 'ended' });
    });
    this.#failed.catch(() => undefined);
  }

  /** @returns null where the agent does not load the session, for a reason that may pass */
  async open(
    session: string | null,
    { signal, costMicros = 0, isLastTry }: OpenOptions & { readonly isLastTry: boolean },
  ): Promise<OpenedSession | null> {
    const clientInfo = { name: 'agent-runner', version: '0.0.0' };
    const initialized = await this.#ask(
      () =>
        this.#agent.request<InitializeResponse>(methods.agent.initialize, {
          protocolVersion: PROTOCOL_VERSION,
          clientInfo,
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        }),
      signal,
    );
    const { steering = 'auto', rules } = this.#options;
    this.#way = steering === 'auto' ? chooseSteering(initialized) : steering;
    const replays = initialized.agentCapabilities?.loadSession === true;
    const place = { cwd: rules.directory, mcpServers: [] };
    if (session !== null && replays) {
      this.#updates.begin(costMicros);
      const userText = await this.#load(session, { place, signal });
      if (typeof userText === 'string') return { id: session, isKept: true, userText };
      if (!userText.isUnknown && !isLastTry) return null;
      this.#updates.begin(0);
    }
    const created = await this.#ask(
      () => this.#agent.request<NewSessionResponse>(methods.agent.session.new, place),
      signal,
    );
    this.#sessionId = created.sessionId;
    return { id: created.sessionId, isKept: false, userText: replays ? '' : null };
  }

  /** Loads a session. @returns what the agent replays of the user; where it does not load it, whether it says that it does not know it */
  async #load(
    sessionId: string,
    {
      place,
      signal,
    }: CallOptions & { readonly place: { readonly cwd: string; readonly mcpServers: readonly never[] } },
  ): Promise<string | { readonly isUnknown: boolean }> {
    this.#sessionId = sessionId;
    try {
      await this.#ask(() => this.#agent.request(methods.agent.session.load, { ...place, sessionId }), signal);
    } catch (error) {
      if (!(AgentFailure.isInstance(error) && error.code === 'refused')) throw error;
      this.#options.logger?.warn({ err: error }, 'the agent did not load its session');
      return { isUnknown: error.cause instanceof RequestError && error.cause.code === unknownSession };
    }
    const replayed = this.#events.takeAll();
    // Calls that it leaves open belong to turns that are over.
    this.#updates.endTurn();
    return replayed.flatMap((event) => (event.type === 'user-text' ? [event.text] : [])).join('');
  }

  async *turn(texts: readonly string[], { signal }: CallOptions): AsyncIterable<ExecutorEvent> {
    const { sleep = sleepBySystem, cancelTimeoutMs = 10_000 } = this.#options;
    this.#prompt(texts);
    const ended = new AbortController();
    const whenCanceled = onceAborted(signal, ended.signal).then(async () => {
      this.#cancel();
      await sleep(cancelTimeoutMs, { signal: ended.signal });
      throw new AgentFailure('The agent went on although its turn was canceled.', { code: 'silent' });
    });
    whenCanceled.catch(() => undefined);
    try {
      for (;;) {
        const event = await Promise.race([this.#events.next(), this.#failed, whenCanceled]);
        yield event;
        if (event.type === 'end') return;
      }
    } finally {
      ended.abort();
    }
  }

  async steer(text: string, { signal }: CallOptions): Promise<'handed' | 'later' | 'unsure'> {
    if (this.#prompts.size === 0) return 'later';
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
    await this.#process.end();
    this.#closeStream();
  }

  async #inject(text: string, signal: AbortSignal | undefined): Promise<'handed' | 'later' | 'unsure'> {
    const message = {
      sessionId: this.#sessionId,
      prompt: toBlocks([text]),
      _meta: { steering: { idleBehavior: 'promptRequired' } },
    };
    try {
      const answer = await this.#ask(
        () => this.#agent.request<unknown>('_session/steering', message),
        signal,
      );
      const outcome = (answer as { readonly outcome?: unknown } | null)?.outcome;
      return outcome === 'promptRequired' ? 'later' : 'handed';
    } catch (error) {
      if (!(AgentFailure.isInstance(error) && error.code === 'refused')) throw error;
      this.#options.logger?.warn({ err: error }, 'the agent refused to be told something while it works');
      this.#way = 'wait';
      return 'unsure';
    }
  }

  #prompt(texts: readonly string[]): void {
    const request = this.#agent.request<PromptResponse>(methods.agent.session.prompt, {
      sessionId: this.#sessionId,
      prompt: toBlocks(texts),
    });
    this.#prompts.add(request);
    request.then(
      (response) => this.#settle(request, response),
      async (error: unknown) => this.#settle(request, await this.#explain(error)),
    );
  }

  /** A turn is over once all prompts that it took in are answered. */
  #settle(request: Promise<PromptResponse>, answer: PromptResponse | unknown): void {
    this.#prompts.delete(request);
    const response = isPromptResponse(answer) ? answer : null;
    const usage = response && readPromptUsage(response);
    if (usage) this.#events.add([{ type: 'usage', usage }]);
    if (this.#prompts.size > 0) {
      // It refuses a prompt while it works: what is said next waits for the end of the turn.
      if (response === null) this.#way = 'wait';
      return;
    }
    if (response === null) this.#events.fail(toFailure(answer));
    else
      this.#events.add([...this.#updates.endTurn(), { type: 'end', reason: toTurnEnd(response.stopReason) }]);
  }

  /** Its output ends before the process does, which says why. */
  async #explain(error: unknown): Promise<AgentFailure> {
    const failure = toFailure(error);
    if (AgentFailure.isInstance(error) || failure.code !== 'ended') return failure;
    const over = new AbortController();
    const { sleep = sleepBySystem } = this.#options;
    const grace = sleep(lastWordsMs, { signal: over.signal }).then(() => failure);
    const explained = await Promise.race([this.#failed, grace]).catch(toFailure);
    over.abort();
    grace.catch(() => undefined);
    return explained;
  }

  #cancel(): void {
    this.#agent.notify(methods.agent.session.cancel, { sessionId: this.#sessionId }).catch(() => undefined);
  }

  #hear({ sessionId, update }: SessionNotification): void {
    if (sessionId === this.#sessionId) this.#events.add(this.#updates.take(update));
  }

  async #ask<Answer>(request: () => Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
    const { answerTimeoutMs: timeoutMs = 120_000, sleep = sleepBySystem } = this.#options;
    const asked = () => Promise.race([request(), this.#failed]);
    const result = await withTimeout(asked, { timeoutMs, sleep, signal }).catch(async (error: unknown) => {
      throw await this.#explain(error);
    });
    if (result.kind === 'done') return result.value;
    if (result.kind === 'aborted') throw new AgentFailure('The agent was left.', { code: 'ended' });
    const seconds = Math.round(timeoutMs / 1_000);
    throw new AgentFailure(`The agent did not answer within ${seconds} seconds.`, { code: 'silent' });
  }
}

/** Events that wait to be read. */
class EventQueue {
  #waiting: ExecutorEvent[] = [];
  #failure: AgentFailure | null = null;
  #wake: (() => void) | null = null;

  add(events: readonly ExecutorEvent[]): void {
    this.#waiting.push(...events);
    if (events.length > 0) this.#wake?.();
  }

  fail(failure: AgentFailure): void {
    this.#failure = failure;
    this.#wake?.();
  }

  takeAll(): readonly ExecutorEvent[] {
    const all = this.#waiting;
    this.#waiting = [];
    return all;
  }

  async next(): Promise<ExecutorEvent> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) return event;
      if (this.#failure !== null) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function toBlocks(texts: readonly string[]): { type: 'text'; text: string }[] {
  return texts.map((text) => ({ type: 'text', text }));
}

function isPromptResponse(answer: unknown): answer is PromptResponse {
  return typeof (answer as { readonly stopReason?: unknown } | null)?.stopReason === 'string';
}

function toFailure(error: unknown): AgentFailure {
  if (AgentFailure.isInstance(error)) return error;
  const code = error instanceof RequestError ? 'refused' : 'ended';
  const said = error instanceof Error ? error.message : String(error);
  const message =
    code === 'refused' ? `The agent refused a request: ${said}` : `The agent broke off: ${said}`;
  return new AgentFailure(message, { code, cause: error });
}

/** Resolves when a signal is aborted; never after `ended`. */
function onceAborted(signal: AbortSignal | undefined, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    else signal?.addEventListener('abort', () => resolve(), { once: true, signal: ended });
  });
}
