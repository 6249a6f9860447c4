import { describe, expect, it } from 'vitest';
import { parsePayload } from './webhook-origin.ts';

describe('the payload of a delivery', () => {
  it.each([
    ['nothing but depth', '['.repeat(4 << 20)],
    ['objects in objects', '{"a":'.repeat(1_000) + '1' + '}'.repeat(1_000)],
    ['nothing but lists', `[${'[],'.repeat(600_000)}0]`],
    ['a text that never ends', `"${'\\"'.repeat(1_000)}`],
    ['no JSON', 'payload=%7B%7D'],
  ])('is not read where it is %s [NX-19]', (_, text) => {
    expect(parsePayload(text)).toBeUndefined();
  });

  it.each([
    { body: '[{'.repeat(450_000), note: '\\"[' },
    { commits: Array.from({ length: 10_000 }, (_, id) => ({ id, added: [], author: { name: '{[' } })) },
    [{ a: [{ b: [{}] }] }, null, 'x'],
  ])('is read whatever its texts hold [NX-19]', (payload) => {
    expect(parsePayload(JSON.stringify(payload))).toEqual(payload);
  });
});
