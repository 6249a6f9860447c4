import type { KnownComment, TaskKey } from '@agent/platforms';
import { createMemoryPlatform, type MemoryPlatform } from '@agent/platforms/memory';
import type { RunEvent } from '@agent/runner';
import type { Locale } from '@agent/text';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDoIntent, openMemoryOutbox } from '../../test/memory-outbox.ts';
import { parseRunSettings } from '../config/run-settings.ts';
import type { RunProgress } from '../run/run.ts';
import { createClaims } from '../run/run-claim.ts';
import { createRunAudience } from '../run/run-thread.ts';
import { createOpenProgress, type ShownRun } from './open-progress.ts';

const start = Date.parse('2026-05-01T03:00:00Z');
const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
let time = start;
let looks: (() => void)[] = [];
let platform: MemoryPlatform;
let key: TaskKey;
let edits = 0;
/** Null where no price is known. */
let micros: number | null = null;
let isReachable = true;
let waitingTools: readonly string[] = [];

beforeEach(() => {
  time = start;
  looks = [];
  edits = 0;
  micros = null;
  isReachable = true;
  waitingTools = [];
  platform = createMemoryPlatform({ now: () => new Date(time) });
  key = platform.people.openIssue({ author: 'alice', title: 'Hello' });
});

const answer = {
  ...{ type: 'message', number: 1, message: { role: 'assistant', content: 'Hm.' } },
  usage: { inputTokens: 1_200, outputTokens: 34 },
} as const;
const asked: RunEvent = { type: 'step-start', step: 2 };
const answered: RunEvent = {
  ...{ type: 'model-answer', step: 2, text: '', tools: ['run_command'] },
  usage: { inputTokens: 1, outputTokens: 1 },
};
const called: RunEvent = { type: 'tool-start', step: 2, toolCallId: 'c', tool: 'run_command', args: {} };
const returned: RunEvent = {
  ...{ type: 'tool-end', step: 2, toolCallId: 'c', tool: 'run_command', args: {} },
  ...{ status: 'success', output: '', durationMs: 1 },
};

/** A process that has a run, whose comment is there already where an earlier process had it. */
function open({ locale = 'en', isInternal = false }: { locale?: Locale; isInternal?: boolean } = {}) {
  const ports = platform.openThread(key);
  const writer: typeof ports.writer = {
    ensureComment: async (comment) => {
      if (!isReachable) throw new Error('unreachable');
      const ensured = await ports.writer.ensureComment(comment);
      if (ensured.change === 'updated') edits += 1;
      return ensured;
    },
  };
  const ownComments = ports.ownComments && {
    ...ports.ownComments,
    edit: async (comment: KnownComment) => {
      if (!isReachable) throw new Error('unreachable');
      const change = await ports.ownComments?.edit(comment);
      if (change === 'updated') edits += 1;
      return change ?? 'gone';
    },
  };
  const state = {
    read: async (name: string) => (isInternal && name === 'heard_internal' ? '' : null),
    write: async () => {},
  };
  const journal = {
    read: async function* () {
      yield answer;
    },
  };
  const run = {
    ...{ uuid: '6f7b1c9e-2d3a-4b5c-8d7e-9f0a1b2c3d4e', startedAt: new Date(start).toISOString() },
    facts: { locale, handover: { by: { id: '1', login: 'alice', kind: 'person' } } },
    ...{ journal, state, logger: silent },
    thread: {
      ...{ audience: createRunAudience(state), platform: { platform: { name: 'gitlab' } } },
      ports: { ...ports, writer },
    },
  } as unknown as ShownRun;
  const settings = parseRunSettings({ llm: { currency: 'EUR' } });
  const { readSections, show } = createOpenProgress({
    ...{ settings, redactOutgoing: (text) => text, doorbell: { hasNotified: () => false } },
    listWaitingTools: async () => waitingTools,
    readCost: async () => (micros === null ? null : { micros, presumedMicros: 0 }),
    ...{ shutdown: new AbortController().signal, now: () => time },
    sleep: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    repeat: (task) => {
      looks.push(task);
      return () => {
        looks = looks.filter((one) => one !== task);
      };
    },
  })(run);
  const claim = createClaims({
    ...{ enabled: true, isKnown: async () => true, timeZone: 'UTC', hearsCommands: true, pausedDays: 30 },
    ...{ doIntent: openDoIntent(() => time), now: () => time, logger: silent },
  }).of({
    ...{ uuid: run.uuid, locale, kind: 'issue', startedAt: run.startedAt, logger: silent, readSections },
    thread: { writer, ownComments },
    position: () => ({ line: 1, check: 'ab' }),
    outbox: openMemoryOutbox({ now: () => time }),
    onNoted: async () => undefined,
  });
  return { claim, progress: show(claim) };
}

