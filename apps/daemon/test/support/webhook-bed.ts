import { TaskBoard } from '@agent/orchestrator';
import { openWebhooks } from '@agent/orchestrator/platforms';
import { createDoorbell, type Doorbell, type Ring } from '@agent/platforms/sources';
import { parseConfig } from '../../src/config/load-config.ts';
import { startHttpServer } from '../../src/http/start-http-server.ts';
import type { DaemonLogger } from '../../src/log/logger.ts';
import { serviceOf } from './service-of.ts';

export const secret = 'It is a secret to everybody';
export const token = 'Nobody shall know this token';

/** The daemon's HTTP server with its webhooks, and everything that they lead to. */
export interface WebhookBed {
  readonly url: string;
  readonly rings: readonly Ring[];
  readonly wakes: () => number;
  /** Messages of warnings. */
  readonly warnings: readonly string[];
  readonly close: () => Promise<void>;
}

const config = (trigger: string) => `
platforms:
  github: { repositories: [Acme/Shop], trigger: ${trigger} }
  gitlab: { projects: [acme/tools/shop], trigger: ${trigger} }
`;

/** Looks after `Acme/Shop` and `acme/tools/shop`. */
export async function startWebhookBed(
  environment: Readonly<Record<string, string>> = {
    GITHUB_WEBHOOK_SECRET: secret,
    GITLAB_WEBHOOK_TOKEN: token,
  },
  trigger = 'label',
): Promise<WebhookBed> {
  const rings: Ring[] = [];
  const warnings: string[] = [];
  let wakes = 0;
  const bell: Doorbell = createDoorbell();
  bell.onRing(null, (ring) => rings.push(ring));
  const nothing = (): void => {};
  const logger = {
    debug: nothing,
    info: nothing,
    warn: (_fields: object, message: string) => warnings.push(message),
    error: nothing,
  } as unknown as DaemonLogger;
  const webhooks = await openWebhooks({
    settings: parseConfig(config(trigger), 'test'),
    environment,
    bell,
    wake: () => {
      wakes += 1;
    },
    logger,
  });
  const board = new TaskBoard({ now: () => 0 });
  const server = await startHttpServer(
    {
      board: () => board.state,
      readService: async () => serviceOf(board),
      queue: { waiting: async () => [] },
      readMetrics: async () => '',
      history: async () => ({ paused: [], recent: [] }),
      redact: (text) => text,
      startedAt: 0,
      now: () => 0,
      host: '127.0.0.1',
      allowedHosts: [],
      webhooks,
      onError: (error) => warnings.push(String(error)),
    },
    { port: 0 },
  );
  return { url: server.url, rings, wakes: () => wakes, warnings, close: server.close };
}
