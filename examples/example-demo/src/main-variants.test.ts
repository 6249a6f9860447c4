// @module-tag release
import { startScriptedModel } from '@agent/simulators/model';
import { describe, expect, it } from 'vitest';
import { tripNotice } from './discord/plan-trip.ts';
import { interruptAt, runDemo } from './run-demo.ts';

const interruptions = [
  [' in Discord', ['--discord'], /alice +in #general/],
  ['', [], /@shop-agent comments/],
] as const;

describe('npm start', () => {
  it('shows a conversation in Discord that survives a reload and a restart, and cleans up [TC-2, TC-48, TC-55]', async () => {
    const { code, output, left } = await runDemo(['--discord']);
    expect(output).not.toContain('✘');
    expect(code).toBe(0);
    expect(output.replace(/\s+/g, ' ')).toContain(tripNotice);
    expect(output).toMatch(/alice\s+in #general: “@suzume Plan a Saturday in Kyoto in three lines\.”/);
    expect(output).toMatch(
      /stage\s+LM Studio is reloaded[\s\S]*alice and bob come along; bob does not eat meat/,
    );
    expect(output).toMatch(/the bot is started again[\s\S]*bob\s+brings\s+the\s+tickets/);
    expect(output).toContain('✔ each of the six messages has exactly one answer');
    expect(left).toEqual([]);
  });

  it.each([8_192, 16_384])('keeps its promises with a model whose window has %d tokens', async (window) => {
    const { code, output } = await runDemo([], { env: { LLM_CONTEXT_LENGTH: String(window) } });
    expect(output).not.toContain('✘');
    expect(code).toBe(0);
  });

  it.each(interruptions)(
    'ends the story%s after Ctrl-C with 130, claims nothing and cleans up',
    async (_, flags, pattern) => {
      const { code, output, left } = await runDemo(flags, interruptAt(pattern));
      expect(code).toBe(130);
      expect(output).not.toContain('── Checks');
      expect(left).toEqual([]);
    },
  );

  it('claims nothing that did not happen: an endpoint that refuses the key ends it with 1', async () => {
    const endpoint = await startScriptedModel({ script: () => ({ text: 'never' }), apiKey: 'right' });
    try {
      const env = { LLM_BASE_URL: endpoint.baseUrl, LLM_MODEL: 'scripted-model', LLM_API_KEY: 'wrong' };
      const { code, output } = await runDemo([], { env });
      expect(code).toBe(1);
      expect(output).toContain('✘ there is exactly one pull request, a draft that links the issue');
      expect(output).toContain("── The end of the daemon's log");
      expect(output).not.toContain('── Next');
      expect(endpoint.requests.length).toBeGreaterThan(0);
    } finally {
      await endpoint.close();
    }
  });
});
