import { setTimeout as delay } from 'node:timers/promises';
import type { Script } from '@agent/simulators/model';
import { startDaemon } from '../daemon-process.ts';
import { repository, startWorld, type World } from '../world.ts';

/** Milliseconds, one for each event or step. */
export interface LatencyFigures {
  /** From the moment before a webhook is posted until a request to the model holds its comment. */
  readonly arrival: readonly number[];
  /** From the moment before a webhook is posted until it is answered. */
  readonly answer: readonly number[];
  /** From the model's answer to its next request, where nothing was said meanwhile. */
  readonly quietStep: readonly number[];
  /** Events whose comment was not in the very next request. */
  readonly late: number;
}

const secret = 'TheSecretOfTheWebhookInBenches01';
/** The daemon looks at a thread once a second at most: what is measured is an event that need not wait for that. */
const spacingMs = 1_100;
const script =
  (steps: number): Script =>
  (view) =>
    view.exchanges.length < steps
      ? { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] }
      : { text: 'The total is right.' };

interface Pending {
  readonly marker: string;
  readonly postedAt: number;
}

/** One run of the built daemon that is told of a comment while the model thinks, `events` times. */
export async function measureLatency({ events, quietSteps }: { events: number; quietSteps: number }) {
  const figures = { arrival: [] as number[], answer: [] as number[], quietStep: [] as number[], late: 0 };
  let pending: Pending | null = null;
  let quietSince: number | null = null;
  const world: World = await startWorld({
    script: script(events + quietSteps),
    pollIntervalSeconds: 3_600,
    // A summary of what does not fit would be a request of its own, without the comment.
    contextLength: 1_000_000,
    config: {
      http: { port: 0 },
      limits: { max_steps: 10_000 },
      locale: 'en',
    },
    onModelCall: async () => {
      const now = performance.now();
      const request = world.model.requests.at(-1);
      if (request?.method !== 'POST') return;
      if (quietSince !== null) figures.quietStep.push(now - quietSince);
      quietSince = null;
      if (pending !== null) {
        if (JSON.stringify(request.body).includes(pending.marker)) {
          figures.arrival.push(now - pending.postedAt);
          pending = null;
        } else figures.late += 1;
      }
      if (figures.quietStep.length < quietSteps) quietSince = performance.now();
      else if (pending === null && figures.arrival.length < events) {
        await delay(spacingMs);
        pending = await tell(figures.arrival.length);
      }
    },
  });
  world.openIssue('The total is wrong');
  const daemon = startDaemon(world, { once: false, environment: { GITHUB_WEBHOOK_SECRET: secret } });
  const tell = async (index: number): Promise<Pending> => {
    const { url } = (await daemon.log.find('listening for webhooks')) as unknown as { readonly url: string };
    const marker = `Comment number ${index} of the bench.`;
    const { id } = world.gitHub.comment({ repo: repository, number: 1, author: 'alice', body: marker });
    const happening = { event: 'issue_comment', action: 'created', repo: repository, commentId: id } as const;
    const delivery = world.gitHub.composeDelivery(happening, secret);
    const postedAt = performance.now();
    const response = await fetch(`${url}/webhooks/github`, { method: 'POST', ...delivery });
    if (response.status !== 202) throw new Error(`The daemon answered ${response.status}.`);
    figures.answer.push(performance.now() - postedAt);
    return { marker, postedAt };
  };
  try {
    await daemon.whileRunning(daemon.log.find('finished task'));
    return figures satisfies LatencyFigures;
  } finally {
    await daemon.end();
    await world.close();
  }
}
