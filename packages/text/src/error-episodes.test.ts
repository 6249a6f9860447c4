import { describe, expect, it } from 'vitest';
import { ErrorEpisodes } from './error-episodes.ts';

function open() {
  const lines: (readonly [string, object])[] = [];
  const note = (fields: object, message: string) => void lines.push([message, fields]);
  let at = Date.parse('2026-01-02T00:00:00Z');
  const episodes = new ErrorEpisodes({
    now: () => {
      at += 1_000;
      return at;
    },
  });
  const logger = { debug: note, info: note, warn: note, error: note };
  const line = { logger, message: 'failed to poll', fields: { task: 'acme/shop#1' } };
  return { lines, episodes, line };
}

const gone = () => Object.assign(new Error(`gone at ${Math.random()}`), { code: 'not-found' });

describe('ErrorEpisodes', () => {
  it('logs the begin and the end of each episode, with count and start [NX-430]', () => {
    const { lines, episodes, line } = open();
    for (let times = 0; times < 3; times += 1) episodes.fail('1', gone(), line);
    episodes.end('1');
    episodes.end('1');
    episodes.fail('1', gone(), line);
    const count = { task: 'acme/shop#1', count: 3, since: '2026-01-02T00:00:01.000Z' };
    expect(lines.map(([message]) => message)).toEqual([
      'failed to poll',
      'recovered: failed to poll',
      'failed to poll',
    ]);
    expect(lines[1]?.[1]).toEqual(count);
  });

  it('logs another cause within an episode, and keeps other keys apart [NX-430]', () => {
    const { lines, episodes, line } = open();
    episodes.fail('1', gone(), line);
    episodes.fail('1', new TypeError('no'), line);
    episodes.fail('1', new TypeError('no'), line);
    episodes.fail('2', gone(), line);
    expect(lines).toHaveLength(3);
    episodes.forget('2');
    episodes.end('2');
    episodes.end('1');
    expect(lines.slice(3)).toMatchObject([['recovered: failed to poll', { count: 3 }]]);
  });

  it('forgets the oldest of too many episodes', () => {
    const { lines, episodes, line } = open();
    for (let at = 0; at <= 1_000; at += 1) episodes.fail(String(at), gone(), line);
    const before = lines.length;
    episodes.end('0');
    expect(lines).toHaveLength(before);
    episodes.end('1');
    expect(lines).toHaveLength(before + 1);
  });
});
