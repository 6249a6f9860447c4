import type { InheritedDecision } from '@agent/context-inheritance';
import type { Comment } from '@agent/platforms';
import type { JournalEntry } from '@agent/run-store';
import { estimateTokens } from '@agent/text';
import type { ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { toShownFact } from '../thread/shown-comments.ts';
import { createSummarizeRun, type SummarySources } from './summarize-run.ts';

const uuid = 'bbbbbbbb-0000-4000-8000-000000000000';
const secret = 'plum-orchard-lane-77';
const redactOutgoing = (text: string) => text.replaceAll(secret, '[REDACTED]');
const comment = (id: string, body: string): Comment => ({
  ...{ id, body, url: null, visibility: 'public', subject: null, updatedAt: null },
  ...{ createdAt: '2026-01-01T00:00:00Z', author: { id, login: id, kind: 'person' as const } },
});

/** Summarizes a run that was shown the comments `alice` (trusted) and `bob` (not trusted) whole. */
async function summarize(
  decisions: readonly object[],
  changes: Partial<SummarySources> & { readonly contextLength?: number } = {},
) {
  const listed = [comment('alice', 'Use yen.'), comment('bob', 'Use dollars.')];
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: 'text', text: JSON.stringify({ summary: 'DONE.', key_decisions: decisions }) }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: usage as never,
      warnings: [],
    }),
  });
  const shown = listed.map(({ id, body }) => ({ id, body, isWhole: true }));
  const message: ModelMessage = { role: 'assistant', content: 'Done.' };
  const entries = [
    toShownFact({ opening: true, comments: shown }),
    { type: 'message', message, usage: null, delivers: [], seq: 1, at: '2026-01-01T00:00:00Z' },
  ] as unknown as readonly JournalEntry<ModelMessage>[];
  const stored: string[] = [];
  const { contextLength = 8_000, ...sources } = changes;
  const result = await createSummarizeRun({
    ...{ modelFor: () => model, contextLength, maxRetries: 0, redactOutgoing },
    ...{ shares: { thread: 2_000 }, shutdown: new AbortController().signal, now: () => 1_800_000_000_000 },
  })(
    {
      ...{ uuid, locale: 'en', logger: pino({ level: 'silent' }), payer: {} as never },
      journal: {
        async *read() {
          yield* entries;
        },
      },
      finalSummary: {
        append: async (summary) => {
          stored.push(JSON.stringify(summary));
        },
      },
    },
    {
      ...{ thread: null, otherThread: null, listed, isOwn: () => false, inherited: [], readFile: null },
      guard: {
        clean: async (text) => text,
        authorityOf: async (account) => (account?.login === 'alice' ? 'trusted' : 'untrusted'),
      },
      timeoutMs: 10_000,
      ...sources,
    },
  );
  const [line = '{}'] = stored;
  return {
    result,
    line,
    decisions: JSON.parse(line).fields?.key_decisions ?? [],
    prompt: JSON.stringify(model.doGenerateCalls[0]?.prompt ?? ''),
  };
}

const inherit = (id: string, changes: Partial<InheritedDecision> = {}): InheritedDecision => ({
  ...{ id, text: `Decision ${id}`, subject: null, isTrusted: true, replaces: [], evidence: null },
  ...{ source: { kind: 'comment', commentId: 'old', sha256: null }, origin: null, state: { kind: 'open' } },
  ...{ runUuid: 'aaaaaaaa-0000-4000-8000-000000000000', decidedAt: '2026-01-01T00:00:00Z' },
  ...changes,
});