/** Lets time pass, with a look every ten seconds. */
async function pass(progress: RunProgress, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    time += 10_000;
    for (const look of looks) look();
    // Whatever the look does is done before this is.
    await progress.changed('step');
  }
}

const body = () => {
  const [comment, ...others] = platform.people.commentsOn(key);
  expect(others).toEqual([]);
  return (
    comment?.body
      .replace(/<!--[\s\S]*?-->/g, '')
      .split('\n')
      .filter((line) => line.startsWith('- '))
      .join('\n') ?? ''
  );
};

/** Time of the last sign of life, as the comment says it. */
const readSign = (): number => {
  const [, sign = ''] = /Last update:\*\* (\S+ \S+)/.exec(body()) ?? [];
  return Date.parse(`${sign.replace(' ', 'T')}Z`);
};

describe('the vitals of a run in its comment', () => {
  it('are its state, its use, its cost where prices are known, and the last sign of life [NX-236]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    progress.begin();
    expect(body()).toMatchInlineSnapshot(`
      "- **State:** ▶️ running
      - **So far:** 1 model call · 1200 tokens in, 34 out
      - **Last update:** 2026-05-01 03:00 UTC (at least every 5 minutes while the agent is running)"
    `);
    micros = 120_000;
    await pass(progress, 300);
    expect(body()).toMatchInlineSnapshot(`
      "- **State:** ▶️ running
      - **So far:** 1 model call · 1200 tokens in, 34 out · 0.12 EUR
      - **Last update:** 2026-05-01 03:04 UTC (at least every 5 minutes while the agent is running)"
    `);
    expect(edits).toBe(1);
  });

  it('are the same in Japanese [NX-236]', async () => {
    micros = 120_000;
    const { claim, progress } = open({ locale: 'ja' });
    await claim.hold({ begins: true });
    expect(body()).toMatchInlineSnapshot(`
      "- **状態:** ▶️ 実行中
      - **これまで:** モデル呼び出し 1 回 · 入力 1200 / 出力 34 トークン · 0.12 EUR
      - **最終確認:** 2026-05-01 03:00 UTC（少なくとも 5 分ごとに更新します。これより古い場合、エージェントは動いていません）"
    `);
    await progress.rest('paused');
    expect(body()).toMatchInlineSnapshot(`
      "- **状態:** ⏸️ 一時停止中
      - **これまで:** モデル呼び出し 1 回 · 入力 1200 / 出力 34 トークン · 0.12 EUR
      - **待っているもの:** \`@alice\` さんなど、書き込み権限のある人、または運用者による再開 (\`/resume\`)
      - **確認時刻:** 2026-05-01 03:00 UTC"
    `);
  });

  it.each([
    ['en', "**Tools I can't use yet:** `mcp:box/a`, `mcp:box/b`"],
    ['ja', '**まだ使えないツール:** `mcp:box/a`、`mcp:box/b`'],
  ] as const)(
    'name the tools that wait for the operator until they are accepted, in %s',
    async (locale, line) => {
      waitingTools = ['mcp:box/a', 'mcp:box/b'];
      const { claim, progress } = open({ locale });
      await claim.hold({ begins: true });
      progress.begin();
      expect(platform.people.commentsOn(key)[0]?.body).toContain(line);
      waitingTools = [];
      await pass(progress, 300);
      expect(platform.people.commentsOn(key)[0]?.body).not.toContain('mcp:box');
    },
  );

  it('name five waiting tools at most, and none of them on an internal note', async () => {
    waitingTools = ['1', '2', '3', '4', '5', '6', '7'].map((one) => `mcp:box/${one}`);
    await open().claim.hold({ begins: true });
    expect(platform.people.commentsOn(key)[0]?.body).toContain('`mcp:box/5` and 2 more.');
    key = platform.people.openIssue({ author: 'alice', title: 'Hello' });
    await open({ isInternal: true }).claim.hold({ begins: true });
    expect(platform.people.commentsOn(key)[0]?.body).not.toContain('mcp:box');
  });

  it('say nothing that rests on internal notes, and so are for everybody [NX-236]', async () => {
    const { claim } = open({ isInternal: true });
    await claim.hold({ begins: true });
    expect(body()).toContain('**State:** ▶️ running');
  });

  it('name a pause and whom it waits for; at the end the result alone is left [NX-236]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    progress.begin();
    await progress.rest('paused');
    expect(body()).toMatchInlineSnapshot(`
      "- **State:** ⏸️ paused
      - **So far:** 1 model call · 1200 tokens in, 34 out
      - **Waiting for:** \`/resume\` from \`@alice\` or anyone else with write access (the operator of the agent can also resume it)
      - **Last update:** 2026-05-01 03:00 UTC"
    `);
    await pass(progress, 600);
    expect(looks).toEqual([]);
    await claim.hold();
    progress.begin();
    expect(body()).toContain('▶️ running');
    await progress.rest('ended');
    expect(body()).toBe('');
  });
});

