import type { ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { createContextCounter } from './context-compressor.ts';

const says = (content: string): ModelMessage => ({ role: 'user', content });

function createSpiedCounter() {
  const counted: string[] = [];
  const count = createContextCounter(({ content }) => {
    counted.push(String(content));
    return content.length;
  });
  return { count, counted };
}

describe('createContextCounter', () => {
  it('counts each message of a growing context once [RL-13]', () => {
    const { count, counted } = createSpiedCounter();
    const [one, three, five] = [says('1'), says('333'), says('55555')];
    expect(count([])).toBe(0);
    expect([count([one, three]), count([one, three]), count([one, three, five])]).toEqual([4, 4, 9]);
    expect(counted).toEqual(['1', '333', '55555']);
  });

  it('counts anew what was replaced, cut or is another run [RL-13]', () => {
    const { count } = createSpiedCounter();
    const [one, three, five, summary] = [says('1'), says('333'), says('55555'), says('22')];
    expect(count([one, three, five])).toBe(9);
    expect(count([summary, five])).toBe(7);
    expect(count([summary])).toBe(2);
    expect(count([one, three, summary])).toBe(6);
    expect(count([one, says('4444'), summary])).toBe(7);
  });

  it('is not misled by a list that its owner changes', () => {
    const { count } = createSpiedCounter();
    const messages = [says('1'), says('333')];
    expect(count(messages)).toBe(4);
    messages.splice(0, 1, says('666666'));
    expect(count(messages)).toBe(9);
  });
});