describe('a stored summary', () => {
  it('has no secret in its decisions, whether they are new, kept or cut', async () => {
    const { line, decisions } = await summarize(
      [
        { text: `${'x'.repeat(490)} ${secret}`, subject: `key ${secret}`, source: 'alice' },
        { text: 'Use it.', source: 'alice', paths: ['a.ts'], quote: `key = ${secret}` },
      ],
      {
        inherited: [
          inherit('a-1', {
            text: `Key ${secret}`,
            evidence: { paths: [`${secret}.ts`, 'a.ts'], quote: `key = ${secret}` },
          }),
        ],
        readFile: async () => `key = ${secret}`,
      },
    );
    for (let length = 8; length <= secret.length; length += 1)
      expect(line).not.toContain(secret.slice(0, length));
    expect(decisions.map(({ paths }: { readonly paths: readonly string[] }) => paths)).toEqual([
      [],
      ['a.ts'],
      ['a.ts'],
    ]);
  });

  it('keeps each decision of a trusted user, long ones shortened, and ten others', async () => {
    const long = { text: 'y'.repeat(900), subject: 's'.repeat(900), source: 'alice' };
    const trusted = Array.from({ length: 14 }, (_, index) => ({ text: `T${index}`, source: 'alice' }));
    const others = Array.from({ length: 14 }, (_, index) => ({ text: `O${index}`, source: 'bob' }));
    const { decisions } = await summarize([...others, long, ...trusted]);
    const ofTrusted = decisions.filter(({ trusted: is }: { readonly trusted: boolean }) => is);
    expect([ofTrusted.length, decisions.length]).toEqual([15, 25]);
    expect([ofTrusted[0].text.length, ofTrusted[0].subject.length]).toEqual([500, 200]);
  });

  it('is written within a small window after 1,000 decisions, and keeps all of them', async () => {
    const inherited = Array.from({ length: 1_000 }, (_, index) =>
      inherit(`a-${index}`, { text: `Decision ${index}: ${'round once, on the sum; '.repeat(10)}` }),
    );
    const { decisions, prompt } = await summarize([{ text: 'New.', source: 'alice' }], { inherited });
    expect(decisions).toHaveLength(1_001);
    expect(estimateTokens(prompt)).toBeLessThan(6_000);
    expect(prompt).toMatch(/\(9\d\d more are not listed\.\)/);
  });

  it('names the thread of a comment if runs are filed under another one', async () => {
    const decided = [{ text: 'Use yen.', source: 'alice' }];
    const { decisions } = await summarize(decided, { otherThread: 'github_pull_request:o:r:7' });
    expect(decisions[0]).toMatchObject({ source_thread: 'github_pull_request:o:r:7' });
  });

  it('gives no authority to a source that is guessed, and lets no one else replace a trusted decision', async () => {
    const spoofed = ['mallory', 'old', 'a-1', ' alice', 'Alice', 'thread', 'constructor', '__proto__'];
    const { decisions } = await summarize(
      [
        ...spoofed.map((source, index) => ({ text: `Rule ${index}`, source, replaces: ['a-1'] })),
        { text: 'Use dollars.', source: 'bob', replaces: 'a-1' },
      ],
      { inherited: [inherit('a-1')] },
    );
    const own = decisions.filter(({ id }: { readonly id: string }) => id.startsWith('bbbbbbbb-'));
    expect(own).toHaveLength(9);
    for (const one of own) expect(one).toMatchObject({ trusted: false, replaces: [] });
    expect(decisions.at(-1)).toMatchObject({ id: 'a-1', trusted: true });
  });
});

describe('contradictions that a run brings', () => {
  const yen = inherit('a-1', { subject: 'Currency' });

  it('are found against earlier decisions', async () => {
    const decided = [{ text: 'Use euros.', subject: 'currency', source: 'alice' }];
    const { result } = await summarize(decided, { inherited: [yen] });
    expect(result?.conflicts.map(({ decisions }) => decisions.map(({ id }) => id))).toEqual([
      ['bbbbbbbb-1', 'a-1'],
    ]);
  });

  it('are not asked about if the comment was edited since it was shown', async () => {
    const decided = [{ text: 'Use euros.', subject: 'currency', source: 'alice' }];
    const listed = [comment('alice', 'Use euros, please.')];
    const { result } = await summarize(decided, { inherited: [yen], listed });
    expect(result?.conflicts).toEqual([]);
  });
});
