// @module-tag full
import { createHash } from 'node:crypto';
import { followSteps } from '@agent/simulators/model';
import { afterEach, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import type { ForgeName } from '../support/forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, token, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

// Put together here, so that scanners of this repository find nothing.
const key = ['npm', '_', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b'].join('');
const branch = 'agent/issue-1-publish-it';

const write = (content: string) => ({
  toolCalls: [{ name: 'write_file', input: { path: 'publish.js', content } }],
});

async function run(
  steps: Parameters<typeof followSteps>[0],
  { forge: name = 'github', config = {} }: { forge?: ForgeName; config?: object } = {},
): Promise<{ readonly here: World; readonly output: string }> {
  const here = await startWorld({ script: followSteps(steps), forges: [name], config: { ...config } });
  world = here;
  here.forge.openIssue({ title: 'Publish it', body: 'To npm.', labels: ['coding agent'] });
  const { environment } = here.forge;
  const { output } = await startDaemonProcess(here.configFile, { environment }).exited;
  return { here, output };
}

it.each(forgesToTry('github'))(
  'lets the model take a secret out before anything is pushed, on %s [NX-40]',
  async (forge) => {
    const { here } = await run(
      [
        write(`const key = '${key}';\n`),
        { text: 'Done.' },
        write('const key = process.env.KEY;\n'),
        { text: 'The key is gone.' },
      ],
      { forge },
    );
    const asked = listTurns(here.model).join('\n');
    expect(asked).toContain('Your changes were not pushed: they contain possible secrets');
    expect(asked).toContain('- `publish.js`, line 1: token of a package registry');
    expect(here.forge.thread('#1').labels).toEqual(['coding agent done']);
    expect(here.forge.changeRequests()[0]?.body).toContain('The key is gone.');
    expect(await here.forge.readFile(branch, 'publish.js')).toBe('const key = process.env.KEY;\n');
  },
  60_000,
);

it('holds a secret that the model keeps, and tells the thread where it stands [NX-40]', async () => {
  const { here, output } = await run([
    write(`\nconst key = '${key}';\n`),
    { text: 'Done.' },
    { text: `It is ${key}.` },
  ]);
  const { labels, comments } = here.forge.thread('#1');
  const [report] = comments;
  const sha256 = createHash('sha256').update(key).digest('hex');
  expect(labels).toEqual(['coding agent paused']);
  expect(report?.body).toContain('**H1** `publish.js`, line 2: token of a package registry.');
  expect(report?.body).toContain(`SHA-256 of the match: \`${sha256}\``);
  expect(report?.body).not.toContain(key);
  expect(output).not.toContain(key);
  expect(output).toContain('"fingerprint":"');
  expect(await here.forge.branches()).toEqual(['main']);
  expect(here.forge.changeRequests()).toEqual([]);
});

it('pushes what the operator allows, and never the token of the daemon [NX-40]', async () => {
  const config = { outgoing: { allow_paths: ['publish.js'] } };
  const allowed = await run([write(`const key = '${key}';\n`), { text: 'Done.' }], { config });
  expect(await allowed.here.forge.readFile(branch, 'publish.js')).toContain(key);
  await allowed.here.close();

  const coded = Buffer.from(`x-access-token:${token}`).toString('base64');
  const refused = await run([write(`const key = '${coded}';\n`), { text: 'Done.' }, { text: 'Done.' }], {
    config,
  });
  expect(refused.here.forge.thread('#1').comments[0]?.body).toContain(
    '`publish.js`, line 1: a secret of this service',
  );
  expect(await refused.here.forge.branches()).toEqual(['main']);
});
