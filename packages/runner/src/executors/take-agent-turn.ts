import { passCheckpoint } from '../checkpoint.ts';
import type { FailureCause, RunEnding } from '../ending.ts';
import { toAgentFailed, toEnding, toFailed, toInterrupted, toOverBudget } from '../ending.ts';
import { askAboutRepetition, findLastTurn, lastTurnNotice, tellNearLimits } from '../iterate.ts';
import type { TokenUsage } from '../model.ts';
import { isAborted, type Run } from '../run.ts';
import { AgentFailures, AgentRefusals, checkSilence, type TurnUnderWay } from './agent-failures.ts';
import type { AgentOptions, AgentSettings } from './agent-options.ts';
import { AgentSession } from './agent-session.ts';
import {
  AgentSpending,
  AgentStep,
  endTurn,
  findAgentLimit,
  goOn,
  leaveTurn,
  type StepEnd,
} from './agent-step.ts';
import { Checks } from './checks.ts';
import { toShortLine } from './clean-values.ts';
import { AgentFailure, type Executor, type ExecutorEvent, type TurnEnd } from './executor.ts';
import type { HandedMessage } from './handed-messages.ts';

/** Times that one message is given to an agent that loses it. */
const maxHandings = 5;

/** Calls that are still noted of a turn that is to end. */
const maxLateCalls = 64;

/** Takes turns of an agent for a run: what the conversation holds and the agent does not have is handed over, what it does is journaled. */
export class AgentTurns {
  readonly #executor: Executor;
  readonly #settings: AgentSettings;
  readonly #session: AgentSession;
  readonly #spending: AgentSpending;
  readonly #failures: AgentFailures;
  readonly #refusals: AgentRefusals;
  /** Why no call may be made any more; null while the run goes on. */
  #lastCause: FailureCause | null = null;

  constructor({ executor, ...settings }: AgentOptions) {
    this.#executor = executor;
    this.#settings = settings;
    this.#failures = new AgentFailures(settings);
    this.#refusals = new AgentRefusals(settings);
    this.#session = new AgentSession(executor, { intervalMs: settings.checkIntervalMs ?? 5_000 });
    this.#spending = new AgentSpending(settings.spending ?? null);
  }

  /** Takes a turn. Null when the run goes on. */
  async take(run: Run): Promise<RunEnding | null> {
    const { hideKnownSecrets } = run.settings;
    const step = new AgentStep(run, (text) => hideKnownSecrets(this.#session.messages.hideMarks(text)));
    const ending = findAgentLimit(run, step);
    if (ending !== null) return ending;
    const cause = findLastTurn(run);
    return cause === null ? this.#outlast(run, step) : this.#wrapUp(run, { step, cause });
  }

  /** Lets the agent say where it stands, in one turn without a call; the run has failed, whatever it says. */
  async #wrapUp(
    run: Run,
    { step, cause }: { readonly step: AgentStep; readonly cause: FailureCause },
  ): Promise<RunEnding> {
    const { conversation } = run;
    if (!conversation.wasTold(lastTurnNotice))
      await conversation.append({ role: 'user', content: lastTurnNotice });
    this.#lastCause = cause;
    const ending = conversation.endsWithAnswer ? null : await this.#outlast(run, step);
    return ending ?? toFailed(run, cause);
  }

  /** Works, over ends of the agent. */
  async #outlast(run: Run, step: AgentStep): Promise<RunEnding | null> {
    for (;;) {
      try {
        return await this.#work(run, step);
      } catch (error) {
        if (isAborted(run)) return toInterrupted(run);
        step.forgetText();
        const failed = await this.#survive(run, { error, step });
        if (failed !== null) return failed;
      } finally {
        await this.#spending.release();
      }
    }
  }

