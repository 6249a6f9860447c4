import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createOutgoingGate } from './outgoing/index.ts';
import { wrapToolOutput, wrapUntrustedText } from './wrap-untrusted-text.ts';

const gate = createOutgoingGate({ secrets: [], places: [] });

describe('codes of envelopes in outgoing texts', () => {
  it.each([
    ['alone', (code: string) => `The code is ${code}.`],
    ['in a line of an envelope', (code: string) => `Main goal: BEGIN TEXT ${code} | author: @alice`],
    ['in capitals', (code: string) => `END TEXT ${code.toUpperCase()} now`],
    ['glued to other letters', (code: string) => `x${code}y`],
    ['twice', (code: string) => `${code}${code}`],
  ])('are removed %s', async (_, say) => {
    const nonce = randomUUID();
    wrapUntrustedText('Hello', { author: 'alice', authority: 'untrusted', nonce });
    const shown = await gate.cleanText(say(nonce));
    expect(shown.toLowerCase()).not.toContain(nonce);
    expect(await gate.cleanLine(say(nonce))).not.toContain(nonce);
  });

  it('are removed when only the output of a tool was wrapped', async () => {
    const nonce = randomUUID();
    wrapToolOutput('2 passed', { tool: 'run_tests', nonce });
    expect(await gate.cleanText(`see ${nonce}`)).not.toContain(nonce);
  });

  it('leave other codes as they are', async () => {
    const other = randomUUID();
    expect(await gate.cleanText(`id ${other}`)).toContain(other);
  });
});
