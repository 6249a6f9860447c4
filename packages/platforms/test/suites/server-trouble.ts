import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import type { Platform } from '../../src/index.ts';
import { onServer } from '../fixtures/on-server.ts';
import { rejection } from '../fixtures/rejection.ts';
import type { HostedFixture, HostedWorld } from './hosted-world.ts';

const thread = '/issues/1';

/** How a server that fails is spoken of; `connectTo` knows no token but its own and repeats nothing. */
export function serverTrouble<Fixture extends HostedFixture>(
  world: HostedWorld<Fixture>,
  connectTo: (baseUrl: string) => Platform,
): void {
  const { name } = world;

  it.each([
    ['server-error', `${name} could not answer; try again later`],
    ['bad-gateway-html', `${name} said 502`],
    ['malformed-json', 'sent an answer that is not JSON'],
    ['reset-connection', 'could not be reached'],
  ] as const)('%s is unavailable', (kind, words) =>
    world.on(async ({ simulator, platform, key }) => {
      await platform.tasks.listTasks({ label: null, assignee: null, state: 'open' });
      simulator.fail({ path: thread, kind });
      const error = await rejection(platform.openThread(key).reader.readThread());
      expect(error.code).toBe('unavailable');
      expect(error.message).toContain(words);
      expect(error.message).not.toMatch(/<html|<body/);
      expect(error.message).toContain('read octo/hello#1');
    }),
  );

  it('a slow answer is given up after the timeout', () =>
    world.on(async ({ simulator, connect, key }) => {
      simulator.fail({ path: thread, kind: 'slow', delayMs: 5000 });
      const error = await rejection(connect({ timeoutMs: 50 }).openThread(key).reader.readThread());
      expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('within 50 ms') });
    }));

  it("a caller who has had enough is let go at once, with the signal's reason", () =>
    world.on(async ({ simulator, connect, key }) => {
      simulator.fail({ path: thread, kind: 'slow', delayMs: 5000 });
      const reason = new Error('shutting down');
      const controller = new AbortController();
      const patient = connect({ readRetries: 2 }).openThread(key, { onRequest: () => undefined });
      const reading = patient.reader.readThread({ signal: controller.signal });
      setTimeout(() => controller.abort(reason), 20);
      await expect(reading).rejects.toBe(reason);
    }));

  it('an address where nobody listens is unavailable, by address', async () => {
    const error = await rejection(connectTo('http://127.0.0.1:9').identity.whoAmI());
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain('http://127.0.0.1:9');
  });

  it('another kind of server is told from the right one', () =>
    onServer(
      createServer((_request, response) => {
        response.setHeader('content-type', 'application/json').end('{"hello":"world"}');
      }),
      async (host) => {
        const error = await rejection(connectTo(`http://${host}`).identity.whoAmI());
        expect(error.code).toBe('unavailable');
        expect(error.message).toMatch(new RegExp(`does not have the form that ${name} uses .*baseUrl`));
      },
    ));
}
