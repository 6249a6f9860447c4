import { describe, expect, it } from 'vitest';
import { countMessageTokens } from './count-tokens.ts';

describe('countMessageTokens', () => {
  const countChars = (text: string) => text.length;

  it('counts texts, calls and results, and a picture by no more than it can cost', () => {
    expect(countMessageTokens({ role: 'user', content: 'hello' }, countChars)).toBe(9);
    const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'read', input: { path: 'a' } };
    const counted = countMessageTokens({ role: 'assistant', content: [call] }, countChars);
    expect(counted).toBe(4 + 8 + 'read'.length + '{"path":"a"}'.length);
    const image = { type: 'file' as const, mediaType: 'image/png', data: 'A'.repeat(100_000) };
    expect(countMessageTokens({ role: 'user', content: [image] }, countChars)).toBe(1_504);
  });
});
