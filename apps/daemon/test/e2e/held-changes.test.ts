import { followSteps } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import type { ForgeName } from '../support/forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const workflow = '.github/workflows/ci.yml';
const branch = 'agent/issue-1-add-ci';
const write = (path: string, content: string) => ({ name: 'write_file', input: { path, content } });
const script = followSteps([
  {
    toolCalls: [
      write(workflow, 'on: push\njobs: {}\n'),
      write('total.js', 'export const total = () => 6;\n'),
    ],
  },
  { text: 'CI runs the tests now.' },
]);

interface Given {
  readonly forge: ForgeName;
  readonly config?: object;
  readonly body?: string;
}

async function start({ forge: name, config = {}, body = 'Please add CI.' }: Given) {
  const here = await startWorld({
    script,
    forges: [name],
    config: { comment_detection: { enabled: true }, ...config },
  });
  world = here;
  const { reference } = here.forge.openIssue({ title: 'Add CI', body, labels: ['coding agent'] });
  const live = async () => {
    const { output } = await startDaemonProcess(here.configFile).exited;
    return { output, ...here.forge.thread(reference), turns: listTurns(here.model).length };
  };
  const say = (author: string, text: string) => here.forge.comment(reference, { author, body: text });
  const read = (path: string) => here.forge.readFile(branch, path).catch(() => null);
  return { here, reference, live, say, read };
}

const checks = {
  environments: [{ repositories: ['*'], checks: { commands: ['test -f total.js && ! test -e .github'] } }],
};

describe.each(forgesToTry('github'))('a change of a CI file, on %s', (forge) => {
  it('is held with its patch and pushed once a trusted user allows it; an untrusted user changes nothing', async () => {
    const { here, live, say, read } = await start({ forge, config: checks });
    const held = await live();
    expect(held.labels).toEqual(['coding agent paused']);
    const [comment] = held.comments;
    expect(comment?.body).toContain('**H1**');
    expect(comment?.body).toContain('+on: push\n+jobs: {}');
    expect(comment?.body).toContain('The other changes are pushed.');
    expect(await read('total.js')).toBe('export const total = () => 6;\n');
    expect(await read(workflow)).toBeNull();
    expect(here.forge.changeRequests()).toHaveLength(1);

    say('bob', '/allow H1');
    const untrusted = await live();
    expect([untrusted.labels, untrusted.turns]).toEqual([['coding agent paused'], held.turns]);
    say('alice', '/allow H2');
    expect((await live()).labels).toEqual(['coding agent paused']);
    expect(await read(workflow)).toBeNull();

    say('alice', '/allow H1');
    const done = await live();
    expect(done.labels).toEqual(['coding agent done']);
    expect(await read(workflow)).toBe('on: push\njobs: {}\n');
    expect(done.comments.at(-1)?.body).toContain('H1: `.github/workflows/ci.yml` was allowed by `@alice`');
    expect(here.forge.changeRequests()).toHaveLength(1);
  }, 60_000);
});
