// @module-tag full
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createOrchestrator } from '@agent/orchestrator';
import { connectConfiguredPlatforms } from '@agent/orchestrator/platforms';
import type { RunStorage } from '@agent/run-store';
import { createMemoryPlace, createMemoryStorage } from '@agent/run-store/testing';
import { createModel } from '@agent/runner/models';
import { followSteps } from '@agent/simulators/model';
import { createTextWorker } from '@agent/text/worker';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { toPlatformSettings, toRunDirectories } from '../../src/config/settings.ts';
import { createLogger } from '../../src/log/logger.ts';
import { fixScript } from '../support/fix-script.ts';
import { createModelGate } from '../support/model-gate.ts';
import { listTurns } from '../support/model-requests.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const seed = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };

/** Writes a new file that may be run, and one that git ignores. */
const command = `
  const fs = require('node:fs');
  fs.writeFileSync('run.sh', '#!/bin/sh\\n', { mode: 0o755 });
  fs.mkdirSync('node_modules/made', { recursive: true });
  fs.writeFileSync('node_modules/made/index.js', 'x');
`;

const script = followSteps([
  {
    toolCalls: [
      {
        name: 'edit_file',
        input: { path: 'total.js', old_text: 'line.price', new_text: 'line.price * line.quantity' },
      },
      { name: 'run_command', input: { command: 'node', args: ['-e', command] } },
    ],
  },
  { toolCalls: [{ name: 'run_command', input: { command: 'node', args: ['total.test.js'] } }] },
  { toolCalls: [{ name: 'list_files', input: {} }] },
  (view) => {
    const outputs = view.exchanges.map(({ name, output }) => `${name}: ${output}`);
    return { text: `What I saw: ${outputs.slice(-2).join('\n')}` };
  },
]);

/** Lets a machine work that has worktrees of its own, and shares what is kept of runs. */
async function work(at: World, machine: string, storage: RunStorage): Promise<boolean> {
  const { environment } = at.forge;
  const loaded = await loadConfig(at.configFile, { ...environment, PATH: process.env.PATH });
  const workspaces = join(at.directory, machine);
  const settings = toPlatformSettings(loaded, storage);
  const platforms = { ...settings, workspaces: { ...settings.workspaces, directory: workspaces } };
  const output = new PassThrough().resume();
  const logger = createLogger({
    level: () => 'error',
    format: 'json',
    redact: (text) => text,
    version: '1.0.0',
    output,
  });
  return createOrchestrator({
    platforms: (call) => connectConfiguredPlatforms(platforms, { logger, ...call }),
    model: () => createModel(loaded.config.llm, loaded),
    directory: { ...toRunDirectories(loaded), workspaces },
    storage,
    settings: loaded.config,
    environment: loaded.environment,
    textWorker: createTextWorker(),
    logger,
  }).run({ once: true });
}

describe.each(forgesToTry('gitlab'))('a run on %s whose machine dies', (name) => {
  it('goes on elsewhere with the same files, and the model is told what is not there [NX-147]', async () => {
    const gate = createModelGate();
    world = await startWorld({ script, forges: [name], onModelRequest: gate.onModelRequest });
    const { forge, model } = world;
    const { reference } = forge.openIssue(seed);
    const place = createMemoryPlace();
    const first = work(world, 'one', createMemoryStorage({ place })).catch((error: unknown) => error);
    await gate.asked(1);
    gate.letThrough();
    await gate.asked(2);
    // From here on the first machine hears nothing any more.
    const second = work(world, 'two', createMemoryStorage({ place }));
    await gate.asked(3);
    gate.letThrough({ forEver: true });
    expect(await second).toBe(true);
    expect(await first).toMatchObject({ code: 'owned' });

    const [, , resumed = ''] = listTurns(model);
    expect(resumed).toContain('continues on another machine');
    expect(resumed).toContain('node_modules');
    expect(listTurns(model).at(-1)?.split('continues on another machine')).toHaveLength(2);
    const thread = forge.thread(reference);
    expect(thread.labels).toContain('coding agent done');
    expect(thread.comments.filter(({ body }) => body.includes('What I saw'))).toHaveLength(1);
    const said = thread.comments.at(-1)?.body ?? '';
    expect(said).toContain('fail 0');
    expect(said).toContain('run.sh');
    expect(said).not.toContain('made');
    const [request] = forge.changeRequests();
    const branch = request?.changeRequest?.head ?? '';
    expect(await forge.readFile(branch, 'total.js')).toContain('line.price * line.quantity');
    expect(await forge.readFile(branch, 'run.sh')).toBe('#!/bin/sh\n');
    expect(place.beside.snapshots.size).toBe(0);
  });

  it('leaves one request and one answer where it died just after its work was pushed [NX-147]', {
    tags: ['release'],
  }, async () => {
    const opened = createModelGate();
    const opens = /^POST .*\/(pulls|merge_requests)$/;
    world = await startWorld({
      script: fixScript,
      forges: [name],
      onForgeRequest: (label) => (opens.test(label) ? opened.onModelRequest() : undefined),
    });
    const { forge } = world;
    const { reference } = forge.openIssue(seed);
    const place = createMemoryPlace();
    const first = work(world, 'one', createMemoryStorage({ place })).catch((error: unknown) => error);
    await opened.asked(1);
    expect(await work(world, 'two', createMemoryStorage({ place }))).toBe(true);
    opened.letThrough({ forEver: true });
    expect(await first).toMatchObject({ code: 'owned' });
    const [request, ...others] = forge.changeRequests();
    expect(others).toEqual([]);
    expect(await forge.subjectsOf(request?.changeRequest?.head ?? '')).toHaveLength(1);
    const { labels, comments } = forge.thread(reference);
    expect(labels).toContain('coding agent done');
    expect(comments.filter(({ body }) => body.includes('the tests pass'))).toHaveLength(1);
  });
});
