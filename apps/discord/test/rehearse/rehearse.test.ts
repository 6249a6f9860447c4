// @module-tag full
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareRehearsal } from '@agent/rehearsal/shapes';
import type { ProxyHandler } from '@agent/simulators/trials';
import { afterEach, describe, expect, it } from 'vitest';
import { type RehearsalFixture, startRehearsalFixture } from './rehearsal-fixture.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

async function compare({ directory }: RehearsalFixture) {
  const lines: string[] = [];
  const file = join(directory, 'rehearsal.json');
  const code = await compareRehearsal(file, { environment: {}, print: (line) => lines.push(line) });
  return { code, text: lines.join('\n') };
}

/** A model of the AI SDK in a module of the user. */
const moduleText = `export default {
  specificationVersion: 'v3', provider: 'own', modelId: 'own', supportedUrls: {},
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'An answer of the module.' }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: { inputTokens: {}, outputTokens: {} },
    warnings: [],
  }),
};`;

describe('agent-discord rehearse', () => {
  it.each([
    ['answers at once', {}],
    ['answers that grow, and a history from events', { STREAM: 'true', HISTORY_CACHE: 'gateway' }],
  ])('passes with %s, and differs in nothing from the simulators', async (_, environment) => {
    fixture = await startRehearsalFixture({ environment });
    const { code, output } = await fixture.rehearse();
    expect(fixture.listNames('failed'), output).toEqual([]);
    expect(fixture.listNames('not-supported'), output).toEqual(['clean-up']);
    expect(code).toBe(0);
    const { code: compared, text } = await compare(fixture);
    expect(text).toContain('No differences found.');
    expect(compared, text).toBe(0);
  });

  it('shows a field that answers of Discord lack by --compare', async () => {
    const handle: ProxyHandler = async ({ path, forward }) => {
      const answer = await forward();
      return path.endsWith('/applications/@me')
        ? { ...answer, body: Buffer.from(answer.body.toString().replace('"verify_key"', '"other_key"')) }
        : answer;
    };
    fixture = await startRehearsalFixture({ handle });
    await fixture.rehearse({}, { confirm: async () => true, signal: AbortSignal.timeout(4_000) });
    const { code, text } = await compare(fixture);
    expect(text).toContain('$.verify_key is missing.');
    expect(code).toBe(1);
  });

  it('passes with a model of MODEL_MODULE, which it cannot make wait', async () => {
    fixture = await startRehearsalFixture();
    const file = join(fixture.directory, 'own-model.mjs');
    await writeFile(file, moduleText);
    const { output } = await fixture.rehearse({}, {}, { MODEL_MODULE: file });
    expect(fixture.listNames('failed'), output).toEqual([]);
    expect(fixture.listNames('not-supported'), output).toEqual([
      ...['model-name', 'conversation', 'edit', 'deletion', 'queue', 'crash', 'long-answer', 'clean-up'],
    ]);
  });
});
