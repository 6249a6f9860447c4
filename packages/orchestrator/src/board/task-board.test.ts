import type { RunEvent } from '@agent/runner';
import { describe, expect, it } from 'vitest';
import type { BoardEvent } from './board-event.ts';
import { type BoardState, emptyBoard } from './board-state.ts';
import { reduceBoard, TaskBoard } from './task-board.ts';

const task = { uuid: 'u1', name: 'acme/shop#1', title: 'Title', url: 'http://x/1' };
const runEvent = (event: RunEvent): BoardEvent => ({ type: 'run-event', uuid: 'u1', event });
const boardAfter = (events: readonly BoardEvent[], from: BoardState = emptyBoard): BoardState =>
  events.reduce((board, event, index) => reduceBoard(board, event, index * 1_000), from);

const begun: BoardEvent = { type: 'task-begin', task, resumed: false };
const answer = runEvent({
  type: 'model-answer',
  step: 1,
  text: 'x',
  tools: ['read_file'],
  usage: { inputTokens: 100, outputTokens: 20 },
});
const call = { step: 1, toolCallId: 'c1', tool: 'read_file', args: {} } as const;
const toolEnd = runEvent({ type: 'tool-end', ...call, status: 'error', output: 'no', durationMs: 5 });

describe('the board', () => {
  it('shows step, tool and tokens of a task while it runs', () => {
    const asking = boardAfter([begun, runEvent({ type: 'step-start', step: 1 })]);
    expect(asking.running.get('u1')).toMatchObject({ step: 1, asking: 'model', tool: null, since: 0 });
    const working = boardAfter([answer, runEvent({ type: 'tool-start', ...call })], asking);
    expect(working.running.get('u1')).toMatchObject({ step: 1, tool: 'read_file', tokens: 120 });
    expect(boardAfter([toolEnd], working).running.get('u1')).toMatchObject({ tool: null, tokens: 120 });
  });

  it('shows how far a task is with pre-planning, until it is ready', () => {
    const stage = { subphase: 'collection', done: 1, total: 3 } as const;
    const preparing = boardAfter([begun, { type: 'preparation', uuid: 'u1', stage }]);
    expect(preparing.running.get('u1')?.preparation).toEqual(stage);
    const ready = boardAfter([{ type: 'preparation', uuid: 'u1', stage: null }], preparing);
    expect(ready.running.get('u1')?.preparation).toBeNull();
    expect(boardAfter([{ type: 'preparation', uuid: 'gone', stage }], ready)).toMatchObject({
      running: ready.running,
    });
  });

  it('counts the ends of runs for good, also when the task is gone', () => {
    const board = boardAfter([
      begun,
      { type: 'run-end', uuid: 'u1', outcome: 'failed' },
      { type: 'task-leave', uuid: 'u1' },
      { type: 'task-begin', task, resumed: true },
    ]);
    expect(board.counts.runsEnded).toMatchObject({ completed: 0, needs_input: 0, failed: 1 });
    expect(board.running.size).toBe(1);
  });

  it('remembers when each repository answered a poll, until it is removed or another process polls [NX-426]', () => {
    const look = (error: string | null, places: Readonly<Record<string, boolean>>): BoardEvent => ({
      ...{ type: 'look', platform: 'github', error },
      places: Object.entries(places).map(([name, answered]) => ({ name, answered })),
    });
    const polled = (...events: readonly BoardEvent[]) =>
      Object.fromEntries(boardAfter(events).polled.get('github') ?? []);
    const first = look(null, { 'acme/shop': true, 'acme/old': true, 'acme/gone': false });
    const second = look(null, { 'acme/shop': true, 'acme/gone': false });
    expect(polled(first)).toEqual({ 'acme/shop': 0, 'acme/old': 0 });
    expect(polled(first, second)).toEqual({ 'acme/shop': 1_000 });
    expect(polled(first, second, look('down', {}))).toEqual({ 'acme/shop': 1_000 });
    expect(polled(first, look(null, { 'acme/shop': false }))).toEqual({ 'acme/shop': 0 });
    expect(polled(first, { type: 'lead', leads: false })).toEqual({});
  });

  it('remembers since when looks at a platform fail, and forgets it when one works', () => {
    const look = (error: string | null): BoardEvent => ({ type: 'look', platform: 'github', error });
    const failing = boardAfter([look(null), look('down'), look('still down')]);
    const github = 'platform:github';
    expect(failing.conditions.get(github)).toEqual({
      part: github,
      state: 'waiting',
      since: 1_000,
      reason: 'still down',
    });
    expect(boardAfter([look(null)], failing).conditions.get(github)).toMatchObject({
      state: 'ok',
      reason: null,
    });
  });

  it('keeps the time of a condition as long as its state stays, whatever its reason', () => {
    const disk = (reason: string): BoardEvent => ({
      type: 'condition',
      part: 'disk',
      state: 'failed',
      reason,
    });
    const full = reduceBoard(emptyBoard, disk('full'), 1);
    expect(reduceBoard(full, disk('full'), 2).conditions).toBe(full.conditions);
    expect(reduceBoard(full, disk('fuller'), 2).conditions.get('disk')).toMatchObject({
      since: 1,
      reason: 'fuller',
    });
  });

  it('changes no earlier state, so that whoever drew it may compare', () => {
    const before = boardAfter([begun]);
    const kept = new Map(before.running);
    boardAfter([answer, { type: 'task-leave', uuid: 'u1' }], before);
    expect(before.running).toEqual(kept);
  });

  it('ignores events of a task that it does not know', () => {
    expect(boardAfter([toolEnd]).running.size).toBe(0);
  });

  it('tells its listeners after each change until they leave', () => {
    const board = new TaskBoard({ now: () => 7 });
    const seen: number[] = [];
    const leave = board.subscribe(() => seen.push(board.state.running.size));
    board.observe(begun);
    leave();
    board.observe({ type: 'shutdown' });
    expect(seen).toEqual([1]);
    expect(board.state.ending).toBe(true);
  });
});
