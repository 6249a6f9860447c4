import { describe, expect, it } from 'vitest';
import { toVerdict } from '../format-report.ts';
import { toDiscordReport, toPerThreadKb } from './discord-report.ts';
import { countHistoryRequests, type TurnRequests } from './measure-turn.ts';

const list = 'GET /channels/:channel/messages';
const turn = (
  historyCache: TurnRequests['historyCache'],
  which: TurnRequests['turn'],
  pages: number,
): TurnRequests => ({
  historyCache,
  turn: which,
  routes: new Map([
    ['POST /channels/:channel/messages', 1],
    ['POST /channels/:channel/typing', 1],
    ...(pages === 0 ? [] : ([[list, pages]] as const)),
  ]),
});
const figures = (residentBytes: number) => ({ cpuMs: 1, residentBytes, liveBytes: residentBytes / 2 });
const report = (turns: readonly TurnRequests[]) =>
  toDiscordReport({ threadLength: 200, turns, throughput: [], memory: [] });

describe('the report on Discord', () => {
  it('counts what reads messages, the first one of a thread too, and nothing else', () => {
    const starter = ['GET /channels/:channel/messages/:message', 1] as const;
    const { routes } = turn('off', 'first', 2);
    expect(countHistoryRequests({ routes })).toBe(2);
    expect(countHistoryRequests({ routes: new Map([...routes, starter]) })).toBe(3);
  });

  it('holds every turn against two requests, and later turns with the gateway against none', () => {
    const first = turn('gateway', 'first', 2);
    const good = report([
      turn('off', 'first', 2),
      turn('off', 'later', 2),
      first,
      turn('gateway', 'later', 0),
    ]);
    expect(good.goals.map(toVerdict)).toEqual(['met', 'met']);
    const bad = report([
      turn('off', 'first', 2),
      turn('off', 'later', 3),
      first,
      turn('gateway', 'later', 1),
    ]);
    expect(bad.goals.map(toVerdict)).toEqual(['missed', 'missed']);
  });

  it('shares what was added among the threads', () => {
    const memory = {
      historyCache: 'off',
      threads: 10,
      before: figures(10_240),
      after: figures(30_720),
    } as const;
    expect(toPerThreadKb(memory, ({ residentBytes }) => residentBytes)).toBe(2);
  });
});
