import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startGitHubSimulator } from './start-github-simulator.ts';
import { repositoryName, startTrial } from './trial.ts';

describe('closing the simulated GitHub', () => {
  it('removes its repositories and stops listening', async () => {
    const trial = await startTrial();
    const directory = trial.simulator.gitDirectory(repositoryName);
    expect(existsSync(directory)).toBe(true);
    await trial.close();
    expect(existsSync(directory)).toBe(false);
    await expect(fetch(trial.simulator.url)).rejects.toThrow();
  });

  it('does not wait for slow answers, open connections or a git that waits for more', async () => {
    const trial = await startTrial();
    const { simulator } = trial;
    simulator.fail({ path: '/user', kind: 'slow', delayMs: 600_000 });
    const slow = fetch(`${simulator.url}/user`).catch((error: unknown) => error);
    const idle = createConnection(Number(new URL(simulator.url).port), '127.0.0.1').on('error', () => {});
    const half = createConnection(Number(new URL(simulator.url).port), '127.0.0.1').on('error', () => {});
    const basic = Buffer.from('x:agent-token').toString('base64');
    const head = `POST /owner/demo.git/git-receive-pack HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${basic}\r\nContent-Type: application/x-git-receive-pack-request\r\nContent-Length: 1000\r\n\r\n0`;
    await new Promise((resolve) => half.write(head, resolve));
    while (simulator.requests.length < 2) await new Promise(setImmediate);
    const began = performance.now();
    await trial.close();
    expect(performance.now() - began).toBeLessThan(5000);
    expect(await slow).toBeInstanceOf(Error);
    idle.destroy();
    half.destroy();
  });

  it('listens on 127.0.0.1 at the port that is asked for', async () => {
    const first = await startGitHubSimulator();
    const port = Number(new URL(first.url).port);
    await expect(startGitHubSimulator({ port })).rejects.toThrow('EADDRINUSE');
    await first.close();
    const second = await startGitHubSimulator({ port });
    expect(second.url).toBe(`http://127.0.0.1:${port}`);
    await second.close();
  });
});
