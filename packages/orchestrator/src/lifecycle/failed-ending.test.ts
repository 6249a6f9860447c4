import { openRunState } from '@agent/run-store/testing';
import { createSecretFilters } from '@agent/text/outgoing';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { toFailedEnding } from './failed-ending.ts';

const statistics = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, durationMs: 1 };
const completed = { status: 'completed', reason: null, finalText: 'done', statistics } as const;
const secret = 'a-secret-that-git-repeats';

describe('toFailedEnding', () => {
  it('names what came to a run that was given up before it could hear anything [NX-8]', async () => {
    const observation = {
      ...{ id: '7', revision: 'h@', kind: 'added', body: 'Wait!', authority: 'trusted' },
      ...{ author: { id: '1', login: 'alice' }, created_at: '2026-03-01T10:00:00Z', updated_at: null },
    };
    const data = { opening: null, observations: [observation] };
    const run = {
      state: { read: async () => null, write: async () => {} },
      logger: pino({ level: 'silent' }),
      journal: {
        read: async function* () {
          yield { type: 'fact' as const, name: 'observed', data, timestamp: '' };
        },
      },
    };
    const work = { redactOutgoing: (text: string) => text, run, runInbox: null, result: null };
    const { hearing } = await toFailedEnding(new Error('3 times in a row'), work);
    expect(hearing.comments).toMatchObject([{ author: 'alice', kind: 'added', delivered: false }]);
  });

  it('keeps secrets out of the reason that outcome.json keeps', async () => {
    const logged: { readonly msg: string }[] = [];
    const run = {
      state: openRunState('nowhere'),
      logger: pino({ level: 'error' }, { write: (line) => void logged.push(JSON.parse(line)) }),
      journal: {
        read: () => {
          throw new Error('what the run has cost is known already');
        },
      },
    };
    const error = new Error(`Pushing to https://robot:${secret}@example.org failed.`);
    const { outcome, delivery } = await toFailedEnding(error, {
      redactOutgoing: createSecretFilters([secret]).redactOutgoing,
      run,
      runInbox: null,
      result: { kind: 'ended', outcome: completed },
    });
    expect(outcome.reason).toMatch(/^Pushing to .* failed\.$/);
    expect(outcome).toMatchObject({ status: 'failed', errorClass: '_OTHER', finalText: 'done', statistics });
    expect(logged.map(({ msg }) => msg)).toEqual([
      'failed to read delivered comments; omitting them from report',
    ]);
    expect(JSON.stringify({ outcome, delivery })).not.toContain(secret);
  });
});