  /** Works until the agent has everything and has answered it. */
  async #work(run: Run, step: AgentStep): Promise<RunEnding | null> {
    for (;;) {
      const exhausted = await this.#spending.admit(run, { signal: run.steering.hardSignal });
      if (exhausted !== null) return leaveTurn(run, step, toOverBudget(run, exhausted));
      const ending = await this.#session.open(run, step);
      if (ending !== null) return leaveTurn(run, step, ending);
      const unhanded = this.#session.messages.listUnhanded(run.conversation);
      if (unhanded.length === 0) {
        const hasAll = await this.#session.hasAll(run, step);
        if (typeof hasAll === 'object') return leaveTurn(run, step, hasAll);
        if (hasAll) await run.conversation.append({ role: 'user', content: goOn });
        continue;
      }
      if (this.#session.messages.hand(unhanded) > maxHandings)
        return toAgentFailed(run, run.settings.texts.agentForgets);
      this.#spending.beginTurn();
      const turn = await this.#follow(run, { step, handed: unhanded });
      if (turn === 'last-words') {
        await leaveTurn(run, step, toInterrupted(run));
        return null;
      }
      if (typeof turn === 'object') return leaveTurn(run, step, turn);
      // Canceled to be told something: of what it was told before, it is asked when it has answered.
      const goesOn = turn === 'canceled' && this.#session.messages.listUnhanded(run.conversation).length > 0;
      const refused = this.#refusals.endTurn({ isCanceled: turn === 'canceled' && !goesOn });
      if (refused !== null) return step.tellRefusal(refused);
      const hasAll = !goesOn && (await this.#session.hasAll(run, step));
      if (typeof hasAll === 'object') return leaveTurn(run, step, hasAll);
      if (!hasAll) continue;
      if (this.#spending.isSilent && turn !== 'canceled')
        return toAgentFailed(run, run.settings.texts.agentTellsNoCost);
      return endTurn(run, step, turn);
    }
  }

  /** @returns why the turn ended, or the ending of the run */
  async #follow(
    run: Run,
    { step, handed }: { readonly step: AgentStep; readonly handed: readonly HandedMessage[] },
  ): Promise<StepEnd | RunEnding | 'last-words'> {
    const texts = [
      ...this.#session.messages.writeOpening(run.conversation),
      ...this.#session.messages.write(handed),
    ];
    const canceled = new AbortController();
    run.emit({ type: 'step-start', by: 'agent', step: run.tally.statistics().modelCalls + 1 });
    const events = this.#executor.turn(texts, { signal: canceled.signal })[Symbol.asyncIterator]();
    const turn: TurnUnderWay = {
      ...{ step, ending: null, lateCalls: 0, hasActed: false },
      ...{ lastSignAt: run.settings.now(), openCalls: new Map() },
    };
    const checks = new Checks(run, { intervalMs: this.#settings.checkIntervalMs ?? 5_000 });
    try {
      for (let next = events.next(); ; ) {
        const happened = await checks.wait(next);
        if (happened === 'aborted') return toInterrupted(run);
        const event = happened === 'tick' ? happened : toEvent(happened);
        if (event !== 'tick') {
          if (event.type === 'end') return this.#conclude(turn, { handed, reason: event.reason });
          next = events.next();
          next.catch(() => undefined);
        }
        await this.#heed(run, { turn, event });
        if (turn.ending !== null || step.isTooLong) canceled.abort();
      }
    } catch (error) {
      if (turn.ending === null || !AgentFailure.isInstance(error)) throw error;
      // It was to end anyway.
      await this.#session.leave();
      return turn.ending;
    } finally {
      checks.end();
    }
  }

  /** An agent that has answered messages has them; one that was canceled, or did nothing, may have dropped them. */
  #conclude(
    { step, ending, hasActed }: TurnUnderWay,
    { handed, reason }: { readonly handed: readonly HandedMessage[]; readonly reason: TurnEnd },
  ): StepEnd | RunEnding | 'last-words' {
    if (hasActed && reason !== 'canceled') this.#session.messages.confirm(handed);
    if (ending !== null) return ending;
    return step.isTooLong ? 'too-long' : reason;
  }

  /** Takes in what happened, or that nothing did, and finds out whether the run is to end. */
  async #heed(
    run: Run,
    { turn, event }: { readonly turn: TurnUnderWay; readonly event: ExecutorEvent | 'tick' },
  ): Promise<void> {
    const { settings } = run;
    if (event !== 'tick') {
      turn.lastSignAt = settings.now();
      turn.hasActed ||= event.type !== 'usage' && event.type !== 'refusal';
      // What it has done is journaled and counts toward the limits of the run.
      if (event.type === 'tool-end') {
        this.#failures.forget();
        this.#session.messages.noteWork();
      }
      if (event.type === 'refusal') this.#refusals.add(event.reason);
      await this.#hear(run, { turn, event });
    } else checkSilence(run, turn);
    if (turn.ending !== null) {
      if (event !== 'tick' && event.type === 'tool-start') turn.lateCalls += 1;
      if (turn.lateCalls <= maxLateCalls) return;
      throw new AgentFailure('The agent continued although its turn was canceled.', { code: 'silent' });
    }
    const { tooMany } = this.#refusals;
    if (tooMany !== null) turn.ending = toAgentFailed(run, settings.texts.agentAsksForever(tooMany));
    else if (event === 'tick' || event.type === 'tool-end')
      turn.ending = await this.#passSafePoint(run, { step: turn.step, hasWorked: event !== 'tick' });
    else if (event.type === 'tool-start' && this.#lastCause !== null)
      turn.ending = toFailed(run, this.#lastCause);
  }

  async #hear(
    run: Run,
    { turn, event }: { readonly turn: TurnUnderWay; readonly event: ExecutorEvent },
  ): Promise<void> {
    const { step } = turn;
    switch (event.type) {
      case 'text':
        return step.say(event.text);
      case 'activity':
        return step.think(event.chars ?? 1);
      case 'tool-start':
        turn.openCalls.set(event.toolCallId, event.tool);
        return step.begin(event);
      case 'tool-end':
        turn.openCalls.delete(event.toolCallId);
        return step.end(event);
      case 'usage':
        return this.#spend(run, { turn, usage: event.usage });
      case 'plan':
        return step.plan(event.steps);
      case 'refusal':
        // It ends for asking on, and what it asks for until then is no news.
        if (turn.ending === null) {
          const { tool, reason } = event;
          run.settings.logger?.warn({ tool, reason }, 'denied agent permission');
        }
        return;
      case 'end':
        return;
    }
  }

  async #spend(
    run: Run,
    { turn, usage }: { readonly turn: TurnUnderWay; readonly usage: TokenUsage },
  ): Promise<void> {
    turn.step.spend(usage);
    if (usage.costMicros === undefined) return;
    const { hardSignal: signal } = run.steering;
    const exhausted = await this.#spending.pay(run, { micros: usage.costMicros, signal });
    if (exhausted !== null) turn.ending ??= toOverBudget(run, exhausted);
  }

  /** Signals, comments and limits, in the middle of a turn; what came is told to the agent at once, as far as it can be. */
  async #passSafePoint(
    run: Run,
    { step, hasWorked }: { readonly step: AgentStep; readonly hasWorked: boolean },
  ): Promise<TurnUnderWay['ending']> {
    const { conversation } = run;
    const { verdict } = await passCheckpoint(run, { name: 'before_call' });
    const ending = toEnding(run, verdict) ?? findAgentLimit(run, step);
    if (ending !== null) return ending;
    const before = conversation.said.length;
    if (this.#lastCause === null && hasWorked) {
      if (findLastTurn(run) !== null) return 'last-words';
      await tellNearLimits(run, { steps: 'steps' });
      await askAboutRepetition(run);
    }
    const isTold = verdict === 'delivered' || conversation.said.length > before;
    return isTold ? this.#session.steer(run, step) : null;
  }

