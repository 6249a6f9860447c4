import type { RunEvent } from '@agent/runner';
import { isOfLead, withCondition } from '../state/condition.ts';
import type { BoardEvent, ObserveBoard } from './board-event.ts';
import {
  type BoardCounts,
  type BoardState,
  emptyBoard,
  type RunningTask,
  withEntry,
  without,
} from './board-state.ts';
import { addToHistogram } from './histogram.ts';
import { countModelCall } from './model-calls.ts';

export interface TaskBoardOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Remembers what the daemon does: the live view, `/metrics`, `/healthz` and `/tasks.json` look at it.
 *
 * @example
 * const board = new TaskBoard();
 * const stop = board.subscribe(() => console.log(board.state.counts.runsStarted));
 */
export class TaskBoard {
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #state: BoardState = emptyBoard;

  constructor(options: TaskBoardOptions = {}) {
    this.#now = options.now ?? Date.now;
  }

  get state(): BoardState {
    return this.#state;
  }

  readonly observe: ObserveBoard = (event) => {
    this.#state = reduceBoard(this.#state, event, this.#now());
    for (const listener of this.#listeners) listener();
  };

  /** Calls the listener after each change, until the function that it gives back is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The board after an event. `now` is in milliseconds since 1970. */
export function reduceBoard(board: BoardState, event: BoardEvent, now: number): BoardState {
  switch (event.type) {
    case 'task-begin':
      return {
        ...board,
        running: withEntry(board.running, event.task.uuid, {
          ...event.task,
          since: now,
          preparation: null,
          plan: null,
          step: 0,
          asking: null,
          tool: null,
          tokens: 0,
          costMicros: 0,
        }),
        counts: countBegin(board.counts, event.resumed),
      };
    case 'inheritance':
      return { ...board, counts: countInheritance(board.counts, event) };
    case 'preparation': {
      const { uuid, stage } = event;
      return {
        ...board,
        running: withTask(board.running, uuid, (task) => ({ ...task, preparation: stage })),
      };
    }
    case 'plan':
      return {
        ...board,
        running: withTask(board.running, event.uuid, (task) => ({ ...task, plan: event.stage })),
        counts: countAction(board.counts, event.ended),
      };
    case 'run-event':
      return {
        ...board,
        running: withTask(board.running, event.uuid, (task) => afterRunEvent(task, event.event)),
        counts: countRunEvent(board.counts, event.event),
      };
    case 'model-call':
      return { ...board, modelCalls: countModelCall(board.modelCalls, event) };
    case 'run-end': {
      const { runsEnded } = board.counts;
      if (event.outcome === null) return board;
      const ended = { ...runsEnded, [event.outcome]: runsEnded[event.outcome] + 1 };
      return { ...board, counts: { ...board.counts, runsEnded: ended } };
    }
    case 'task-leave':
      return { ...board, running: without(board.running, event.uuid) };
    case 'request': {
      const { made, unchanged } = board.requests.get(event.platform) ?? { made: 0, unchanged: 0 };
      const counts = { made: made + 1, unchanged: unchanged + (event.unchanged ? 1 : 0) };
      return { ...board, requests: withEntry(board.requests, event.platform, counts) };
    }
    case 'comment': {
      const made = board.notifications.get(event.platform) ?? 0;
      return { ...board, notifications: withEntry(board.notifications, event.platform, made + 1) };
    }
    case 'look':
      return afterPoll(board, event, now);
    case 'lead':
      return { ...board, conditions: afterLead(board, event, now) };
    case 'condition':
      return {
        ...board,
        conditions: withCondition(board.conditions, event, { now, earlier: board.earlier }),
      };
    case 'earlier':
      return {
        ...board,
        earlier: new Map(event.conditions.map((one) => [one.part, one])),
        earlierHolds: event.holds,
      };
    case 'holds':
      return { ...board, holds: event.holds };
    case 'outbox':
      return afterOutbox(board, event, now);
    case 'shutdown':
      return { ...board, ending: true };
    case 'delivery':
    case 'comments':
      return board;
  }
}

function withTask(
  running: BoardState['running'],
  uuid: string,
  change: (task: RunningTask) => RunningTask,
): BoardState['running'] {
  const task = running.get(uuid);
  if (task === undefined) return running;
  const next = change(task);
  return next === task ? running : withEntry(running, uuid, next);
}

function afterRunEvent(task: RunningTask, event: RunEvent): RunningTask {
  switch (event.type) {
    case 'step-start':
      return { ...task, step: event.step, asking: event.by ?? 'model', tool: null };
    case 'model-answer': {
      const { inputTokens, outputTokens, costMicros: cost = 0 } = event.usage;
      const tokens = task.tokens + inputTokens + outputTokens;
      return { ...task, asking: null, tokens, costMicros: task.costMicros + cost };
    }
    case 'tool-start':
      return { ...task, tool: event.tool };
    case 'tool-end':
      return { ...task, tool: null };
    default:
      return task;
  }
}

function countBegin(counts: BoardCounts, resumed: boolean): BoardCounts {
  return resumed
    ? { ...counts, runsResumed: counts.runsResumed + 1 }
    : { ...counts, runsStarted: counts.runsStarted + 1 };
}

function countAction(counts: BoardCounts, ended: 'succeeded' | 'failed' | null): BoardCounts {
  if (ended === null) return counts;
  const { planActions } = counts;
  return { ...counts, planActions: { ...planActions, [ended]: planActions[ended] + 1 } };
}

function countInheritance(
  counts: BoardCounts,
  { depth, tokens }: { readonly depth: number; readonly tokens: number },
): BoardCounts {
  return {
    ...counts,
    runsInheriting: counts.runsInheriting + 1,
    inheritedTokens: addToHistogram(counts.inheritedTokens, tokens),
    inheritanceDepth: addToHistogram(counts.inheritanceDepth, depth),
  };
}

function countRunEvent(counts: BoardCounts, event: RunEvent): BoardCounts {
  if (event.type === 'tool-end') {
    const { toolCalls } = counts;
    return { ...counts, toolCalls: { ...toolCalls, [event.status]: toolCalls[event.status] + 1 } };
  }
  if (event.type !== 'model-answer') return counts;
  return {
    ...counts,
    modelCalls: counts.modelCalls + 1,
    inputTokens: counts.inputTokens + event.usage.inputTokens,
    outputTokens: counts.outputTokens + event.usage.outputTokens,
    cachedInputTokens: counts.cachedInputTokens + (event.usage.cachedInputTokens ?? 0),
    reasoningTokens: counts.reasoningTokens + (event.usage.reasoningTokens ?? 0),
    costMicros: counts.costMicros + (event.usage.costMicros ?? 0),
  };
}

function afterPoll(
  board: BoardState,
  { platform, error }: { readonly platform: string; readonly error: string | null },
  now: number,
): BoardState {
  const { made, failed } = board.looks.get(platform) ?? { made: 0, failed: 0 };
  const looks = { made: made + 1, failed: failed + (error === null ? 0 : 1) };
  const state = error === null ? 'ok' : 'waiting';
  return {
    ...board,
    looks: withEntry(board.looks, platform, looks),
    conditions: withCondition(
      board.conditions,
      { part: `platform:${platform}`, state, reason: error },
      { now, earlier: board.earlier },
    ),
  };
}

/** Drops what a process saw that looks for tasks no more: another one says how things are now. */
function afterLead(
  { conditions }: BoardState,
  { leads }: Extract<BoardEvent, { readonly type: 'lead' }>,
  now: number,
): BoardState['conditions'] {
  if (leads) return withCondition(conditions, { part: 'lead', state: 'ok', reason: null }, { now });
  return new Map([...conditions].filter(([, condition]) => !isOfLead(condition)));
}

/** Keeps what is open as a condition of its own, so that it is shown wherever conditions are; what is settled is forgotten. */
function afterOutbox(
  board: BoardState,
  { uuid, name, open }: Extract<BoardEvent, { readonly type: 'outbox' }>,
  now: number,
): BoardState {
  const id = uuid ?? name;
  const part = `outbox:${uuid === null ? name : `${name} (${uuid.slice(0, 8)})`}` as const;
  const { outboxes, conditions } = board;
  if (open === null)
    return { ...board, outboxes: without(outboxes, id), conditions: without(conditions, part) };
  const seen = { part, state: 'waiting', reason: open.reason } as const;
  return {
    ...board,
    outboxes: withEntry(outboxes, id, open.kinds),
    conditions: withCondition(conditions, seen, { now, earlier: board.earlier }),
  };
}
