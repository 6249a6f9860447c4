import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentContext,
  type ContentBlock,
  type InitializeResponse,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk';
import { askEndpoint, askPermission, showOutput } from './agent-requests.ts';
import type { AgentScript } from './agent-script.ts';
import { type Moment, makeNoise } from './misbehavior.ts';
import { openSessionFiles, type SessionFiles, toChunk, toReplay } from './session-files.ts';

/** Agent to play. */
export interface PlayedAgent {
  readonly stream: Stream;
  readonly script: AgentScript;
  /** Directory in which its sessions are kept. */
  readonly directory: string;
  /** Writes what is no message. */
  readonly write: (text: string, to: 'stdout' | 'stderr') => Promise<void>;
  /** Ends it at once. */
  readonly die: () => void;
  /** Tells that it was ended from outside: it does nothing more. Default: a process is not there any more. */
  readonly signal?: AbortSignal | undefined;
}

type StopReason = 'end_turn' | 'cancelled';

/** Client of a session. */
interface Listener {
  readonly sessionId: string;
  readonly client: AgentContext;
}

/** Memory of one process of the agent; a death takes it along. */
export class ScriptedPlayer {
  readonly #script: AgentScript;
  readonly #files: SessionFiles;
  readonly #die: () => void;
  readonly #signal: AbortSignal | undefined;
  readonly #write: PlayedAgent['write'];
  readonly #queue: string[][] = [];
  #wake: () => void = () => undefined;
  #turn: Promise<StopReason> | null = null;
  #directory = '';
  #isCanceled = false;
  #wasTold = false;
  #isDead = false;
  #things = 0;
  #turns = 0;
  #refusals = 0;
  #used = 0;
  #cost: number;

  constructor({ script, directory, die, signal, write }: PlayedAgent) {
    this.#script = script;
    this.#cost = script.costBefore;
    this.#files = openSessionFiles(directory);
    this.#die = die;
    this.#signal = signal;
    this.#write = write;
  }

