// @module-tag full
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { afterEach, expect, it } from 'vitest';

const worker = fileURLToPath(new URL('spending-worker.ts', import.meta.url));
const mostMicros = 400;
const limitMicros = 12_000;
const kills = 6;

const running = new Set<ChildProcess>();
let vendor: Server | null = null;
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  vendor?.close();
});

/** Bills each request as soon as it comes, and answers a moment later. */
async function startVendor() {
  const bill = { micros: 0, requests: 0 };
  vendor = createServer(async (_, response) => {
    const output = 100 + ((bill.requests * 37) % (mostMicros - 100));
    bill.requests += 1;
    bill.micros += output;
    await wait(5 + (bill.requests % 20));
    response.end(JSON.stringify({ output }));
  });
  await new Promise<void>((resolve) => vendor?.listen(0, '127.0.0.1', resolve));
  return { bill, url: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}` };
}

/** Resolves with what it said, or null where it was killed. */
async function runWorker(args: readonly string[], onStart: (child: ChildProcess) => void) {
  const child = spawn(process.execPath, ['--conditions=@agent/source', worker, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  onStart(child);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  running.delete(child);
  return code === 0 ? said.trim() : null;
}

it('two processes that are killed share a limit in a database, pass it by one call at most, and each says that it ended there [NX-194, NX-195]', async () => {
  const url = await findSharedPostgres();
  const schema = `s${randomUUID().replaceAll('-', '')}`;
  const { bill, url: address } = await startVendor();
  let left = kills;
  async function keepGoing(): Promise<string> {
    const uuid = randomUUID();
    for (;;) {
      const requests = bill.requests;
      const said = await runWorker(
        [url, schema, address, uuid, String(limitMicros / 1_000_000)],
        async (child) => {
          if (left === 0) return;
          left -= 1;
          // Killed in the middle of its work: some requests after it began.
          while (bill.requests < requests + 4 && child.exitCode === null) await wait(1);
          child.kill('SIGKILL');
        },
      );
      if (said !== null) return said;
    }
  }
  const said = await Promise.all([keepGoing(), keepGoing()]);
  expect(said).toEqual(Array(2).fill('over-budget: 0.0120 USD per day'));
  const storage = createPostgresStorage({ database: await connectPostgres({ url }), schema });
  const owner = await storage.members.acquire();
  const [account] = await storage.openSpending({ owner }).read(['day:2026-03-01']);
  await owner.release();
  await storage.close();
  expect(left).toBe(0);
  expect(bill.micros).toBeLessThan(limitMicros + mostMicros);
  expect(account?.spentMicros).toBeGreaterThanOrEqual(bill.micros);
  expect(account?.reservedMicros).toBe(0);
  expect(account?.presumedMicros).toBeGreaterThan(0);
}, 300_000);
