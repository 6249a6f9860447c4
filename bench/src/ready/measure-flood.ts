import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { startDaemon } from '../daemon-process.ts';
import { readMemory } from '../memory/read-memory.ts';
import { answeringScript } from '../scripts.ts';
import { startWorld } from '../world.ts';

export interface FloodFigures {
  readonly beforeMb: number;
  readonly peakMb: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly connections: number;
  /** Until the last of the slow connections was closed, in seconds. */
  readonly slowSeconds: number;
}

const bodies = 60;
const bodyBytes = 4 * 1_048_576;
const connections = 600;
const sampleMs = 10;

/** What strangers can make the built daemon hold: bodies that no signature fits, and connections that send nothing more. */
export async function measureFlood(): Promise<FloodFigures> {
  const world = await startWorld({ script: answeringScript, config: { http: { port: 0 } } });
  const environment = { GITHUB_WEBHOOK_SECRET: 'TheSecretOfTheWebhookInBenches01' };
  const daemon = startDaemon(world, { once: false, environment });
  try {
    const { url } = (await daemon.whileRunning(daemon.log.find('listening for webhooks'))) as unknown as {
      readonly url: string;
    };
    await wait(1_000);
    const before = await readMemory(daemon.processId);
    let peakKb = before.residentKb;
    let isOver = false;
    const sampling = (async () => {
      while (!isOver) {
        peakKb = Math.max(peakKb, (await readMemory(daemon.processId)).residentKb);
        await wait(sampleMs);
      }
    })();
    const answers = await Promise.all(Array.from({ length: bodies }, () => deliver(url)));
    isOver = true;
    await sampling;
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: connections }, () => beSlow(url)));
    return {
      beforeMb: before.residentKb / 1_024,
      peakMb: peakKb / 1_024,
      statuses: countBy(answers),
      connections,
      slowSeconds: (performance.now() - startedAt) / 1_000,
    };
  } finally {
    await daemon.end();
    await world.close();
  }
}

const body = Buffer.alloc(bodyBytes, 'x');

function deliver(url: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': String(bodyBytes),
      'x-github-event': 'issue_comment',
      'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
    };
    const sent = request(`${url}/webhooks/github`, { method: 'POST', agent: false, headers }, (answer) => {
      answer.resume();
      answer.once('error', () => {});
      resolve(String(answer.statusCode));
    });
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    sent.end(body);
  });
}

function beSlow(url: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write('POST /webhooks/git'));
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.once('close', () => resolve());
  });
}

function countBy(values: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