  async introduce(): Promise<InitializeResponse> {
    await this.#noise('start', '');
    const { name, loadSession, steering } = this.#script;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name, version: '1.0.0' },
      agentCapabilities: { loadSession },
      ...(steering === 'steering' ? { _meta: { steering: { supported: true } } } : {}),
    };
  }

  async begin({ cwd }: { readonly cwd: string }): Promise<{ sessionId: string }> {
    this.#directory = cwd;
    await this.#do();
    const sessionId = this.#files.begin();
    await this.#noise('new', sessionId);
    return { sessionId };
  }

  async load(
    { sessionId, cwd }: { readonly sessionId: string; readonly cwd: string },
    client: AgentContext,
  ): Promise<Record<string, never>> {
    this.#directory = cwd;
    if (!this.#script.loadSession) throw RequestError.methodNotFound(methods.agent.session.load);
    if (this.#script.failsToLoad) throw RequestError.internalError();
    if (!this.#files.has(sessionId)) throw RequestError.resourceNotFound(sessionId);
    await this.#noise('load', sessionId);
    for (const record of this.#files.read(sessionId)) {
      await this.#do();
      for (const update of toReplay(record, this.#script.misbehavior.replays))
        await notify(client, sessionId, update);
    }
    return {};
  }

  async prompt(
    { sessionId, prompt }: { readonly sessionId: string; readonly prompt: ContentBlock[] },
    client: AgentContext,
  ) {
    const texts = toTexts(prompt);
    if (this.#turn !== null) {
      if (this.#script.steering !== 'prompt') throw RequestError.invalidRequest('a turn is running');
      await this.#tell(texts, { sessionId, client });
      return { stopReason: await this.#turn };
    }
    this.#isCanceled = false;
    this.#queue.push(texts);
    this.#turn = this.#noise('prompt', sessionId)
      .then(() => this.#work(sessionId, client))
      .finally(() => {
        this.#turn = null;
      });
    const stopReason = await this.#turn;
    setImmediate(() => void this.#noise('ended', sessionId));
    const { reportsUsage, reportsQuota, usage = null } = this.#script;
    if (reportsQuota)
      return { stopReason, _meta: { quota: { token_count: { input_tokens: 100, output_tokens: 10 } } } };
    const told = usage ?? { inputTokens: 100, outputTokens: 10, totalTokens: 110 };
    // Numbers that cannot be are part of the script.
    return reportsUsage
      ? { stopReason, usage: told as { inputTokens: number; outputTokens: number; totalTokens: number } }
      : { stopReason };
  }

  async steer(texts: string[], told: Listener): Promise<{ outcome: 'injected' | 'promptRequired' }> {
    await this.#do();
    await this.#noise('steer', told.sessionId);
    if (this.#turn === null) return { outcome: 'promptRequired' };
    await this.#tell(texts, told);
    return { outcome: 'injected' };
  }

  cancel(): void {
    if (this.#script.ignoresCancel) return;
    this.#isCanceled = true;
    this.#wake();
  }

  async #tell(texts: string[], { sessionId, client }: Listener): Promise<void> {
    this.#wasTold = true;
    if (this.#script.misbehavior.echoes)
      for (const text of texts) await notify(client, sessionId, toChunk('user_message_chunk', text));
    if (!this.#script.forgets) this.#queue.push(texts);
    this.#wake();
  }

  async #work(sessionId: string, client: AgentContext): Promise<StopReason> {
    const { calls, waits, ignoresCancel } = this.#script;
    this.#turns += 1;
    if (calls > 0) await this.#plan(sessionId, client);
    for (let call = 1; ; call += 1) {
      await this.#askModel(sessionId);
      if (this.#isCanceled) return 'cancelled';
      if (call <= calls || ignoresCancel) await this.#call(sessionId, { client, call });
      else if (waits && call === calls + 1 && this.#countHeard(sessionId) === 1) await this.#untilTold();
      else if (this.#queue.length === 0) {
        await this.#say(sessionId, client);
        // It may have been told something while it spoke.
        if (this.#queue.length === 0) break;
      }
    }
    return this.#isCanceled ? 'cancelled' : 'end_turn';
  }

  async #plan(sessionId: string, client: AgentContext): Promise<void> {
    const entries = Array.from({ length: this.#script.calls }, (_, index) => ({
      content: `step ${index + 1}`,
      ...{ priority: 'medium' as const, status: 'pending' as const },
    }));
    await notify(client, sessionId, { sessionUpdate: 'plan', entries });
  }

  /** Asks for the next words: what was said since the last request is part of it, and kept from then on. */
  async #askModel(sessionId: string): Promise<void> {
    await this.#do();
    const isDropped = this.#script.misbehavior.dropsCanceled && this.#isCanceled;
    for (const texts of this.#queue.splice(0))
      if (!isDropped) this.#files.append(sessionId, { role: 'user', texts });
    await this.#do();
    if (this.#script.model !== null) await askEndpoint(this.#script.model, this.#files.read(sessionId));
  }

  #noise(at: Moment, session: string): Promise<void> {
    const { misbehavior } = this.#script;
    const isOver = () => this.#isDead || this.#signal?.aborted === true;
    return makeNoise(at, { misbehavior, session, write: this.#write, isOver }).catch(() => undefined);
  }

  #untilTold(): Promise<void> {
    if (this.#wasTold || this.#isCanceled) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #call(
    sessionId: string,
    { client, call }: { readonly client: AgentContext; readonly call: number },
  ): Promise<void> {
    const id = `call-${this.#turns}-${call}`;
    const { does, contextGrows, announces, refusalsThatEnd } = this.#script;
    const isDone = refusalsThatEnd > 0 && this.#refusals >= refusalsThatEnd;
    const asks = isDone ? null : this.#script.asks;
    const told = does[call - 1];
    const title = told?.title ?? `step ${call}`;
    const kind = asks?.kind ?? told?.kind ?? 'execute';
    const named = told?.name == null ? {} : { name: told.name };
    const begun = { toolCallId: id, ...named, title, kind, status: 'pending' as const };
    if (announces) await notify(client, sessionId, { sessionUpdate: 'tool_call', ...begun });
    await this.#noise('call', sessionId);
    const asksForever = () => this.#script.asksForever && !this.#isCanceled;
    if (asks !== null && !(await askPermission(asks, { sessionId, client, id, title, asksForever }))) {
      this.#refusals += 1;
      if (this.#refusals <= refusalsThatEnd) return this.cancel();
    }
    await this.#do();
    this.#files.append(sessionId, { role: 'tool', id, title });
    const { writes } = this.#script;
    if (writes !== null && call === 1) writeFileSync(join(this.#directory, writes.path), writes.text);
    const text = `${told?.output ?? `did ${title}`}${this.#quote(sessionId)}`;
    const inPieces = this.#script.showsTerminal;
    const content = await showOutput(text, { sessionId, client, id, inPieces });
    const update = {
      sessionUpdate: 'tool_call_update' as const,
      toolCallId: id,
      status: told?.status ?? ('completed' as const),
      content,
    };
    if (contextGrows > 0) {
      this.#used += contextGrows;
      await notify(client, sessionId, { sessionUpdate: 'usage_update', used: this.#used, size: 1_000_000 });
    }
    for (let time = 0; time < (this.#script.answersTwice ? 2 : 1); time += 1)
      await notify(client, sessionId, update);
  }

  async #say(sessionId: string, client: AgentContext): Promise<void> {
    const heard = this.#countHeard(sessionId);
    const known = this.#script.tellsEnvironment ? Object.keys(process.env).sort().join(' ') : '';
    const own = this.#script.says ?? `I have read ${heard} messages. ${known}`;
    const text = `${own}${this.#quote(sessionId)}`;
    await this.#do();
    this.#files.append(sessionId, { role: 'assistant', text });
    for (let time = 0; time < (this.#script.answersTwice ? 2 : 1); time += 1)
      await notify(client, sessionId, toChunk('agent_message_chunk', text));
    if (!this.#script.reportsUsage || this.#script.reportsQuota) return;
    this.#cost += 0.01;
    for (const cost of this.#script.costs ?? [{ amount: this.#cost, currency: 'USD' }]) {
      const update = { sessionUpdate: 'usage_update', used: 100, size: 1_000, cost };
      await notify(client, sessionId, update as SessionUpdate);
    }
  }

  /** Says again all that it was told. */
  #quote(sessionId: string): string {
    if (!this.#script.misbehavior.quotes) return '';
    return this.#files
      .read(sessionId)
      .flatMap((record) => (record.role === 'user' ? record.texts : []))
      .join('\n');
  }

  #countHeard(sessionId: string): number {
    return this.#files.read(sessionId).filter(({ role }) => role === 'user').length;
  }

  /** Passes one of the moments at which it can die or fall silent. */
  async #do(): Promise<void> {
    this.#things += 1;
    const { diesAt, hangsAt } = this.#script;
    if (this.#things === diesAt) {
      this.#isDead = true;
      this.#die();
    }
    // Lets in what was sent to it meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    const isOver = this.#isDead || this.#signal?.aborted === true || this.#things === hangsAt;
    if (isOver) await new Promise(() => undefined);
  }
}

function notify(client: AgentContext, sessionId: string, update: SessionUpdate): Promise<void> {
  return client.notify(methods.client.session.update, { sessionId, update });
}

/** Gives the texts of a prompt. */
export function toTexts(blocks: readonly ContentBlock[]): string[] {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}
