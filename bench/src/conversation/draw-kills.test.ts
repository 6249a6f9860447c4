import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawKills, type Kill } from './draw-kills.ts';
import { KillSwitch } from './kill-switch.ts';
import { parseConversations } from './parse-conversations.ts';
import { scriptConversation } from './script-conversation.ts';

const conversation = scriptConversation(1);

describe('drawKills', () => {
  it('draws the same from the same seed, other moments from others, and never behind the last turn [NX-293]', () => {
    const draw = (seed: number) => drawKills(3, { seed, conversation });
    expect(draw(1)).toEqual(draw(1));
    const kills = Array.from({ length: 50 }, (_, seed) => draw(seed)).flat();
    expect(new Set(kills.map(({ moment }) => moment))).toEqual(new Set(['call', 'answer', 'listing']));
    expect(new Set(kills.map(({ turn }) => turn)).size).toBe(conversation.turns);
    expect(kills.every(({ turn }) => turn >= 1 && turn <= conversation.turns)).toBe(true);
  });
});

describe('scriptConversation', () => {
  it('makes the same of the same seed, and what a file could hold [NX-293]', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const { name, task, turns, acts } = scriptConversation(seed);
      expect(scriptConversation(seed).acts).toEqual(acts);
      const lines = [{ do: 'task', name, text: task, turns }, ...acts].map((line) => JSON.stringify(line));
      expect(parseConversations(lines.join('\n'), { file: 'scripted' })).toEqual([
        { name, task, turns, acts },
      ]);
    }
  });
});

describe('KillSwitch', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const aimed = (...kills: readonly Kill[]) => {
    const kill = vi.fn();
    const switched = new KillSwitch(kills);
    switched.aim(kill);
    return { kill, switched };
  };

  it('kills at the moment that was drawn, from its turn on, and not before [NX-293]', () => {
    const { kill, switched } = aimed({ turn: 2, moment: 'answer', delayMs: 5 });
    switched.onCall(1);
    switched.onAnswer();
    vi.advanceTimersByTime(100);
    switched.onCall(3);
    vi.advanceTimersByTime(100);
    expect(kill).not.toHaveBeenCalled();
    switched.onAnswer();
    vi.advanceTimersByTime(4);
    expect(kill).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect([kill.mock.calls.length, switched.done]).toEqual([1, 1]);
  });

  it('kills in the next call a program that does not read its thread [NX-293]', () => {
    const { kill, switched } = aimed({ turn: 1, moment: 'listing', delayMs: 5 });
    switched.onCall(1);
    switched.onAnswer();
    vi.advanceTimersByTime(100);
    expect(kill).not.toHaveBeenCalled();
    switched.onCall(2);
    vi.advanceTimersByTime(5);
    expect(kill).toHaveBeenCalledOnce();
  });

  it('kills each process once, and does no kill that a program has escaped by its end [NX-293]', () => {
    const { kill, switched } = aimed(
      { turn: 1, moment: 'call', delayMs: 5 },
      { turn: 1, moment: 'call', delayMs: 5 },
    );
    switched.onCall(1);
    vi.advanceTimersByTime(5);
    switched.onCall(1);
    vi.advanceTimersByTime(5);
    expect(kill).toHaveBeenCalledOnce();
    switched.disarm();
    vi.advanceTimersByTime(100);
    expect([kill.mock.calls.length, switched.done]).toEqual([1, 1]);
  });
});
