import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { listenForReload, listenForShutdown, toHangup } from './listen-for-signals.ts';

describe('toHangup', () => {
  const daemon = { once: false, platform: 'linux', isTerminal: false } as const;

  it('lets a terminal that hangs up end the daemon, and reads the configuration again elsewhere [NX-353]', () => {
    expect(toHangup('auto', daemon)).toBe('reload');
    expect(toHangup('auto', { ...daemon, isTerminal: true })).toBe('end');
  });

  it('follows the option, but neither with --once nor on Windows [NX-353]', () => {
    expect(toHangup('reload', { ...daemon, isTerminal: true })).toBe('reload');
    expect(toHangup('end', daemon)).toBe('end');
    expect(toHangup('reload', { ...daemon, once: true })).toBe('end');
    expect(toHangup('reload', { ...daemon, platform: 'win32' })).toBe('end');
  });
});

describe('listenForReload', () => {
  it('keeps a request that comes before anybody listens, and lets go of the process [NX-353]', () => {
    const target = new EventEmitter();
    const requests = listenForReload(target);
    target.emit('SIGHUP');
    target.emit('SIGHUP');
    let heard = 0;
    const stop = requests.subscribe(() => {
      heard += 1;
    });
    expect(heard).toBe(1);
    target.emit('SIGHUP');
    expect(heard).toBe(2);
    stop();
    requests.stop();
    expect(target.eventNames()).toEqual([]);
  });
});

class FakeProcess extends EventEmitter {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

describe('listenForShutdown', () => {
  it('asks for an orderly end at the first signal and ends at once at the second [RL-12]', () => {
    const target = new FakeProcess();
    const shutdown = listenForShutdown(target);
    expect(shutdown.signal.aborted).toBe(false);
    target.emit('SIGINT');
    expect(shutdown.signal.aborted).toBe(true);
    expect(shutdown.exitCode()).toBe(130);
    expect(target.exits).toEqual([]);
    target.emit('SIGINT');
    expect(target.exits).toEqual([130]);
  });

  it('ends what has not ended by itself within ten seconds, and nothing that has [RL-12]', () => {
    vi.useFakeTimers();
    const [target, ended] = [new FakeProcess(), new FakeProcess()];
    listenForShutdown(target);
    const other = listenForShutdown(ended);
    for (const one of [target, ended]) one.emit('SIGTERM');
    other.stop();
    vi.advanceTimersByTime(9_000);
    expect(target.exits).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect([target.exits, ended.exits]).toEqual([[143], []]);
    vi.useRealTimers();
  });

  it('reports SIGTERM as such, and lets go of the process when it is stopped [RL-12]', () => {
    const target = new FakeProcess();
    const shutdown = listenForShutdown(target);
    target.emit('SIGTERM');
    expect(shutdown.exitCode()).toBe(143);
    shutdown.stop();
    expect(target.eventNames()).toEqual([]);
  });
});
