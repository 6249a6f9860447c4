import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { quickWaits, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import type { Forge } from '../support/forge.ts';
import { createModelGate } from '../support/model-gate.ts';
import { quietSpell } from '../support/quiet-spell.ts';
import { forgesToTry, itInFullInFiles } from '../support/samples.ts';
import { until } from '../support/until.ts';
import { startWorld, type World, type WorldOptions } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };

/** Tells whether a request to a forge reads: git fetches by POST, and so are queries of GraphQL sent. */
function isRead(label: string): boolean {
  return /^(?:GET|HEAD) (?!.*git-receive-pack)|^POST .*(?:\/git-upload-pack|\/graphql)$/.test(label);
}

async function open(options: Partial<WorldOptions> = {}) {
  const requests: string[] = [];
  const at = await startWorld({
    script: fixScript,
    config: { comment_detection: { enabled: true } },
    ...options,
    onForgeRequest: (label) => void requests.push(label),
  });
  world = at;
  const run = async (...flags: readonly string[]) => {
    const all = ['--once', '--log-format', 'pretty', ...flags];
    const { code, output } = await startDaemonProcess(at.configFile, {
      flags: all,
      nodeArguments: quickWaits,
    }).exited;
    return { code, output, writes: output.split('\n').filter((line) => line.startsWith('[observe] ')) };
  };
  const listWrites = () => requests.filter((label) => !isRead(label));
  return { at, forge: at.forge, run, listWrites, asked: () => at.model.requests.length };
}

async function expectUntouched(forge: Forge, reference: string): Promise<void> {
  expect(forge.thread(reference)).toMatchObject({
    ...{ labels: ['coding agent'], comments: [], statusComments: [], assignees: [] },
  });
  expect([forge.changeRequests(), await forge.branches()]).toEqual([[], ['main']]);
}

describe.each(['github', 'gitlab'] as const)('agent-daemon run --observe on %s', (name) => {
  it('works on an issue to the end, prints every write, and sends none', async () => {
    const { at, forge, run, listWrites, asked } = await open({ forges: [name] });
    const { reference, number } = forge.openIssue(issue);
    forge.comment(reference, { author: 'alice', body: 'Please keep it short.' });
    const before = forge.thread(reference);
    const { code, output, writes } = await run('--observe');
    expect(code, output).toBe(0);
    expect(listWrites()).toEqual([]);
    expect(forge.thread(reference)).toEqual(before);
    expect([forge.changeRequests(), await forge.branches()]).toEqual([[], ['main']]);
    const all = writes.join('\n');
    expect(all).toContain('would add the label "coding agent processing" to http');
    expect(all).toContain('would remove the label "coding agent" from http');
    expect(all).toContain(`would push to branch agent/issue-${number}-the-total-is-wrong of `);
    expect(all).toContain(`would open a draft for http`);
    expect(all).toContain(`(run:`);
    for (const text of [
      '    | modified total.js',
      '    | total counts quantities now; the tests pass.',
      '    | Title: ',
      `    | Closes #${number}`,
      '    | ## ✅ Task completed',
    ])
      expect(output).toContain(text);
    expect(output).not.toContain('failed to apply');
    expect(await readdir(join(at.directory, 'contexts'))).toEqual(['observed']);

    const directory = join(at.directory, 'contexts', 'observed');
    expect(output).toContain('observing: writing nothing on the platforms');
    expect(output).toContain(directory);

    const reading = join(at.directory, 'observed.yaml');
    const config = parse(await readFile(at.configFile, 'utf8'));
    const { postgres: _, ...storage } = config.storage ?? {};
    const context_storage = { ...config.context_storage, base_dir: directory };
    await writeFile(reading, stringify({ ...config, storage, context_storage }));
    const read = (...command: readonly string[]) => runDaemonCommand(reading, command);
    const history = await read('history', `acme/shop${reference}`);
    const [id = ''] = /\b[0-9a-f]{8}\b/.exec(history.output) ?? [];
    for (const shown of [await read('status'), history, await read('show', id, '--full')])
      expect([shown.code, shown.output]).toEqual([0, expect.stringContaining('completed')]);

    // The issue still waits there, and is not done a second time.
    const turns = asked();
    const again = await run('--observe', '--thread', `acme/shop${reference}`);
    expect(again, again.output).toMatchObject({ code: 3, writes: [] });
    expect(again.output).toContain(
      `acme/shop${reference} was already observed. Nothing was done. Remove the label "coding agent" and add it again, or delete ${directory}.`,
    );
    expect(asked()).toBe(turns);
  });
});

