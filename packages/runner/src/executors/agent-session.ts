import { passCheckpoint } from '../checkpoint.ts';
import { journaled } from '../conversation.ts';
import { type RunEnding, toEnding } from '../ending.ts';
import { readEntries } from '../replay-journal.ts';
import type { Run } from '../run.ts';
import { type AgentStep, findAgentLimit } from './agent-step.ts';
import { waitMeanwhile } from './checks.ts';
import type { Executor } from './executor.ts';
import { findSession, HandedMessages, sessionFactName } from './handed-messages.ts';

/** An agent that is open or not, and what its conversation is known to hold. While it is waited for, people are heard. */
export class AgentSession {
  readonly messages = new HandedMessages();
  readonly #executor: Executor;
  readonly #intervalMs: number;
  #isOpen = false;
  #wasRead = false;

  constructor(executor: Executor, { intervalMs }: { readonly intervalMs: number }) {
    this.#executor = executor;
    this.#intervalMs = intervalMs;
  }

  /** Opens the agent in its session, where it is not open. @returns the run's ending, where that came first; else null */
  async open(run: Run, step: AgentStep): Promise<RunEnding | null> {
    if (this.#isOpen) return null;
    const { journal } = run.settings;
    if (!this.#wasRead) {
      const entries = readEntries(journal, { facts: [sessionFactName] });
      this.messages.resume(findSession(await journaled(entries)));
    }
    this.#wasRead = true;
    const { session } = this.messages;
    const costMicros = (run.tally.statistics().costMicros ?? 0) + step.costMicros;
    const known = costMicros - (session?.costBefore ?? 0);
    const opening = await this.#wait(run, {
      ...{ step, poll: true },
      work: (signal) => this.#executor.open(session?.id ?? null, { costMicros: known, signal }),
    });
    if ('ending' in opening) {
      await this.leave();
      return opening.ending;
    }
    const fact = this.messages.compare(opening.result, { conversation: run.conversation, costMicros });
    if (fact !== null) await journaled(journal.append({ type: 'fact', name: sessionFactName, data: fact }));
    this.#isOpen = true;
    return null;
  }

  /**
   * Tells whether the agent's conversation holds all that the run's does, or how the run ended meanwhile. What was handed to it and not
   * seen there is looked for in what it has kept: it is started anew and replays it.
   */
  async hasAll(run: Run, step: AgentStep): Promise<boolean | RunEnding> {
    const { conversation } = run;
    const { messages } = this;
    const missing = messages.listMissing(conversation);
    if (missing.length === 0) return true;
    const unhanded = new Set(messages.listUnhanded(conversation).map(({ seq }) => seq));
    if (!messages.canCompare) {
      // What it was given counts: it cannot be asked.
      messages.confirm(missing.filter(({ seq }) => !unhanded.has(seq)));
      return unhanded.size === 0;
    }
    if (missing.length > unhanded.size) {
      this.#isOpen = false;
      const ending = await this.open(run, step);
      if (ending !== null) return ending;
    }
    return messages.listMissing(conversation).length === 0;
  }

  /** Tells the running turn what the agent was not given, as far as it can be told. @returns the run's ending, where that came first */
  async steer(run: Run, step: AgentStep): Promise<RunEnding | null> {
    for (const message of this.messages.listUnhanded(run.conversation)) {
      const [text = ''] = this.messages.write([message]);
      const told = await this.#wait(run, {
        ...{ step, poll: false },
        work: (signal) => this.#executor.steer(text, { signal }),
      });
      if ('ending' in told) return told.ending;
      if (told.result === 'later') break;
      if (told.result === 'handed' || this.messages.canCompare) this.messages.hand([message]);
    }
    return null;
  }

  /** Leaves the agent alone for a while, in which the run does nothing. @returns the run's ending, where that came first */
  async rest(
    run: Run,
    { step, ms }: { readonly step: AgentStep; readonly ms: number },
  ): Promise<RunEnding | null> {
    const startedAt = run.settings.now();
    const rest = await this.#wait(run, {
      ...{ step, poll: true },
      work: (signal) => run.settings.sleep(ms, { signal }),
    });
    run.tally.addRest(run.settings.now() - startedAt);
    return 'ending' in rest ? rest.ending : null;
  }

  /** Ends the agent's process; it is opened again when it is needed. */
  async leave(): Promise<void> {
    this.#isOpen = false;
    await this.#executor.close();
  }

  #wait<Result>(
    run: Run,
    {
      step,
      poll,
      work,
    }: {
      readonly step: AgentStep;
      /** False leaves the comments out. */
      readonly poll: boolean;
      readonly work: (signal: AbortSignal) => Promise<Result>;
    },
  ) {
    const findEnding = async () => {
      const { verdict } = await passCheckpoint(run, { name: 'before_call', poll });
      return toEnding(run, verdict) ?? findAgentLimit(run, step);
    };
    return waitMeanwhile(run, { work, findEnding, intervalMs: this.#intervalMs });
  }
}