  /** Leaves an agent that failed, to be opened again, and told what it does not have. @returns the run's ending where that is of no use */
  async #survive(
    run: Run,
    { error, step }: { readonly error: unknown; readonly step: AgentStep },
  ): Promise<RunEnding | null> {
    if (!AgentFailure.isInstance(error)) throw error;
    run.settings.logger?.warn({ err: error, code: error.code }, 'agent failed');
    await this.#session.leave();
    if (error.code === 'turn-failed') this.#session.messages.forgiveHandings();
    const ms = this.#failures.count(error.code);
    if (ms !== null) return ms === 0 ? null : this.#rest(run, { step, ms });
    const { texts, hideKnownSecrets } = run.settings;
    const said = error.said === null ? null : hideKnownSecrets(this.#session.messages.hideMarks(error.said));
    const detail = said === null ? null : toShortLine(said, { maxChars: 300 });
    return toAgentFailed(run, texts.agentFailed({ code: error.code, detail }));
  }

  /** Waits until the agent may be able to take a turn again. @returns the run's ending, where that came first */
  async #rest(
    run: Run,
    { step, ms }: { readonly step: AgentStep; readonly ms: number },
  ): Promise<RunEnding | null> {
    const ending = await this.#session.rest(run, { step, ms });
    return ending === null ? null : leaveTurn(run, step, ending);
  }
}

function toEvent({ done, value }: IteratorResult<ExecutorEvent>): ExecutorEvent {
  if (done !== true) return value;
  const said = 'it ended its turn early';
  throw new AgentFailure('The agent ended its turn early.', { code: 'ended', said });
}