describe.each(forgesToTry('github'))('agent-daemon run --observe on %s', (name) => {
  it('leaves nothing to a real run, and begins again if the label is given again', {
    tags: ['release'],
  }, async () => {
    const { at, forge, run, listWrites } = await open({ forges: [name] });
    const { reference } = forge.openIssue(issue);
    expect((await run('--observe')).code).toBe(0);
    await expectUntouched(forge, reference);
    forge.removeLabel(reference, 'coding agent');
    forge.addLabels(reference, ['coding agent']);
    const again = await run('--observe', '--thread', `acme/shop${reference}`);
    expect(again.code, again.output).toBe(0);
    expect(again.output).toContain('    | ## ✅ Task completed');
    await expectUntouched(forge, reference);
    expect(listWrites()).toEqual([]);
    const idle = await run('--observe', '--thread', `acme/shop${reference}`);
    expect(idle, idle.output).toMatchObject({ code: 3, writes: [] });
    await rm(join(at.directory, 'contexts', 'observed'), { recursive: true });
    const repeated = await run('--observe', '--thread', `acme/shop${reference}`);
    expect(repeated.code, repeated.output).toBe(0);
    expect(repeated.output).toContain('    | ## ✅ Task completed');

    const real = await run();
    expect(real, real.output).toMatchObject({ code: 0, writes: [] });
    expect(forge.thread(reference).labels).toEqual(['coding agent done']);
    expect(forge.thread(reference).comments[0]?.body).toContain('## ✅ Task completed');
    expect(forge.changeRequests()).toHaveLength(1);
    expect(listWrites().join()).toMatch(/POST [^,]*(?:comments|notes).*POST [^,]*git-receive-pack/);
    const [uuid = ''] = await at.runs.list('completed');
    const metadata = JSON.parse(await at.runs.readFile(uuid, 'metadata.json'));
    expect(JSON.stringify(metadata)).not.toMatch(/"inherited_from_uuid":"/);
  });

  it('stays a daemon that does each task once, and prints JSON without a terminal', {
    tags: ['full'],
  }, async () => {
    const { at, forge, run, listWrites, asked } = await open({ forges: [name], script: answerScript });
    const { reference } = forge.openIssue(issue);
    const daemon = startDaemonProcess(at.configFile, { flags: ['--observe'], nodeArguments: quickWaits });
    const isDone = () => /"write":"label","change":"add","label":"coding agent done"/.test(daemon.output());
    await until('the task has ended', isDone);
    const [polls, turns] = [forge.pollCount(), asked()];
    await until('it was polled for again', () => forge.pollCount() > polls + 6);
    expect([asked(), listWrites()]).toEqual([turns, []]);
    await expectUntouched(forge, reference);
    // It has a directory of its own, so that a real one can run beside it.
    const real = await run();
    expect(real, real.output).toMatchObject({ code: 0, writes: [] });
    expect(forge.thread(reference).labels).toEqual(['coding agent done']);
    expect(daemon.output()).not.toContain('coding agent paused');
    daemon.child.kill('SIGTERM');
    await daemon.exited;
  });

  itInFullInFiles('continues its run after a crash, and prints each comment once', async () => {
    const gate = createModelGate();
    const { at, forge, run, listWrites } = await open({
      ...{ forges: [name], script: answerScript, onModelRequest: gate.onModelRequest },
    });
    const { reference } = forge.openIssue(issue);
    const flags = ['--once', '--observe', '--log-format', 'pretty'];
    const first = startDaemonProcess(at.configFile, { flags, nodeArguments: quickWaits, alone: true });
    await gate.asked(1);
    first.child.kill('SIGKILL');
    await first.exited;
    gate.letThrough({ forEver: true });
    const second = await run('--observe');
    expect(second.code, second.output).toBe(0);
    const comments = `${first.output()}${second.output}`.match(/^\[observe\] would comment on .*$/gm) ?? [];
    expect(comments.map((line) => /:(\w+)\):$/.exec(line)?.[1])).toEqual(['status', 'final']);
    expect(listWrites()).toEqual([]);
    await expectUntouched(forge, reference);
  });

  itInFullInFiles('handles each mention once, also one that was written during the run', async () => {
    let isSaid = false;
    const { forge, run, listWrites, asked } = await open({
      ...{ forges: [name], script: answerScript, section: { trigger: 'mention' } },
      onModelRequest: async () => {
        if (isSaid || forge.threads().length === 0) return;
        isSaid = true;
        forge.comment('#1', { author: 'alice', body: '@robot please keep it short.' });
        await quietSpell();
      },
    });
    expect((await run('--observe')).writes).toEqual([]);
    const { reference } = forge.openIssue({ ...issue, labels: [] });
    forge.comment(reference, { author: 'alice', body: '@robot please look into this.' });
    const first = await run('--observe');
    expect(first.code, first.output).toBe(0);
    expect(first.output).toContain('    | ## ➖ Nothing to change');
    const turns = asked();
    const again = await run('--observe');
    expect(again, again.output).toMatchObject({ code: 0, writes: [] });
    expect([asked(), listWrites()]).toEqual([turns, []]);
  });

  itInFullInFiles('answers a refused task in words only', async () => {
    const { forge, run, listWrites } = await open({ forges: [name] });
    const { reference } = forge.openIssue({ ...issue, labeledBy: 'bob', author: 'bob' });
    const { code, output } = await run('--observe');
    expect(code, output).toBe(0);
    expect(output).toContain("    | I haven't started");
    expect(listWrites()).toEqual([]);
    await expectUntouched(forge, reference);
  });
});
