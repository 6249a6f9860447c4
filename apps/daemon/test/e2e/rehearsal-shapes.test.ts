// @module-tag full
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareRehearsal, openShapes, recorderArguments } from '@agent/rehearsal/shapes';
import { afterEach, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

it.each([
  ['github', 'responses'],
  ['gitlab', 'chat'],
] as const)(
  'a daemon on %s with a model behind /%s records shapes that do not differ from the references',
  async (name, api) => {
    world = await startWorld({ script: fixScript, forges: [name], api });
    world.forge.openIssue({
      title: 'The total is wrong',
      body: 'It forgets the quantity.',
      labels: ['bug', 'coding agent'],
    });
    const directory = await mkdtemp(join(tmpdir(), 'rehearsal-'));
    const shapes = openShapes({ directory });
    const { exited } = startDaemonProcess(world.configFile, {
      alone: true,
      nodeArguments: recorderArguments(),
      environment: shapes.environment,
    });
    expect((await exited).code).toBe(0);
    const lines: string[] = [];
    const file = await shapes.finish({ checks: [], versions: {} });
    const code = await compareRehearsal(file, { environment: {}, print: (line) => lines.push(line) });
    const written = await readFile(file, 'utf8');
    await rm(directory, { recursive: true });
    const content = ['acme', 'shop', 'alice', 'robot', 'quantity', 'total.js', 'agent/issue', '127.0.0.1'];
    for (const text of [...content, ...Object.values(world.forge.environment)])
      expect(written).not.toMatch(new RegExp(`\\b${text}\\b`));
    expect(lines.join('\n')).toContain('No differences found.');
    expect(Number(/Compared (\d+)/.exec(lines[0] ?? '')?.[1])).toBeGreaterThan(15);
    expect(code).toBe(0);
  },
);
