import type { RunEvent } from '@agent/runner';
import { isOfLead, withCondition } from '../state/condition.ts';
import { withNotice } from '../state/notice.ts';
import type { BoardEvent, ObserveBoard } from './board-event.ts';
import { type BoardState, emptyBoard, type RunningTask, withEntry, without } from './board-state.ts';

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
          ...{ asking: null, askingSince: null, attempt: 1, tool: null, toolSince: null },
          tokens: 0,
          costMicros: 0,
        }),
      };
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
      };
    case 'run-event':
      return {
        ...board,
        running: withTask(board.running, event.uuid, (task) => afterRunEvent(task, event.event, now)),
      };
    case 'call-cost':
      return {
        ...board,
        running: withTask(board.running, event.uuid, (task) => ({
          ...task,
          costMicros: task.costMicros + event.micros,
        })),
      };
    case 'run-end': {
      const { runsEnded } = board.counts;
      if (event.outcome === null) return board;
      const ended = { ...runsEnded, [event.outcome]: runsEnded[event.outcome] + 1 };
      return { ...board, counts: { ...board.counts, runsEnded: ended } };
    }
    case 'task-leave':
      return { ...board, running: without(board.running, event.uuid) };
    case 'look':
      return afterPoll(board, event, now);
    case 'lead':
      return afterLead(board, event, now);
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
    case 'notice':
      return { ...board, notices: withNotice(board.notices, { ...event.notice, since: now }) };
    case 'outbox':
      return afterOutbox(board, event, now);
    case 'shutdown':
      return { ...board, ending: true };
    case 'delivery':
    case 'comments':
    case 'comment':
    case 'git':
    case 'inheritance':
    case 'model-call':
    case 'model-wait':
    case 'queue-begin':
    case 'request':
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

function afterRunEvent(task: RunningTask, event: RunEvent, now: number): RunningTask {
  switch (event.type) {
    case 'step-start': {
      // A call that got no answer is made again: the wait began with the first.
      const isRepeated = task.step === event.step && task.asking !== null && task.tool === null;
      return {
        ...{ ...task, step: event.step, asking: event.by ?? 'model' },
        askingSince: isRepeated ? task.askingSince : now,
        attempt: isRepeated ? task.attempt + 1 : 1,
        ...{ tool: null, toolSince: null },
      };
    }
    case 'model-answer': {
      const { inputTokens, outputTokens } = event.usage;
      return {
        ...task,
        asking: null,
        askingSince: null,
        attempt: 1,
        tokens: task.tokens + inputTokens + outputTokens,
      };
    }
    case 'tool-start':
      return { ...task, tool: event.tool, toolSince: now };
    case 'tool-end':
      return { ...task, tool: null, toolSince: null };
    default:
      return task;
  }
}

function afterPoll(
  board: BoardState,
  { platform, error, places = [] }: Extract<BoardEvent, { readonly type: 'look' }>,
  now: number,
): BoardState {
  const state = error === null ? 'ok' : 'waiting';
  const before = board.polled.get(platform) ?? new Map<string, number>();
  const answered = places.flatMap(({ name, answered: isNow }) => {
    const at = isNow ? now : before.get(name);
    return at === undefined ? [] : [[name, at] as const];
  });
  return {
    ...board,
    polled: withEntry(board.polled, platform, error === null ? new Map(answered) : before),
    conditions: withCondition(
      board.conditions,
      { part: `platform:${platform}`, state, reason: error },
      { now, earlier: board.earlier },
    ),
  };
}

/** Drops what a process saw that looks for tasks no more: another one says how things are now. */
function afterLead(
  board: BoardState,
  { leads }: Extract<BoardEvent, { readonly type: 'lead' }>,
  now: number,
): BoardState {
  const { conditions } = board;
  if (leads) {
    const seen = { part: 'lead', state: 'ok', reason: null } as const;
    return { ...board, conditions: withCondition(conditions, seen, { now }) };
  }
  const others = [...conditions].filter(([, condition]) => !isOfLead(condition));
  return { ...board, polled: new Map(), conditions: new Map(others) };
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