describe('the comment of a run whose model or tool hangs', () => {
  it('names what it waits for within a minute, and no longer within a minute of the answer [NX-238]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    progress.begin();
    progress.hear(asked);
    await pass(progress, 60);
    expect(body()).toContain("**Waiting for:** the model's answer, since 2026-05-01 03:00 UTC");
    progress.hear(answered);
    progress.hear(called);
    await pass(progress, 60);
    expect(body()).toContain('**Waiting for:** the tool `run_command`, since 2026-05-01 03:01 UTC');
    progress.hear(returned);
    await pass(progress, 60);
    expect(body()).not.toContain('Waiting for');
    expect(edits).toBeLessThanOrEqual(4);
  });

  it('gives a sign of life every five minutes, however long it takes [NX-238]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    progress.begin();
    progress.hear(asked);
    for (let minute = 0; minute < 60; minute += 1) {
      await pass(progress, 60);
      expect(time - readSign()).toBeLessThanOrEqual(5 * 60_000);
    }
    expect(edits).toBeLessThanOrEqual(16);
  });

  it('says that the model is away, and that the run is queued once it is not waited for [NX-238]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    progress.begin();
    progress.modelIsAway({ kind: 'unreachable', remedy: 'wait' });
    await pass(progress, 60);
    expect(body()).toContain('the model, unavailable since 2026-05-01 03:00 UTC');
    await progress.leave('queued');
    expect(body()).toContain('**State:** ⏳ queued');
    expect(body()).toContain('the model, unavailable since');
    expect(body()).not.toContain('at least every');
  });

  it('names what the operator has to fix, and since when the run waits for it', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    progress.begin();
    progress.modelIsAway({ kind: 'server-error', remedy: 'wait' });
    progress.modelIsAway({ kind: 'no-quota', remedy: 'operator' });
    await pass(progress, 60);
    expect(body()).toContain(
      "the operator of the agent, since 2026-05-01 03:00 UTC: the account at the model's endpoint has no credit left",
    );
    progress.modelIsAway(null);
    await pass(progress, 300);
    expect(body()).not.toContain('the operator of the agent');
  });

  it('is right within a minute of the moment at which the platform can be reached again [NX-238]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    progress.begin();
    isReachable = false;
    progress.hear(asked);
    await pass(progress, 900);
    expect(body()).not.toContain('Waiting for');
    isReachable = true;
    await pass(progress, 60);
    expect(body()).toContain("the model's answer, since 2026-05-01 03:00 UTC");
  });
});

describe('the comment of a run whose host sleeps, or whose process ends', () => {
  it('gives a sign of life within a minute of the waking, whichever way the clock jumped [NX-239]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    progress.begin();
    for (const hours of [9, -3]) {
      time += hours * 3_600_000;
      await pass(progress, 60);
      expect(Math.abs(time - readSign())).toBeLessThanOrEqual(60_000);
    }
  });

  it('says that it is interrupted, and what becomes of it; the next process corrects it at once [NX-239]', async () => {
    const ending = open();
    await ending.claim.hold({ begins: true });
    ending.progress.begin();
    await ending.progress.leave('interrupted');
    expect(body()).toMatchInlineSnapshot(`
      "- **State:** ⏹️ interrupted
      - **So far:** 1 model call · 1200 tokens in, 34 out
      - **Waiting for:** the next start of the agent (continues automatically)
      - **Last update:** 2026-05-01 03:00 UTC"
    `);
    expect(looks).toEqual([]);
    const next = open();
    await next.claim.hold();
    expect(body()).toContain('**State:** ▶️ running');
  });

  it('does not keep the process from ending where the platform does not answer [NX-239]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    progress.begin();
    isReachable = false;
    await progress.leave('interrupted');
    expect(looks).toEqual([]);
  });
});
