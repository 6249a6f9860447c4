import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { listenForShutdown } from './run.ts';

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

  it('reports SIGTERM as such, and lets go of the process when it is stopped [RL-12]', () => {
    const target = new FakeProcess();
    const shutdown = listenForShutdown(target);
    target.emit('SIGTERM');
    expect(shutdown.exitCode()).toBe(143);
    shutdown.stop();
    expect(target.eventNames()).toEqual([]);
  });
});
