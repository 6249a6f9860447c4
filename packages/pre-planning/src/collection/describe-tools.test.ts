import { describe, expect, it } from 'vitest';
import { describeTools } from './needs-prompt.ts';

const parameters = {
  type: 'object',
  properties: { path: { type: 'string', description: 'p'.repeat(600) }, limit: { type: 'number' } },
  required: ['path'],
};
const makeTools = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: `Reads ${'d'.repeat(400)}`,
    parameters,
  }));

describe('the tools in a prompt', () => {
  it('are described as fully as there is room for', () => {
    const tools = makeTools(10);
    const lengths = [60_000, 10_000, 2_000, 500].map((maxChars) => describeTools(tools, maxChars).length);
    expect(lengths[0]).toBeGreaterThan(9_000);
    for (const [index, maxChars] of [60_000, 10_000, 2_000, 500].entries()) {
      expect(lengths[index]).toBeLessThanOrEqual(maxChars);
    }
    expect(describeTools(tools, 60_000)).toContain('"type":"object"');
    expect(describeTools(tools, 10_000)).toMatch(/d{70}… Parameters: \{"type"/);
    expect(describeTools(tools, 2_000)).toMatch(/d{70}… Parameters: path, limit\?\n/);
    expect(describeTools(tools, 500)).toContain('- tool_9: Parameters: path, limit?');
  });

  it('are counted where not even all of their names fit', () => {
    const text = describeTools(makeTools(1_000), 500);
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text).toMatch(/- tool_0: .*\n[\s\S]*- \(9\d\d more\)$/);
    expect(describeTools([], 500)).toBe('none');
  });
});
