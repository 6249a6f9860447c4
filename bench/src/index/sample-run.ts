import { createHash } from 'node:crypto';
import type { IndexedRun } from '@agent/run-store';

export const host = 'github.com';

/** The uuid of the nth run of these benches. */
export function toUuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** The hash of the nth task of these benches. */
export function toHash(number: number): string {
  return createHash('sha256').update(`github_issue:acme:shop:${number}`).digest('hex');
}

/** A run as a daemon leaves it: the nth task's, with a summary of a few sentences. */
export function sampleRun(number: number): IndexedRun {
  return {
    uuid: toUuid(number),
    taskKeyHash: toHash(number),
    host,
    taskKey: { type: 'github_issue', owner: 'acme', repo: 'shop', number },
    taskKeyText: `github_issue:acme:shop:${number}`,
    status: 'completed',
    statusInferred: false,
    createdAt: '2026-03-01T12:00:00.000Z',
    completedAt: '2026-03-01T12:30:00.000Z',
    processId: 4711,
    hostname: 'build-7',
    user: 'alice',
    llmProvider: 'openai',
    model: 'scripted-model',
    contextLength: 128_000,
    llmCallCount: 12,
    toolCallCount: 20,
    totalTokens: 96_000,
    compressionCount: 1,
    errorMessage: null,
    inheritedFromUuid: null,
    inheritanceDepth: 0,
    inheritanceBarrierAt: null,
    finalSummary: {
      id: 1,
      summary:
        'The total ignored quantities; it counts them now. The tests pass. Rounding was left as it is.',
    },
  };
}
