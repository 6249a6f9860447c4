import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { connectPostgres, createPostgresStorage, type Database } from '@agent/run-store/postgres';
import { startProxy, type TcpProxy } from '@agent/simulators/postgres';
import { MockLanguageModelV4 } from 'ai/test';
import { parseRunSettings } from '../src/config/index.ts';
import type { RunLogger } from '../src/host/ports.ts';
import { createOrchestrator } from '../src/index.ts';

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const settings = parseRunSettings({
  planning: { enabled: false },
  tools: { run_command: { sandbox: 'off', allow_root: true } },
});

/** A model that is asked, and answers as often as it was told to. */
export function createHeldModel() {
  const asked: string[] = [];
  const gates = Array.from({ length: 20 }, () => Promise.withResolvers<void>());
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      asked.push(JSON.stringify(prompt));
      await gates[asked.length - 1]?.promise;
      return {
        content: [{ type: 'text', text: 'It is four.' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage,
        warnings: [],
      };
    },
  });
  return {
    model,
    asked,
    answer: (times = gates.length) => {
      for (const gate of gates.slice(0, times)) gate.resolve();
    },
  };
}

/** Lines that were logged; beside them the logger. */
function createLog() {
  const lines: string[] = [];
  const at = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${message} ${String((fields as { err?: unknown }).err ?? '')}`);
  const levels = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const logger: RunLogger = { ...levels, child: () => logger };
  return { lines, logger };
}

export interface BadServerBed {
  readonly schema: string;
  /** Way of the process to its server. */
  readonly proxy: TcpProxy;
  /** A way to the server that is never broken. */
  readonly direct: Database;
  /** Milliseconds for which statements were told to pause so far. */
  readonly asleepMs: () => number;
  /** Starts the process on the runs of the place; `end` tells it to end. */
  readonly start: (held: Pick<ReturnType<typeof createHeldModel>, 'model'>) => Promise<StartedProcess>;
  /** Bodies of the comments on the one thread that there is. */
  readonly readBodies: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

interface StartedProcess extends Pick<ReturnType<typeof createOrchestrator>, 'board'> {
  readonly database: Database;
  readonly log: readonly string[];
  readonly end: () => Promise<unknown>;
}

/** A thread that waits for the agent, and a place for its runs on a server that may do harm. */
export async function openBadServerBed(url: string): Promise<BadServerBed> {
  const directory = await mkdtemp(join(tmpdir(), 'bad-server-'));
  const schema = `bad_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
  const direct = await connectPostgres({ url });
  const proxy = await startProxy({ port: Number(new URL(url).port) });
  const platform = createMemoryPlatform({ answersOnly: true });
  const key = platform.people.openIssue({ author: 'octo', title: 'one', body: 'Please.' });
  platform.people.assign(key, ['agent']);
  const ends: (() => Promise<unknown>)[] = [];
  let asleepMs = 0;
  const sleep = async (delayMs: number) => {
    asleepMs += delayMs;
    await wait(5);
  };
  return {
    ...{ schema, proxy, direct, asleepMs: () => asleepMs },
    start: async ({ model }) => {
      const { lines: log, logger } = createLog();
      const through = Object.assign(new URL(url), { port: String(proxy.port) }).href;
      const database = await connectPostgres({ url: through, sleep, logger });
      const storage = createPostgresStorage({ database, schema, renewMs: 200, logger });
      const orchestrator = createOrchestrator({
        ...{ platforms: [platform], model, storage, settings, directory, logger },
        pollIntervalMs: 50,
      });
      const ending = new AbortController();
      // A process that lost its place rejects, as its program would end.
      const running = orchestrator
        .run({ signal: ending.signal })
        .catch((error: unknown) => log.push(`ended ${error}`));
      let ended: Promise<unknown> | null = null;
      const end = () => {
        ending.abort();
        ended ??= running.then(storage.close);
        return ended;
      };
      ends.push(end);
      return { board: orchestrator.board, database, log, end };
    },
    readBodies: async () => {
      const { comments } = await platform.openThread(key).comments.listComments({ since: null });
      return comments.map(({ body }) => body);
    },
    close: async () => {
      proxy.set(null);
      await Promise.all(ends.map((end) => end()));
      await direct.close();
      await proxy.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
